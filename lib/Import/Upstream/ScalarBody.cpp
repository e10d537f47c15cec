// Evaluation of bodies: arithmetic, counters, and loads from tensors outside. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "ScalarBody.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;

//===-- Elements ----------------------------------------------------------------------------------------===//

SmallVector<int64_t> tilewright::upstream::loopsOf(ArrayRef<Element> elements) {
  SmallVector<int64_t> loops;
  for (const Element &element : elements)
    llvm::append_range(loops, element.loops);
  llvm::sort(loops);
  loops.erase(llvm::unique(loops), loops.end());
  return loops;
}

Value ScalarBody::spread(const Element &element, ArrayRef<int64_t> loops) {
  if (ArrayRef(element.loops) == loops)
    return element.value;
  SmallVector<int64_t> dims, shape;
  for (int64_t loop : element.loops)
    dims.push_back(llvm::find(loops, loop) - loops.begin());
  for (int64_t loop : loops)
    shape.push_back(sizes[loop]);
  return n.broadcastDims(element.value, dims, shape);
}

Element ScalarBody::arranged(Value value, ArrayRef<int64_t> loops) {
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, loops.size()));
  llvm::sort(permutation, [&](int64_t a, int64_t b) { return loops[a] < loops[b]; });
  SmallVector<int64_t> sorted(loops);
  llvm::sort(sorted);
  return {llvm::is_sorted(permutation) ? value : n.transpose(value, permutation), sorted};
}

Element ScalarBody::counter(int64_t loop) {
  return {n.iota({sizes[loop]}, 0, n.builder.getI64Type()), {loop}, loop};
}

Element ScalarBody::get(Value scalar) {
  if (auto known = elements.find(scalar); known != elements.end())
    return known->second;
  return {n.value(scalar), {}};
}

//===-- Operations --------------------------------------------------------------------------------------===//

/// An element of a tensor outside at computed places. The last indices that are whole loops of their own stay
/// dimensions; the others are one index into the flattened rest:
///
///     tensor.extract %table[%id, %d1]  ==>  graph.gather %table[%id] dim = 0
FailureOr<Element> ScalarBody::extract(Operation &op) {
  auto load = cast<tensor::ExtractOp>(op);
  Value table = n.value(load.getTensor());
  if (!table)
    return n.fail("tensor.extract reads a tensor that is made in the body");
  SmallVector<Element> indices;
  for (Value index : load.getIndices())
    indices.push_back(get(index));
  OpImport::Shape shape = n.shapeOf(table);
  unsigned whole = indices.size();
  while (whole > 0) {
    const Element &last = indices[whole - 1];
    SmallVector<int64_t> others = loopsOf(ArrayRef(indices).take_front(whole - 1));
    bool own = last.counter >= 0 && sizes[last.counter] == shape[whole - 1] &&
               !llvm::is_contained(others, last.counter) &&
               llvm::none_of(ArrayRef(indices).drop_front(whole),
                             [&](const Element &e) { return e.counter == last.counter; });
    if (!own)
      break;
    --whole;
  }
  SmallVector<int64_t> loops = loopsOf(ArrayRef(indices).take_front(whole)), all(loops);
  int64_t rows = 1;
  for (int64_t size : shape.take_front(whole))
    rows *= size;
  OpImport::Dims flatShape = {rows};
  for (unsigned d = whole; d < indices.size(); ++d) {
    flatShape.push_back(shape[d]);
    all.push_back(indices[d].counter);
  }
  if (whole == 0)
    return arranged(table, all);
  Value place;
  for (unsigned d = 0; d < whole; ++d) {
    Value index = spread(indices[d], loops);
    place = place ? n.add(n.mul(place, n.constantLike(place, (double)shape[d])), index) : index;
  }
  return arranged(n.gather(n.reshape(table, flatShape), place, 0), all);
}

FailureOr<Element> ScalarBody::compute(Operation &op) {
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return counter(rank[index.getDim()]);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    DenseElementsAttr dense = graphConstant(constant.getValue());
    std::string reason;
    if (!dense || !graphType(constant.getType(), reason))
      return n.fail("constant " + n.text(constant.getType()) + " in its body is not supported");
    return Element{arith::ConstantOp::create(n.builder, n.loc, dense), {}};
  }
  if (isa<tensor::ExtractOp>(op))
    return extract(op);
  std::string reason;
  if (!isElementwiseArithmetic(&op))
    return n.fail("'" + op.getName().getStringRef() + "' in its body is not supported");
  if (!graphType(op.getResult(0).getType(), reason))
    return n.fail("'" + op.getName().getStringRef() + "' in its body: " + reason);
  SmallVector<Element> operands;
  for (Value operand : op.getOperands())
    operands.push_back(get(operand));
  SmallVector<int64_t> loops = loopsOf(operands);
  SmallVector<Value> values;
  for (const Element &operand : operands)
    values.push_back(spread(operand, loops));
  Element result = {n.elementwise(&op, values), loops};
  if (isa<arith::IndexCastOp, arith::ExtSIOp>(op)) // as a place, it is still the counter
    result.counter = operands.front().counter;
  return result;
}

LogicalResult ScalarBody::evaluate(Block &block) {
  llvm::SmallPtrSet<Operation *, 8> unknown;
  for (Operation &op : block.without_terminator()) {
    // What an operation was lost for has been said.
    if (llvm::any_of(op.getOperands(), [&](Value v) { return unknown.contains(v.getDefiningOp()); })) {
      unknown.insert(&op);
      continue;
    }
    if (llvm::any_of(op.getOperands(), [&](Value v) { return isAccumulator(v); })) {
      for (Value result : op.getResults())
        setAccumulator(result);
      continue;
    }
    FailureOr<Element> element = compute(op);
    if (failed(element))
      unknown.insert(&op);
    else
      set(op.getResult(0), *element);
  }
  return success(unknown.empty());
}
