// The merged function: a chain of comparisons of the block's number, then for each part a prologue that gives
// its blocks their own numbers, ends the threads it has no use for, and goes on to a copy of the part's body:
//
//   blocks  0 … a-1   part A as it was
//   blocks  a … a+b-1 part B, whose block number is the block's less a
//
// Threads that end early are whole warps, and the barriers of their part count the others alone.
//
// Where parts are interleaved, a ticket stands for the block's number, and the comparisons are of its place
// in a round:
//
//   ticket → launch, round, place       one thread takes it, the block reads it in shared memory
//   place   0 … a-1   part A, slice round - lag of A: block place + the first one of that slice
//   wait              lane l of the first warp for slice k - before + l of the part that B reads
//   body
//   arrive            one thread, behind a barrier of those that run the body, where others wait for the
//   slice
//
// Counters are never put back: in launch n (from 0 on) the counter of a slice of b blocks goes from n b to
// (n + 1) b, modulo 2^32.
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
/// Barriers of a block (PTX ISA, bar), the alignment that kernels expect of their shared memory, and how much
/// of it blocks that share one take together at most, so that others have some, too.
static constexpr int64_t kBarriers = 16, kSharedAlignment = 1024, kMostPacked = 48 << 10;

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

int64_t KernelPart::sharedStep() { return (int64_t)llvm::alignTo(shape().getShared(), kSharedAlignment); }

int64_t KernelPart::blocksInOne(int64_t threads) {
  int64_t most = std::max<int64_t>(1, threads / shape().getBlock());
  if (!needsBlock)
    return most;
  most = std::min(most, kBarriers - 1);
  while (most > 1 && most * sharedStep() > kMostPacked)
    --most;
  return packs ? most : 1;
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
  int64_t most = 0, threads = threadsOf(parts);
  for (KernelPart part : parts)
    most = std::max(most, part.sharedBytes(threads));
  return most;
}

SmallVector<PartAttr> plan::placesOf(ArrayRef<KernelPart> parts, const Slices *slices) {
  SmallVector<PartAttr> places;
  int64_t first = 0, threads = threadsOf(parts);
  for (auto [i, one] : llvm::enumerate(parts)) {
    KernelPart part = one;
    int64_t blocks = slices ? slices->mostBlocks((unsigned)i, part, threads) : part.blocksOf(threads);
    places.push_back(PartAttr::get(part.function.getContext(), part.function.getSymName(), first, blocks,
                                   part.shape().numBlocks(), part.shape().getBlock()));
    first += blocks;
  }
  return places;
}

int64_t plan::blocksOf(ArrayRef<KernelPart> parts, const Slices *slices) {
  PartAttr last = placesOf(parts, slices).back();
  return (slices ? slices->rounds() : 1) * (last.getFirst() + last.getBlocks());
}

//===-- Parameters -------------------------------------------------------------------------------------===//

namespace {

/// The parameters of a merged kernel, and which of them each part's are.
struct Parameters {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  /// By part, then by its parameter.
  SmallVector<SmallVector<unsigned>> places;

