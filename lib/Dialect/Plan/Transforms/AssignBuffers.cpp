// plan-assign-buffers: tensors of a program become bytes, and program order becomes events.
//
// Three steps: collect the values that need bytes and what uses them; place them; write the program anew on
// buffers, with an event edge for each hazard that no other edge implies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Plan/IR/Accesses.h"
#include "Tilewright/Dialect/Plan/Transforms/Arena.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

#include <numeric>

namespace tilewright::plan {
#define GEN_PASS_DEF_ASSIGNBUFFERS
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// The value whose bytes `value` has: reshapes are aliases.
static Value aliased(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getInput();
  return value;
}

static BufferType bufferTypeOf(Type tensor) {
  return BufferType::get(tensor.getContext(), storageBytes(cast<RankedTensorType>(tensor)));
}

namespace {

/// A launch result and when it is in use, in launch numbers.
struct Live {
  Value value;
  unsigned defined = 0;
  SmallVector<unsigned> readers; ///< Increasing.
  int64_t output = -1; ///< The program's result that it is written to in place, or -1: in the arena.
};

/// What the first step finds out.
struct Liveness {
  SmallVector<LaunchOp> launches;
  llvm::MapVector<Value, Live> results;
  SmallVector<llvm::BitVector>
      before; ///< before[b][a]: launch b reads, directly or not, what launch a wrote.
};

/// The program while it is written anew.
struct Rewrite {
  explicit Rewrite(ProgramOp program) : program(program), builder(program.getBody()) {}

