// The values of a kernel on the block's tile: loads through views, elementwise ops, reductions, coordinates.
// A value that does not depend on a domain dimension has size 1 there and is broadcast where it meets one
// that does.

#include "KernelTiler.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using layout::StridedView;

SmallVector<bool> KernelTiler::support(const StridedView &view) const {
  SmallVector<bool> depends;
  for (size_t d = 0; d < dims.size(); ++d)
    depends.push_back(llvm::any_of(view.dim(d).modes, [](const layout::Mode &m) { return m.stride != 0; }) ||
                      !view.dim(d).isTotal());
  return depends;
}

SmallVector<int64_t> KernelTiler::tileShape(ArrayRef<bool> depends) const {
  SmallVector<int64_t> shape;
  for (auto [dim, on] : llvm::zip_equal(dims, depends))
    shape.push_back(on ? dim.tile : 1);
  return shape;
}

Value KernelTiler::constant(TypedAttr scalar, ArrayRef<int64_t> shape, Location loc) {
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(RankedTensorType::get(shape, scalar.getType()), scalar));
}

Value KernelTiler::broadcast(Value value, ArrayRef<int64_t> shape, Location loc) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  auto result = RankedTensorType::get(shape, type.getElementType());
  DenseElementsAttr dense;
  if (matchPattern(value, m_Constant(&dense)))
    return arith::ConstantOp::create(builder, loc, dense.resizeSplat(result));
  return tile::BroadcastOp::create(builder, loc, result, value);
}

/// The shape that all `shapes` broadcast to.
static SmallVector<int64_t> commonShape(ArrayRef<SmallVector<int64_t>> shapes) {
  SmallVector<int64_t> common(shapes.front());
  for (const SmallVector<int64_t> &shape : shapes)
    for (auto [c, s] : llvm::zip_equal(common, shape))
      c = std::max(c, s);
  return common;
}

static SmallVector<int64_t> shapeOf(Value value) {
  return llvm::to_vector(cast<RankedTensorType>(value.getType()).getShape());
}

//===-- Memory -----------------------------------------------------------------------------------------===//

KernelTiler::Bounds KernelTiler::bounds(const StridedView &view, ArrayRef<int64_t> shape) {
  Bounds result;
  Value zero;
  for (size_t d = 0; d < dims.size(); ++d) {
    bool depends = shape[d] != 1 || (dims[d].tile == 1 && support(view)[d]);
    if (!depends) {
      if (!zero)
        zero = arith::ConstantIndexOp::create(builder, kernel.getLoc(), 0);
      result.indices.push_back(zero);
      result.divisors.push_back(0);
      result.inBounds.push_back(true);
      continue;
    }
    result.indices.push_back(dims[d].offset);
    result.divisors.push_back(dims[d].divisor);
    result.inBounds.push_back(view.dim(d).isTotal() && dims[d].isWhole());
  }
  return result;
}

Value KernelTiler::viewOf(Value argument, const StridedView &view, Location loc) {
  auto source = cast<tile::ViewType>(arguments.lookup(argument).getType());
  auto type = tile::ViewType::get(builder.getContext(), source.getElementType(), view);
  if (type == source)
    return arguments.lookup(argument);
  // Views stand at the top of the kernel: loops and what is moved out of them see them alike.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&tileKernel.getBody().front());
  return tile::ViewOp::create(builder, loc, type, arguments.lookup(argument));
}

/// The view with what is one element along a dimension, padding or not: all of the dimension is that element.
static StridedView withoutSpreadPadding(const StridedView &view) {
  std::vector<layout::ViewDim> dims = view.dims();
  for (layout::ViewDim &dim : dims)
    if (!dim.isTotal() && llvm::all_of(dim.modes, [](const layout::Mode &mode) { return mode.stride == 0; }))
      dim = {dim.extent, 0, 1, {{dim.extent, 0}}};
  return StridedView(dims, view.offset());
}

