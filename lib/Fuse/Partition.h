// The grouping of a function's ops into kernels. An op joins a group of one of its producers when the group's
// values stay strided views over one domain, no cycle of groups arises, and one kernel takes no longer than
// two (TrafficModel.h) and fits the registers (TileBudget.h); else it starts a group of its own. Then groups
// compute for themselves what costs more to be read (Recompute.cpp), and groups that read the same are
// joined.
#ifndef TILEWRIGHT_LIB_FUSE_PARTITION_H
#define TILEWRIGHT_LIB_FUSE_PARTITION_H

#include "TrafficModel.h"

#include "Tilewright/Analysis/KernelIndexing.h"
#include "Tilewright/Fuse/Passes.h"

#include "llvm/ADT/StringMap.h"

#include <map>

namespace tilewright::fuse {

using namespace mlir; // the names of a file-local header

/// Elements that a thread has of a product's smallest tile: 32x32 for 4 warps.
inline constexpr int64_t kLeastProductElems = 8;

/// Ops that become one kernel, in program order.
struct Group {
  SmallVector<Operation *> ops;
};

/// Whether the kernel of the operand's owner reads it through its address, even when it is one number.
inline bool isReadInMemory(OpOperand &operand) {
  Operation *user = operand.getOwner();
  return isa<graph::MatmulOp, graph::PadOp>(user) ||
         (isa<graph::GatherOp>(user) && operand.getOperandNumber() == 0);
}

/// `a` and `b` in program order.
SmallVector<Operation *> inOrder(ArrayRef<Operation *> a, ArrayRef<Operation *> b);

/// Puts the ops of a function into an order that follows from what its results need alone: however the
/// program was written down, its kernels are the same.
void orderOps(func::FuncOp func);

/// Whether `value` is a part of a reduction that another reduction merges: parts of sums are stored as they
/// are, also where values between kernels are stored narrow.
bool isPartOfReduction(mlir::Value value);

/// The grouping of one function's ops.
struct Partition {
  Partition(func::FuncOp func, const Arch &arch, int64_t maxInputs, int64_t maxRegisters, FloatType storage)
      : func(func), arch(arch), maxInputs(maxInputs), maxRegisters(maxRegisters), storage(storage) {}

  func::FuncOp func;
  /// The chip that times are modelled for.
  const Arch &arch;
  int64_t maxInputs;
  /// Registers of a thread that the values of a kernel's smallest tile may take.
  int64_t maxRegisters;
  /// Element type that fp32 values are stored in between kernels; null for fp32 itself.
  FloatType storage;
  /// An op tries the kernel of its earliest producer first, not of its latest one.
  bool earliestFirst = false;
  /// Groups may compute again what others store, and join where they read the same.
  bool recomputes = true, joinsSiblings = true;
  /// Elements of a tile that holds what reductions over different dimensions run over, at most.
  int64_t mostMixed = kMostMixedElems;
  MaterializedOps materialized;
  /// Groups in order of creation; emptied ones stay as holes.
  std::vector<Group> groups;
  DenseMap<Operation *, int> groupOf;
  /// Ops that no kernel needs any more, since their readers compute them for themselves.
  llvm::SmallPtrSet<Operation *, 16> dropped;

  /// Ops of the program to the types of 16 bits that their elements are numbers of.
  DenseMap<Operation *, unsigned> exact;

  /// What `trafficOf` found of ops, and why it found nothing, for as long as the program does not change: an
  /// op that tries several groups, and a group that several ops try, are modelled once.
  struct KnownTraffic {
    std::optional<KernelTraffic> traffic;
    std::string why;
  };
  using TrafficKey = std::tuple<std::vector<Operation *>, bool, bool>;
  mutable std::optional<std::map<TrafficKey, KnownTraffic>> known;

  /// What was decided and why, said once the grouping stands.
  std::vector<std::function<void()>> remarks;

  LogicalResult run();
  /// Says what was decided.
  void explain() const {
    for (const std::function<void()> &remark : remarks)
      remark();
  }
  /// The modelled time and the bytes of all kernels; nothing where one of them has no model.
  std::optional<std::pair<double, int64_t>> cost() const;
  /// Groups every op from the start, under the movement ops that are materialized so far.
  LogicalResult groupAll();

