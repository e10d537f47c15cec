// Operands that are converted on their way: finding them, dividing them among threads, computing them.
//
// A transposition of bytes through registers: a thread reads words along one dimension and writes words along
// the other, so it holds a square of them.
//
//      read   k0: n0 n1 n2 n3        write  n0: k0 k1 k2 k3
//             k1: n0 n1 n2 n3               n1: k0 k1 k2 k3
//             …                             …

#include "ConvertedOperands.h"

#include "Tilewright/Layout/Conversion.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;
using layout::LinearLayout;
using layout::SharedLayout;

/// Bytes of the widest access of a thread.
static constexpr int64_t kWidestAccess = 16;

Value tile::withoutLayoutConversions(Value operand) {
  while (auto conversion = operand.getDefiningOp<ConvertLayoutOp>())
    operand = conversion.getInput();
  return operand;
}

static bool isConstantTile(Value value) { return value.getDefiningOp<arith::ConstantOp>() != nullptr; }

LoadOp tile::convertedLoad(Value operand) {
  operand = withoutLayoutConversions(operand);
  Operation *op = operand.getDefiningOp();
  if (auto load = dyn_cast_or_null<LoadOp>(op))
    return load;
  if (!op || !op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return {};
  LoadOp found;
  for (Value input : op->getOperands()) {
    if (isConstantTile(input))
      continue;
    LoadOp load = convertedLoad(input);
    if (!load || (found && load != found) || load->getBlock() != op->getBlock())
      return {};
    found = load;
  }
  return found;
}

LinearLayout tile::conversionLayout(const SharedLayout &from, int fromBits, const SharedLayout &to,
                                    int toBits, int64_t warps) {
  const layout::Shape &shape = from.shape();
  int rank = from.rank(), a = from.fastestDim(), b = to.fastestDim();
  int other = a != b ? b : a == rank - 1 ? rank - 2 : rank - 1;
  // Of batches a tile has one.
  std::vector<int> order = {a, other};
  for (int d = rank - 1; d >= 0; --d)
    if (d != a && d != other)
      order.push_back(d);
  LinearLayout best;
  int64_t least = INT64_MAX;
  auto consider = [&](int64_t elemsA, int64_t elemsOther, int64_t lanesA) {
    layout::Shape elems(rank, 1), lanes(rank, 1), warpShape(rank, 1);
    elems[a] = elemsA;
    elems[other] = elemsOther;
    lanes[a] = lanesA;
    lanes[other] = 32 / lanesA;
    if (elems[a] * lanes[a] > shape[a] || elems[other] * lanes[other] > shape[other])
      return;
    // Warps along the dimension that has more left.
    int64_t left = warps;
    for (int d : {other, a})
      while (left > 1 && warpShape[d] * 2 * elems[d] * lanes[d] <= shape[d]) {
        warpShape[d] *= 2;
        left /= 2;
      }
    if (left > 1)
      return;
    LinearLayout layout = LinearLayout::blocked(shape, elems, lanes, warpShape, order);
    layout::SharedUse read, write;
    read.layout = write.layout = layout;
    if (!layout::sharedAccess(from, layout, fromBits) || !layout::sharedAccess(to, layout, toBits))
      return;
    int64_t cost =
        layout::bankCost(from, read, fromBits).wavefronts + layout::bankCost(to, write, toBits).wavefronts;
    if (cost < least) {
      least = cost;
      best = layout;
    }
  };
  // A thread holds no more than 64 words of the wider side at a time.
  int64_t most = 64 * 32 / std::max(fromBits, toBits);
  for (int64_t elemsA = kWidestAccess * 8 / fromBits; elemsA >= 1; elemsA /= 2)
    for (int64_t elemsOther = a == b ? 1 : kWidestAccess * 8 / toBits; elemsOther >= 1; elemsOther /= 2)
      for (int64_t lanesA : {1, 2, 4, 8, 16, 32})
        if (elemsA * elemsOther <= most)
          consider(elemsA, elemsOther, lanesA);
  if (least == INT64_MAX)
    best = LinearLayout::coalesced(shape, std::max(fromBits, toBits), (int)warps, to.order());
  return best;
}

/// Whether each thread has in `from` what it has in `to`, in registers that differ from lane to lane.
static bool staysInThreads(const LinearLayout &from, const LinearLayout &to, int bits) {
  auto plan = layout::conversionPlan(from, to, bits);
  const layout::Shuffles *shuffles = plan ? plan->shuffles() : nullptr;
  return shuffles &&
         llvm::all_of(shuffles->shuffles, [](const layout::Shuffle &step) { return step.isLocal; });
}

LinearLayout tile::readingLayout(const SharedLayout &shared, const LinearLayout &fragment, int bits) {
  if (layout::ldmatrixPlan(shared, fragment, bits))
    return fragment;
  auto wavefronts = [&](const LinearLayout &layout) {
    layout::SharedUse use;
    use.layout = layout;
    return layout::bankCost(shared, use, bits).wavefronts;
  };
  LinearLayout best = fragment;
  int64_t least = wavefronts(fragment);
  for (bool better = true; std::exchange(better, false);) {
    LinearLayout start = best;
    for (size_t lane = 0; lane < start.bases(layout::Hw::Lane).size(); ++lane)
      for (const layout::Coord &other : start.bases(layout::Hw::Register)) {
        std::array<LinearLayout::Bases, 4> bases;
        for (layout::Hw hw : layout::allHw)
          bases[(size_t)hw] = start.bases(hw);
        for (auto [at, change] : llvm::zip_equal(bases[(size_t)layout::Hw::Lane][lane], other))
          at ^= change;
        auto changed = LinearLayout::create(start.shape(), bases, start.repeat());
        if (!changed || !layout::sharedAccess(shared, *changed, bits) ||
            !staysInThreads(*changed, fragment, bits))
          continue;
        if (int64_t cost = wavefronts(*changed); cost < least) {
          least = cost;
          best = *changed;
          better = true;
        }
      }
  }
  return best;
}

Value tile::convertFrom(OpBuilder &builder, Value value, LoadOp load, Value tile) {
  value = withoutLayoutConversions(value);
  if (value == load.getResult())
    return tile;
  Operation *op = value.getDefiningOp();
  auto like = cast<RankedTensorType>(tile.getType());
  auto typeOf = [&](Value of) {
    return RankedTensorType::get(like.getShape(), getElementTypeOrSelf(of.getType()), like.getEncoding());
  };
  IRMapping mapping;
  for (Value input : op->getOperands()) {
    if (mapping.contains(input))
      continue;
    if (auto constant = input.getDefiningOp<arith::ConstantOp>()) {
      auto dense = cast<DenseElementsAttr>(constant.getValue());
      mapping.map(input, arith::ConstantOp::create(
                             builder, op->getLoc(),
                             DenseElementsAttr::get(typeOf(input), dense.getSplatValue<Attribute>()))
                             .getResult());
    } else {
      mapping.map(input, convertFrom(builder, input, load, tile));
    }
  }
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(typeOf(value));
  return copy->getResult(0);
}

void tile::eraseUnused(ArrayRef<Value> tiles) {
  llvm::SetVector<Operation *> computing;
  SmallVector<Value> worklist(tiles);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !(isa<LoadOp, ConvertLayoutOp>(op) || op->hasTrait<OpTrait::Elementwise>()) ||
        !computing.insert(op))
      continue;
    llvm::append_range(worklist, llvm::make_filter_range(op->getOperands(), [](Value operand) {
                         return isa<RankedTensorType>(operand.getType());
                       }));
  }
  SmallVector<Operation *> left = computing.takeVector();
  for (bool erased = true; std::exchange(erased, false);)
    llvm::erase_if(left, [&](Operation *op) {
      if (!op->use_empty())
        return false;
      op->erase();
      return erased = true;
    });
}
