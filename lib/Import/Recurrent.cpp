// RNN, GRU and LSTM: one step after the other, written out. The inputs of all steps meet the weights in one
// product before, so that a step multiplies its state only.

#include "NodeImport.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

/// More steps than this are not written out.
static constexpr int64_t kMostSteps = 64;

namespace {
/// What the three operators share.
struct Recurrence {
  NodeImport &n;
  int64_t gates, defaultActivations;
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0, directions = 1;
  bool batchFirst = false, reverse = false;
  double clip = 0;
  std::vector<std::string> activations = {};
  Value x = {}, lengths = {}; ///< [steps, batch, inputs]; the lengths of the samples, or null.

  LogicalResult read(StringRef defaults);
  Value state(unsigned operand, int64_t direction);
  /// Rows of weights or biases that belong to a direction, [gates * hidden, columns], or a part of them.
  Value rows(unsigned operand, int64_t direction);
  Value bias(int64_t direction, bool ofState);
  Value product(Value state, Value weights);
  Value activate(Value v, int64_t direction, unsigned which);
  Value gate(Value all, int64_t index);
  /// `fresh` where step `t` belongs to the sample, `otherwise` elsewhere.
  Value within(int64_t t, Value fresh, Value otherwise);
};

/// One direction of one operator: the state after a step from the state before it.
using Step = llvm::function_ref<SmallVector<Value>(int64_t direction, Value input, ArrayRef<Value> state)>;
} // namespace

//===-- What is shared ----------------------------------------------------------------------------------===//

LogicalResult Recurrence::read(StringRef defaults) {
  std::string direction = n.stringAttribute("direction", "forward");
  batchFirst = n.intAttribute("layout", 0) != 0;
  hidden = n.intAttribute("hidden_size", 0);
  clip = n.floatAttribute("clip", 0);
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    return n.fail("direction is '" + direction + "'");
  directions = direction == "bidirectional" ? 2 : 1;
  reverse = direction == "reverse";
  if (n.hasAttribute("activation_alpha") || n.hasAttribute("activation_beta"))
    return n.fail("parameters of activations are not supported");
  if (const NodeAttribute *given = n.attribute("activations", NodeAttribute::Strings))
    activations = given->strings;
  if (activations.empty())
    for (int64_t d = 0; d < directions; ++d)
      for (StringRef name : llvm::split(defaults, ','))
        activations.push_back(name.str());
  if ((int64_t)activations.size() != directions * defaultActivations)
    return n.fail("it has " + Twine(activations.size()) + " activations, expected " +
                  Twine(directions * defaultActivations));
  for (const std::string &name : activations)
    if (name != "Sigmoid" && name != "Tanh" && name != "Relu")
      return n.fail("activation '" + name + "' is not supported");
  x = n.operand(0);
  if (failed(n.expectFloat(x, "operand #0")) || n.rankOf(x) != 3)
    return n.fail("operand #0 is " + n.text(x.getType()) + ", expected three dimensions");
  if (batchFirst)
    x = n.transpose(x, {1, 0, 2});
  steps = n.shapeOf(x)[0], batch = n.shapeOf(x)[1], inputs = n.shapeOf(x)[2];
  if (steps > kMostSteps)
    return n.fail("it has " + Twine(steps) + " steps, more than " + Twine(kMostSteps));
  if (!hidden && n.rankOf(n.operand(2)) == 3)
    hidden = n.shapeOf(n.operand(2))[2];
  if (hidden < 1 || hidden > 1 << 24)
    return n.fail("hidden_size is " + Twine(hidden));
  auto expectShape = [&](unsigned i, NodeImport::Shape shape) {
    if (!n.has(i))
      return true;
    if (i != 4 && failed(n.expectSameElements(x, n.operand(i)))) // #4 counts
      return false;
    if (n.shapeOf(n.operand(i)) == shape)
      return true;
    (void)n.fail("operand #" + Twine(i) + " is " + n.text(n.operand(i).getType()) + ", expected shape " +
                 n.text(shape));
    return false;
  };
  Dims states = batchFirst ? Dims{batch, directions, hidden} : Dims{directions, batch, hidden};
  if (!expectShape(1, {directions, gates * hidden, inputs}) ||
      !expectShape(2, {directions, gates * hidden, hidden}) ||
      !expectShape(3, {directions, 2 * gates * hidden}) || !expectShape(4, {batch}) ||
      !expectShape(5, states) || !expectShape(6, states) || !expectShape(7, {directions, 3 * hidden}))
    return failure();
  if (n.has(4)) {
    if (reverse || directions == 2)
      return n.fail("lengths of samples go with direction forward only");
    lengths = n.castTo(n.operand(4), n.builder.getI32Type());
  }
  return success();
}