  ProgramOp program;
  OpBuilder builder;                   ///< At the front of the body, before the tensor form.
  DenseMap<Value, Value> buffers;      ///< Tensor to buffer.
  DenseMap<Attribute, Value> weights;  ///< Equal weights are one.
  SmallVector<Accesses> accesses;      ///< Of the work so far, in order.
  SmallVector<Value> events;           ///< Of the work so far.
  SmallVector<llvm::BitVector> before; ///< before[b][a]: work b waits, directly or not, for work a.
};

} // namespace

static LogicalResult collect(ProgramOp program, Liveness &live) {
  for (Operation &op : program.getBody().front()) {
    if (auto launch = dyn_cast<LaunchOp>(op)) {
      unsigned number = live.launches.size();
      live.launches.push_back(launch);
      llvm::BitVector &before = live.before.emplace_back(number + 1);
      for (Value arg : launch.getArgs()) {
        auto found = live.results.find(aliased(arg));
        if (found == live.results.end())
          continue;
        Live &source = found->second;
        if (source.readers.empty() || source.readers.back() != number)
          source.readers.push_back(number);
        before |= live.before[source.defined];
        before.set(source.defined);
      }
      for (Value result : launch.getResults())
        live.results[result] = {result, number, {}, -1};
    } else if (auto ret = dyn_cast<ReturnOp>(op)) {
      for (auto [i, value] : llvm::enumerate(ret.getValues())) {
        auto found = live.results.find(aliased(value));
        if (found != live.results.end() && found->second.output < 0)
          found->second.output = i;
      }
    } else if (!isa<graph::WeightOp, graph::ReshapeOp, arith::ConstantOp>(op)) {
      return op.emitOpError("has no place in a program: only launches, weights, constants and reshapes do");
    }
    for (Type type : op.getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          !tensor || storageBytes(tensor.getElementType()) == 0)
        return op.emitOpError() << "gives " << type << ", which has no storage";
  }
  return success();
}

/// Whether `later` may take the bytes of `earlier`: it is written only after all use of `earlier`.
static bool mayFollow(const Liveness &live, const Live &earlier, const Live &later, bool inOrder) {
  auto ended = [&](unsigned launch) {
    if (launch >= later.defined)
      return false;
    return inOrder || live.before[later.defined].test(launch);
  };
  return ended(earlier.defined) && llvm::all_of(earlier.readers, ended);
}

static void createInputsAndOutputs(Rewrite &rewrite, SmallVectorImpl<Value> &outputs) {
  ProgramOp program = rewrite.program;
  auto symbolsIn = [](DictionaryAttr attributes) {
    return attributes ? attributes.getAs<ArrayAttr>(PlanDialect::getSymbolsAttrName()) : ArrayAttr();
  };
  auto isUnsigned = [](DictionaryAttr attributes) {
    return attributes ? attributes.getAs<UnitAttr>(PlanDialect::getUnsignedAttrName()) : UnitAttr();
  };
  for (BlockArgument arg : program.getBody().getArguments()) {
    DictionaryAttr attributes = function_interface_impl::getArgAttrDict(program, arg.getArgNumber());
    rewrite.buffers[arg] =
        InputOp::create(rewrite.builder, arg.getLoc(), bufferTypeOf(arg.getType()),
                        rewrite.builder.getStringAttr(program.getInputName(arg.getArgNumber())),
                        TypeAttr::get(arg.getType()), symbolsIn(attributes), isUnsigned(attributes));
  }
  for (auto [i, type] : llvm::enumerate(program.getResultTypes())) {
    DictionaryAttr attributes = function_interface_impl::getResultAttrDict(program, i);
    outputs.push_back(OutputOp::create(rewrite.builder, program.getLoc(), bufferTypeOf(type),
                                       rewrite.builder.getStringAttr(program.getOutputName(i)),
                                       TypeAttr::get(type), symbolsIn(attributes), isUnsigned(attributes)));
  }
}

static void createWeights(Rewrite &rewrite) {
  for (Operation &op : rewrite.program.getBody().front()) {
    Attribute source;
    if (auto weight = dyn_cast<graph::WeightOp>(op))
      source = weight.getWeight();
    else if (auto constant = dyn_cast<arith::ConstantOp>(op))
      source = constant.getValue();
    else
      continue;
    Value &buffer = rewrite.weights[source];
    if (!buffer)
      buffer =
          WeightOp::create(rewrite.builder, op.getLoc(), bufferTypeOf(op.getResult(0).getType()), source);
    rewrite.buffers[op.getResult(0)] = buffer;
  }
}

/// Adds work that was created without dependencies, with an event for each hazard that no other implies.
static void addWork(Rewrite &rewrite, Operation *work, MutableOperandRange after) {
  Accesses accesses = accessesOf(work);
  unsigned number = rewrite.events.size();
  llvm::BitVector before(number + 1);
  SmallVector<Value> waits;
  for (unsigned earlier = number; earlier-- > 0;) {
    if (before.test(earlier) || !conflict(rewrite.accesses[earlier], accesses))
      continue;
    before |= rewrite.before[earlier];
    before.set(earlier);
    waits.push_back(rewrite.events[earlier]);
  }
  std::reverse(waits.begin(), waits.end());
  after.assign(waits);
  rewrite.accesses.push_back(std::move(accesses));
  rewrite.events.push_back(work->getResult(0));
  rewrite.before.push_back(std::move(before));
}

static void createLaunch(Rewrite &rewrite, LaunchOp launch) {
  SmallVector<Value> args, into;
  for (Value arg : launch.getArgs())
    args.push_back(rewrite.buffers.lookup(aliased(arg)));
  for (Value result : launch.getResults())
    into.push_back(rewrite.buffers.lookup(result));
  Type event = EventType::get(launch.getContext());
  auto created = LaunchOp::create(rewrite.builder, launch.getLoc(), TypeRange(event), launch.getKernelAttr(),
                                  args, into, ValueRange(), ValueRange());
  created->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  addWork(rewrite, created, created.getAfterMutable());
}

/// Brings a result to `output` that no launch wrote there: a copy, or a fill when it is one number
/// throughout.
static void createResult(Rewrite &rewrite, Location loc, Value value, Value output) {
  OpBuilder &builder = rewrite.builder;
  if (cast<RankedTensorType>(value.getType()).getNumElements() == 0)
    return; // nothing to bring
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat()) {
    auto number = constant.getSplatValue<TypedAttr>();
    int64_t bytes = storageBytes(number.getType());
    if (number.getType().isInteger(1)) // stored as a byte
      number = builder.getI8IntegerAttr(constant.getSplatValue<bool>());
    if (bytes <= 4) {
      auto fill = FillOp::create(builder, loc, builder.getType<EventType>(), output, number, ValueRange());
      return addWork(rewrite, fill, fill.getAfterMutable());
    }
  }
  auto copy = CopyOp::create(builder, loc, builder.getType<EventType>(), rewrite.buffers.lookup(value),
                             output, ValueRange());
  addWork(rewrite, copy, copy.getAfterMutable());
}

