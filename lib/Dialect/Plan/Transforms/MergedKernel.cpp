// The merged function: a chain of comparisons of the block's number, then for each part a prologue that gives
// its blocks their own numbers, ends the threads it has no use for, and goes on to a copy of the part's body:
//
//   blocks  0 … a-1   part A as it was
//   blocks  a … a+b-1 part B, whose block number is the block's less a
//
// Threads that end early are whole warps, and the barriers of their part count the others alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MergedKernel.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

static constexpr int64_t kWarp = 32;

//===-- What may be a part -----------------------------------------------------------------------------===//

/// Whether an operation means the same in a block that runs beside other kernels' blocks. Not so: what
/// clusters, warpgroups, register budgets and copies in bulk take, which count on the launch as a whole.
static bool meansTheSame(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (isa<ptx::PtxDialect>(op->getDialect()))
    return !name.starts_with("wgmma");
  if (!isa<NVVM::NVVMDialect>(op->getDialect()))
    return !isa<LLVM::CallOp, LLVM::InlineAsmOp>(op);
  static const llvm::StringSet<> names = {"bar.warp.sync",
                                          "barrier",
                                          "barrier0",
                                          "cp.async.commit.group",
                                          "cp.async.shared.global",
                                          "cp.async.wait.group",
                                          "fma",
                                          "griddepcontrol",
                                          "ldmatrix",
                                          "mma.sync",
                                          "rcp.approx.ftz.f",
                                          "read.ptx.sreg.ctaid.x",
                                          "read.ptx.sreg.ctaid.y",
                                          "read.ptx.sreg.ctaid.z",
                                          "read.ptx.sreg.laneid",
                                          "read.ptx.sreg.nctaid.x",
                                          "read.ptx.sreg.nctaid.y",
                                          "read.ptx.sreg.nctaid.z",
                                          "read.ptx.sreg.ntid.x",
                                          "read.ptx.sreg.tid.x",
                                          "read.ptx.sreg.warpsize",
                                          "redux.sync",
                                          "shfl.sync",
                                          "stmatrix",
                                          "vote.sync"};
  return names.contains(name) || name.starts_with("convert.");
}

static bool isBarrier(Operation *op) { return isa<NVVM::BarrierOp, NVVM::Barrier0Op>(op); }

static bool isTrueLength(LLVM::LLVMFuncOp function, unsigned index) {
  return (bool)function.getArgAttr(index, ptx::PtxDialect::getTrueLengthAttrName());
}

ptx::LaunchAttr KernelPart::shape() {
  return function->getAttrOfType<ptx::LaunchAttr>(ptx::PtxDialect::getLaunchAttrName());
}

