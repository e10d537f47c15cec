// The walk over a model: inputs with the shapes asked for, nodes in order through the operator table,
// model-local functions and branches of constant conditions in place, outputs.
//
// A node that cannot be imported is noted and the walk goes on; what reads its outputs is skipped in silence,
// so that the one error at the end names every cause once.

#include "Tilewright/Import/Onnx.h"

#include "Constants.h"
#include "InputShapes.h"
#include "NodeImport.h"
#include "OnnxModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

/// The operator sets whose operators the handlers know.
static constexpr int64_t kFirstOpset = 1, kLastOpset = 28;
/// Model-local functions and branches nest at most this deep.
static constexpr int kNestingLimit = 40;

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
    addQuantization(table);
    addReduction(table);
    addSelection(table);
    addSequences(table);
    addShape(table);
    addWindows(table);
    return table;
  }();
  return table;
}

namespace {

/// The values of a graph or of one call of a function.
struct Scope {
  /// A null value stands for one that could not be imported.
  llvm::StringMap<ImportedValue> values;
  /// Tensors that become values when first read.
  llvm::StringMap<const Tensor *> initializers;
  const std::map<std::string, int64_t> *opsets = nullptr;
  /// Static shapes that the model declares for values.
  llvm::StringMap<SmallVector<int64_t>> declared;
  /// Names of the calls that led here, each with a slash.
  std::string prefix;
  int depth = 0;
};

class GraphImporter {
public:
  GraphImporter(MLIRContext &context, const Model &model, const OnnxImportOptions &options)
      : builder(&context), model(model), options(options), weights(weightsByName(model)) {}

  OwningOpRef<ModuleOp> run();

private:
  LogicalResult checkModel();
  void importNodes(ArrayRef<Node> nodes, Scope &scope);
  void importNode(const Node &node, StringRef name, Scope &scope);
  void importBranch(const Node &node, Location loc, Scope &scope);
  void callFunction(const Function &function, const Node &node, StringRef name, Scope &scope);
  /// The value called `name`, made from its initializer if need be. Null when no node before made it.
  const ImportedValue *lookup(StringRef name, Scope &scope);
  ImportedValue tensorValue(const Tensor &tensor, StringRef key, const Twine &what);
  void define(StringRef name, ImportedValue value, Location loc, Scope &scope);
  void importOutputs(func::FuncOp function, Scope &scope);

  Location named(StringRef name) { return NameLoc::get(builder.getStringAttr(name)); }
  void problem(Location loc, const Twine &text) { problems.emplace_back(loc, text.str()); }
  void nodeProblem(const Node &node, Location loc, int64_t opset, const Twine &text);

  OpBuilder builder;
  const Model &model;
  const OnnxImportOptions &options;
  std::map<std::string, const Tensor *> weights;
  SmallVector<std::pair<Location, std::string>> problems;
  int64_t nodesSeen = 0;
};

} // namespace

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
    return nullptr;
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
  ++nodesSeen;
  Location loc = named(name);
  auto version = scope.opsets->find(node.domain);
  int64_t opset = version == scope.opsets->end() ? -1 : version->second;
  auto poisonOutputs = [&] {
    for (const std::string &output : node.outputs)
      if (!output.empty())
        scope.values.try_emplace(output);
  };
  auto refuse = [&](const Twine &text) {
    nodeProblem(node, loc, opset, text);
    poisonOutputs();
  };
  for (const Function &function : model.functions)
    if (function.name == node.type && function.domain == node.domain && function.overload == node.overload)
      return callFunction(function, node, name, scope);
  if (!node.domain.empty())
    return refuse("operators of this domain are not supported");
  if (opset < 0)
    return refuse("the model imports no operator set for it");
  if (node.type == "If")
    return importBranch(node, loc, scope);
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
    return poisonOutputs();
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
  LogicalResult result = op.handler(n);
  if (succeeded(result) && !n.failed() && !n.unreadAttribute().empty())
    (void)n.fail("its attribute '" + n.unreadAttribute() + "' is not known");
  for (const Output &output : n.results)
    if (!n.failed())
      (void)n.expectSize(n.shapeOf(output.value), n.elementOf(output.value));
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