Value KernelTiler::loadTile(Value argument, const StridedView &padded, TypedAttr fill, Location loc) {
  // What lies outside of a tensor is for no one to see, but for products and scans, which run over it.
  bool runsOver = fill || indexing.anchor == graph::Anchor::Matmul ||
                  llvm::any_of(ops, llvm::IsaPred<graph::ScanOp, graph::SortOp>);
  StridedView view = runsOver ? padded : withoutSpreadPadding(padded);
  SmallVector<int64_t> shape = tileShape(support(view));
  Bounds b = bounds(view, shape);
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(argument.getType()));
  auto load = tile::LoadOp::create(builder, loc, type, viewOf(argument, view, loc), b.indices, b.divisors,
                                   b.inBounds, fill);
  if (!fill)
    markAligned(load, view, shape, type);
  return load;
}

void KernelTiler::storeOutput(unsigned index) {
  Value output = kernel.getBody().front().getTerminator()->getOperand(index);
  Operation *op = output.getDefiningOp();
  if (auto join = indexing.joins.find(op); join != indexing.joins.end()) {
    for (auto [access, place] : llvm::zip_equal(indexing.accesses[op], join->second))
      store(index, access.root, access.view, place, output.getLoc());
    return;
  }
  const StridedView &view = indexing.views.find(op)->second;
  store(index, output, view, view, output.getLoc());
}

/// The view whose places beyond the first repetition of a dimension are outside of the tensor: each element
/// is stored by one place of the domain.
static StridedView storedOnce(const StridedView &place) {
  std::vector<layout::ViewDim> dims = place.dims();
  for (layout::ViewDim &dim : dims)
    if (dim.modes.size() > 1 && dim.isIdentity() && dim.modes[0].stride == 0)
      dim.modes.erase(dim.modes.begin());
  return {std::move(dims), place.offset()};
}

void KernelTiler::store(unsigned index, Value output, const StridedView &view, const StridedView &place,
                        Location loc) {
  // A part of a concatenation that does not differ along a dimension is stored all along it.
  SmallVector<bool> depends = support(place);
  Value value = evaluate(output, view);
  // A product's tile is whole along M and N even where these have one element.
  SmallVector<int64_t> shape = tileShape(depends), valueShape = shapeOf(value);
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d].extent == 1)
      shape[d] = std::max(shape[d], valueShape[d]);
  Value tile = broadcast(value, shape, loc);
  Value argument = tileKernel.getBody().getArgument(kernel.getArgumentTypes().size() + index);
  StridedView once = storedOnce(place);
  Bounds b = bounds(once, shape);
  auto type = tile::ViewType::get(builder.getContext(),
                                  cast<tile::ViewType>(argument.getType()).getElementType(), once);
  OpBuilder::InsertionGuard guard(builder);
  // A result that does not depend on a dimension is stored by the blocks that start at its origin.
  Value origin;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (depends[d] || shape[d] != 1 || dims[d].divisor == 0 || dims[d].follows ||
        (dims[d].ahead && dims[d].parts == 1))
      continue;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value start = dims[d].ahead ? partOfK : dims[d].offset;
    Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, start, zero);
    origin = origin ? arith::AndIOp::create(builder, loc, origin, here).getResult() : here;
  }
  Value target = argument;
  if (type != argument.getType())
    target = tile::ViewOp::create(builder, loc, type, argument);
  if (origin)
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, origin, /*withElseRegion=*/false).thenBlock());
  auto stored = tile::StoreOp::create(builder, loc, tile, target, b.indices, b.divisors, b.inBounds);
  if (groupEnd) {
    // Rows before the end are rows.
    size_t rows = groupedRows();
    b.inBounds[rows] = true;
    stored.setInBounds(b.inBounds);
    stored.getEndMutable().assign(groupEnd);
    stored.setEndDim(rows);
  }
  markAligned(stored, once, shape, type.getElementType());
}

//===-- Coordinates ------------------------------------------------------------------------------------===//

