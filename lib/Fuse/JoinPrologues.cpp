// What computes an operand of a product, element by element, joins the product's kernel, which then reads
// what it is computed from: a conversion costs no pass over memory of its own, and of numbers that are
// widened fewer bytes come. What it takes that each of many blocks converts the same again the model of
// products says.

#include "Partition.h"

#include "Tilewright/Remarks/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// The share of the time that must be gained: the model gives products without prologues more than they take.
/// (H200, fp32 rounded for 1024 cubed: modelled 8.2 us for 9.2, measured 8.0 for 8.0, of both operands 10.2
/// for 9.1; what gains by more has done so where it was measured, 10 products.)
static constexpr double kLeastGain = 0.12;

namespace {

/// The kernels that lose ops to a product's, with what is left to each.
struct Move {
  Partition &partition;
  int into;
  SmallVector<Operation *> ops;
  llvm::MapVector<int, SmallVector<Operation *>> left = {};
  Partition::Comparison weighed = {};

  bool weigh(std::string &why);
  void carryOut();
};

} // namespace

/// Whether the product's kernel with these ops, and what is left, take less time than before.
bool Move::weigh(std::string &why) {
  for (Operation *op : ops) {
    int from = partition.groupOf.lookup(op);
    auto [it, isNew] = left.insert({from, {}});
    if (isNew)
      it->second = partition.groups[from].ops;
  }
  for (auto &[group, rest] : left)
    llvm::erase_if(rest, [&](Operation *op) { return llvm::is_contained(ops, op); });
  auto add = [&](ArrayRef<Operation *> kernel, double &time, int64_t &bytes) {
    if (kernel.empty())
      return true;
    std::optional<KernelTraffic> traffic =
        partition.trafficOf(kernel, /*inOnePass=*/false, why, /*timesProducts=*/true);
    if (!traffic)
      return false;
    time += traffic->microseconds(partition.arch);
    bytes += traffic->bytes;
    return true;
  };
  ArrayRef<Operation *> products = partition.groups[into].ops;
  bool known = add(inOrder(products, ops), weighed.oneTime, weighed.oneBytes) &&
               add(products, weighed.apartTime, weighed.apartBytes);
  for (auto &[group, rest] : left)
    known = known && add(rest, weighed.oneTime, weighed.oneBytes) &&
            add(partition.groups[group].ops, weighed.apartTime, weighed.apartBytes);
  if (!known)
    return false;
  // A launch less, or fewer bytes: what products take differs by more from what is modelled than by a cast.
  bool ends = llvm::any_of(left, [](const auto &entry) { return entry.second.empty(); });
  if (!ends && weighed.oneBytes >= weighed.apartBytes) {
    why = "its kernel stays, and no fewer bytes are moved";
    return false;
  }
  if (weighed.oneTime < (1 - kLeastGain) * weighed.apartTime)
    return true;
  why = llvm::formatv("the product would take {0:f2} us for {1} bytes with it, apart they take {2:f2} us for "
                      "{3} bytes",
                      weighed.oneTime, weighed.oneBytes, weighed.apartTime, weighed.apartBytes)
            .str();
  return false;
}

void Move::carryOut() {
  for (auto &[group, rest] : left)
    partition.groups[group].ops = rest;
  partition.groups[into].ops = inOrder(partition.groups[into].ops, ops);
  for (Operation *op : ops)
    partition.groupOf[op] = into;
}

void Partition::joinPrologues() {
  for (int group = 0, count = (int)groups.size(); group < count; ++group) {
    SmallVector<std::pair<graph::MatmulOp, unsigned>> operands;
    for (Operation *op : groups[group].ops)
      if (auto product = dyn_cast<graph::MatmulOp>(op); product && !product.getGroups())
        operands.append({{product, 0}, {product, 1}});
    for (auto [product, index] : operands) {
      OperandPath path = pathOf(product->getOperand(index), materialized, [&](Operation *op) {
        auto it = groupOf.find(op);
        return it != groupOf.end() && it->second != group;
      });
      // As many ops as gain: the last ones may store what others read.
      std::string why;
      bool joined = false;
      for (size_t taken = path.ops.size(); taken > 0 && !joined; --taken) {
        Move move{*this, group, {path.ops.begin(), path.ops.begin() + (int64_t)taken}};
        std::string refused;
        joined = move.weigh(refused);
        if (why.empty())
          why = refused;
        if (!joined)
          continue;
        Operation *op = move.ops.front(), *anchor = product;
        int64_t bytes = plan::storageBytes(cast<RankedTensorType>(op->getResult(0).getType()));
        remarks.push_back([=, weighed = move.weighed] {
          emitRemark(op, Remark::Fused, op, anchor, bytes, weighed.oneTime, weighed.oneBytes,
                     weighed.apartTime, weighed.apartBytes);
        });
        move.carryOut();
      }
      if (!joined && !path.ops.empty()) {
        Operation *op = path.ops.front(), *anchor = product;
        remarks.push_back([=] { emitRemark(op, Remark::FusionRefused, op, anchor, why); });
      }
    }
  }
}