void GraphImporter::importBranch(const Node &node, Location loc, Scope &scope) {
  int64_t opset = scope.opsets->at(node.domain);
  const Graph *branches[2] = {nullptr, nullptr};
  for (const NodeAttribute &attribute : node.attributes)
    if (attribute.kind == NodeAttribute::GraphValue)
      branches[attribute.name == "then_branch" ? 1 : 0] = attribute.graph.get();
  const ImportedValue *condition = node.inputs.size() == 1 ? lookup(node.inputs[0], scope) : nullptr;
  DenseElementsAttr dense;
  auto poison = [&] {
    for (const std::string &output : node.outputs)
      if (!output.empty())
        scope.values.try_emplace(output);
  };
  if (condition && !condition->value)
    return poison();
  if (!condition || !branches[0] || !branches[1] || scope.depth >= kNestingLimit ||
      !matchPattern(condition->value, m_Constant(&dense)) || !dense.getElementType().isInteger(1) ||
      dense.getNumElements() != 1) {
    nodeProblem(node, loc, opset, "its condition is not a constant, so that both branches would be needed");
    return poison();
  }
  const Graph &taken = *branches[dense.getSplatValue<bool>()];
  if (taken.outputs.size() != node.outputs.size()) {
    nodeProblem(node, loc, opset,
                "it has " + Twine(node.outputs.size()) + " outputs, its branch " +
                    Twine(taken.outputs.size()));
    return poison();
  }
  for (const Tensor &tensor : taken.initializers)
    scope.initializers.try_emplace(tensor.name, &tensor);
  std::string outer = scope.prefix;
  scope.prefix = cast<NameLoc>(loc).getName().str() + "/";
  ++scope.depth;
  importNodes(taken.nodes, scope);
  --scope.depth;
  scope.prefix = outer;
  for (auto [output, inner] : llvm::zip(node.outputs, taken.outputs)) {
    if (output.empty())
      continue;
    const ImportedValue *value = lookup(inner.name, scope);
    if (!value)
      nodeProblem(node, loc, opset, "its branch makes no value '" + inner.name + "'");
    define(output, value ? *value : ImportedValue(), loc, scope);
  }
}

void GraphImporter::callFunction(const Function &function, const Node &node, StringRef name, Scope &scope) {
  Location loc = named(name);
  Scope body;
  body.opsets = function.opsets.empty() ? scope.opsets : &function.opsets;
  body.prefix = name.str() + "/";
  body.depth = scope.depth + 1;
  auto refuse = [&](const Twine &text) {
    nodeProblem(node, loc, -1, text);
    for (const std::string &output : node.outputs)
      scope.values.try_emplace(output);
  };
  if (body.depth > kNestingLimit)
    return refuse("functions are nested deeper than " + Twine(kNestingLimit));
  if (node.inputs.size() > function.inputs.size() || node.outputs.size() > function.outputs.size())
    return refuse("it has " + Twine(node.inputs.size()) + " operands and " + Twine(node.outputs.size()) +
                  " outputs, its function " + Twine(function.inputs.size()) + " and " +
                  Twine(function.outputs.size()));
  for (auto [inner, outer] : llvm::zip(function.inputs, node.inputs)) {
    if (outer.empty())
      continue;
    const ImportedValue *value = lookup(outer, scope);
    if (!value)
      return refuse("no earlier node makes its operand '" + outer + "'");
    body.values.try_emplace(inner, *value);
  }
  // A reference to an attribute of the call takes its value from the call, or the function's default.
  std::vector<Node> nodes = function.nodes;
  for (Node &inner : nodes) {
    for (std::string &input : inner.inputs) // an operand that the call leaves out is left out below, too
      for (size_t i = 0; i < function.inputs.size(); ++i)
        if (input == function.inputs[i] && (i >= node.inputs.size() || node.inputs[i].empty()))
          input.clear();
    std::vector<NodeAttribute> resolved;
    for (NodeAttribute &attribute : inner.attributes) {
      if (attribute.reference.empty()) {
        resolved.push_back(std::move(attribute));
        continue;
      }
      for (const std::vector<NodeAttribute> *source : {&node.attributes, &function.defaults}) {
        auto found =
            llvm::find_if(*source, [&](const NodeAttribute &a) { return a.name == attribute.reference; });
        if (found == source->end())
          continue;
        resolved.push_back(*found);
        resolved.back().name = attribute.name;
        break;
      }
    }
    inner.attributes = std::move(resolved);
  }
  importNodes(nodes, body);
  for (auto [outer, inner] : llvm::zip(node.outputs, function.outputs)) {
    if (outer.empty())
      continue;
    const ImportedValue *value = lookup(inner, body);
    if (!value)
      nodeProblem(node, loc, -1, "its function makes no value '" + inner + "'");
    define(outer, value ? *value : ImportedValue(), loc, scope);
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
