// The walk over a model: inputs with the shapes asked for, nodes in order through the operator table,
// model-local functions and branches of constant conditions in place, outputs.
//
// A node that cannot be imported is noted and the walk goes on; what reads its outputs is skipped in silence,
// so that the one error at the end names every cause once.

#include "Constants.h"
#include "GraphImporter.h"
#include "InputShapes.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

/// The operator sets whose operators the handlers know.
static constexpr int64_t kFirstOpset = 1, kLastOpset = 28;

const OperatorTable &tilewright::onnx::operatorTable() {
  static const OperatorTable table = [] {
    OperatorTable table;
    addArithmetic(table);
    addActivations(table);
    addAttention(table);
    addComparison(table);
    addConstants(table);
    addEinsum(table);
    addIndexing(table);
    addLoss(table);
    addMatmul(table);
    addMovement(table);
    addNormalization(table);
    addPooling(table);
    addQuantization(table);
    addRecurrent(table);
    addReduction(table);
    addResize(table);
    addSelection(table);
    addSequences(table);
    addShape(table);
    addWindows(table);
    return table;
  }();
  return table;
}

/// Nodes with those of their subgraphs.
static int64_t countNodes(ArrayRef<Node> nodes) {
  int64_t count = (int64_t)nodes.size();
  for (const Node &node : nodes)
    for (const NodeAttribute &attribute : node.attributes)
      if (attribute.graph)
        count += countNodes(attribute.graph->nodes);
  return count;
}

GraphImporter::GraphImporter(MLIRContext &context, const Model &model, const OnnxImportOptions &options)
    : builder(&context), model(model), options(options), weights(weightsByName(model)) {
  int64_t count = countNodes(model.graph.nodes);
  for (const Function &function : model.functions)
    count += countNodes(function.nodes);
  mostWork = 50000 + 16 * count;
}

//===-- Values --===//

void GraphImporter::define(StringRef name, ImportedValue value, Location loc, Scope &scope) {
  if (scope.initializers.contains(name) || !scope.values.try_emplace(name, value).second)
    problem(loc, "value '" + name + "' is defined twice");
}

ImportedValue GraphImporter::tensorValue(const Tensor &tensor, StringRef key, const Twine &what) {
  Location loc = named(key);
  auto known = weights.find(key.str());
  if (isReference(tensor) && (known == weights.end() || known->second != &tensor)) {
    problem(loc, what + ": another tensor of the model has the same name");
    return {};
  }
  llvm::Expected<ImportedValue> value = importTensor(builder, loc, tensor, key, options.path);
  if (value)
    return *value;
  problem(loc, what + ": " + llvm::toString(value.takeError()));
  return {};
}

const ImportedValue *GraphImporter::lookup(StringRef name, Scope &scope) {
  auto found = scope.values.find(name);
  if (found != scope.values.end())
    return &found->second;
  auto initializer = scope.initializers.find(name);
  if (initializer == scope.initializers.end())
    return scope.outer ? lookup(name, *scope.outer) : nullptr;
  ImportedValue value = tensorValue(*initializer->second, name, "initializer '" + name + "'");
  return &scope.values.try_emplace(name, value).first->second;
}

//===-- Nodes --===//

void GraphImporter::nodeProblem(const Node &node, Location loc, int64_t opset, const Twine &text) {
  std::string type = node.domain.empty() ? node.type : node.domain + "." + node.type;
  std::string name = cast<NameLoc>(loc).getName().str();
  problem(loc, "node '" + name + "' (" + type +
                   (opset < 0 ? std::string() : ", opset " + std::to_string(opset)) + "): " + text);
}

void GraphImporter::importNodes(ArrayRef<Node> nodes, Scope &scope) {
  for (auto [i, node] : llvm::enumerate(nodes)) {
    std::string name = scope.prefix + (node.name.empty() ? node.type + "_" + std::to_string(i) : node.name);
    importNode(node, name, scope);
  }
}