  Parameters(ArrayRef<KernelPart> parts, bool awaitsGrid, const Slices *slices);
  /// With `awaits` the part is given a wait for the kernels before, which a load must not move above; or it
  /// shares the buffer with a part that writes it.
  unsigned add(LLVM::LLVMFuncOp function, unsigned index, bool awaits = false) {
    types.push_back(function.getArgument(index).getType());
    NamedAttrList kept(function.getArgAttrDict(index));
    kept.erase(ptx::PtxDialect::getFootprintAttrName());
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
  ArrayRef<KernelPart> parts;
  const Slices *slices = nullptr;
  /// Where parts are interleaved: the round, and what number of launch this is; where counters begin.
  Value round, launch, counters;

  /// As Slices::firstOfSlice has it.
  Value firstOfSlice(Location loc, Value slice, int64_t values);
  Value blocksOfSlice(Location loc, KernelPart part, unsigned number, Value slice);
  Value numberInSlice(Location loc, KernelPart part, unsigned number, Value slice, Value place);
  Value counter(Location loc, unsigned part, Value slice);
  void takeTicket(Location loc, Value workspace, int64_t tickets, int64_t place);
  void awaitSlices(KernelPart part, unsigned number, Value slice);
  void arrive(KernelPart part, unsigned number, Value slice, Block *done);
  void addPart(KernelPart part, unsigned number, ArrayRef<PartAttr> places, Value block,
               ArrayRef<Value> arguments, Block *end);
  /// `which`: of several blocks that share this one, the thread's; else null.
  void renumber(KernelPart part, iterator_range<Region::iterator> blocks, ArrayRef<Value> index, Value thread,
                Value which);
};

} // namespace

Parameters::Parameters(ArrayRef<KernelPart> parts, bool awaitsGrid, const Slices *slices) {
  auto insideOf = [&](unsigned part, unsigned parameter) -> const PartParameter * {
    if (slices)
      for (auto &[reader, writer] : slices->inside)
        if (reader.part == part && reader.parameter == parameter)
          return &writer;
    return nullptr;
  };
  auto isShared = [&](unsigned part, unsigned parameter) {
    return slices && llvm::any_of(slices->inside, [&](const auto &pair) {
             return pair.second.part == part && pair.second.parameter == parameter;
           });
  };
  for (KernelPart part : parts)
    places.emplace_back(part.function.getNumArguments());
  for (bool inputs : {true, false})
    for (size_t p = 0; p < parts.size(); ++p) {
      KernelPart part = parts[p];
      for (unsigned i = 0, buffer = 0; i < part.function.getNumArguments(); ++i)
        if (!isTrueLength(part.function, i) && (buffer++ < part.numInputs) == inputs && !insideOf(p, i))
          places[p][i] = add(part.function, i,
                             (awaitsGrid && !ptx::waitsForPrerequisites(part.function)) || isShared(p, i));
    }
  for (size_t p = 0; p < parts.size(); ++p)
    for (unsigned i = 0; i < places[p].size(); ++i)
      if (const PartParameter *writer = insideOf(p, i))
        places[p][i] = places[writer->part][writer->parameter];
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
                              Value thread, Value which) {
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
        Value id = constant(op->getLoc(), which ? 1 : 0);
        if (which)
          id = LLVM::AddOp::create(builder, op->getLoc(), which, id);
        NVVM::BarrierOp::create(builder, op->getLoc(), TypeRange{}, id,
                                constant(op->getLoc(), shape.getBlock()), NVVM::BarrierReductionAttr(),
                                Value());
        op->erase();
      } else if (auto shared = dyn_cast<LLVM::AddressOfOp>(op); shared && which && shape.getShared()) {
        builder.setInsertionPointAfter(op);
        Value offset =
            LLVM::MulOp::create(builder, op->getLoc(), which, constant(op->getLoc(), part.sharedStep()));
        Value own = LLVM::GEPOp::create(builder, op->getLoc(), shared.getType(), builder.getI8Type(), shared,
                                        ArrayRef<LLVM::GEPArg>{offset});
        shared.getResult().replaceAllUsesExcept(own, own.getDefiningOp());
      }
    }
}

//===-- Slices -----------------------------------------------------------------------------------------===//

/// Bytes of the ticket's counter in the workspace, a cache line of its own.
static constexpr int64_t kTicketBytes = 128;
/// Bytes of shared memory by which a block hands out its ticket.
static constexpr int64_t kHandedBytes = 16;

bool Slices::isInside(unsigned part, unsigned parameter) const {
  return llvm::any_of(
      inside, [&](const auto &pair) { return pair.first.part == part && pair.first.parameter == parameter; });
}

void Slices::print(llvm::raw_ostream &stream) const {
  stream << count << " at " << workspace << ":";
  for (auto [digit, lag, own] : llvm::zip_equal(digits, lags, waits)) {
    stream << " " << digit.unit << "." << digit.count << (digit.isReversed ? "r" : "") << "+" << lag;
    for (const SliceWait &wait : own)
      stream << "(" << wait.part << " " << wait.before << " " << wait.after << ")";
  }
  for (auto &[reader, writer] : inside)
    stream << " " << reader.part << "." << reader.parameter << "=" << writer.part << "." << writer.parameter;
  stream << "; ";
}

bool Slices::isAwaited(unsigned part) const {
  return llvm::any_of(waits, [&](ArrayRef<SliceWait> own) {
    return llvm::any_of(own, [&](const SliceWait &wait) { return wait.part == part; });
  });
}

bool Slices::areAwaited() const {
  return llvm::any_of(waits, [](ArrayRef<SliceWait> own) { return !own.empty(); });
}