KernelPart::KernelPart(LLVM::LLVMFuncOp function, unsigned numInputs)
    : function(function), numInputs(numInputs) {
  if (!function || !shape())
    return;
  auto stopAtBarrier = [](Operation *op) {
    return isBarrier(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  needsBlock = shape().getShared() || function.walk(stopAtBarrier).wasInterrupted();
}

int64_t KernelPart::blocksInOne(int64_t threads) {
  return needsBlock ? 1 : std::max<int64_t>(1, threads / shape().getBlock());
}

int64_t KernelPart::blocksOf(int64_t threads) {
  return (int64_t)llvm::divideCeil(shape().numBlocks(), blocksInOne(threads));
}

std::string plan::whyNoPart(KernelPart part) {
  LLVM::LLVMFuncOp function = part.function;
  ptx::LaunchAttr shape = part.shape();
  if (!shape || function.isExternal() || function.isVarArg())
    return "it is not in the target form";
  if (shape.clusterSize() > 1)
    return "its blocks form clusters";
  if (shape.getBlock() % kWarp != 0)
    return "its blocks have " + std::to_string(shape.getBlock()) + " threads, no whole warps";
  for (StringRef name : {"ptx.archs", "tile.contract", "nvvm.minctasm", "nvvm.maxnreg", "nvvm.maxntid"})
    if (function->hasAttr(name))
      return ("it has limits of its own (" + name + ")").str();
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!isTrueLength(function, i) && !isa<LLVM::LLVMPointerType>(function.getArgument(i).getType()))
      return "parameter " + std::to_string(i) + " is no buffer";
    else if (function.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      return "parameter " + std::to_string(i) + " is passed by value";
  for (Operation &op : *function->getParentOfType<gpu::GPUModuleOp>().getBody()) {
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    bool dynamic = global && global.getAddrSpace() == 3 && global.getLinkage() == LLVM::Linkage::External &&
                   !global.getValueOrNull() && global.getInitializer().empty();
    if (&op != function && !dynamic)
      return "its module holds more than the kernel";
  }
  std::string why;
  function.walk([&](Operation *op) {
    auto barrier = dyn_cast<NVVM::BarrierOp>(op);
    if (!op->getDialect() || !meansTheSame(op) ||
        (barrier && (barrier.getReductionOp() || barrier.getBarrierId())))
      why = ("it holds " + op->getName().getStringRef()).str();
    return why.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return why;
}

//===-- Shape ------------------------------------------------------------------------------------------===//

int64_t plan::threadsOf(ArrayRef<KernelPart> parts) {
  int64_t most = 0;
  for (KernelPart part : parts)
    most = std::max(most, part.shape().getBlock());
  return most;
}

int64_t plan::sharedBytesOf(ArrayRef<KernelPart> parts) {
  int64_t most = 0;
  for (KernelPart part : parts)
    most = std::max(most, part.shape().getShared());
  return most;
}

SmallVector<PartAttr> plan::placesOf(ArrayRef<KernelPart> parts) {
  SmallVector<PartAttr> places;
  int64_t first = 0, threads = threadsOf(parts);
  for (KernelPart part : parts) {
    int64_t blocks = part.blocksOf(threads);
    places.push_back(PartAttr::get(part.function.getContext(), part.function.getSymName(), first, blocks,
                                   part.shape().numBlocks(), part.shape().getBlock()));
    first += blocks;
  }
  return places;
}

//===-- Parameters -------------------------------------------------------------------------------------===//

namespace {

/// The parameters of a merged kernel, and which of them each part's are.
struct Parameters {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  /// By part, then by its parameter.
  SmallVector<SmallVector<unsigned>> places;

  Parameters(ArrayRef<KernelPart> parts, bool awaitsGrid);
  /// With `awaits` the part is given a wait for the kernels before, which a load must not move above.
  unsigned add(LLVM::LLVMFuncOp function, unsigned index, bool awaits = false) {
    types.push_back(function.getArgument(index).getType());
    NamedAttrList kept(function.getArgAttrDict(index));
    if (awaits) {
      kept.erase(LLVM::LLVMDialect::getNoAliasAttrName());
      kept.erase(LLVM::LLVMDialect::getReadonlyAttrName());
    }
    attributes.push_back(kept.getDictionary(function.getContext()));
    return types.size() - 1;
  }
};

/// The function while it is written.
struct MergedFunction {
  OpBuilder &builder;
  LLVM::LLVMFuncOp function;
  int64_t threads;
  /// Some part waits for the kernels before: then all do.
  bool awaitsGrid;

  Value constant(Location loc, int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(value));
  }
  void addPart(KernelPart part, PartAttr place, Value block, ArrayRef<Value> arguments, Block *end);
  void renumber(KernelPart part, iterator_range<Region::iterator> blocks, ArrayRef<Value> index,
                Value thread);
};

} // namespace

Parameters::Parameters(ArrayRef<KernelPart> parts, bool awaitsGrid) {
  for (KernelPart part : parts)
    places.emplace_back(part.function.getNumArguments());
  for (bool inputs : {true, false})
    for (size_t p = 0; p < parts.size(); ++p) {
      KernelPart part = parts[p];
      for (unsigned i = 0, buffer = 0; i < part.function.getNumArguments(); ++i)
        if (!isTrueLength(part.function, i) && (buffer++ < part.numInputs) == inputs)
          places[p][i] = add(part.function, i, awaitsGrid && !ptx::waitsForPrerequisites(part.function));
    }
  llvm::MapVector<Attribute, unsigned> lengths;
  for (size_t p = 0; p < parts.size(); ++p) {
    KernelPart part = parts[p];
    for (unsigned i = 0; i < part.function.getNumArguments(); ++i) {
      Attribute length = part.function.getArgAttr(i, ptx::PtxDialect::getTrueLengthAttrName());
      if (!length)
        continue;
      auto [found, isNew] = lengths.try_emplace(length, types.size());
      places[p][i] = isNew ? add(part.function, i) : found->second;
    }
  }
}

//===-- Bodies -----------------------------------------------------------------------------------------===//

/// Numbers that the part reads of its launch become those that it would have on its own.
void MergedFunction::renumber(KernelPart part, iterator_range<Region::iterator> blocks, ArrayRef<Value> index,
                              Value thread) {
  ptx::LaunchAttr shape = part.shape();
  auto replace = [&](Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  };
  auto size = [&](Operation *op, int64_t value) {
    builder.setInsertionPoint(op);
    replace(op, constant(op->getLoc(), value));
  };
  for (Block &block : blocks)
    for (Operation &inner : llvm::make_early_inc_range(block)) {
      Operation *op = &inner;
      if (isa<NVVM::BlockIdXOp>(op))
        replace(op, index[0]);
      else if (isa<NVVM::BlockIdYOp>(op))
        replace(op, index[1]);
      else if (isa<NVVM::BlockIdZOp>(op))
        replace(op, index[2]);
      else if (isa<NVVM::ThreadIdXOp>(op))
        replace(op, thread);
      else if (isa<NVVM::GridDimXOp>(op))
        size(op, shape.getGrid()[0]);
      else if (isa<NVVM::GridDimYOp>(op))
        size(op, shape.getGrid()[1]);
      else if (isa<NVVM::GridDimZOp>(op))
        size(op, shape.getGrid()[2]);
      else if (isa<NVVM::BlockDimXOp>(op))
        size(op, shape.getBlock());
      else if (isBarrier(op) && shape.getBlock() < threads) {
        builder.setInsertionPoint(op);
        NVVM::BarrierOp::create(builder, op->getLoc(), TypeRange{}, constant(op->getLoc(), 0),
                                constant(op->getLoc(), shape.getBlock()), NVVM::BarrierReductionAttr(),
                                Value());
        op->erase();
      }
    }
}

/// The prologue and the body of a part, at the end of the function; `block` is the number of the running
/// block, `end` where threads go that have nothing to do.
void MergedFunction::addPart(KernelPart part, PartAttr place, Value block, ArrayRef<Value> arguments,
                             Block *end) {
  Location loc = part.function.getLoc();
  ptx::LaunchAttr shape = part.shape();
  int64_t inOne = part.blocksInOne(threads), own = shape.getBlock();
  Value number =
      place.getFirst() ? LLVM::SubOp::create(builder, loc, block, constant(loc, place.getFirst())) : block;
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type()), works;
  auto require = [&](Value value, int64_t below) {
    Value holds = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, value, constant(loc, below));
    works = works ? LLVM::AndOp::create(builder, loc, works, holds).getResult() : holds;
  };
  if (inOne * own < threads)
    require(thread, inOne * own);
  if (inOne > 1) {
    Value size = constant(loc, own);
    Value which = LLVM::UDivOp::create(builder, loc, thread, size);
    number = LLVM::AddOp::create(builder, loc,
                                 LLVM::MulOp::create(builder, loc, number, constant(loc, inOne)), which);
    thread = LLVM::URemOp::create(builder, loc, thread, size);
    if (shape.numBlocks() % inOne)
      require(number, shape.numBlocks());
  }
  SmallVector<Value> index = {number, number, number};
  ArrayRef<int64_t> grid = shape.getGrid();
  if (grid[1] * grid[2] > 1) {
    Value x = constant(loc, grid[0]), y = constant(loc, grid[1]);
    Value rows = LLVM::UDivOp::create(builder, loc, number, x);
    index = {LLVM::URemOp::create(builder, loc, number, x), LLVM::URemOp::create(builder, loc, rows, y),
             LLVM::UDivOp::create(builder, loc, rows, y)};
  } else {
    index[1] = index[2] = constant(loc, 0);
  }
  if (awaitsGrid && !ptx::waitsForPrerequisites(part.function))
    NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::wait);

  IRMapping mapping;
  for (auto [parameter, value] : llvm::zip_equal(part.function.getArguments(), arguments))
    mapping.map(parameter, value);
  Region &body = function.getBody();
  Block *prologue = builder.getBlock();
  part.function.getBody().cloneInto(&body, mapping);
  Block *entry = mapping.lookup(&part.function.getBody().front());
  if (works)
    LLVM::CondBrOp::create(builder, loc, works, entry, end);
  else
    LLVM::BrOp::create(builder, loc, entry);
  renumber(part, llvm::make_range(std::next(prologue->getIterator()), body.end()), index, thread);
}