void GraphImporter::importNode(const Node &node, StringRef name, Scope &scope) {
  Location loc = named(name);
  ++nodesSeen;
  if (isTooMuch(1)) { // said once
    if (problems.empty() || work == mostWork + 1)
      problem(loc, "with its functions and loops written out, the model has more than " + Twine(mostWork) +
                       " nodes and iterations");
    return poison(node, scope);
  }
  auto version = scope.opsets->find(node.domain);
  int64_t opset = version == scope.opsets->end() ? -1 : version->second;
  Refusal refuse{*this, node, loc, opset, scope};
  for (const Function &function : model.functions)
    if (function.name == node.type && function.domain == node.domain && function.overload == node.overload)
      return callFunction(function, node, name, scope);
  if (!node.domain.empty())
    return refuse("operators of this domain are not supported");
  if (opset < 0)
    return refuse("the model imports no operator set for it");
  if (node.type == "If")
    return importBranch(node, loc, scope);
  if (node.type == "Loop")
    return importLoop(node, loc, scope);
  if (node.type == "Scan")
    return importScan(node, loc, scope);
  for (const NodeAttribute &attribute : node.attributes)
    if (attribute.kind == NodeAttribute::GraphValue)
      return refuse("operators with subgraphs are not supported");
  auto entry = operatorTable().find(node.type);
  if (entry == operatorTable().end())
    return refuse("the operator is not supported");
  const Operator &op = entry->second;

  size_t count = node.inputs.size();
  while (count > 0 && node.inputs[count - 1].empty())
    --count;
  if (op.maxOperands != kVariadic && count > op.maxOperands)
    return refuse("it has " + Twine(count) + " operands, at most " + Twine(op.maxOperands) + " are known");
  SmallVector<ImportedValue> operands;
  bool poisoned = false;
  for (size_t i = 0; i < std::max<size_t>(count, op.minOperands); ++i) {
    if (i >= count || node.inputs[i].empty()) {
      if (i < op.minOperands)
        return refuse("operand #" + Twine(i) + " is missing");
      operands.push_back({});
      continue;
    }
    const ImportedValue *value = lookup(node.inputs[i], scope);
    if (!value)
      return refuse("no earlier node makes its operand '" + node.inputs[i] + "'");
    poisoned |= !value->value;
    operands.push_back(*value);
    if (value->isUnsigned && op.signedness == Signedness::SignedOnly)
      return refuse("operand #" + Twine(i) + " is of unsigned integers, which are not supported here");
  }
  if (poisoned)
    return poison(node, scope);
  if (node.outputs.empty() || (node.type == "Constant" && node.outputs.size() != 1))
    return refuse("it has " + Twine(node.outputs.size()) + " outputs");

  const NodeAttribute *tensor =
      node.type == "Constant" && node.attributes.size() == 1 ? &node.attributes[0] : nullptr;
  if (tensor && tensor->kind == NodeAttribute::TensorValue && tensor->name == "value") {
    std::string what = "node '" + name.str() + "' (Constant, opset " + std::to_string(opset) + ")";
    return define(node.outputs[0], tensorValue(*tensor->tensor, node.outputs[0], what), loc, scope);
  }

  auto declared = scope.declared.find(node.outputs[0]);
  NodeImport n(builder, loc, node, opset, operands,
               declared == scope.declared.end() ? std::nullopt : std::optional(declared->second));
  n.bucketed = options.bucketed;
  n.weights = &weights;
  Block &block = *builder.getInsertionBlock();
  Operation *before = block.empty() ? nullptr : &block.back();
  LogicalResult result = op.handler(n);
  if (succeeded(result) && !n.failed() && !n.unreadAttribute().empty())
    (void)n.fail("its attribute '" + n.unreadAttribute() + "' is not known");
  for (auto [i, output] : llvm::enumerate(n.results))
    if (!output.value)
      return refuse("its output #" + Twine(i) + " has no value for these operands");
  for (const Output &output : n.results)
    if (!n.failed())
      (void)n.expectSize(n.shapeOf(output.value), n.elementOf(output.value));
  // What lies between operands and results can be larger than both.
  for (Operation &made :
       llvm::make_range(before ? std::next(before->getIterator()) : block.begin(), block.end()))
    for (Value value : made.getResults()) {
      DenseElementsAttr dense;
      if (!n.failed() && succeeded(n.expectSize(n.shapeOf(value), n.elementOf(value))) &&
          matchPattern(value, m_Constant(&dense)) && !dense.isSplat() &&
          isTooMuch(dense.getNumElements() / 100))
        (void)n.fail("its constants are more than the model may be written out to");
    }
  for (size_t i = n.results.size(); i < node.outputs.size(); ++i)
    if (!node.outputs[i].empty() && succeeded(result))
      (void)n.fail("its output #" + Twine(i) + " ('" + node.outputs[i] + "') is not supported");
  if (n.failed() || failed(result))
    return refuse(n.reason().empty() ? "it cannot be imported" : n.reason());
  for (auto [output, made] : llvm::zip(node.outputs, n.results)) {
    if (output.empty())
      continue;
    bool isUnsigned = false;
    for (const ImportedValue &operand : operands)
      isUnsigned |= operand.isUnsigned && n.elementOf(operand.value) == n.elementOf(made.value);
    define(output, {made.value, made.isUnsigned.value_or(isUnsigned)}, loc, scope);
  }
}

//===-- The whole model --===//

LogicalResult GraphImporter::checkModel() {
  Location loc = named(options.path);
  auto opset = model.opsets.find("");
  if (opset == model.opsets.end() && !model.graph.nodes.empty())
    return emitError(loc) << "'" << options.path << "' names no version of the ONNX operator set";
  if (opset != model.opsets.end() && (opset->second < kFirstOpset || opset->second > kLastOpset))
    return emitError(loc) << "'" << options.path << "' uses ONNX operator set " << opset->second
                          << "; versions " << kFirstOpset << " to " << kLastOpset << " are supported";
  llvm::StringSet<> inputs, initializers;
  for (const ValueInfo &info : model.graph.inputs)
    if (!inputs.insert(info.name).second)
      return emitError(loc) << "two inputs are called '" << info.name << "'";
  for (const Tensor &tensor : model.graph.initializers)
    if (!initializers.insert(tensor.name).second)
      return emitError(loc) << "two initializers are called '" << tensor.name << "'";
  for (const std::string &name : model.graph.sparse)
    return emitError(loc) << "initializer '" << name << "' is sparse, which is not supported";
  if (model.graph.outputs.empty())
    return emitError(loc) << "'" << options.path << "' has no outputs";
  return success();
}