Value KernelTiler::coordinates(const StridedView &view, Type element, Location loc) {
  SmallVector<bool> depends = support(view);
  Value sum =
      constant(builder.getIntegerAttr(element, view.offset()), SmallVector<int64_t>(dims.size(), 1), loc);
  auto splatLike = [&](Value like, int64_t number) {
    return constant(builder.getIntegerAttr(element, number), shapeOf(like), loc);
  };
  for (size_t d = 0; d < dims.size(); ++d) {
    if (!depends[d])
      continue;
    SmallVector<int64_t> shape(dims.size(), 1);
    shape[d] = dims[d].tile;
    Value index =
        tile::IotaOp::create(builder, loc, RankedTensorType::get(shape, element), dims[d].offset, d);
    const layout::ViewDim &dim = view.dim(d);
    if (dim.step != 1)
      index = arith::MulIOp::create(builder, loc, index, splatLike(index, dim.step));
    if (dim.start != 0)
      index = arith::AddIOp::create(builder, loc, index, splatLike(index, dim.start));
    int64_t inner = 1;
    for (const layout::Mode &mode : llvm::reverse(dim.modes)) {
      Value digit = index;
      if (inner != 1)
        digit = arith::DivUIOp::create(builder, loc, digit, splatLike(digit, inner));
      inner *= mode.extent;
      if (inner != dim.innerExtent())
        digit = arith::RemUIOp::create(builder, loc, digit, splatLike(digit, mode.extent));
      if (mode.stride == 0)
        continue;
      Value term =
          mode.stride == 1
              ? digit
              : arith::MulIOp::create(builder, loc, digit, splatLike(digit, mode.stride)).getResult();
      SmallVector<int64_t> common = commonShape({shapeOf(sum), shapeOf(term)});
      sum = arith::AddIOp::create(builder, loc, broadcast(sum, common, loc), broadcast(term, common, loc));
    }
  }
  return sum;
}

/// The view from the domain to the index along `dim` of a tensor of `shape` that `view` lies on.
static std::optional<StridedView> indexAlong(const StridedView &view, ArrayRef<int64_t> shape, int64_t dim) {
  return view.pullBroadcast({shape[dim]}, shape.vec(), {(int)dim});
}

Value KernelTiler::evaluateIota(graph::IotaOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  auto view = indexAlong(indexing.views.find(op)->second, type.getShape(), op.getDim());
  assert(view && "an index along one dimension is a strided view");
  // The digits of an index are told apart in 32 bits, whatever type it ends in.
  Type element = type.getElementType();
  Value index = coordinates(*view, builder.getI32Type(), op.getLoc());
  auto result = RankedTensorType::get(shapeOf(index), element);
  if (isa<FloatType>(element))
    return arith::SIToFPOp::create(builder, op.getLoc(), result, index);
  if (element.isIndex())
    return arith::IndexCastOp::create(builder, op.getLoc(), result, index);
  if (element.getIntOrFloatBitWidth() > 32)
    return arith::ExtSIOp::create(builder, op.getLoc(), result, index);
  if (element.getIntOrFloatBitWidth() < 32)
    return arith::TruncIOp::create(builder, op.getLoc(), result, index);
  return index;
}

Value KernelTiler::evaluateConcat(graph::ConcatOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  auto view = indexAlong(indexing.views.find(op)->second, type.getShape(), op.getDim());
  assert(view && "an index along one dimension is a strided view");
  Value index = coordinates(*view, builder.getI32Type(), loc);
  Value joined;
  int64_t end = 0;
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    const OperandAccess &access = indexing.accesses[op][i];
    Value part = evaluate(access.root, access.view);
    if (!joined) {
      joined = part;
    } else {
      SmallVector<int64_t> common = commonShape({shapeOf(joined), shapeOf(part), shapeOf(index)});
      Value bound = constant(builder.getI32IntegerAttr(end), common, loc);
      Value before = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                           broadcast(index, common, loc), bound);
      joined = arith::SelectOp::create(builder, loc, before, broadcast(joined, common, loc),
                                       broadcast(part, common, loc));
    }
    end += cast<RankedTensorType>(input.getType()).getDimSize(op.getDim());
  }
  return joined;
}