int64_t Slices::mostBlocks(unsigned part, KernelPart kernel, int64_t threads) const {
  int64_t values = (int64_t)llvm::divideCeil(digits[part].count, count);
  return (int64_t)llvm::divideCeil(values * (kernel.shape().numBlocks() / digits[part].count),
                                   kernel.blocksInOne(threads));
}

int64_t Slices::workspaceBytes() const {
  return areAwaited() ? kTicketBytes + 4 * count * (int64_t)lags.size() : 0;
}

Value MergedFunction::firstOfSlice(Location loc, Value slice, int64_t values) {
  if (values % slices->count == 0)
    return LLVM::MulOp::create(builder, loc, slice, constant(loc, values / slices->count));
  Type wide = builder.getI64Type();
  auto number = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, wide, builder.getI64IntegerAttr(value));
  };
  Value product =
      LLVM::MulOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, wide, slice), number(values));
  Value first = LLVM::UDivOp::create(builder, loc, product, number(slices->count));
  return LLVM::TruncOp::create(builder, loc, builder.getI32Type(), first);
}

/// Blocks that the part would have on its own in a slice.
Value MergedFunction::blocksOfSlice(Location loc, KernelPart part, unsigned number, Value slice) {
  int64_t values = slices->digits[number].count, each = part.shape().numBlocks() / values;
  if (values % slices->count == 0)
    return constant(loc, values / slices->count * each);
  Value behind = firstOfSlice(loc, LLVM::AddOp::create(builder, loc, slice, constant(loc, 1)), values);
  Value count = LLVM::SubOp::create(builder, loc, behind, firstOfSlice(loc, slice, values));
  return LLVM::MulOp::create(builder, loc, count, constant(loc, each));
}

/// The number that block `place` of the slice would have on its own: the digit's values one after the other.
Value MergedFunction::numberInSlice(Location loc, KernelPart part, unsigned number, Value slice,
                                    Value place) {
  SliceDigit digit = slices->digits[number];
  int64_t each = part.shape().numBlocks() / digit.count;
  Value value = place, rest;
  if (each > 1) {
    rest = LLVM::URemOp::create(builder, loc, place, constant(loc, each));
    value = LLVM::UDivOp::create(builder, loc, place, constant(loc, each));
  }
  value = LLVM::AddOp::create(builder, loc, value, firstOfSlice(loc, slice, digit.count));
  if (digit.isReversed)
    value = LLVM::SubOp::create(builder, loc, constant(loc, digit.count - 1), value);
  auto times = [&](Value factor, int64_t by) -> Value {
    return by == 1 ? factor : LLVM::MulOp::create(builder, loc, factor, constant(loc, by)).getResult();
  };
  Value block = times(value, digit.unit);
  if (!rest)
    return block;
  if (digit.unit > 1) {
    Value low = LLVM::URemOp::create(builder, loc, rest, constant(loc, digit.unit));
    block = LLVM::AddOp::create(builder, loc, block, low);
    rest = LLVM::UDivOp::create(builder, loc, rest, constant(loc, digit.unit));
  }
  return LLVM::AddOp::create(builder, loc, block, times(rest, digit.unit * digit.count));
}

/// The counter of slice `slice` of part number `part`.
Value MergedFunction::counter(Location loc, unsigned part, Value slice) {
  Value index = LLVM::AddOp::create(builder, loc, slice, constant(loc, slices->count * part));
  return LLVM::GEPOp::create(builder, loc, counters.getType(), builder.getI32Type(), counters,
                             ArrayRef<LLVM::GEPArg>{index});
}

