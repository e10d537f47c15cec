// What a model holds graphs for, imported in place: model-local functions, branches of constant conditions,
// and loops whose count and conditions are constant, iteration by iteration.

#include "GraphImporter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;

/// A loop has at most this many iterations; its body is imported for each.
static constexpr int64_t kIterationLimit = 4096;

//===-- Subgraphs --===//

void GraphImporter::poison(const Node &node, Scope &scope) {
  for (const std::string &output : node.outputs)
    if (!output.empty())
      scope.values.try_emplace(output);
}

std::optional<SmallVector<ImportedValue>> GraphImporter::subgraphOperands(const Node &node, Location loc,
                                                                          Scope &scope) {
  SmallVector<ImportedValue> operands;
  bool poisoned = false;
  for (const std::string &input : node.inputs) {
    const ImportedValue *value = input.empty() ? nullptr : lookup(input, scope);
    if (!input.empty() && !value)
      nodeProblem(node, loc, scope.opsets->at(node.domain),
                  "no earlier node makes its operand '" + input + "'");
    poisoned |= !input.empty() && (!value || !value->value);
    operands.push_back(value ? *value : ImportedValue());
  }
  if (!poisoned)
    return operands;
  poison(node, scope);
  return std::nullopt;
}

std::optional<SmallVector<ImportedValue>> GraphImporter::importBody(const Graph &body, const Node &node,
                                                                    Location loc, StringRef suffix,
                                                                    ArrayRef<ImportedValue> inputs,
                                                                    Scope &scope) {
  int64_t opset = scope.opsets->at(node.domain);
  for (auto [i, input] : llvm::enumerate(inputs))
    if (!input.value) {
      nodeProblem(node, loc, opset, "input #" + Twine(i) + " of its body is missing");
      return std::nullopt;
    }
  if (isTooMuch(1)) { // an iteration counts as well: its body may have no nodes
    if (problems.empty())
      nodeProblem(node, loc, opset, "it goes on for more than " + Twine(mostWork) + " nodes and iterations");
    return std::nullopt;
  }
  if (scope.depth >= kNestingLimit || inputs.size() != body.inputs.size()) {
    nodeProblem(node, loc, opset,
                scope.depth >= kNestingLimit ? "subgraphs are nested deeper than " + Twine(kNestingLimit)
                                             : "its body takes " + Twine(body.inputs.size()) +
                                                   " inputs, it has " + Twine(inputs.size()));
    return std::nullopt;
  }
  Scope inner;
  inner.opsets = scope.opsets;
  inner.outer = &scope;
  inner.prefix = (cast<NameLoc>(loc).getName().getValue() + suffix + "/").str();
  inner.depth = scope.depth + 1;
  for (const Tensor &tensor : body.initializers)
    inner.initializers.try_emplace(tensor.name, &tensor);
  for (auto [info, value] : llvm::zip_equal(body.inputs, inputs))
    inner.values.try_emplace(info.name, value);
  bool complete = true; // what could not be imported, here or before, has been noted
  importNodes(body.nodes, inner);
  SmallVector<ImportedValue> outputs;
  for (const ValueInfo &info : body.outputs) {
    const ImportedValue *value = lookup(info.name, inner);
    if (!value)
      nodeProblem(node, loc, opset, "its subgraph makes no value '" + info.name + "'");
    complete &= value && value->value;
    outputs.push_back(value ? *value : ImportedValue());
  }
  if (!complete)
    return std::nullopt;
  return outputs;
}

void GraphImporter::defineOutputs(const Node &node, Location loc, ArrayRef<ImportedValue> values,
                                  Scope &scope) {
  for (auto [output, value] : llvm::zip(node.outputs, values))
    if (!output.empty())
      define(output, value, loc, scope);
}

static const Graph *subgraph(const Node &node, StringRef name) {
  for (const NodeAttribute &attribute : node.attributes)
    if (attribute.kind == NodeAttribute::GraphValue && attribute.name == name)
      return attribute.graph.get();
  return nullptr;
}

/// The constant truth value, or nothing.
static std::optional<bool> constantTruth(Value value) {
  DenseElementsAttr dense;
  if (!value || !matchPattern(value, m_Constant(&dense)) || !dense.getElementType().isInteger(1) ||
      dense.getNumElements() != 1)
    return std::nullopt;
  return dense.getSplatValue<bool>();
}

//===-- If --===//