gpu::GPUModuleOp plan::createMergedKernel(OpBuilder &builder, StringRef name, ArrayRef<KernelPart> parts) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Location> locations = llvm::map_to_vector(
      parts, [](KernelPart part) -> Location { return LLVM::LLVMFuncOp(part.function).getLoc(); });
  Location loc = builder.getFusedLoc(locations);
  auto module = gpu::GPUModuleOp::create(builder, loc, name);
  builder.setInsertionPointToStart(module.getBody());
  // Dynamic shared memory is one range, whatever part runs.
  for (KernelPart part : parts)
    for (auto global : part.function->getParentOfType<gpu::GPUModuleOp>().getOps<LLVM::GlobalOp>())
      if (!module.lookupSymbol(global.getSymName()))
        builder.clone(*global);
  bool awaitsGrid =
      llvm::any_of(parts, [](KernelPart part) { return ptx::waitsForPrerequisites(part.function); });
  Parameters parameters(parts, awaitsGrid);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), parameters.types);
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  SmallVector<PartAttr> places = placesOf(parts);
  int64_t threads = threadsOf(parts), blocks = places.back().getFirst() + places.back().getBlocks();
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    builder.getDenseI32ArrayAttr({(int32_t)threads, 1, 1}));
  function->setAttr(
      ptx::PtxDialect::getLaunchAttrName(),
      ptx::LaunchAttr::get(builder.getContext(), {blocks, 1, 1}, threads, sharedBytesOf(parts), {}));
  for (auto [i, attributes] : llvm::enumerate(parameters.attributes))
    function.setArgAttrs(i, attributes);

  Block *check = function.addEntryBlock(builder);
  MergedFunction merged{builder, function, threads, awaitsGrid};
  auto *end = new Block;
  builder.setInsertionPointToStart(check);
  Value block = NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
  for (auto [i, part, place] : llvm::enumerate(parts, places)) {
    SmallVector<Value> arguments;
    for (unsigned index : parameters.places[i])
      arguments.push_back(function.getArgument(index));
    if (i + 1 == parts.size()) {
      merged.addPart(part, place, block, arguments, end);
      break;
    }
    Block *prologue = builder.createBlock(&function.getBody(), function.getBody().end());
    merged.addPart(part, place, block, arguments, end);
    builder.setInsertionPointToEnd(check);
    Value mine = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, block,
                                      merged.constant(loc, place.getFirst() + place.getBlocks()));
    Block *next = builder.createBlock(&function.getBody(), function.getBody().end());
    builder.setInsertionPointToEnd(check);
    LLVM::CondBrOp::create(builder, loc, mine, prologue, next);
    check = next;
    builder.setInsertionPointToEnd(check);
  }
  if (end->use_empty()) {
    delete end;
    return module;
  }
  function.getBody().push_back(end);
  builder.setInsertionPointToStart(end);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return module;
}
