// A kernel as a function again, for the partition to group once more with fewer registers: where few values
// live, and where little crosses by its model of times, it cuts.
#include "Tilewright/Fuse/CutKernel.h"

#include "Partition.h"
#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Fuse/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;

/// Marks movement that a kernel computes; the partition finds out again what has to be.
static constexpr StringLiteral kMaterialize = "graph.materialize";

std::optional<int64_t> fuse::leastRegisters(graph::KernelOp kernel) {
  std::string why;
  std::optional<KernelIndexing> indexing = KernelIndexing::solve(kernel, why);
  if (!indexing)
    return std::nullopt;
  SmallVector<Operation *> ops =
      llvm::map_to_vector(indexing->views, [](const auto &entry) { return entry.first; });
  llvm::sort(ops, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  SmallVector<Value> outputs(kernel.getBody().front().getTerminator()->getOperands());
  int64_t elems = indexing->anchor == graph::Anchor::Matmul ? kLeastProductElems : 1;
  return tilePressure(*indexing, ops, outputs).registers(elems);
}

/// The kernel's body as the body of a function of its name.
static OwningOpRef<ModuleOp> asFunction(graph::KernelOp kernel) {
  // A program that entered behind the fuse stage has none of these.
  kernel.getContext()->getOrLoadDialect<func::FuncDialect>();
  OwningOpRef<ModuleOp> module(ModuleOp::create(kernel.getLoc()));
  OpBuilder builder(module->getBodyRegion());
  Location loc = kernel.getLoc();
  auto func = func::FuncOp::create(builder, loc, kernel.getSymName(), kernel.getFunctionType());
  Block *body = func.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  mapping.map(kernel.getBody().getArguments(), body->getArguments());
  for (Operation &op : kernel.getBody().front().without_terminator())
    builder.clone(op, mapping)->removeAttr(kMaterialize);
  SmallVector<Value> results = llvm::map_to_vector(kernel.getBody().front().getTerminator()->getOperands(),
                                                   [&](Value value) { return mapping.lookup(value); });
  func::ReturnOp::create(builder, loc, results);
  return module;
}

OwningOpRef<ModuleOp> fuse::cutKernel(graph::KernelOp kernel, int64_t maxRegisters, StringRef target) {
  OwningOpRef<ModuleOp> module = asFunction(kernel);
  PassManager pm(kernel.getContext(), ModuleOp::getOperationName());
  FusePartitionKernelsOptions options;
  options.maxRegisters = maxRegisters;
  options.target = target.str();
  pm.addPass(createFusePartitionKernels(options));
  pm.addNestedPass<plan::ProgramOp>(createCSEPass());
  pm.addPass(plan::createAnnotateCosts());
  if (failed(pm.run(*module)) || llvm::range_size(module->getOps<graph::KernelOp>()) < 2)
    return {};
  return module;
}