void GraphImporter::importBranch(const Node &node, Location loc, Scope &scope) {
  int64_t opset = scope.opsets->at(node.domain);
  std::optional<SmallVector<ImportedValue>> operands = subgraphOperands(node, loc, scope);
  if (!operands)
    return;
  const Graph *thenBranch = subgraph(node, "then_branch"), *elseBranch = subgraph(node, "else_branch");
  std::optional<bool> condition = constantTruth(operands->size() == 1 ? operands->front().value : Value());
  Refusal refuse{*this, node, loc, opset, scope};
  if (!condition || !thenBranch || !elseBranch)
    return refuse("its condition is not a constant, so that both branches would be needed");
  const Graph &taken = *condition ? *thenBranch : *elseBranch;
  if (taken.outputs.size() != node.outputs.size())
    return refuse("it has " + Twine(node.outputs.size()) + " outputs, its branch " +
                  Twine(taken.outputs.size()));
  std::optional<SmallVector<ImportedValue>> outputs = importBody(taken, node, loc, "", {}, scope);
  if (!outputs)
    return poison(node, scope);
  defineOutputs(node, loc, *outputs, scope);
}

//===-- Loop and Scan --===//

namespace {
/// What a loop collects from every iteration, to be stacked along a new dimension.
struct Collected {
  SmallVector<Value> parts;
  bool isUnsigned = false;
};
} // namespace

/// The parts in order along a new dimension `axis`; null, after a failure, when there is none or they differ.
static Value stack(NodeImport &n, const Collected &collected, int64_t axis) {
  if (collected.parts.empty())
    return (void)n.fail("without iterations the shape of what it collects is not known"), nullptr;
  NodeImport::Dims shape(n.shapeOf(collected.parts.front()));
  std::optional<int64_t> dim = n.axis(axis, (int64_t)shape.size() + 1);
  if (!dim)
    return nullptr;
  NodeImport::Dims stacked = shape;
  stacked.push_back((int64_t)collected.parts.size());
  if (failed(n.expectSize(stacked, n.elementOf(collected.parts.front()))))
    return nullptr;
  SmallVector<Value> parts;
  for (Value part : collected.parts) {
    if (part.getType() != collected.parts.front().getType())
      return (void)n.fail("what it collects changes its shape from " + n.text(shape) + " to " +
                          n.text(n.shapeOf(part))),
             nullptr;
    NodeImport::Dims column = shape;
    column.insert(column.begin() + *dim, 1);
    parts.push_back(n.reshape(part, column));
  }
  return parts.size() == 1 ? parts.front() : n.concat(parts, *dim);
}

void GraphImporter::importLoop(const Node &node, Location loc, Scope &scope) {
  int64_t opset = scope.opsets->at(node.domain);
  std::optional<SmallVector<ImportedValue>> operands = subgraphOperands(node, loc, scope);
  if (!operands)
    return;
  NodeImport n(builder, loc, node, opset, *operands);
  Refusal refuse{*this, node, loc, opset, scope};
  const Graph *body = subgraph(node, "body");
  if (!body || operands->size() < 2 || body->inputs.size() != operands->size() ||
      body->outputs.size() + 1 < operands->size())
    return refuse("its body does not fit its operands");
  std::optional<NodeImport::Dims> limit = NodeImport::Dims{INT64_MAX};
  if (n.has(0) && (!(limit = n.constantInts(0, "trip count")) || limit->size() != 1))
    return refuse("its trip count is not a constant");
  std::optional<bool> goesOn = n.has(1) ? constantTruth(n.operand(1)) : true;
  size_t states = operands->size() - 2;
  SmallVector<ImportedValue> state(operands->begin() + 2, operands->end());
  std::vector<Collected> collected(body->outputs.size() - 1 - states);
  for (int64_t i = 0; i < limit->front() && goesOn && *goesOn; ++i) {
    if (i == kIterationLimit)
      return refuse("it has more than " + Twine(kIterationLimit) + " iterations");
    SmallVector<ImportedValue> inputs = {{n.intsConstant({}, i, builder.getI64Type())},
                                         {n.constant({}, builder.getI1Type(), 1)}};
    inputs.append(state);
    auto outputs = importBody(*body, node, loc, "." + std::to_string(i), inputs, scope);
    if (!outputs)
      return poison(node, scope);
    goesOn = constantTruth(outputs->front().value);
    for (size_t k = 0; k < states; ++k)
      state[k] = (*outputs)[1 + k];
    for (auto [list, output] : llvm::zip_equal(collected, ArrayRef(*outputs).drop_front(1 + states))) {
      list.parts.push_back(output.value);
      list.isUnsigned = output.isUnsigned;
    }
  }
  if (!goesOn)
    return refuse("its condition is not a constant");
  for (const Collected &list : collected)
    state.push_back({stack(n, list, 0), list.isUnsigned});
  if (n.failed())
    return refuse(n.reason());
  defineOutputs(node, loc, state, scope);
}

