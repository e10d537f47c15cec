// Kernels that read the same tensors become one. Which two do decides what can join later, so the pair that
// gains most comes first: a kernel that stores a tensor computed of an input joins the other one that reads
// all of this input, and not the small one that reads its last element.

#include "Partition.h"

#include "Tilewright/Remarks/Remarks.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// Groups of which all pairs are weighed before the first two become one; of more, each takes the first that
/// it gains with.
static constexpr int64_t kMostWeighed = 32;

namespace {

/// Two groups, and what is known of them as one.
struct Pair {
  int into, from;
  int64_t shared = 0;
  bool possible = false;
  Partition::Comparison weighed = {};
  std::string why = {};

  double gain() const { return weighed.apartTime - weighed.oneTime; }
};

} // namespace

void Partition::separate() {
  for (int group = 0, count = (int)groups.size(); group < count; ++group) {
    SmallVector<Operation *> ops = groups[group].ops;
    if (ops.empty())
      continue;
    llvm::EquivalenceClasses<Operation *> connected;
    for (Operation *op : ops) {
      connected.insert(op);
      for (Value root : rootsOf(op))
        if (llvm::is_contained(ops, root.getDefiningOp()))
          connected.unionSets(op, root.getDefiningOp());
    }
    // The part of the first op stays.
    llvm::MapVector<Operation *, SmallVector<Operation *>> parts;
    for (Operation *op : ops)
      parts[connected.getLeaderValue(op)].push_back(op);
    // Parts of a tensor may be a kernel by the whole alone.
    auto isKernel = [&](auto &part) {
      std::string ignored;
      return KernelIndexing::solve(part.second, materialized, ignored).has_value();
    };
    if (parts.size() > 1 && !llvm::all_of(parts, isKernel))
      continue;
    for (auto &[leader, part] : llvm::drop_begin(parts)) {
      for (Operation *op : part)
        groupOf[op] = (int)groups.size();
      groups.push_back({});
      groups.back().ops = part;
    }
    groups[group].ops = parts.begin()->second;
  }
}

void Partition::mergeSiblings(bool copies) {
  auto isLeftOut = [&](int group) {
    ArrayRef<Operation *> ops = groups[group].ops;
    return ops.empty() || (!copies && ops.size() == 1 && isa<graph::ReshapeOp>(ops.front()));
  };
  // What each group reads that others may read as well.
  auto readBy = [&](int group) {
    llvm::SmallSetVector<Value, 8> roots;
    for (Operation *op : groups[group].ops)
      for (Value root : rootsOf(op))
        if (!llvm::is_contained(groups[group].ops, root.getDefiningOp()))
          roots.insert(root);
    return roots;
  };
  auto weigh = [&](int into, int from) {
    Pair pair{into, from};
    llvm::SmallSetVector<Value, 8> ours = readBy(into);
    for (Value root : readBy(from))
      pair.shared += ours.contains(root) ? bytesOf(root).bytes : 0;
    pair.possible = pair.shared && canMerge(from, into, /*inOnePass=*/false, pair.weighed, pair.why);
    return pair;
  };
  auto refuse = [&](const Pair &pair) {
    Operation *op = groups[pair.from].ops.back(), *anchor = groups[pair.into].ops.front();
    if (pair.shared && !pair.possible)
      remarks.push_back([=, why = pair.why] { emitRemark(op, Remark::FusionRefused, op, anchor, why); });
  };
  // The one that comes first in the program keeps its place.
  auto join = [&](const Pair &pair) {
    Operation *op = groups[pair.from].ops.back(), *anchor = groups[pair.into].ops.front();
    merge(pair.from, pair.into);
    remarks.push_back([=, shared = pair.shared, weighed = pair.weighed] {
      emitRemark(op, Remark::FusedSiblings, op, anchor, shared, weighed.oneTime, weighed.oneBytes,
                 weighed.apartTime, weighed.apartBytes);
    });
  };

  SmallVector<int> present = llvm::to_vector(
      llvm::make_filter_range(llvm::seq<int>(0, (int)groups.size()), [&](int g) { return !isLeftOut(g); }));
  if ((int64_t)present.size() > kMostWeighed) {
    for (int into : present)
      for (int from : present)
        if (into < from && !isLeftOut(into) && !isLeftOut(from)) {
          Pair pair = weigh(into, from);
          pair.possible ? join(pair) : refuse(pair);
        }
    return;
  }
  std::vector<Pair> pairs;
  for (int into : present)
    for (int from : present)
      if (into < from)
        pairs.push_back(weigh(into, from));
  while (true) {
    Pair *best = nullptr;
    for (Pair &pair : pairs)
      if (pair.possible && (!best || pair.gain() > best->gain()))
        best = &pair;
    if (!best)
      break;
    // What lies between two groups may have changed since they were weighed.
    *best = weigh(best->into, best->from);
    if (!best->possible)
      continue;
    Pair joined = *best;
    join(joined);
    llvm::erase_if(pairs,
                   [&](const Pair &pair) { return pair.into == joined.from || pair.from == joined.from; });
    for (Pair &pair : pairs)
      if (pair.into == joined.into || pair.from == joined.into)
        pair = weigh(pair.into, pair.from);
  }
  for (const Pair &pair : pairs)
    refuse(pair);
}