/// What lies in memory is loaded with its padding; what the kernel computes is chosen by where it is.
Value KernelTiler::evaluatePad(graph::PadOp op) {
  Location loc = op.getLoc();
  const OperandAccess access = indexing.accesses[op][0];
  auto fill = cast<TypedAttr>(op.getValue());
  // A part that is nothing but padding.
  if (llvm::any_of(access.view.dims(), [](const layout::ViewDim &dim) { return dim.indicesInBounds() == 0; }))
    return constant(fill, tileShape(support(indexing.views.find(op)->second)), loc);
  if (isa<BlockArgument>(access.root))
    return loadTile(access.root, access.view, fill, loc);
  Value result = evaluate(access.root, access.view);
  ArrayRef<int64_t> shape = op.getType().getShape(), part = op.getInput().getType().getShape();
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == part[d])
      continue;
    auto view = indexAlong(indexing.views.find(op)->second, shape, (int64_t)d);
    assert(view && "an index along one dimension is a strided view");
    Value index = coordinates(*view, builder.getI32Type(), loc);
    if (int64_t low = op.getLow()[d])
      index = arith::SubIOp::create(builder, loc, index,
                                    constant(builder.getI32IntegerAttr((int32_t)low), shapeOf(index), loc));
    Value size = constant(builder.getI32IntegerAttr((int32_t)part[d]), shapeOf(index), loc);
    Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, size);
    SmallVector<int64_t> common = commonShape({shapeOf(result), shapeOf(inside)});
    result = arith::SelectOp::create(builder, loc, broadcast(inside, common, loc),
                                     broadcast(result, common, loc), constant(fill, common, loc));
  }
  return result;
}

//===-- Reductions -------------------------------------------------------------------------------------===//

Value KernelTiler::maskReduced(Operation *op, Value value, TypedAttr identity, Location loc) {
  SmallVector<int64_t> shape = shapeOf(value);
  for (auto [d, dim] : llvm::enumerate(dims)) {
    std::pair<int64_t, int64_t> part = reducedPart(op, d);
    bool beyond = part.second == dim.extent && !dim.isWhole();
    if (!runsAlong(op, d) || (!beyond && part == std::pair<int64_t, int64_t>(0, dim.extent)))
      continue;
    SmallVector<int64_t> line(dims.size(), 1);
    line[d] = dim.tile;
    auto lineType = RankedTensorType::get(line, builder.getI32Type());
    Value index = tile::IotaOp::create(builder, loc, lineType, dim.offset, d);
    auto number = [&](int64_t value) {
      return constant(builder.getI32IntegerAttr((int32_t)value), line, loc);
    };
    Value inside;
    if (part.first) {
      index = arith::SubIOp::create(builder, loc, index, number(part.first));
      inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index,
                                     number(part.second - part.first));
    } else {
      // What lies before the first element is large, as a number without a sign.
      inside = arith::CmpIOp::create(builder, loc,
                                     dim.ahead ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, index,
                                     number(part.second));
    }
    value = arith::SelectOp::create(builder, loc, broadcast(inside, shape, loc), value,
                                    constant(identity, shape, loc));
  }
  return value;
}

SmallVector<Value> KernelTiler::partialStates(graph::ReductionOpInterface op) {
  Location loc = op.getLoc();
  const OperandAccess &access = indexing.accesses[op][0];
  Value input = evaluate(access.root, access.view);
  SmallVector<bool> depends = support(indexing.views.find(op)->second);
  for (size_t d = 0; d < dims.size(); ++d)
    depends[d] = depends[d] || runsAlong(op, d);
  SmallVector<int64_t> shape = commonShape({tileShape(depends), shapeOf(input)});
  Value index;
  if (op.needsIndex()) {
    // The elements are counted as the domain has them, whatever memory they lie in.
    std::vector<layout::ViewDim> line(dims.size());
    int64_t stride = 1;
    for (size_t d = dims.size(); d-- > 0;) {
      line[d].extent = dims[d].extent;
      line[d].modes = {{dims[d].extent, runsAlong(op, d) ? stride : 0}};
      stride *= runsAlong(op, d) ? dims[d].extent : 1;
    }
    index = broadcast(coordinates(StridedView(line, 0), builder.getI32Type(), loc), shape, loc);
  }
  SmallVector<Value> states = op.step(builder, loc, broadcast(input, shape, loc), index);
  for (auto [state, identity] : llvm::zip_equal(states, op.getIdentity()))
    state = maskReduced(op, state, identity, loc);
  return states;
}