/// Takes the tensor form away: the old ops, the arguments and the results.
static void dropTensorForm(ProgramOp program, ArrayRef<Operation *> old) {
  for (Operation *op : llvm::reverse(old))
    op->erase();
  Block &body = program.getBody().front();
  body.eraseArguments(0, body.getNumArguments());
  program.setFunctionType(FunctionType::get(program.getContext(), {}, {}));
  program.removeArgAttrsAttr();
  program.removeResAttrsAttr();
}

namespace {
struct AssignBuffers : plan::impl::AssignBuffersBase<AssignBuffers> {
  using Base::Base;

  void runOnOperation() override {
    ProgramOp program = getOperation();
    Block &body = program.getBody().front();
    if (!body.getOps<InputOp>().empty() || !body.getOps<OutputOp>().empty())
      return; // already on buffers
    if (alignment <= 0) {
      program.emitError() << "alignment " << alignment << " is not positive";
      return signalPassFailure();
    }
    Liveness live;
    if (failed(collect(program, live)))
      return signalPassFailure();

    SmallVector<Operation *> old = llvm::map_to_vector(body, [](Operation &op) { return &op; });
    Rewrite rewrite(program);
    SmallVector<Value> outputs;
    createInputsAndOutputs(rewrite, outputs);
    createWeights(rewrite);
    placeResults(rewrite, live, outputs);
    for (LaunchOp launch : live.launches)
      createLaunch(rewrite, launch);
    auto ret = cast<ReturnOp>(body.getTerminator());
    for (auto [i, value] : llvm::enumerate(ret.getValues()))
      if (Value root = aliased(value); rewrite.buffers.lookup(root) != outputs[i])
        createResult(rewrite, ret.getLoc(), root, outputs[i]);
    ReturnOp::create(rewrite.builder, ret.getLoc());
    dropTensorForm(program, old);
    for (auto weight : llvm::make_early_inc_range(body.getOps<WeightOp>()))
      if (weight.use_empty()) // a constant that became a fill
        weight.erase();
  }

  /// Gives launch results their bytes: outputs in place, the rest in the arena.
  void placeResults(Rewrite &rewrite, const Liveness &live, ArrayRef<Value> outputs) {
    SmallVector<const Live *> placed;
    SmallVector<int64_t> bytes;
    for (const auto &[value, result] : live.results) {
      if (result.output >= 0) {
        rewrite.buffers[value] = outputs[result.output];
        continue;
      }
      placed.push_back(&result);
      bytes.push_back(bufferTypeOf(value.getType()).getBytes());
      separateBytes += bytes.back();
    }
    if (placed.empty())
      return;
    ArenaPlacement placement = placeInArena(bytes, alignment, [&](unsigned a, unsigned b) {
      return !mayFollow(live, *placed[a], *placed[b], reuseInOrder) &&
             !mayFollow(live, *placed[b], *placed[a], reuseInOrder);
    });
    arenaBytes += placement.bytes;
    emitRemark(rewrite.program, Remark::ArenaPlanned, placement.bytes,
               std::accumulate(bytes.begin(), bytes.end(), int64_t(0)));
    OpBuilder &builder = rewrite.builder;
    Value arena = ArenaOp::create(builder, rewrite.program.getLoc(),
                                  BufferType::get(builder.getContext(), placement.bytes));
    for (auto [result, offset] : llvm::zip_equal(placed, placement.offsets))
      rewrite.buffers[result->value] = ViewOp::create(builder, result->value.getLoc(),
                                                      bufferTypeOf(result->value.getType()), arena, offset);
  }
};
} // namespace