/// Hands the block a ticket, `place` bytes into shared memory; the last of `tickets` puts their counter back.
void MergedFunction::takeTicket(Location loc, Value workspace, int64_t tickets, int64_t place) {
  Type word = builder.getI32Type(), wide = builder.getI64Type();
  auto wideConstant = [&](int64_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, wide, builder.getI64IntegerAttr(value));
  };
  // Launches that start early find the workspace as those before them leave it.
  if (awaitsGrid)
    NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::wait);
  auto shared = LLVM::LLVMPointerType::get(builder.getContext(), 3);
  Value handed = LLVM::AddressOfOp::create(builder, loc, shared, "smem");
  handed = LLVM::GEPOp::create(builder, loc, shared, builder.getI8Type(), handed,
                               ArrayRef<LLVM::GEPArg>{(int32_t)place});
  Region &body = function.getBody();
  Block *entry = builder.getBlock(), *leads = builder.createBlock(&body, body.end());
  Block *last = builder.createBlock(&body, body.end()), *all = builder.createBlock(&body, body.end());
  builder.setInsertionPointToEnd(entry);
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, word);
  Value isFirst = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, thread, constant(loc, 0));
  LLVM::CondBrOp::create(builder, loc, isFirst, leads, all);

  builder.setInsertionPointToEnd(leads);
  Value taken = ptx::TakeTicketOp::create(builder, loc, wide, workspace);
  LLVM::StoreOp::create(builder, loc, taken, handed);
  Value isLast =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                           LLVM::TruncOp::create(builder, loc, word, taken), constant(loc, tickets - 1));
  LLVM::CondBrOp::create(builder, loc, isLast, last, all);

  // One launch more, from the first ticket on.
  builder.setInsertionPointToEnd(last);
  Value next = LLVM::AddOp::create(builder, loc, taken, wideConstant((int64_t(1) << 32) - (tickets - 1)));
  ptx::ReturnTicketsOp::create(builder, loc, next, workspace);
  LLVM::BrOp::create(builder, loc, all);

  builder.setInsertionPointToEnd(all);
  NVVM::Barrier0Op::create(builder, loc);
  taken = LLVM::LoadOp::create(builder, loc, wide, handed);
  launch =
      LLVM::TruncOp::create(builder, loc, word, LLVM::LShrOp::create(builder, loc, taken, wideConstant(32)));
  round = LLVM::TruncOp::create(builder, loc, word, taken);
}

/// The block waits for what its slice of the part needs.
void MergedFunction::awaitSlices(KernelPart part, unsigned number, Value slice) {
  Location loc = part.function.getLoc();
  if (slices->waits[number].empty())
    return;
  Region &body = function.getBody();
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  for (const SliceWait &wait : slices->waits[number]) {
    // Lane l waits for the l-th of them; those beside the ends are nobody's.
    Value which = LLVM::AddOp::create(
        builder, loc, LLVM::AddOp::create(builder, loc, slice, constant(loc, -wait.before)), thread);
    auto below = [&](Value value, int64_t bound) -> Value {
      return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, value, constant(loc, bound));
    };
    Value waits = LLVM::AndOp::create(builder, loc, below(thread, wait.before + wait.after + 1),
                                      below(which, slices->count));
    Block *check = builder.getBlock(), *await = builder.createBlock(&body, body.end());
    Block *next = builder.createBlock(&body, body.end());
    builder.setInsertionPointToEnd(check);
    LLVM::CondBrOp::create(builder, loc, waits, await, next);
    builder.setInsertionPointToEnd(await);
    // What the counter comes to: the blocks of the slice, once a launch.
    KernelPart other = parts[wait.part];
    Value blocks = blocksOfSlice(loc, other, wait.part, which);
    if (int64_t inOne = other.blocksInOne(threads); inOne > 1)
      blocks = LLVM::UDivOp::create(builder, loc,
                                    LLVM::AddOp::create(builder, loc, blocks, constant(loc, inOne - 1)),
                                    constant(loc, inOne));
    Value times = LLVM::AddOp::create(builder, loc, launch, constant(loc, 1));
    Value value = LLVM::MulOp::create(builder, loc, blocks, times);
    ptx::AwaitCounterOp::create(builder, loc, value, counter(loc, wait.part, which));
    LLVM::BrOp::create(builder, loc, next);
    builder.setInsertionPointToEnd(next);
  }
  NVVM::Barrier0Op::create(builder, loc);
}

/// Where the threads of a block that has run the part's body meet: it counts as done.
void MergedFunction::arrive(KernelPart part, unsigned number, Value slice, Block *done) {
  Location loc = part.function.getLoc();
  int64_t meeting = part.blocksInOne(threads) * part.shape().getBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(done);
  if (meeting < threads)
    NVVM::BarrierOp::create(builder, loc, TypeRange{}, constant(loc, 0), constant(loc, meeting),
                            NVVM::BarrierReductionAttr(), Value());
  else
    NVVM::Barrier0Op::create(builder, loc);
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  Value isFirst = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, thread, constant(loc, 0));
  Region &body = function.getBody();
  Block *arrives = builder.createBlock(&body, body.end()), *over = builder.createBlock(&body, body.end());
  builder.setInsertionPointToEnd(done);
  LLVM::CondBrOp::create(builder, loc, isFirst, arrives, over);
  builder.setInsertionPointToEnd(arrives);
  ptx::ArriveCounterOp::create(builder, loc, counter(loc, number, slice));
  LLVM::BrOp::create(builder, loc, over);
  builder.setInsertionPointToEnd(over);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