std::optional<RelativeElements> KernelTiler::besideReference(Operation *op) {
  std::optional<RelativeElements> relative = relativeElements(indexing, op);
  return relative && levelOf(relative->reference) == levelOf(op) ? relative : std::nullopt;
}

SmallVector<Value> KernelTiler::partialStates(graph::ReductionOpInterface op,
                                              const RelativeElements &elements, Value reference) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(reference.getType());
  const OperandAccess access = indexing.accesses[elements.difference][0];
  Value input = broadcast(evaluate(access.root, access.view), type.getShape(), loc);
  auto apply = [&](Operation *function, ValueRange operands) {
    Operation *clone = function->clone();
    clone->setOperands(operands);
    clone->getResult(0).setType(type);
    builder.insert(clone);
    return clone->getResult(0);
  };
  Value element = apply(elements.function, apply(elements.difference, {input, reference}));
  SmallVector<Value> states = op.step(builder, loc, element, Value());
  // While the reference is its identity nothing has been seen that counts.
  TypedAttr unset = cast<graph::ReductionOpInterface>(elements.reference).getIdentity().front();
  Value isUnset = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, reference,
                                        constant(unset, type.getShape(), loc));
  for (auto [state, identity] : llvm::zip_equal(states, op.getIdentity())) {
    state = arith::SelectOp::create(builder, loc, isUnset, constant(identity, type.getShape(), loc), state);
    state = maskReduced(op, state, identity, loc);
  }
  return states;
}

/// Sums of products that may be contracted with what follows them are sums that may be.
static void inheritContraction(ValueRange summands, ValueRange sums) {
  using arith::FastMathFlags;
  for (auto [summand, sum] : llvm::zip_equal(summands, sums)) {
    auto product = summand.getDefiningOp<arith::MulFOp>();
    auto add = sum.getDefiningOp<arith::AddFOp>();
    if (product && add && arith::bitEnumContainsAll(product.getFastmath(), FastMathFlags::contract))
      add.setFastmath(add.getFastmath() | FastMathFlags::contract);
  }
}

Value KernelTiler::finishReduce(graph::ReductionOpInterface op, ValueRange partial, bool acrossBlocks) {
  return op.finish(builder, op.getLoc(), reducedStates(op, partial, acrossBlocks));
}

SmallVector<Value> KernelTiler::reducedStates(graph::ReductionOpInterface op, ValueRange partial,
                                              bool acrossBlocks) {
  Location loc = op.getLoc();
  SmallVector<Value> states(partial);
  for (int64_t d = (int64_t)dims.size() - 1; d >= 0; --d) {
    // A block whose tile has one element still has others' to add.
    bool exchanges = dims[d].parts > 1 && acrossBlocks;
    if (!runsAlong(op, d) || (shapeOf(states[0])[d] == 1 && !exchanges))
      continue;
    SmallVector<Type> types, scalars;
    for (Value state : states) {
      SmallVector<int64_t> shape = shapeOf(state);
      shape[d] = 1;
      scalars.push_back(getElementTypeOrSelf(state.getType()));
      types.push_back(RankedTensorType::get(shape, scalars.back()));
    }
    auto reduce = tile::ReduceOp::create(builder, loc, types, states, (uint64_t)d, IntegerAttr());
    if (exchanges)
      reduce->setAttr(tile::ReduceOp::getBlocksAttrName(), builder.getI64IntegerAttr(dims[d].parts));
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Type> pair(scalars);
    llvm::append_range(pair, scalars);
    Block *block =
        builder.createBlock(&reduce.getCombiner(), {}, pair, SmallVector<Location>(pair.size(), loc));
    ValueRange all = block->getArguments();
    SmallVector<Value> merged =
        op.merge(builder, loc, all.take_front(scalars.size()), all.drop_front(scalars.size()));
    inheritContraction(states, merged);
    tile::YieldOp::create(builder, loc, merged);
    states.assign(reduce.getResults().begin(), reduce.getResults().end());
  }
  return states;
}