Value Recurrence::state(unsigned operand, int64_t direction) {
  if (!n.has(operand))
    return n.constant({batch, hidden}, n.elementOf(x), 0);
  return n.reshape(n.sliceDim(n.operand(operand), batchFirst ? 1 : 0, direction, 1), {batch, hidden});
}

Value Recurrence::rows(unsigned operand, int64_t direction) {
  Value all = n.operand(operand);
  return n.reshape(n.sliceDim(all, 0, direction, 1), n.shapeOf(all).drop_front());
}

Value Recurrence::bias(int64_t direction, bool ofState) {
  if (!n.has(3))
    return n.constant({gates * hidden}, n.elementOf(x), 0);
  return n.sliceDim(rows(3, direction), 0, ofState ? gates * hidden : 0, gates * hidden);
}

Value Recurrence::product(Value state, Value weights) {
  return n.matmul(state, n.transpose(weights, {1, 0}));
}

Value Recurrence::activate(Value v, int64_t direction, unsigned which) {
  if (clip > 0)
    v = n.min(n.max(v, n.constantLike(v, -clip)), n.constantLike(v, clip));
  StringRef name = activations[direction * defaultActivations + which];
  if (name == "Relu")
    return n.max(v, n.constantLike(v, 0));
  return name == "Tanh" ? n.unary<math::TanhOp>(v) : n.sigmoid(v);
}

Value Recurrence::gate(Value all, int64_t index) { return n.sliceDim(all, 1, index * hidden, hidden); }

Value Recurrence::within(int64_t t, Value fresh, Value otherwise) {
  if (!lengths)
    return fresh;
  Value isWithin = n.compare(arith::CmpIPredicate::sgt, lengths, n.constantLike(lengths, (double)t));
  return n.select(n.broadcastDims(isWithin, {0}, n.shapeOf(fresh)), fresh, otherwise);
}

/// Runs all directions and yields Y, Y_h and, where there are two states, Y_c. A step gets its inputs times
/// the weights; the first state is the output.
static LogicalResult run(Recurrence &r, unsigned states, Step step) {
  NodeImport &n = r.n;
  SmallVector<Value> outputs;
  SmallVector<SmallVector<Value>> last(states);
  for (int64_t d = 0; d < r.directions; ++d) {
    Value flat = n.reshape(r.x, {r.steps * r.batch, r.inputs});
    Value projected = r.product(flat, r.rows(1, d));
    projected = n.add(projected, n.broadcast(r.bias(d, /*ofState=*/false), n.shapeOf(projected)));
    SmallVector<Value> state, rows(r.steps);
    for (unsigned s = 0; s < states; ++s)
      state.push_back(r.state(5 + s, d));
    bool backwards = r.reverse || d == 1;
    for (int64_t i = 0; i < r.steps; ++i) {
      int64_t t = backwards ? r.steps - 1 - i : i;
      SmallVector<Value> next = step(d, n.sliceDim(projected, 0, t * r.batch, r.batch), state);
      rows[t] = n.reshape(r.within(t, next[0], n.constantLike(next[0], 0)), {1, 1, r.batch, r.hidden});
      for (unsigned s = 0; s < states; ++s)
        state[s] = r.within(t, next[s], state[s]);
    }
    if (rows.empty())
      outputs.push_back(n.constant({0, 1, r.batch, r.hidden}, n.elementOf(r.x), 0));
    else
      outputs.push_back(rows.size() == 1 ? rows.front() : n.concat(rows, 0));
    for (unsigned s = 0; s < states; ++s)
      last[s].push_back(n.reshape(state[s], {1, r.batch, r.hidden}));
  }
  auto join = [&](ArrayRef<Value> parts, int64_t dim) {
    return parts.size() == 1 ? parts.front() : n.concat(parts, dim);
  };
  Value y = join(outputs, 1);
  (void)n.yield(r.batchFirst ? n.transpose(y, {2, 0, 1, 3}) : y);
  for (ArrayRef<Value> each : last) {
    Value end = join(each, 0);
    (void)n.yield(r.batchFirst ? n.transpose(end, {1, 0, 2}) : end);
  }
  return success();
}