/// What the read-only path holds of a tensor (ld.global.nc) may be older than what another part has written.
static void readCoherently(iterator_range<Region::iterator> blocks) {
  for (Block &block : blocks)
    for (auto load : block.getOps<ptx::LoadOp>())
      if (load.getCache() == ptx::LoadCache::NC)
        load.setCache(ptx::LoadCache::Default);
      else if (load.getCache() == ptx::LoadCache::NCNoAllocate)
        load.setCache(ptx::LoadCache::NoAllocate);
}

//===-- Function ---------------------------------------------------------------------------------------===//

/// The prologue and the body of part `number`, at the end of the function; `block` is the number of the
/// running block, `end` where threads go that have nothing to do.
void MergedFunction::addPart(KernelPart part, unsigned index, ArrayRef<PartAttr> places, Value block,
                             ArrayRef<Value> arguments, Block *end) {
  Location loc = part.function.getLoc();
  ptx::LaunchAttr shape = part.shape();
  PartAttr place = places[index];
  int64_t inOne = part.blocksInOne(threads), own = shape.getBlock();
  Region &body = function.getBody();
  Value number =
      place.getFirst() ? LLVM::SubOp::create(builder, loc, block, constant(loc, place.getFirst())) : block;
  Value slice, size;
  // Goes on where all conditions hold, and to `otherwise` where one does not.
  auto goOn = [&](Value holds, Block *otherwise) {
    Block *check = builder.getBlock(), *next = builder.createBlock(&body, body.end());
    builder.setInsertionPointToEnd(check);
    LLVM::CondBrOp::create(builder, loc, holds, next, otherwise);
    builder.setInsertionPointToEnd(next);
  };
  auto below = [&](Value value, Value bound) -> Value {
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, value, bound);
  };
  Block *done = nullptr;
  if (slices) {
    slice = slices->lags[index]
                ? LLVM::SubOp::create(builder, loc, round, constant(loc, slices->lags[index])).getResult()
                : round;
    goOn(below(slice, constant(loc, slices->count)), end);
    size = blocksOfSlice(loc, part, index, slice);
    // Slices may be smaller than the largest.
    if (slices->digits[index].count % slices->count) {
      Value first =
          inOne > 1 ? LLVM::MulOp::create(builder, loc, number, constant(loc, inOne)).getResult() : number;
      goOn(below(first, size), end);
    }
    awaitSlices(part, index, slice);
    if (slices->isAwaited(index))
      done = new Block;
  }
  Value thread = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type()), works;
  auto require = [&](Value value, Value bound) {
    Value holds = below(value, bound);
    works = works ? LLVM::AndOp::create(builder, loc, works, holds).getResult() : holds;
  };
  if (inOne * own < threads)
    require(thread, constant(loc, inOne * own));
  // Threads without a block of their own take part in the arrival.
  if (done && works)
    goOn(std::exchange(works, Value()), end);
  Value which;
  if (inOne > 1) {
    Value each = constant(loc, own);
    which = LLVM::UDivOp::create(builder, loc, thread, each);
    number = LLVM::AddOp::create(builder, loc,
                                 LLVM::MulOp::create(builder, loc, number, constant(loc, inOne)), which);
    thread = LLVM::URemOp::create(builder, loc, thread, each);
    if (slices)
      require(number, size);
    else if (shape.numBlocks() % inOne)
      require(number, constant(loc, shape.numBlocks()));
  }
  if (slices)
    number = numberInSlice(loc, part, index, slice, number);
  SmallVector<Value> indices = {number, number, number};
  ArrayRef<int64_t> grid = shape.getGrid();
  if (grid[1] * grid[2] > 1) {
    Value x = constant(loc, grid[0]), y = constant(loc, grid[1]);
    Value rows = LLVM::UDivOp::create(builder, loc, number, x);
    indices = {LLVM::URemOp::create(builder, loc, number, x), LLVM::URemOp::create(builder, loc, rows, y),
               LLVM::UDivOp::create(builder, loc, rows, y)};
  } else {
    indices[1] = indices[2] = constant(loc, 0);
  }
  if (!(slices && slices->areAwaited()) && awaitsGrid && !ptx::waitsForPrerequisites(part.function))
    NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::wait);

  IRMapping mapping;
  for (auto [parameter, value] : llvm::zip_equal(part.function.getArguments(), arguments))
    mapping.map(parameter, value);
  part.function.getBody().cloneInto(&body, mapping);
  Block *entry = mapping.lookup(&part.function.getBody().front());
  if (works)
    LLVM::CondBrOp::create(builder, loc, works, entry, done ? done : end);
  else
    LLVM::BrOp::create(builder, loc, entry);
  renumber(part, llvm::make_range(entry->getIterator(), body.end()), indices, thread,
           part.needsBlock ? which : Value());
  if (slices && !slices->inside.empty())
    readCoherently(llvm::make_range(entry->getIterator(), body.end()));
  if (!done)
    return;
  for (auto it = entry->getIterator(); it != body.end(); ++it)
    if (auto ret = dyn_cast<LLVM::ReturnOp>(it->getTerminator())) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(ret);
      LLVM::BrOp::create(builder, loc, done);
      ret.erase();
    }
  body.push_back(done);
  arrive(part, index, slice, done);
}

