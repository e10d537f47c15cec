// The walk over functions: every operation is handed to its handler with the values made so far, and only
// when all are understood does the graph program take the source program's place. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "OpImport.h"
#include "Tilewright/Import/Upstream.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::upstream;

namespace tilewright {
#define GEN_PASS_DEF_CONVERTUPSTREAMTOGRAPH
#include "Tilewright/Import/Passes.h.inc"
} // namespace tilewright

//===-- What is imported --------------------------------------------------------------------------------===//

static const HandlerTable &handlers() {
  static const HandlerTable table = [] {
    HandlerTable table;
    addTensorOps(table);
    addTosaElementwise(table);
    addTosaMovement(table);
    addTosaQuantized(table);
    addTosaReductions(table);
    addTosaWindows(table);
    return table;
  }();
  return table;
}

/// Whether `op` is part of graph programs as it stands.
static bool isNative(Operation *op) {
  if (isa<graph::GraphDialect>(op->getDialect()))
    return true;
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return isa_and_present<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         llvm::all_of(op->getOperandTypes(), isTensor) && llvm::all_of(op->getResultTypes(), isTensor);
}

static bool isUpstream(Operation &op) {
  return isa_and_present<linalg::LinalgDialect, tensor::TensorDialect, tosa::TosaDialect>(op.getDialect());
}

bool tilewright::holdsUpstreamOps(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), [](func::FuncOp func) {
    return llvm::any_of(func.getBody(), [](Block &block) { return llvm::any_of(block, isUpstream); });
  });
}

//===-- One function ------------------------------------------------------------------------------------===//

namespace {
struct FunctionImport {
  FunctionImport(func::FuncOp func, Literals &literals) : func(func), literals(literals) {}

  func::FuncOp func;
  Literals &literals;
  /// What stands for the source program's values.
  llvm::DenseMap<Value, Value> values;
  /// Values of operations that were refused, or that read such: nothing is said of their readers.
  llvm::DenseSet<Value> lost;
  bool good = true;

  LogicalResult run();
  void import(Operation &op, OpBuilder &builder);
  void refuse(Operation *op, ArrayRef<std::string> reasons);
  LogicalResult checkSignature();
};
} // namespace

/// A name for what `op` becomes: its own, or what it is and where it stands.
static Location nameOf(Operation *op) {
  bool named = false;
  int64_t line = 0;
  op->getLoc()->walk([&](Location part) {
    named |= isa<NameLoc>(part);
    if (auto file = dyn_cast<FileLineColRange>(part); file && !line)
      line = file.getStartLine();
    return WalkResult::advance();
  });
  if (named)
    return op->getLoc();
  std::string name = op->getName().getStringRef().str();
  if (line)
    name += ":" + std::to_string(line);
  return NameLoc::get(StringAttr::get(op->getContext(), name), op->getLoc());
}

void FunctionImport::refuse(Operation *op, ArrayRef<std::string> reasons) {
  good = false;
  emitError(op->getLoc()) << "'" << op->getName() << "' cannot be imported: " << llvm::join(reasons, "; ");
  for (Value result : op->getResults())
    lost.insert(result);
}

LogicalResult FunctionImport::checkSignature() {
  if (!func.getBody().hasOneBlock())
    return func.emitError() << "function @" << func.getName() << " has " << func.getBody().getBlocks().size()
                            << " blocks, expected 1";
  LogicalResult result = success();
  auto check = [&](Type type, StringRef kind, unsigned index) {
    std::string reason;
    RankedTensorType taken = graphType(type, reason);
    if (taken && taken != type)
      reason = isa<RankedTensorType>(type)
                   ? "elements of type index are not supported"
                   : "it is of type " + GraphBuilder::text(type) + ", expected a tensor";
    if (!reason.empty())
      result = func.emitError() << kind << " #" << index << " of function @" << func.getName()
                                << " cannot be imported: " << reason;
  };
  for (auto [i, type] : llvm::enumerate(func.getArgumentTypes()))
    check(type, "argument", i);
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    check(type, "result", i);
  return result;
}

