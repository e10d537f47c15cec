// A kernel as a function again, for the partition to group once more with fewer registers: where few values
// live, and where little crosses by its model of times, it cuts.
#include "Tilewright/Fuse/CutKernel.h"

#include "Partition.h"
#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Plan/IR/Traffic.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Fuse/Passes.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
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
  // Whoever takes the cut says so.
  bool succeeds = false;
  TrialRemarks().during(*kernel.getContext(), [&] { succeeds = succeeded(pm.run(*module)); });
  if (!succeeds || llvm::range_size(module->getOps<graph::KernelOp>()) < 2)
    return {};
  return module;
}

SmallVector<fuse::ResultNumbers> fuse::resultsByOrder(graph::KernelOp kernel, bool byRows) {
  std::string why;
  std::optional<KernelIndexing> indexing = KernelIndexing::solve(kernel, why);
  SmallVector<ResultNumbers> classes;
  SmallVector<std::pair<const layout::StridedView *, bool>> kinds;
  if (!indexing)
    return classes;
  // What a reduction or scan is behind.
  llvm::SmallPtrSet<Operation *, 32> waiting;
  for (Operation &op : kernel.getBody().front())
    if (byRows && (graph::asReduction(&op) || llvm::any_of(op.getOperands(), [&](Value operand) {
                     return waiting.contains(operand.getDefiningOp());
                   })))
      waiting.insert(&op);
  for (auto [number, result] : llvm::enumerate(kernel.getBody().front().getTerminator()->getOperands())) {
    // What is joined from parts stands at no place of its own.
    auto found = indexing->views.find(result.getDefiningOp());
    bool isPlaced = found != indexing->views.end() && !indexing->joins.contains(result.getDefiningOp());
    const layout::StridedView *view = isPlaced ? &found->second : nullptr;
    bool waits = waiting.contains(result.getDefiningOp());
    auto *same = llvm::find_if(kinds, [&](const auto &other) {
      return view && other.first && *other.first == *view && other.second == waits;
    });
    if (same == kinds.end()) {
      kinds.push_back({view, waits});
      classes.push_back({(unsigned)number});
    } else {
      classes[same - kinds.begin()].push_back((unsigned)number);
    }
  }
  return classes;
}

/// A copy of `kernel` that has the results `numbers` alone, and `arguments` of those of `kernel`; behind
/// these count the results `read`, which it reads instead of computing them.
static graph::KernelOp withResults(graph::KernelOp kernel, ArrayRef<unsigned> numbers,
                                   ArrayRef<unsigned> read, OpBuilder &builder,
                                   SmallVector<unsigned> &arguments) {
  auto part = cast<graph::KernelOp>(builder.clone(*kernel));
  // Another part may read what was the first to leave the cache.
  part->removeAttr(plan::kLeavingAttrName);
  Block &body = part.getBody().front();
  for (unsigned number : read) {
    Value result = body.getTerminator()->getOperand(number);
    unsigned place = part.getNumArguments();
    (void)part.insertArgument(place, result.getType(), DictionaryAttr(), result.getLoc());
    result.replaceAllUsesWith(part.getArgument(place));
  }
  BitVector others(kernel.getResultTypes().size(), true), unused(body.getNumArguments());
  for (unsigned number : numbers)
    others.reset(number);
  body.getTerminator()->eraseOperands(others);
  (void)part.eraseResults(others);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  for (BlockArgument argument : body.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
    else
      arguments.push_back(argument.getArgNumber());
  (void)part.eraseArguments(unused);
  return part;
}

OwningOpRef<ModuleOp> fuse::cutResults(graph::KernelOp kernel, ArrayRef<ResultNumbers> parts,
                                       bool readResults) {
  OwningOpRef<ModuleOp> module(ModuleOp::create(kernel.getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  Location loc = kernel.getLoc();
  auto named = [&](StringRef stem, size_t count) {
    SmallVector<Attribute> names;
    for (size_t i = 0; i < count; ++i)
      names.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
          plan::PlanDialect::getNameAttrName(), builder.getStringAttr(stem + Twine(i)))));
    return builder.getArrayAttr(names);
  };
  auto program = plan::ProgramOp::create(builder, loc, kernel.getSymName(), kernel.getFunctionType(),
                                         /*bucket=*/nullptr, named("input", kernel.getArgumentTypes().size()),
                                         named("output", kernel.getResultTypes().size()),
                                         /*sym_visibility=*/nullptr);
  Block *body = &program.getBody().emplaceBlock();
  for (Type type : kernel.getArgumentTypes())
    body->addArgument(type, loc);
  SmallVector<Value> results(kernel.getResultTypes().size());
  OpBuilder launches = OpBuilder::atBlockEnd(body);
  SmallVector<unsigned> stored;
  bool areRead = false;
  for (auto [number, part] : llvm::enumerate(parts)) {
    SmallVector<unsigned> arguments;
    graph::KernelOp own = withResults(
        kernel, part, readResults ? ArrayRef<unsigned>(stored) : ArrayRef<unsigned>(), builder, arguments);
    std::string why;
    std::optional<KernelIndexing> indexing = KernelIndexing::solve(own, why);
    if (!indexing)
      return {};
    own.setAnchor(indexing->anchor);
    // The program has the kernel's own name.
    own.setSymName((kernel.getSymName() + "_part" + Twine(number)).str());
    SmallVector<Value> inputs = llvm::map_to_vector(arguments, [&](unsigned argument) -> Value {
      unsigned own = body->getNumArguments();
      areRead |= argument >= own;
      return argument < own ? body->getArgument(argument) : results[stored[argument - own]];
    });
    auto launch = plan::LaunchOp::create(launches, loc, own.getResultTypes(), own.getSymName(), inputs);
    for (auto [place, result] : llvm::zip_equal(part, launch.getResults()))
      results[place] = result;
    llvm::append_range(stored, part);
  }
  if (readResults && !areRead)
    return {};
  plan::ReturnOp::create(launches, loc, results);
  PassManager pm(kernel.getContext(), ModuleOp::getOperationName());
  pm.addPass(plan::createAnnotateCosts());
  return failed(pm.run(*module)) ? OwningOpRef<ModuleOp>() : std::move(module);
}
