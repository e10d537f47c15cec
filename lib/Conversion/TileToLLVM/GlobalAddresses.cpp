// Where the elements of a tile lie in global memory: offsets and predicates of a thread's registers.

#include "Patterns.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;
using layout::StridedView;

GlobalAddresses::GlobalAddresses(OpBuilder &builder, Location loc, const StridedView &view,
                                 const LinearLayout &layout, ValueRange indices, ArrayRef<int64_t> divisors,
                                 ArrayRef<bool> inBounds)
    : builder(builder), loc(loc), view(view), map(layout::laneMap(layout)), divisors(divisors),
      inBounds(inBounds), shape(layout.shape()), width(view.span() > INT32_MAX / 2 ? 64 : 32),
      thread(builder, loc), laneCoordinates(view.rank()), laneOffsets(view.rank()) {
  for (Value index : indices)
    starts.push_back(asInt(builder, loc, index, width));
}

Value GlobalAddresses::laneCoordinate(int d) {
  if (!laneCoordinates[d])
    if (Value value = thread.emit(map.base[d]))
      laneCoordinates[d] = asInt(builder, loc, value, width);
  return laneCoordinates[d];
}

/// Constant part of register r's coordinate; layouts of memory accesses always join by addition.
static int64_t registerConstant(const layout::LaneMap &map, int d, int r) {
  return map.constants[r][d] + map.repeatOffsets[r][d];
}

Value GlobalAddresses::coordinate(int d, int r) {
  int64_t constant = registerConstant(map, d, r);
  Value local = laneCoordinate(d);
  Value index = divisors[d] == 0 ? local : addInt(builder, loc, starts[d], local);
  if (!index)
    return constantInt(builder, loc, constant, width);
  return addInt(builder, loc, index, constant);
}

/// The offset of inner index `index` in a dimension's nested modes.
Value GlobalAddresses::nested(const layout::ViewDim &dim, Value index) {
  Value offset;
  int64_t inner = 1, total = dim.innerExtent();
  for (const layout::Mode &mode : llvm::reverse(dim.modes)) {
    Value digit = index;
    if (inner != 1)
      digit = arith::DivUIOp::create(builder, loc, digit, constantInt(builder, loc, inner, width));
    inner *= mode.extent;
    if (inner != total)
      digit = arith::RemUIOp::create(builder, loc, digit, constantInt(builder, loc, mode.extent, width));
    if (mode.stride != 0)
      offset = addInt(builder, loc, offset, mulInt(builder, loc, digit, mode.stride));
  }
  return offset;
}

GlobalAddresses::Offset GlobalAddresses::dimOffset(int d, int r) {
  const layout::ViewDim &dim = view.dim(d);
  int64_t constant = registerConstant(map, d, r);
  if (llvm::all_of(dim.modes, [](const layout::Mode &mode) { return mode.stride == 0; }))
    return {};
  const layout::Mode &last = dim.modes.back();
  // A tile that starts at a multiple of its size stays inside one run of the innermost mode: the nested part
  // depends on its start alone, and registers differ by a constant.
  bool single = dim.modes.size() == 1;
  bool inside = dim.start == 0 && dim.step == 1 && last.extent % shape[d] == 0 && divisors[d] % shape[d] == 0;
  if (single || inside) {
    if (!laneOffsets[d]) {
      if (Value local = laneCoordinate(d))
        laneOffsets[d] = mulInt(builder, loc, local, dim.step * last.stride);
      if (divisors[d] != 0) {
        Value start =
            single ? mulInt(builder, loc, starts[d], dim.step * last.stride) : nested(dim, starts[d]);
        laneOffsets[d] = addInt(builder, loc, laneOffsets[d], start);
      }
    }
    return {laneOffsets[d], (constant * dim.step + dim.start) * last.stride};
  }
  Value &offset = nestedOffsets[{d, constant}];
  if (!offset) {
    Value index = addInt(builder, loc, mulInt(builder, loc, coordinate(d, r), dim.step), dim.start);
    offset = nested(dim, index);
  }
  return {offset, 0, /*isShared=*/false};
}

GlobalAddresses::Offset GlobalAddresses::offsetOf(int r) {
  Offset total{Value(), view.offset()};
  Value shared, own;
  for (int d = 0; d < view.rank(); ++d) {
    Offset part = dimOffset(d, r);
    Value &sum = part.isShared ? shared : own;
    if (!part.isShared || !sharedOffset)
      sum = addInt(builder, loc, sum, part.value);
    total.constant += part.constant;
    total.isShared &= part.isShared;
  }
  if (!sharedOffset)
    sharedOffset = shared;
  total.value = addInt(builder, loc, sharedOffset, own);
  return total;
}

Value GlobalAddresses::offset(int r) {
  Offset total = offsetOf(r);
  return total.value ? addInt(builder, loc, total.value, total.constant)
                     : constantInt(builder, loc, total.constant, width);
}

Value GlobalAddresses::pointer(Value base, Type elementType, int r, int64_t added) {
  Offset total = offsetOf(r);
  Value start = base;
  if (total.value) {
    Value own;
    Value &pointer = total.isShared ? sharedPointers[base] : own;
    if (!pointer)
      pointer = elementPointer(builder, loc, base, elementType, total.value);
    start = pointer;
  }
  total.constant += added;
  if (total.constant == 0)
    return start;
  return elementPointer(builder, loc, start, elementType, constantInt(builder, loc, total.constant, 64));
}

Value GlobalAddresses::predicate(int r) {
  Value all;
  for (int d = 0; d < view.rank(); ++d) {
    if (inBounds[d])
      continue;
    int64_t constant = registerConstant(map, d, r);
    auto [it, isNew] = predicates.try_emplace({d, constant});
    if (isNew) {
      const layout::ViewDim &dim = view.dim(d);
      Value index = coordinate(d, r);
      auto below = [&](Value value, int64_t bound) -> Value {
        return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value,
                                     constantInt(builder, loc, bound, width));
      };
      Value inside;
      if (!dim.isTotal()) {
        Value inner = addInt(builder, loc, mulInt(builder, loc, index, dim.step), dim.start);
        inside = below(inner, dim.innerExtent());
      }
      // An index beyond the extent may still be an inner index: the view is a slice.
      if (dim.isTotal() || dim.start + dim.extent * dim.step < dim.innerExtent() || dim.step < 0)
        inside = andPredicates(builder, loc, inside, below(index, dim.extent));
      predicates[{d, constant}] = inside;
    }
    all = andPredicates(builder, loc, all, predicates[{d, constant}]);
  }
  return all;
}

Value GlobalAddresses::isWithin(int d, int r, int64_t bound, int64_t added) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                               addInt(builder, loc, coordinate(d, r), added),
                               constantInt(builder, loc, bound, width));
}

Value GlobalAddresses::touches(int d, ArrayRef<int> vector, int64_t bound) {
  auto others = (int64_t)vector.size() - 1;
  return isWithin(d, vector.front(), bound + others, others);
}

Value GlobalAddresses::isBefore(int d, int r, Value bound) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, coordinate(d, r),
                               asInt(builder, loc, bound, width));
}

bool GlobalAddresses::isOutside(int r) const {
  return llvm::any_of(llvm::seq(view.rank()), [&](int d) {
    return !inBounds[d] && divisors[d] == 0 && registerConstant(map, d, r) >= view.dim(d).extent;
  });
}
