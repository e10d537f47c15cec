// The kernels of a partition as `graph.kernel`s, and the `plan.program` that launches them.

#include "Partition.h"
#include "SplitReductions.h"

#include "Tilewright/Dialect/Graph/IR/ConvertFloat.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

namespace {

/// Writes the kernels and the program of one partition.
struct Writer {
  Partition &partition;
  OpBuilder &builder;
  SymbolTable &symbols;
  /// Text of a kernel without its name to the symbol that has it.
  llvm::StringMap<StringAttr> &known;
  /// Values of the function to values of the program.
  IRMapping program;
  /// Values that some kernel reads through different views: widened there, they would be needed in two
  /// orders.
  llvm::DenseSet<Value> readInTwoOrders = {};
  /// Further results that hold a value which the function returns several times: stored again by the kernel
  /// that computes it, not copied.
  DenseMap<Value, SmallVector<Value>> further = DenseMap<Value, SmallVector<Value>>();

  LogicalResult run();
  /// Fills readInTwoOrders.
  void findReadInTwoOrders();
  void writeLaunch(const Group &group);
  graph::KernelOp writeKernel(const Group &group, ArrayRef<Value> inputs, ArrayRef<Value> outputs);
  /// Type that `value` has in memory between kernels.
  RankedTensorType storedType(Value value);
  int64_t timesReturned(Value value);
  Value programValue(Value value);
};

} // namespace

int64_t Writer::timesReturned(Value value) {
  return llvm::count_if(partition.func.getBody().front().getTerminator()->getOperands(), [&](Value returned) {
    return chainOf(returned, partition.materialized).root == value;
  });
}

void Writer::findReadInTwoOrders() {
  for (const Group &group : partition.groups) {
    if (group.ops.empty())
      continue;
    std::string why;
    auto indexing = KernelIndexing::solve(group.ops, partition.materialized, why);
    assert(indexing && "the partition holds groups that have an indexing");
    DenseMap<Value, layout::StridedView> views;
    for (Operation *op : group.ops)
      for (const OperandAccess &access : indexing->accesses[op])
        if (auto [it, isNew] = views.try_emplace(access.root, access.view);
            !isNew && !(it->second == access.view))
          readInTwoOrders.insert(access.root);
  }
}

RankedTensorType Writer::storedType(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  FloatType narrow = partition.storedElement(value);
  return narrow && !readInTwoOrders.contains(value) ? type.clone(narrow) : type;
}

/// A readable symbol: the anchor's name, then the first and last op's.
static std::string kernelName(const Group &group, graph::Anchor anchor) {
  auto stem = [](Operation *op) { return op->getName().stripDialect().str(); };
  std::string name = stem(group.ops.front());
  if (anchor == graph::Anchor::Matmul || anchor == graph::Anchor::Reduction) {
    name = stringifyAnchor(anchor).str();
    if (stem(group.ops.back()) != "matmul")
      name += "_" + stem(group.ops.back());
    return name;
  }
  if (group.ops.size() > 1)
    name += "_" + stem(group.ops.back());
  return name;
}