void GraphImporter::importScan(const Node &node, Location loc, Scope &scope) {
  int64_t opset = scope.opsets->at(node.domain);
  std::optional<SmallVector<ImportedValue>> operands = subgraphOperands(node, loc, scope);
  if (!operands)
    return;
  NodeImport n(builder, loc, node, opset, *operands);
  Refusal refuse{*this, node, loc, opset, scope};
  if (opset < 9)
    return refuse("batches of sequences, as before opset 9, are not supported");
  const Graph *body = subgraph(node, "body");
  int64_t scanned = n.intAttribute("num_scan_inputs", 0);
  if (!body || scanned < 1 || scanned > (int64_t)operands->size() || body->inputs.size() != operands->size())
    return refuse("its body does not fit its operands");
  size_t states = operands->size() - scanned;
  if (body->outputs.size() < states)
    return refuse("its body makes " + Twine(body->outputs.size()) + " values, it has " + Twine(states) +
                  " states");
  size_t collects = body->outputs.size() - states;
  // One number for each scanned operand or collected value, 0 without the attribute.
  auto each = [&](StringRef name, size_t count) {
    NodeImport::Dims values = n.intsAttribute(name).value_or(NodeImport::Dims(count, 0));
    if (values.size() != count)
      (void)n.fail("its " + name + " has " + Twine(values.size()) + " numbers, expected " + Twine(count));
    values.resize(count, 0);
    return values;
  };
  NodeImport::Dims axes = each("scan_input_axes", scanned), backward = each("scan_input_directions", scanned),
                   outAxes = each("scan_output_axes", collects),
                   outBackward = each("scan_output_directions", collects);
  std::optional<int64_t> length;
  for (int64_t k = 0; k < scanned && !n.failed(); ++k) {
    Value x = n.operand(states + k);
    if (!x)
      return refuse("operand #" + Twine(states + k) + " is missing");
    std::optional<int64_t> axis = n.axis(axes[k], n.rankOf(x));
    if (!axis)
      break;
    axes[k] = *axis;
    if (length && *length != n.shapeOf(x)[*axis])
      (void)n.fail("it scans " + Twine(*length) + " and " + Twine(n.shapeOf(x)[*axis]) + " elements");
    length = n.shapeOf(x)[*axis];
  }
  if (n.failed() || *length > kIterationLimit)
    return refuse(n.failed() ? n.reason()
                             : "it has more than " + std::to_string(kIterationLimit) + " iterations");
  SmallVector<ImportedValue> state(operands->begin(), operands->begin() + states);
  std::vector<Collected> collected(collects);
  for (int64_t i = 0; i < *length; ++i) {
    SmallVector<ImportedValue> inputs = state;
    for (int64_t k = 0; k < scanned; ++k) {
      Value x = n.operand(states + k);
      NodeImport::Dims shape(n.shapeOf(x));
      shape.erase(shape.begin() + axes[k]);
      Value part = n.sliceDim(x, axes[k], backward[k] ? *length - 1 - i : i, 1);
      inputs.push_back({n.reshape(part, shape), n.isUnsigned(states + k)});
    }
    auto outputs = importBody(*body, node, loc, "." + std::to_string(i), inputs, scope);
    if (!outputs)
      return poison(node, scope);
    std::copy(outputs->begin(), outputs->begin() + states, state.begin());
    for (size_t k = 0; k < collects; ++k) {
      collected[k].parts.push_back((*outputs)[states + k].value);
      collected[k].isUnsigned = (*outputs)[states + k].isUnsigned;
    }
  }
  for (size_t k = 0; k < collects; ++k) {
    if (outBackward[k])
      std::reverse(collected[k].parts.begin(), collected[k].parts.end());
    state.push_back({stack(n, collected[k], outAxes[k]), collected[k].isUnsigned});
  }
  if (n.failed())
    return refuse(n.reason());
  defineOutputs(node, loc, state, scope);
}

//===-- Functions --===//

void GraphImporter::callFunction(const Function &function, const Node &node, StringRef name, Scope &scope) {
  Location loc = named(name);
  Scope body;
  body.opsets = function.opsets.empty() ? scope.opsets : &function.opsets;
  body.prefix = name.str() + "/";
  body.depth = scope.depth + 1;
  Refusal refuse{*this, node, loc, -1, scope};
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
