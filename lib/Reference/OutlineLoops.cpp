// Every linalg op on buffers moves into a function of its own; equal functions are made once. It keeps LLVM's
// time in proportion to what is distinct in a program. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Reference/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tilewright::reference {
#define GEN_PASS_DEF_REFERENCEOUTLINELOOPS
#include "Tilewright/Reference/Passes.h.inc"
} // namespace tilewright::reference

/// What `op` reads from outside: operands, then values that its body captures.
static SmallVector<Value> inputsOf(linalg::LinalgOp op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}

/// A function that holds `op`; scalar constants are made again in it, and `arguments` are what it takes.
static func::FuncOp outline(OpBuilder &builder, linalg::LinalgOp op, SmallVectorImpl<Value> &arguments) {
  // Names and places of the source would tell equal functions apart.
  Location loc = builder.getUnknownLoc();
  SmallVector<Operation *> constants;
  for (Value value : inputsOf(op)) {
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    if (constant)
      constants.push_back(constant);
    else
      arguments.push_back(value);
  }
  auto function = func::FuncOp::create(builder, loc, "loops",
                                       builder.getFunctionType(ValueRange(arguments).getTypes(), {}));
  function.setPrivate();
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(arguments, body->getArguments());
  for (Operation *constant : constants)
    builder.clone(*constant, mapping);
  builder.clone(*op, mapping);
  func::ReturnOp::create(builder, loc);
  return function;
}

namespace {
struct ReferenceOutlineLoopsPass
    : tilewright::reference::impl::ReferenceOutlineLoopsBase<ReferenceOutlineLoopsPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<linalg::LinalgOp> ops;
    module.walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    SymbolTable symbols(module);
    llvm::StringMap<func::FuncOp> known; // by text
    for (linalg::LinalgOp op : ops) {
      OpBuilder builder(module.getContext());
      SmallVector<Value> arguments;
      OwningOpRef<func::FuncOp> function = outline(builder, op, arguments);
      std::string text;
      llvm::raw_string_ostream stream(text);
      function->print(stream, OpPrintingFlags().useLocalScope());
      auto [entry, isNew] = known.try_emplace(text);
      if (isNew) {
        entry->second = function.release();
        entry->second.setName("loops_" + std::to_string(known.size() - 1));
        symbols.insert(entry->second);
      }
      builder.setInsertionPoint(op);
      func::CallOp::create(builder, op.getLoc(), entry->second, arguments);
      op.erase();
    }
  }
};
} // namespace
