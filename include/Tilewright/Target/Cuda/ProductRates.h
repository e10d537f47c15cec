// What the model of products' schedules knows of a chip beyond its data sheet: rates and times that kernels
// reach, fitted to measurements (docs/performance; utils/bench/fit_product_model.py). They rank schedules,
// never decide correctness. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TARGET_CUDA_PRODUCTRATES_H
#define TILEWRIGHT_TARGET_CUDA_PRODUCTRATES_H

#include "Tilewright/Target/Cuda/Arch.h"

namespace tilewright {

/// Products of 16 bits by single warps whose operands tensor maps could describe too, so that threads copy 16
/// bytes at a time.
struct WarpRates {
  /// Launch, the first step's way from memory, the last store: microseconds.
  double launch;
  /// 32 elements of K of a block; and a step's way from memory, which all stages but one share: nanoseconds.
  double step, latency;
  /// An operand's element on its way into a multiprocessor's registers: nanoseconds.
  double element;
  /// What they reach of the tensor cores' rate.
  double share;
  /// Rates of stores and of memory, bytes a nanosecond of all multiprocessors.
  double stores, memory;
  /// Warps of a multiprocessor that work beside one another, and the exponent with which times add up.
  double resident, overlap;
  /// Blocks that a chip starts in a nanosecond.
  double starts;
};

struct ProductRates {
  /// Launch in a graph, the first slot's way from memory, the last store: microseconds.
  double launch;
  /// The same that blocks of one instance of two warpgroups take longer.
  double wideLaunch;
  /// Clock at which tensor cores run when few multiprocessors do, and what it loses when all do (power): GHz.
  double tensorClock, loadedClockLoss;
  /// Clock at which shared memory feeds products: GHz.
  double feedClock;
  /// From asking for a slot of the ring to its bytes being there, under load: microseconds. A slot is asked
  /// for again when its product is done, so a step takes at least this over the number of stages.
  double slotLatency;
  /// Time of a step beside its products: nanoseconds.
  double stepTime;
  /// Time of one row of 128 bytes on its way from L2 into a multiprocessor's shared memory: nanoseconds.
  double lineTime;
  /// Of a row that begins at a multiple of 64, of 32, or of fewer bytes: what it takes beyond one at a
  /// multiple of 128, as a share, since it lies in two lines.
  double misaligned64, misaligned32, misaligned16;
  /// Of a row of one K, which holds elements along M or N: what it takes as a share of one along K.
  double rowsAcrossK;
  /// Rates of L2 and of memory for all multiprocessors together: bytes a nanosecond.
  double l2, memory;
  /// What memory takes longer until it has come to its rate, nanoseconds, and the bytes that it moves by then
  /// (of an exponential).
  double rampBytes, rampTime;
  /// Cycles of an epilogue for each element of a thread: its store, and each operation.
  double storeCycles, instructionCycles;
  /// Time of an epilogue beside that, while its sums arrive and its stores are started: nanoseconds.
  double epilogueTime;
  /// The part of a cooperative block's epilogue that nothing hides.
  double exposedEpilogue;
  /// The exponent with which times that overlap add up: large, and the longest counts alone.
  double overlap;
  /// What single warps reach of the tensor cores' rate with instructions of their own, and with scalar ones.
  double warpShare, scalarShare;
  /// Products of 16 bits by single warps: launch (microseconds); an operand's element on its way to them,
  /// copied alone and as part of a word or more; 32 elements of K of a block that is alone, for elements and
  /// for words (nanoseconds); warps that are resident; and the rate of their stores, bytes a nanosecond of
  /// all.
  double warpLaunch, warpElement, warpWord, warpStagedLatency, warpLatency, warpsResident, warpStores;
  /// Waits of a step where all warps of a block meet in it: nanoseconds.
  double meetingTime;
  /// Parts of K: microseconds that blocks wait for one another, and the same for each other block where
  /// operands are swapped; and the rates at which sums of others come to a block, also where operands are
  /// swapped, bytes a nanosecond.
  double exchangeTime, swappedExchangeTime, exchangeRate, swappedExchangeRate;
  /// Rates at which results go to memory where their rows are no whole 16 bytes, bytes a nanosecond of all
  /// multiprocessors: element by element from accumulators, and through shared memory along rows, elements
  /// and words; and from accumulators of swapped operands.
  double elementStores, rowStores, wordRowStores, swappedStores;
  /// Time in which threads copy a row of 128 bytes into a slot, elements (through registers), words and more:
  /// nanoseconds; and what a step of elements takes at least, for each of the block's loading warpgroups.
  double elementRow, wordRow, wideRow, stagedStep;
  /// How much longer memory takes where all rows of the tiles along a dimension would be empty, as a share.
  double emptyRows;
  /// What blocks in clusters that share an operand take longer to start, those that take tiles in turn and
  /// those of one tile, for each doubling of the cluster and once more for pairs; and blocks beyond one a
  /// multiprocessor, for each of these that a multiprocessor has: microseconds.
  double clusterLaunch, clusterOnce, clusterPair, laterBlocks;
  /// The share of their time that blocks of clusters that take tiles in turn wait for one another.
  double clusterWaits;
  /// What blocks of one tile, which keep no count of tiles, take less: microseconds.
  double oneTile;
  /// Rate at which accumulators that are neither swapped nor staged go to memory, bytes a nanosecond of all.
  double directStores;
  WarpRates aligned;
};

/// The rates of a chip: measured on an H200, scaled by the table's rates elsewhere.
ProductRates productRates(const Arch &arch);

} // namespace tilewright

#endif // TILEWRIGHT_TARGET_CUDA_PRODUCTRATES_H