gpu::GPUModuleOp plan::createMergedKernel(OpBuilder &builder, StringRef name, ArrayRef<KernelPart> parts,
                                          const Slices *slices) {
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
  bool takesTickets = slices && slices->areAwaited();
  if (takesTickets && !module.lookupSymbol("smem"))
    LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External, "smem", Attribute(),
                           /*alignment=*/1024, /*addrSpace=*/3);
  bool awaitsGrid =
      llvm::any_of(parts, [](KernelPart part) { return ptx::waitsForPrerequisites(part.function); });
  Parameters parameters(parts, awaitsGrid, slices);
  if (takesTickets) {
    parameters.types.push_back(LLVM::LLVMPointerType::get(builder.getContext(), 1));
    NamedAttrList place;
    place.append(LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(kTicketBytes));
    place.append(ptx::PtxDialect::getWorkspaceAttrName(),
                 builder.getDenseI64ArrayAttr({slices->workspace, slices->workspaceBytes()}));
    parameters.attributes.push_back(place.getDictionary(builder.getContext()));
  }
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), parameters.types);
  auto function = LLVM::LLVMFuncOp::create(builder, loc, name, type);
  SmallVector<PartAttr> places = placesOf(parts, slices);
  int64_t threads = threadsOf(parts), blocks = blocksOf(parts, slices), shared = sharedBytesOf(parts);
  int64_t handed = llvm::alignTo(shared, kHandedBytes);
  if (takesTickets)
    shared = handed + kHandedBytes;
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    builder.getDenseI32ArrayAttr({(int32_t)threads, 1, 1}));
  function->setAttr(ptx::PtxDialect::getLaunchAttrName(),
                    ptx::LaunchAttr::get(builder.getContext(), {blocks, 1, 1}, threads, shared, {}));
  for (auto [i, attributes] : llvm::enumerate(parameters.attributes))
    function.setArgAttrs(i, attributes);

  Block *check = function.addEntryBlock(builder);
  MergedFunction merged{builder, function, threads, awaitsGrid, parts, slices, {}, {}, {}};
  auto *end = new Block;
  builder.setInsertionPointToStart(check);
  Value block;
  if (takesTickets) {
    Value workspace = function.getArguments().back();
    merged.counters = LLVM::GEPOp::create(builder, loc, workspace.getType(), builder.getI8Type(), workspace,
                                          ArrayRef<LLVM::GEPArg>{(int32_t)kTicketBytes});
    merged.takeTicket(loc, workspace, blocks, handed);
    check = builder.getBlock();
  } else {
    merged.round = NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
  }
  block = merged.round;
  if (slices) {
    Value perRound = merged.constant(loc, blocks / slices->rounds());
    block = LLVM::URemOp::create(builder, loc, merged.round, perRound);
    merged.round = LLVM::UDivOp::create(builder, loc, merged.round, perRound);
  }
  for (auto [i, part] : llvm::enumerate(parts)) {
    SmallVector<Value> arguments;
    for (unsigned index : parameters.places[i])
      arguments.push_back(function.getArgument(index));
    if (i + 1 == parts.size()) {
      merged.addPart(part, i, places, block, arguments, end);
      break;
    }
    Block *prologue = builder.createBlock(&function.getBody(), function.getBody().end());
    merged.addPart(part, i, places, block, arguments, end);
    builder.setInsertionPointToEnd(check);
    Value mine = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, block,
                                      merged.constant(loc, places[i + 1].getFirst()));
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