//===-- The operators -----------------------------------------------------------------------------------===//

static LogicalResult importRnn(NodeImport &n) {
  Recurrence r{n, 1, 1};
  if (failed(r.read("Tanh")))
    return failure();
  return run(r, 1, [&](int64_t d, Value input, ArrayRef<Value> state) -> SmallVector<Value> {
    Value sum = n.add(input, r.product(state[0], r.rows(2, d)));
    sum = n.add(sum, n.broadcast(r.bias(d, true), n.shapeOf(sum)));
    return {r.activate(sum, d, 0)};
  });
}

/// Gates z, r, h.
static LogicalResult importGru(NodeImport &n) {
  bool beforeReset = n.intAttribute("linear_before_reset", 0) != 0;
  Recurrence r{n, 3, 2};
  if (failed(r.read("Sigmoid,Tanh")))
    return failure();
  return run(r, 1, [&](int64_t d, Value input, ArrayRef<Value> state) -> SmallVector<Value> {
    Value h = state[0], weights = r.rows(2, d), bias = r.bias(d, true);
    auto ofState = [&](Value from, int64_t first, int64_t count) {
      Value sum = r.product(from, n.sliceDim(weights, 0, first * r.hidden, count * r.hidden));
      return n.add(sum, n.broadcast(n.sliceDim(bias, 0, first * r.hidden, count * r.hidden), n.shapeOf(sum)));
    };
    Value both = ofState(h, 0, 2);
    Value update = r.activate(n.add(r.gate(input, 0), r.gate(both, 0)), d, 0);
    Value reset = r.activate(n.add(r.gate(input, 1), r.gate(both, 1)), d, 0);
    Value carried = beforeReset ? n.mul(reset, ofState(h, 2, 1)) : ofState(n.mul(reset, h), 2, 1);
    Value fresh = r.activate(n.add(r.gate(input, 2), carried), d, 1);
    return {n.add(n.mul(n.sub(n.constantLike(update, 1), update), fresh), n.mul(update, h))};
  });
}

/// Gates i, o, f, c; peepholes for i, o, f.
static LogicalResult importLstm(NodeImport &n) {
  bool couples = n.intAttribute("input_forget", 0) != 0;
  Recurrence r{n, 4, 3};
  if (failed(r.read("Sigmoid,Tanh,Tanh")))
    return failure();
  return run(r, 2, [&](int64_t d, Value input, ArrayRef<Value> state) -> SmallVector<Value> {
    Value cell = state[1];
    Value sum = n.add(input, r.product(state[0], r.rows(2, d)));
    sum = n.add(sum, n.broadcast(r.bias(d, true), n.shapeOf(sum)));
    auto peeped = [&](int64_t gate, int64_t peephole, Value from) {
      Value v = r.gate(sum, gate);
      if (!n.has(7))
        return v;
      Value weights = n.sliceDim(r.rows(7, d), 0, peephole * r.hidden, r.hidden);
      return n.add(v, n.mul(n.broadcast(weights, n.shapeOf(v)), from));
    };
    Value in = r.activate(peeped(0, 0, cell), d, 0);
    Value forget = couples ? n.sub(n.constantLike(in, 1), in) : r.activate(peeped(2, 2, cell), d, 0);
    Value candidate = r.activate(r.gate(sum, 3), d, 1);
    Value next = n.add(n.mul(forget, cell), n.mul(in, candidate));
    Value out = r.activate(peeped(1, 1, next), d, 0);
    // The cell itself is not clipped.
    double clip = r.clip;
    r.clip = 0;
    Value shown = r.activate(next, d, 2);
    r.clip = clip;
    return {n.mul(out, shown), next};
  });
}

void tilewright::onnx::addRecurrent(OperatorTable &table) {
  table["RNN"] = {importRnn, 3, 6};
  table["GRU"] = {importGru, 3, 6};
  table["LSTM"] = {importLstm, 3, 8};
}
