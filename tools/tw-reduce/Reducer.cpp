// The steps. Each edits a copy by position (operations are named by their number, so that a copy has them
// too), and the copy takes the program's place when it verifies and is interesting. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "Reducer.h"
#include "Shapes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;

namespace {

/// A program and what makes it interesting.
struct Reduction {
  OwningOpRef<ModuleOp> program;
  const Interesting &interesting;

  /// Takes an edited copy when `edit` says that it changed something and the copy is sound and interesting.
  bool attempt(function_ref<bool(ModuleOp)> edit);

  bool symbols();
  bool prefix();
  bool inputs();
  bool bypass();
  bool arguments();
  bool shapes();
  /// Gives the dimensions of size `from` another size, alone or with their multiples.
  bool resize(int64_t from, int64_t to);
};

} // namespace

//===-- Programs ----------------------------------------------------------------------------------------===//

/// Functions of one block, in order.
static SmallVector<func::FuncOp> functionsOf(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getBody().hasOneBlock())
      functions.push_back(function);
  return functions;
}

/// The operations of a function but its return, in order.
static SmallVector<Operation *> operationsOf(func::FuncOp function) {
  SmallVector<Operation *> operations;
  for (Operation &op : function.getBody().front().without_terminator())
    operations.push_back(&op);
  return operations;
}

/// Removes what is not used and has no effect.
static void removeDead(func::FuncOp function) {
  SmallVector<Operation *> operations = operationsOf(function);
  for (Operation *op : llvm::reverse(operations))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Makes `value` the only result.
static void returnAlone(func::FuncOp function, Value value) {
  Operation *terminator = function.getBody().front().getTerminator();
  terminator->setOperands(value);
  function.removeResAttrsAttr();
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(), value.getType()));
  removeDead(function);
}

/// Replaces the results of `op` by new arguments.
static void makeArguments(func::FuncOp function, Operation *op) {
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    if (failed(function.insertArgument(function.getNumArguments(), result.getType(), {}, op->getLoc())))
      return;
    result.replaceAllUsesWith(function.getArguments().back());
  }
}

bool Reduction::attempt(function_ref<bool(ModuleOp)> edit) {
  OwningOpRef<ModuleOp> copy(program->clone());
  if (!edit(*copy))
    return false;
  ScopedDiagnosticHandler silence(program->getContext(), [](Diagnostic &) { return success(); });
  if (failed(verify(*copy)) || !interesting(*copy))
    return false;
  program = std::move(copy);
  return true;
}

//===-- Steps -------------------------------------------------------------------------------------------===//

bool Reduction::symbols() {
  bool any = false;
  for (unsigned i = llvm::range_size(program->getOps()); i-- > 0;)
    any |= attempt([&](ModuleOp module) {
      std::next(module.getOps().begin(), i)->erase();
      return true;
    });
  return any;
}

bool Reduction::prefix() {
  bool any = false;
  for (unsigned f = 0; f < functionsOf(*program).size(); ++f) {
    bool found = false;
    unsigned count = operationsOf(functionsOf(*program)[f]).size();
    for (unsigned i = 0; i < count && !found; ++i)
      // Once a value is found, there are fewer operations than before.
      for (unsigned r = 0; !found && r < operationsOf(functionsOf(*program)[f])[i]->getNumResults(); ++r)
        found = attempt([&](ModuleOp module) {
          func::FuncOp function = functionsOf(module)[f];
          Value value = operationsOf(function)[i]->getResult(r);
          Operation *terminator = function.getBody().front().getTerminator();
          if (terminator->getNumOperands() == 1 && terminator->getOperand(0) == value)
            return false;
          returnAlone(function, value);
          return true;
        });
    any |= found;
  }
  return any;
}

bool Reduction::inputs() {
  bool any = false;
  for (unsigned f = 0; f < functionsOf(*program).size(); ++f) {
    unsigned count = operationsOf(functionsOf(*program)[f]).size();
    for (unsigned chunk = (count + 1) / 2; chunk > 0; chunk /= 2)
      for (unsigned begin = 0; begin < operationsOf(functionsOf(*program)[f]).size();) {
        bool taken = attempt([&](ModuleOp module) {
          func::FuncOp function = functionsOf(module)[f];
          SmallVector<Operation *> operations = operationsOf(function);
          ArrayRef<Operation *> some = ArrayRef(operations).slice(begin).take_front(chunk);
          for (Operation *op : some)
            makeArguments(function, op);
          for (Operation *op : llvm::reverse(some))
            op->erase();
          removeDead(function);
          return true;
        });
        any |= taken;
        begin += taken ? 0 : chunk;
      }
  }
  return any;
}

bool Reduction::bypass() {
  bool any = false;
  for (unsigned f = 0; f < functionsOf(*program).size(); ++f)
    for (unsigned i = operationsOf(functionsOf(*program)[f]).size(); i-- > 0;) {
      if (i >= operationsOf(functionsOf(*program)[f]).size())
        continue;
      for (unsigned o = 0, e = operationsOf(functionsOf(*program)[f])[i]->getNumOperands(); o < e; ++o) {
        bool taken = attempt([&](ModuleOp module) {
          func::FuncOp function = functionsOf(module)[f];
          Operation *op = operationsOf(function)[i];
          if (op->getNumResults() != 1 || op->getOperand(o).getType() != op->getResult(0).getType())
            return false;
          op->getResult(0).replaceAllUsesWith(op->getOperand(o));
          op->erase();
          removeDead(function);
          return true;
        });
        any |= taken;
        if (taken)
          break;
      }
    }
  return any;
}

bool Reduction::arguments() {
  return attempt([](ModuleOp module) {
    bool changed = false;
    for (func::FuncOp function : functionsOf(module))
      for (unsigned i = function.getNumArguments(); i-- > 0;)
        if (function.getArgument(i).use_empty())
          changed |= succeeded(function.eraseArgument(i));
    return changed;
  });
}

bool Reduction::resize(int64_t from, int64_t to) {
  auto alone = [&](int64_t size) { return size == from ? to : size; };
  // A reshape joins dimensions: the products shrink with them.
  auto withMultiples = [&](int64_t size) { return size % from == 0 ? size / from * to : size; };
  return attempt([&](ModuleOp module) {
           mapSizes(module, alone);
           return true;
         }) ||
         attempt([&](ModuleOp module) {
           mapSizes(module, withMultiples);
           return true;
         });
}

bool Reduction::shapes() {
  bool any = false;
  for (int64_t size : sizesOf(*program)) {
    if (resize(size, 1)) {
      any = true;
      continue;
    }
    // The least size that will do lies between one that does not and one that does.
    int64_t dull = 1, good = size;
    while (good - dull > 1) {
      int64_t middle = dull + (good - dull) / 2;
      if (resize(good, middle))
        good = middle, any = true;
      else
        dull = middle;
    }
  }
  return any;
}

OwningOpRef<ModuleOp> tilewright::reduceProgram(OwningOpRef<ModuleOp> program,
                                                const Interesting &interesting) {
  Reduction reduction{std::move(program), interesting};
  for (bool smaller = true; smaller;) {
    smaller = reduction.symbols();
    smaller |= reduction.prefix();
    smaller |= reduction.inputs();
    smaller |= reduction.bypass();
    smaller |= reduction.arguments();
    smaller |= reduction.shapes();
  }
  return std::move(reduction.program);
}
