// Which kernels become one whose blocks go through the tensors slice by slice, and how their blocks are cut.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_INTERLEAVESEARCH_H
#define TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_INTERLEAVESEARCH_H

#include "LaunchGraph.h"
#include "MemoryTraffic.h"
#include "MergeWriter.h"

#include "Tilewright/Dialect/Ptx/IR/Footprint.h"

#include "llvm/ADT/SetVector.h"

#include <map>

namespace tilewright::plan::interleave {

/// One launch and its kernel.
struct Node {
  LaunchOp launch;
  KernelPart part;
  /// Why it cannot be interleaved with anything; empty when it can.
  std::string whyNot;

  /// By buffer.
  std::vector<ptx::Footprint> footprints = {};
  /// By buffer: the periods of what its accesses touch.
  llvm::SmallVector<llvm::SmallVector<int64_t>> periods = {};

  mlir::Value tensor(unsigned buffer) {
    unsigned inputs = (unsigned)launch.getArgs().size();
    return buffer < inputs ? aliased(launch.getArgs()[buffer]) : launch.getResult(buffer - inputs);
  }
  unsigned numBuffers() { return launch.getArgs().size() + launch.getNumResults(); }
  bool isWrite(unsigned buffer) { return buffer >= launch.getArgs().size(); }
  int64_t bytesOf(unsigned buffer) {
    return storageBytes(llvm::cast<mlir::RankedTensorType>(tensor(buffer).getType()));
  }
  /// The parameter of the kernel's function that is buffer number `buffer`.
  unsigned parameterOf(unsigned buffer);
  void readFootprints();
  /// The digit that is the whole number of a block.
  SliceDigit wholeNumber() { return {1, part.shape().numBlocks(), false}; }
  /// Blocks in slice `k` of `count`.
  ptx::BlockSet blocks(SliceDigit digit, int64_t k, int64_t count);
  ptx::ByteSpan touched(unsigned buffer, SliceDigit digit, int64_t k, int64_t count, int64_t period) {
    return footprints[buffer].touched(blocks(digit, k, count), period);
  }
  /// The period with which the slices touch the fewest bytes of a buffer; 0 where they touch much of it each.
  int64_t periodOf(unsigned buffer, SliceDigit digit, int64_t count);
  /// Digits by which its blocks can be cut so that slices touch few bytes each.
  llvm::SmallVector<SliceDigit> digits(llvm::ArrayRef<int64_t> otherPeriods, int64_t least);
};

/// Launches that are to be one, in program order.
struct Group {
  llvm::SmallVector<int> nodes;
  Slices slices;
};

/// Slices of a reader by those of a writer: slice k of the one touches what slices k - before to k + after of
/// the other do.
struct Relation {
  int64_t before = 0, after = 0;
  bool isAny = false;
  int64_t width() const { return isAny ? before + after + 1 : 0; }
};

/// Which launches may become one: where fewer bytes are modelled to pass the memory, or wherever it can be
/// done; of which none waits for another, or all.
struct Choice {
  bool always = false, independent = false;
};

/// One program while it is decided on.
struct Search {
  ProgramOp program;
  const Arch &arch;
  Choice choice;
  std::vector<Node> nodes = {};
  std::vector<Group> groups = {};
  /// needs[b]: nodes that node b reads results of.
  std::vector<llvm::SmallSetVector<int, 4>> needs = {};
  MemoryTraffic before = {}, now = {};
  /// By node, buffer, digit and number of slices.
  std::map<std::tuple<int, unsigned, int64_t, int64_t, int64_t>, int64_t> knownPeriods = {};

  void addNodes(llvm::ArrayRef<std::string> alone);
  llvm::SmallVector<KernelPart> partsOf(const Group &group);
  /// Groups in an order in which each comes behind those it needs; nothing where there is none.
  std::optional<llvm::SmallVector<int>> order(const std::vector<Group> &of);
  std::optional<MemoryTraffic> trafficOf(const std::vector<Group> &of);
  void walk(int node, SliceDigit digit, int64_t k, int64_t count, llvm::SmallVectorImpl<Walk> &walks);
  int64_t sharedBytes(const Group &a, const Group &b);
  /// Whether a launch of `by` reads what one of `group` writes.
  bool isNeeded(const Group &group, const Group &by);
  std::string whyApart(const Group &both);
  Relation relate(int reader, SliceDigit readers, unsigned read, int writer, SliceDigit writers,
                  unsigned written, int64_t count);
  /// Cuts the parts of `group` by their digits into slices; says why that cannot be.
  std::string slice(Group &group, int64_t count);
  /// How far apart slices of the same number touch the same bytes, over tensors that two parts touch.
  double spread(const Group &group, int64_t count);
  /// Groups like `group`, whose parts have other digits, the most promising first.
  std::vector<Group> withDigits(const Group &group, llvm::ArrayRef<int> fixed,
                                llvm::ArrayRef<SliceDigit> fixedDigits);
  unsigned registersOf(llvm::ArrayRef<KernelPart> parts, int64_t threads);
  double blocksAtOnce(llvm::ArrayRef<KernelPart> parts);
  double microsecondsOf(const std::vector<Group> &of, const MemoryTraffic &traffic);
  bool takePair();
};

} // namespace tilewright::plan::interleave

#endif // TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_INTERLEAVESEARCH_H