void GraphImporter::importOutputs(func::FuncOp function, Scope &scope) {
  SmallVector<Value> values;
  SmallVector<bool> isUnsigned;
  for (const ValueInfo &info : model.graph.outputs) {
    Location loc = named(info.name);
    const ImportedValue *value = lookup(info.name, scope);
    if (!value)
      problem(loc, "output '" + info.name + "': no node makes it");
    else if (!value->value && problems.empty())
      problem(loc, "output '" + info.name + "' has no value");
    if (!value || !value->value)
      continue;
    bool declaredUnsigned;
    Type declared = elementType(builder.getContext(), info.type, declaredUnsigned);
    Type element = NodeImport::elementOf(value->value);
    if (declared && (declared != element || declaredUnsigned != value->isUnsigned))
      problem(loc, "output '" + info.name + "' is declared as " + dataTypeName(info.type) +
                       " but computed as " + (value->isUnsigned ? "unsigned " : "") +
                       NodeImport::text(element));
    values.push_back(value->value);
    isUnsigned.push_back(value->isUnsigned);
  }
  if (!problems.empty())
    return;
  func::ReturnOp::create(builder, function.getLoc(), values);
  SmallVector<Type> inputs(function.getArgumentTypes());
  function.setFunctionType(builder.getFunctionType(inputs, ValueRange(values).getTypes()));
  for (auto [i, info] : llvm::enumerate(model.graph.outputs)) {
    function.setResultAttr(i, "graph.name", builder.getStringAttr(info.name));
    if (isUnsigned[i])
      function.setResultAttr(i, "graph.unsigned", builder.getUnitAttr());
  }
}

OwningOpRef<ModuleOp> GraphImporter::run() {
  SmallVector<RankedTensorType> types;
  if (failed(checkModel()) || failed(resolveInputs(builder.getContext(), model, options, types)))
    return nullptr;
  Location loc = named(model.graph.name.empty() ? "main" : StringRef(model.graph.name));
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  (*module)->setAttr("graph.weight_files", builder.getStrArrayAttr({StringRef(options.path)}));
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);

  Scope scope;
  scope.opsets = &model.opsets;
  for (const Tensor &tensor : model.graph.initializers)
    scope.initializers.try_emplace(tensor.name, &tensor);
  for (auto [info, type] : llvm::zip_equal(model.graph.inputs, types)) {
    if (!type) // an input that an initializer gives a default is that initializer
      continue;
    bool isUnsigned;
    (void)elementType(builder.getContext(), info.type, isUnsigned);
    unsigned i = body->getNumArguments();
    SmallVector<NamedAttribute> attributes = {
        builder.getNamedAttr("graph.name", builder.getStringAttr(info.name))};
    if (isUnsigned)
      attributes.push_back(builder.getNamedAttr("graph.unsigned", builder.getUnitAttr()));
    (void)function.insertArgument(i, type, builder.getDictionaryAttr(attributes), named(info.name));
    scope.values.try_emplace(info.name, ImportedValue{body->getArgument(i), isUnsigned});
  }
  for (const std::vector<ValueInfo> *infos : {&model.graph.declared, &model.graph.outputs})
    for (const ValueInfo &info : *infos) {
      SmallVector<int64_t> shape;
      for (const Dim &dim : info.shape.value_or(std::vector<Dim>()))
        shape.push_back(dim.size);
      if (info.shape && byteCount(shape, 8))
        scope.declared.try_emplace(info.name, shape);
    }
  importNodes(model.graph.nodes, scope);
  importOutputs(function, scope);
  if (!problems.empty()) {
    InFlightDiagnostic error = emitError(named(options.path))
                               << "'" << options.path << "' cannot be imported: " << problems.size()
                               << (problems.size() == 1 ? " problem" : " problems") << " in " << nodesSeen
                               << (nodesSeen == 1 ? " node" : " nodes");
    for (const auto &[where, text] : problems)
      error.attachNote(where) << text;
    return nullptr;
  }
  // Folding leaves the constants of shape arithmetic without uses.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> tilewright::importOnnx(MLIRContext &context, const OnnxImportOptions &options) {
  context.loadDialect<func::FuncDialect, arith::ArithDialect, math::MathDialect, graph::GraphDialect>();
  llvm::Expected<std::unique_ptr<Model>> model =
      options.bytes ? parseModel(llvm::MemoryBuffer::getMemBuffer(*options.bytes, options.path,
                                                                  /*RequiresNullTerminator=*/false))
                    : readModel(options.path);
  if (!model) {
    emitError(NameLoc::get(StringAttr::get(&context, options.path))) << llvm::toString(model.takeError());
    return nullptr;
  }
  return GraphImporter(context, **model, options).run();
}