std::optional<RelativeElements> KernelTiler::sharedExchange(Operation *op) {
  if (!keepsRows || rowBlocks == 1)
    return std::nullopt;
  std::optional<RelativeElements> relative = relativeElements(indexing, op);
  if (!relative || !indexing.rowReduction(relative->reference) ||
      levelOf(relative->reference) + 1 != levelOf(op))
    return std::nullopt;
  for (Operation *other : ops)
    if (indexing.rowReduction(other) && other != op && other != relative->reference &&
        (levelOf(other) == levelOf(op) || levelOf(other) + 1 == levelOf(op)))
      return std::nullopt;
  return relative;
}

SmallVector<Value> KernelTiler::rescaled(graph::ReductionOpInterface op, const RelativeElements &relative,
                                         ValueRange state, Value from, Value to, bool base2) {
  Block *block = builder.getInsertionBlock();
  Block::iterator end = builder.getInsertionPoint();
  Operation *before = end == block->begin() ? nullptr : &*std::prev(end);
  SmallVector<Value> result = op.rescale(builder, op.getLoc(), state, from, to);
  auto function = cast<arith::ArithFastMathInterface>(relative.function);
  auto made = before ? std::next(before->getIterator()) : block->begin();
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(made, end))) {
    auto exponential = dyn_cast<math::ExpOp>(op);
    if (!exponential)
      continue;
    exponential.setFastmath(function.getFastMathFlagsAttr().getValue());
    if (!base2)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(exponential);
    exponential.replaceAllUsesWith(
        math::Exp2Op::create(builder, op.getLoc(), exponential.getOperand(), exponential.getFastmath())
            .getResult());
    exponential.erase();
  }
  return result;
}

void KernelTiler::exchangeTogether(graph::ReductionOpInterface op, const RelativeElements &relative,
                                   Value sum) {
  Location loc = op.getLoc();
  graph::ReductionOpInterface reference = graph::asReduction(relative.reference);
  Value own = tiles[relative.reference];
  unsigned d = *rowDim();
  // Elements relative to an infinite reference are no numbers; a block of nothing else has no part in the
  // sum.
  auto floats = cast<FloatType>(getElementTypeOrSelf(own.getType()));
  Value lowest = constant(reference.getIdentity().front(), shapeOf(own), loc);
  Value isEmpty = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, own, lowest);
  sum = arith::SelectOp::create(builder, loc, isEmpty, constant(op.getIdentity().front(), shapeOf(sum), loc),
                                sum);
  auto reduce = tile::ReduceOp::create(builder, loc, TypeRange{own.getType(), sum.getType()},
                                       ValueRange{own, sum}, (uint64_t)d, IntegerAttr());
  reduce->setAttr(tile::ReduceOp::getBlocksAttrName(), builder.getI64IntegerAttr(dims[d].parts));
  {
    OpBuilder::InsertionGuard guard(builder);
    Type scalars[] = {floats, getElementTypeOrSelf(sum.getType()), floats,
                      getElementTypeOrSelf(sum.getType())};
    Block *block = builder.createBlock(&reduce.getCombiner(), {}, scalars, SmallVector<Location>(4, loc));
    ValueRange all = block->getArguments();
    Value most = reference.merge(builder, loc, all.take_front(1), all.slice(2, 1)).front();
    SmallVector<Value> left = rescaled(op, relative, all.slice(1, 1), all[0], most);
    SmallVector<Value> right = rescaled(op, relative, all.slice(3, 1), all[2], most);
    tile::YieldOp::create(builder, loc, ValueRange{most, op.merge(builder, loc, left, right).front()});
  }
  Value most = reduce.getResult(0);
  tiles[relative.reference] = most;
  Value nothing = arith::SubFOp::create(builder, loc, most, most);
  tiles[op] = arith::AddFOp::create(builder, loc, op.finish(builder, loc, reduce.getResult(1)), nothing);
}

Value KernelTiler::evaluateReduce(graph::ReductionOpInterface op) {
  return finishReduce(op, partialStates(op));
}

//===-- Values -----------------------------------------------------------------------------------------===//