  /// Whether `op` is computed by some kernel.
  bool isComputed(Operation *op) const {
    return op && !isa<arith::ConstantOp, graph::WeightOp, func::ReturnOp>(op) &&
           (!isMovement(op) || materialized.contains(op));
  }
  /// Values that `op` reads from memory or other kernels: the roots of its operands' chains.
  SmallVector<Value> rootsOf(Operation *op) const {
    SmallVector<Value> roots;
    for (OpOperand &operand : op->getOpOperands()) {
      // A materialized movement op reads its operand's root, not itself.
      MovementChain chain = chainOf(operand.get(), materialized);
      if (!isSplatConstant(chain.root) || isReadInMemory(operand))
        roots.push_back(chain.root);
    }
    return roots;
  }
  /// What one decision weighs: the modelled time and the bytes of one kernel, and of the kernels apart.
  struct Comparison {
    double oneTime = 0, apartTime = 0;
    int64_t oneBytes = 0, apartBytes = 0;
  };
  /// Adds `op` to the group when they make one kernel; else says in `why` what keeps them apart.
  bool tryJoin(Operation *op, int group, Comparison &comparison, std::string &why);
  /// Moves the ops of group `from` into `into` when these make one kernel; else says why not. With
  /// `inOnePass` it may not read anything twice.
  bool tryMerge(int from, int into, bool inOnePass, Comparison &comparison, std::string &why);
  /// Whether `tryMerge` would; and moving the ops of `from` into `into`.
  bool canMerge(int from, int into, bool inOnePass, Comparison &comparison, std::string &why) const;
  void merge(int from, int into);
  /// Whether `ops` are one kernel that is no worse than the kernels of `one` and `other`. With `inOnePass` it
  /// may not read anything twice.
  bool isOneKernel(ArrayRef<Operation *> ops, ArrayRef<Operation *> one, ArrayRef<Operation *> other,
                   bool inOnePass, Comparison &comparison, std::string &why) const;
  /// The traffic of `ops` as one kernel; nothing, with the reason, when they are none that can be compiled.
  /// With `timesProducts` the time of its products is that of their fastest schedule.
  std::optional<KernelTraffic> trafficOf(ArrayRef<Operation *> ops, bool inOnePass, std::string &why,
                                         bool timesProducts = false) const;
  /// The same, not looked up among what is known.
  std::optional<KernelTraffic> findTraffic(ArrayRef<Operation *> ops, bool inOnePass, std::string &why,
                                           bool timesProducts) const;
  /// Whether all products among `ops` are combined by others of them.
  bool joinsProducts(ArrayRef<Operation *> ops) const;
  /// Results of `ops` that other ops or the caller read.
  SmallVector<Value> outputsOf(ArrayRef<Operation *> ops) const;
  /// Those of `ops` that these results need.
  SmallVector<Operation *> neededOf(ArrayRef<Operation *> ops) const;
  /// The narrower type in which the fp32 elements of `value` are stored between kernels: `storage`, or one of
  /// 16 bits that all of them are numbers of (ExactStorage.cpp); null where there is none.
  FloatType storedElement(Value value) const;
  /// The set of such types; finding them for all ops of the program.
  unsigned exactTypes(Value value, int steps) const;
  void findExact();
  /// Bytes of `value` in memory between kernels.
  ValueBytes bytesOf(Value value) const;
  /// The function returns `value`, moved or not.
  bool isReturned(Value value) const;
  /// Whether some op reads `value` only as it lies in memory, so that no kernel could widen it first.
  bool isReadInPlace(Value value) const;
  /// Lets groups compute for themselves what they read of others, where that is faster.
  void recompute();
  /// Takes results out of kernels with reductions that store them at more cost than a kernel of their own
  /// would (TakeApart.cpp).
  void takeApart();
  /// Takes groups apart whose parts share nothing but what they read (MergeSiblings.cpp).
  void separate();
  /// Joins groups that read the same tensors; with `copies` also those that store again what they read
  /// (MergeSiblings.cpp).
  void mergeSiblings(bool copies);
  /// Moves what computes operands of products into their kernels (JoinPrologues.cpp).
  void joinPrologues();
  /// Computes once what a group computes twice, but for results.
  void mergeCopies();
  /// Stores once what a group computes and stores twice.
  void mergeResults();
  /// Leaves ops without a kernel: nobody needs them any more; and takes that back.
  void drop(ArrayRef<Operation *> ops);
  void takeBack(ArrayRef<Operation *> ops);
  /// Drops groups that nobody reads any more, and what only these needed.
  void dropUnneeded();
  /// Bytes of the group's results that `op` reads.
  int64_t bytesBetween(Operation *op, int group) const;
  /// Merges the other `candidates`, which `op` reads too, into its group.
  void mergeProducers(Operation *op, int group, ArrayRef<int> candidates);
  /// Joins the first of `candidates` that `op` can join.
  bool joinOneOf(Operation *op, ArrayRef<int> candidates);
  /// Whether group `from` needs, directly or not, a result of group `to`.
  bool dependsOn(int from, int to) const;
  LogicalResult startGroup(Operation *op);
  /// Puts the ops of each chain of products that is to be one kernel into a group (PlaceChains.cpp).
  void placeChains();
  /// Puts `op` into a group of one of its producers, or one of its own.
  LogicalResult place(Operation *op);
  /// Whether `op` widens a stored 16-bit value: it is computed where the wide value is read, never stored.
  bool isWidening(Operation *op) const;
  /// `op` behind the widenings of its operands that no kernel computes yet.
  SmallVector<Operation *> withWidenings(Operation *op) const;
  /// Groups such that each comes after those it needs; ties by the first op.
  SmallVector<int> launchOrder() const;
};

/// Writes the kernels of `partition` and the `plan.program` that launches them, in place of the function.
/// `known` maps the text of a kernel without its name to its symbol, so that equal kernels are one.
LogicalResult writeProgram(Partition &partition, OpBuilder &builder, SymbolTable &symbols,
                           llvm::StringMap<StringAttr> &known);

} // namespace tilewright::fuse

#endif // TILEWRIGHT_LIB_FUSE_PARTITION_H