void FunctionImport::import(Operation &op, OpBuilder &builder) {
  // What its regions read counts too.
  SmallVector<Value> read(op.getOperands());
  op.walk([&](Operation *inner) { llvm::append_range(read, inner->getOperands()); });
  if (llvm::any_of(read, [&](Value value) { return lost.contains(value); })) {
    lost.insert(op.result_begin(), op.result_end());
    return;
  }
  OpImport n(builder, nameOf(&op), &op, values, literals);
  std::string reason;
  auto handler = handlers().find(op.getName().getStringRef());
  bool known = handler != handlers().end(), structured = isa<linalg::LinalgOp>(op);
  // !tosa.shape is no type of graph programs, but its constants are integers.
  if (!known || !isa<tosa::ConstShapeOp>(op))
    for (Type type : op.getResultTypes())
      if (!graphType(type, reason) && (known || structured || isElementwiseArithmetic(&op)))
        return refuse(&op, reason);
  LogicalResult result = success();
  if (known)
    result = handler->second(n);
  else if (structured)
    result = importStructured(n);
  else if (isElementwiseArithmetic(&op))
    result = n.yield(n.elementwise(&op, n.operandsInResultShape()));
  else if (isNative(&op)) {
    IRMapping mapping;
    for (Value operand : op.getOperands())
      mapping.map(operand, values.lookup(operand));
    Operation *clone = builder.clone(op, mapping);
    clone->setLoc(n.loc);
    n.results.append(clone->result_begin(), clone->result_end());
  } else {
    StringRef why = refusal(op.getName().getStringRef());
    result = n.fail(why.empty() ? "no translation to graph programs is known" : why);
  }
  if (failed(result) || n.failed())
    return refuse(&op, n.reasons());
  for (auto [source, value] : llvm::zip_equal(op.getResults(), n.results))
    values[source] = value;
}

LogicalResult FunctionImport::run() {
  if (failed(checkSignature()))
    return failure();
  Block &block = func.getBody().front();
  SmallVector<Operation *> source;
  for (Operation &op : block)
    source.push_back(&op);
  for (BlockArgument argument : block.getArguments())
    values[argument] = argument;
  // The graph program grows behind the source program.
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  for (Operation *op : ArrayRef(source).drop_back())
    import(*op, builder);
  Operation *terminator = source.back();
  if (good) {
    SmallVector<Value> results;
    for (Value result : terminator->getOperands())
      results.push_back(values.lookup(result));
    func::ReturnOp::create(builder, terminator->getLoc(), results);
    for (Operation *op : llvm::reverse(source))
      op->erase();
  }
  // What was made in vain: all of it, or what no result needs.
  SmallVector<Operation *> made;
  for (Operation &op : block)
    made.push_back(&op);
  if (!good)
    made.erase(made.begin(), made.begin() + source.size());
  for (Operation *op : llvm::reverse(made))
    if (!good || isOpTriviallyDead(op))
      op->erase();
  return success(good);
}

LogicalResult tilewright::importUpstream(ModuleOp module) {
  // A program as it was parsed may hold no op of these.
  module.getContext()->loadDialect<graph::GraphDialect, arith::ArithDialect, math::MathDialect>();
  LogicalResult result = success();
  Literals literals;
  for (auto func : module.getOps<func::FuncOp>()) {
    bool isProgram = !func.isExternal() && llvm::any_of(func.getBody(), [](Block &block) {
      return llvm::any_of(block, isUpstream);
    });
    if (isProgram && failed(FunctionImport(func, literals).run()))
      result = failure();
  }
  if (succeeded(result) && !literals.empty()) {
    Builder builder(module.getContext());
    SmallVector<NamedAttribute> entries;
    for (auto &[key, literal] : literals)
      entries.emplace_back(key, literal);
    SmallVector<Attribute> files;
    if (auto known = module->getAttrOfType<ArrayAttr>("graph.weight_files"))
      files.assign(known.begin(), known.end());
    files.push_back(builder.getDictionaryAttr(entries));
    module->setAttr("graph.weight_files", builder.getArrayAttr(files));
  }
  return result;
}

//===-- The pass ----------------------------------------------------------------------------------------===//

namespace {
struct ConvertUpstreamToGraphPass : tilewright::impl::ConvertUpstreamToGraphBase<ConvertUpstreamToGraphPass> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(importUpstream(getOperation())))
      signalPassFailure();
  }
};
} // namespace