Value KernelTiler::evaluate(Value value, const StridedView &view) {
  DenseElementsAttr dense;
  if (matchPattern(value, m_Constant(&dense)))
    return constant(cast<TypedAttr>(dense.getSplatValue<Attribute>()), SmallVector<int64_t>(dims.size(), 1),
                    value.getLoc());
  if (isa<BlockArgument>(value))
    return loadTile(value, view, TypedAttr(), value.getLoc());
  return evaluateOp(value.getDefiningOp());
}

Value KernelTiler::evaluateOp(Operation *op) {
  if (auto it = tiles.find(op); it != tiles.end())
    return it->second;
  Location loc = op->getLoc();
  Value result;
  ArrayRef<OperandAccess> accesses = indexing.accesses[op];
  if (wholeStep)
    for (const KeptTerms::Select &select : kept->selects)
      if (select.op == op)
        return tiles[op] = evaluateKeptSelect(op, select.value);
  if (isMovement(op)) {
    result = evaluate(accesses[0].root, accesses[0].view);
  } else if (auto reduce = graph::asReduction(op)) {
    result = evaluateReduce(reduce);
  } else if (auto scan = dyn_cast<graph::ScanOp>(op)) {
    result = evaluateScan(scan);
  } else if (auto sort = dyn_cast<graph::SortOp>(op)) {
    result = evaluateSort(sort);
  } else if (auto iota = dyn_cast<graph::IotaOp>(op)) {
    result = evaluateIota(iota);
  } else if (auto length = dyn_cast<graph::TrueLengthOp>(op)) {
    Type element = getElementTypeOrSelf(length.getType());
    Value number = tile::TrueLengthOp::create(builder, loc, builder.getI32Type(), length.getSymbolAttr());
    if (!element.isInteger(32))
      number = arith::ExtSIOp::create(builder, loc, element, number);
    auto type = RankedTensorType::get(SmallVector<int64_t>(dims.size(), 1), element);
    result = tile::SplatOp::create(builder, loc, type, number);
  } else if (auto concat = dyn_cast<graph::ConcatOp>(op)) {
    result = evaluateConcat(concat);
  } else if (auto pad = dyn_cast<graph::PadOp>(op)) {
    result = evaluatePad(pad);
  } else if (auto gather = dyn_cast<graph::GatherOp>(op)) {
    Value offsets = evaluate(accesses[0].root, accesses[0].view);
    ArrayRef<int64_t> table = cast<RankedTensorType>(gather.getInput().getType()).getShape();
    int64_t stride = 1;
    for (int64_t size : table.drop_front(gather.getDim() + 1))
      stride *= size;
    const StridedView &view = accesses[1].view;
    SmallVector<int64_t> shape = commonShape({tileShape(support(view)), shapeOf(offsets)});
    if (Value kept = tables.lookup(op))
      return tiles[op] = takeFromTable(gather, kept, offsets, shape);
    Bounds b = bounds(view, shape);
    // Dimensions that only the offsets depend on are read at index 0 of the table.
    for (size_t d = 0; d < dims.size(); ++d)
      if (!support(view)[d])
        b.inBounds[d] = dims[d].isWhole();
    auto type = RankedTensorType::get(shape, getElementTypeOrSelf(gather.getType()));
    result = tile::GatherOp::create(builder, loc, type, viewOf(accesses[1].root, view, loc), b.indices,
                                    offsets, stride, table[gather.getDim()], b.divisors, b.inBounds);
  } else {
    SmallVector<Value> operands;
    SmallVector<SmallVector<int64_t>> shapes;
    for (const OperandAccess &access : accesses) {
      operands.push_back(evaluate(access.root, access.view));
      shapes.push_back(shapeOf(operands.back()));
    }
    // An op without operands of its own, or on constants alone, still covers its result.
    SmallVector<int64_t> shape =
        shapes.empty() ? tileShape(support(indexing.views.find(op)->second)) : commonShape(shapes);
    for (Value &operand : operands)
      operand = broadcast(operand, shape, loc);
    Operation *clone = op->clone();
    clone->setOperands(operands);
    clone->getResult(0).setType(
        RankedTensorType::get(shape, getElementTypeOrSelf(op->getResult(0).getType())));
    builder.insert(clone);
    result = clone->getResult(0);
  }
  return tiles[op] = result;
}
