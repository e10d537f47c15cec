// What computes the operands of products, element by element, from tensors in memory: which ops do so, and
// what they make of the zeros that a load gives beyond the end of K.

#include "KernelSolver.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::graph;

/// Whether `op` computes each element of its result from those of its operands at the same place.
static bool worksByElement(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) && op->getNumResults() == 1 &&
         op->getNumRegions() == 0 && op->hasTrait<OpTrait::Elementwise>();
}

OperandPath tilewright::pathOf(Value operand, const MaterializedOps &materialized,
                               function_ref<bool(Operation *)> isMember) {
  OperandPath path;
  while (true) {
    path.chains.push_back(chainOf(operand, materialized));
    Operation *op = path.root().getDefiningOp();
    if (!op || !isMember(op) || !worksByElement(op))
      return path;
    Value tensor;
    for (Value input : op->getOperands()) {
      if (isSplatConstant(chainOf(input, materialized).root))
        continue;
      if (tensor && tensor != input)
        return path;
      tensor = input;
    }
    if (!tensor)
      return path;
    path.ops.push_back(op);
    operand = tensor;
  }
}

/// What the ops make of a zero; null where that is not known.
static Attribute valueAtZero(const OperandPath &path) {
  Attribute value;
  for (Operation *op : llvm::reverse(path.ops)) {
    SmallVector<Attribute> operands;
    for (Value input : op->getOperands()) {
      auto type = cast<RankedTensorType>(input.getType());
      DenseElementsAttr dense;
      if (matchPattern(chainOf(input, {}).root, m_Constant(&dense)) && dense.isSplat())
        operands.push_back(dense.resizeSplat(type));
      else if (value)
        operands.push_back(value);
      else
        operands.push_back(DenseElementsAttr::get(
            type, cast<TypedAttr>(Builder(op->getContext()).getZeroAttr(type.getElementType()))));
    }
    Operation *copy = op->clone(); // folding may change it
    SmallVector<OpFoldResult> results;
    bool folds = succeeded(copy->fold(operands, results)) && results.size() == 1;
    value = folds ? dyn_cast<Attribute>(results.front()) : Attribute();
    // A folder that gives an operand gives its value.
    if (auto same = folds ? dyn_cast<Value>(results.front()) : Value())
      for (auto [input, known] : llvm::zip_equal(copy->getOperands(), operands))
        value = input == same ? known : value;
    copy->destroy();
    if (!value)
      return {};
  }
  return value;
}

/// Whether `value` is one number that a product with zero makes zero; and whether it is zero itself.
static bool isFinite(Attribute value) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!dense || !dense.isSplat())
    return false;
  return !isa<FloatType>(dense.getElementType()) || dense.getSplatValue<APFloat>().isFinite();
}
static bool isZero(Attribute value) {
  auto dense = cast<DenseElementsAttr>(value);
  return isa<FloatType>(dense.getElementType()) ? dense.getSplatValue<APFloat>().isZero()
                                                : dense.getSplatValue<APInt>().isZero();
}

void KernelSolver::findPrologues(ArrayRef<Operation *> all) {
  members.insert(all.begin(), all.end());
  SmallVector<MatmulOp> products;
  for (Operation *op : all)
    if (auto product = dyn_cast<MatmulOp>(op))
      products.push_back(product);
  if (products.empty()) {
    ops = all;
    return;
  }
  for (MatmulOp product : products) {
    SmallVector<OperandPath> paths;
    int beyondZero = 0;
    for (Value operand : product->getOperands()) {
      OperandPath path = pathOf(operand, materialized, [&](Operation *op) { return members.contains(op); });
      if (path.ops.empty() || product.getGroups() || members.contains(path.root().getDefiningOp())) {
        path.ops.clear();
      } else {
        // Steps beyond the end of K add nothing: one operand is zero there, and the other one a number.
        Attribute beyond = valueAtZero(path);
        if (!isFinite(beyond) || (!isZero(beyond) && beyondZero++))
          path.ops.clear();
      }
      paths.push_back(std::move(path));
    }
    prologues[product] = std::move(paths);
  }
  // What others read as well is computed over the domain.
  auto isReadOtherwise = [&](Operation *op, const llvm::SmallPtrSetImpl<Operation *> &of) {
    SmallVector<Value> worklist = {op->getResult(0)};
    while (!worklist.empty())
      for (Operation *user : worklist.pop_back_val().getUsers()) {
        if (isMovement(user) && !materialized.contains(user))
          worklist.push_back(user->getResult(0));
        else if (!of.contains(user) && !(isa<MatmulOp>(user) && members.contains(user)) && !isDropped(user))
          return true;
      }
    return false;
  };
  llvm::SmallPtrSet<Operation *, 8> found;
  for (bool changed = true; std::exchange(changed, false);) {
    found.clear();
    for (auto &[product, paths] : prologues)
      for (OperandPath &path : paths)
        found.insert(path.ops.begin(), path.ops.end());
    for (auto &[product, paths] : prologues)
      for (OperandPath &path : paths)
        if (llvm::any_of(path.ops, [&](Operation *op) { return isReadOtherwise(op, found); })) {
          path.ops.clear();
          changed = true;
        }
  }
  for (Operation *op : all)
    if (!found.contains(op))
      own.push_back(op);
    else
      members.erase(op);
  ops = own;
}

bool KernelSolver::addProductOperand(MatmulOp product, unsigned index, SmallVector<OperandAccess> &accesses) {
  const OperandPath &path = prologues.find(product)->second[index];
  View view = layout::StridedView::rowMajor(shapeOf(product->getOperand(index)));
  for (const MovementChain &chain : path.chains)
    if (view)
      view = pull(*view, chain);
  if (!view || llvm::any_of(view->dims(), [](const layout::ViewDim &dim) { return !dim.isTotal(); }))
    return fail(product, "an operand is no strided view of what it is computed from");
  accesses.push_back({path.root(), *view, SmallVector<Operation *, 2>(llvm::reverse(path.ops))});
  return true;
}