graph::KernelOp Writer::writeKernel(const Group &group, ArrayRef<Value> inputs, ArrayRef<Value> outputs) {
  std::string why;
  auto indexing = KernelIndexing::solve(group.ops, partition.materialized, why);
  assert(indexing && "the partition holds groups that have an indexing");
  SmallVector<Type> argumentTypes, resultTypes;
  for (Value input : inputs)
    argumentTypes.push_back(storedType(input));
  for (Value output : outputs)
    resultTypes.push_back(storedType(output));
  SmallVector<Location> locs = llvm::map_to_vector(group.ops, [](Operation *op) { return op->getLoc(); });
  Location loc = FusedLoc::get(builder.getContext(), locs);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(partition.func);
  auto kernel =
      graph::KernelOp::create(builder, loc, kernelName(group, indexing->anchor),
                              builder.getFunctionType(argumentTypes, resultTypes), indexing->anchor,
                              /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr, /*sym_visibility=*/nullptr);
  Block *block = builder.createBlock(&kernel.getBody());
  IRMapping mapping;
  // What is narrow in memory, as it lies there and moved: it is widened behind slices, transposes and
  // reshapes, since elements are computed in the order in which they are needed.
  DenseMap<Value, Value> stored;
  for (auto [input, type] : llvm::zip_equal(inputs, argumentTypes)) {
    Value argument = block->addArgument(type, input.getLoc());
    if (type == input.getType())
      mapping.map(input, argument);
    else
      stored[input] = argument;
  }
  std::function<Value(Value)> storedForm = [&](Value value) -> Value {
    if (Value known = stored.lookup(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<graph::SliceOp, graph::TransposeOp, graph::ReshapeOp>(op) ||
        llvm::is_contained(group.ops, op))
      return Value();
    Value operand = storedForm(op->getOperand(0));
    if (!operand)
      return Value();
    Operation *clone = builder.clone(*op);
    clone->setOperand(0, operand);
    clone->getResult(0).setType(
        cast<RankedTensorType>(value.getType()).clone(getElementTypeOrSelf(operand.getType())));
    return stored[value] = clone->getResult(0);
  };
  std::function<Value(Value)> materialize = [&](Value value) -> Value {
    if (Value mapped = mapping.lookupOrNull(value))
      return mapped;
    if (Value narrow = storedForm(value)) {
      mapping.map(
          value, graph::convertFloat(builder, value.getLoc(), narrow, getElementTypeOrSelf(value.getType())));
      return mapping.lookup(value);
    }
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      materialize(operand);
    Operation *clone = builder.clone(*op, mapping);
    return clone->getResult(0);
  };
  for (Operation *op : group.ops) {
    for (Value operand : op->getOperands())
      materialize(operand);
    Operation *clone = builder.clone(*op, mapping);
    clone->removeAttr(kPartAttrName);
    if (isMovement(op))
      clone->setAttr("graph.materialize", builder.getUnitAttr());
    // What is widened and rounded again is what it was; of what lies in memory a result is a copy.
    if (auto truncation = dyn_cast<arith::TruncFOp>(clone))
      if (auto widened = truncation.getIn().getDefiningOp<arith::ExtFOp>();
          widened && widened.getIn().getType() == truncation.getType() &&
          !(llvm::is_contained(outputs, op->getResult(0)) &&
            isa<BlockArgument>(chainOf(widened.getIn(), {}).root)))
        mapping.map(op->getResult(0), widened.getIn());
  }
  // What is stored narrow is rounded where it is made: the last op shapes the kernel, as the partition saw
  // it.
  auto narrow = [&](Value value, RankedTensorType type) {
    OpBuilder::InsertionGuard guard(builder);
    if (Operation *op = value.getDefiningOp())
      builder.setInsertionPointAfter(op);
    return graph::convertFloat(builder, value.getLoc(), value, type.getElementType());
  };
  SmallVector<Value> results;
  for (auto [output, type] : llvm::zip_equal(outputs, resultTypes)) {
    Value result = mapping.lookup(output);
    // Parts are rounded one by one: what joins them must be what is stored.
    if (auto concat = result.getDefiningOp<graph::ConcatOp>();
        concat && result.getType() != type && indexing->joins.count(output.getDefiningOp())) {
      SmallVector<Value> parts;
      for (Value part : concat.getInputs()) {
        auto partType = cast<RankedTensorType>(part.getType());
        Type element = cast<RankedTensorType>(type).getElementType();
        parts.push_back(narrow(part, partType.clone(element)));
      }
      result = graph::ConcatOp::create(builder, concat.getLoc(), type, parts, concat.getDim());
    }
    results.push_back(narrow(result, cast<RankedTensorType>(type)));
  }
  graph::ReturnOp::create(builder, loc, results);
  // Clones that nothing reads: a widened argument used narrow only, a folded rounding.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  return kernel;
}

/// The kernel's text without name and locations: equal texts are equal kernels.
static std::string kernelText(graph::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  StringAttr name = kernel.getSymNameAttr();
  kernel.setSymName("k");
  kernel->print(stream, OpPrintingFlags().useLocalScope());
  kernel.setSymNameAttr(name);
  return text;
}

void Writer::writeLaunch(const Group &group) {
  llvm::SmallSetVector<Value, 8> inputs;
  SmallVector<Value> outputs = partition.outputsOf(group.ops);
  size_t different = outputs.size();
  for (size_t i = 0; i < different; ++i)
    for (int64_t times = timesReturned(outputs[i]); times > 1; --times)
      outputs.push_back(outputs[i]);
  for (Operation *op : group.ops)
    for (Value root : partition.rootsOf(op))
      if (!llvm::is_contained(group.ops, root.getDefiningOp()))
        inputs.insert(root);
  graph::KernelOp kernel = writeKernel(group, inputs.getArrayRef(), outputs);
  auto [it, isNew] = known.try_emplace(kernelText(kernel), StringAttr());
  if (isNew) {
    symbols.insert(kernel);
    it->second = kernel.getSymNameAttr();
  }
  StringAttr name = it->second;
  SmallVector<Value> arguments;
  for (Value input : inputs)
    arguments.push_back(programValue(input));
  auto launch = plan::LaunchOp::create(builder, kernel.getLoc(), kernel.getResultTypes(), name, arguments);
  if (!isNew)
    kernel.erase();
  for (auto [i, output] : llvm::enumerate(outputs))
    if (i < different)
      program.map(output, launch.getResult(i));
    else
      further[output].push_back(launch.getResult(i));
}

Value Writer::programValue(Value value) {
  if (Value mapped = program.lookupOrNull(value))
    return mapped;
  Operation *clone = builder.clone(*value.getDefiningOp(), program);
  return clone->getResult(0);
}

LogicalResult Writer::run() {
  func::FuncOp func = partition.func;
  builder.setInsertionPoint(func);
  // Inputs and outputs that the source does not name are numbered.
  auto rename = [&](DictionaryAttr attrs, const Twine &fallback) {
    NamedAttrList renamed;
    for (NamedAttribute attr : attrs ? attrs.getValue() : ArrayRef<NamedAttribute>()) {
      StringRef name = attr.getName().getValue();
      renamed.append(name.starts_with("graph.") ? ("plan." + name.drop_front(6)).str() : name.str(),
                     attr.getValue());
    }
    if (!renamed.get("plan.name"))
      renamed.append("plan.name", builder.getStringAttr(fallback));
    return renamed.getDictionary(func.getContext());
  };
  SmallVector<Attribute> argAttrs, resAttrs;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    argAttrs.push_back(rename(func.getArgAttrDict(i), "input" + Twine(i)));
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    resAttrs.push_back(rename(func.getResultAttrDict(i), "output" + Twine(i)));
  auto programOp =
      plan::ProgramOp::create(builder, func.getLoc(), func.getSymName(), func.getFunctionType(),
                              func->getAttrOfType<ArrayAttr>(plan::PlanDialect::getBucketAttrName()),
                              builder.getArrayAttr(argAttrs), builder.getArrayAttr(resAttrs),
                              /*sym_visibility=*/nullptr);
  Block *block = builder.createBlock(&programOp.getBody());
  for (BlockArgument argument : func.getArguments())
    program.map(argument, block->addArgument(argument.getType(), argument.getLoc()));
  findReadInTwoOrders();
  for (int group : partition.launchOrder())
    writeLaunch(partition.groups[group]);
  SmallVector<Value> results;
  llvm::SmallPtrSet<Value, 8> seen;
  for (Value returned : func.getBody().front().getTerminator()->getOperands()) {
    MovementChain chain = chainOf(returned, partition.materialized);
    if (auto it = further.find(chain.root); !seen.insert(chain.root).second && it != further.end()) {
      IRMapping again;
      again.map(chain.root, it->second.pop_back_val());
      for (Operation *op : llvm::reverse(chain.ops))
        builder.clone(*op, again);
      results.push_back(again.lookup(returned));
      continue;
    }
    programValue(chain.root);
    for (Operation *op : llvm::reverse(chain.ops))
      programValue(op->getResult(0));
    results.push_back(programValue(returned));
  }
  plan::ReturnOp::create(builder, func.getLoc(), results);
  symbols.erase(func);
  return success();
}

LogicalResult fuse::writeProgram(Partition &partition, OpBuilder &builder, SymbolTable &symbols,
                                 llvm::StringMap<StringAttr> &known) {
  return Writer{partition, builder, symbols, known, {}}.run();
}
