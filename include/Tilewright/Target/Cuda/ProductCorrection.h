// What the rates of products (ProductRates.h) leave unexplained of measured times: a polynomial of second
// degree in what the parts of a time and its schedule are, fitted by ridge regression
// (utils/bench/fit_product_correction.py). It ranks schedules, never decides correctness.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TARGET_CUDA_PRODUCTCORRECTION_H
#define TILEWRIGHT_TARGET_CUDA_PRODUCTCORRECTION_H

namespace tilewright {

/// What the time of a product by rings of warpgroups is made of, and under which schedule, in this order.
/// Shares of times are of the time that the rates give.
struct CorrectionFeatures {
  /// Of the parts that overlap: products, rows on their way from L2, L2 and memory, as shares of what they
  /// come to together.
  double product, rows, l2, memory;
  /// Of the parts that add up, as shares of the whole.
  double launch, epilogue, exchange, scattered;
  /// Rows of a tile; logarithm to base 2 of its columns; elements of K that the ring holds; logarithm of the
  /// parts of K.
  double tileRows, tileColumns, ring, parts;
  /// Whether results go through shared memory, blocks take tiles in turn, and instances do; warps beside one
  /// another along N; logarithms of a cluster's tiles.
  double bulk, persistent, pingpong, alongN, clusterM, clusterN;
  /// Whether the right operand lies along K; logarithms of the steps of a block and of blocks for a
  /// multiprocessor; natural logarithm of the whole time, nanoseconds.
  double rightAlongK, steps, blocks, whole;
  /// Shares of the tiles' rows and columns that there are; logarithm of the rows of tiles that are walked
  /// together, -1 for none; warps that multiply.
  double usedRows, usedColumns, group, warps;
  /// Storing the results alone, as a share of the whole; the same where tiles begin within sectors of their
  /// rows; logarithm of the power of two that rows of results begin at multiples of.
  double stored, partSectors, resultUnit;
  /// Share of the multiprocessors that have a block in the last round; logarithms of rows and columns of
  /// tiles.
  double lastRound, rowsOfTiles, columnsOfTiles;
  /// What the busiest cluster of multiprocessors loads, as a share of the whole at a rate of 2000 bytes a
  /// nanosecond; logarithm of the operands' megabytes.
  double gpc, operands;
};

/// The factor by which a time with these features is corrected: between exp(-0.3) and exp(0.3).
double productCorrection(const CorrectionFeatures &features);

} // namespace tilewright

#endif // TILEWRIGHT_TARGET_CUDA_PRODUCTCORRECTION_H
