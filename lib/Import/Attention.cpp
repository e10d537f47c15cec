// The attention operators of opset 23: Attention on graph.attention (with a softcap: on products and
// softmax), RotaryEmbedding spelled out.

#include "NodeImport.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

//===-- Attention --===//

/// [batch, heads, positions, features] of operand `i`: itself, or [batch, positions, heads * features] split.
static Value splitHeads(NodeImport &n, unsigned i, int64_t heads) {
  Value x = n.operand(i);
  NodeImport::Shape shape = n.shapeOf(x);
  if (shape.size() == 4)
    return x;
  if (shape.size() != 3 || heads <= 0 || shape[2] % heads != 0) {
    (void)n.fail("operand #" + Twine(i) + " of shape " + n.text(shape) + " does not split into " +
                 Twine(heads) + " heads");
    return nullptr;
  }
  return n.transpose(n.reshape(x, {shape[0], shape[1], heads, shape[2] / heads}), {0, 2, 1, 3});
}

/// Operand `past` before `x` along positions; `x` itself when it is absent.
static Value appendToCache(NodeImport &n, unsigned past, Value x) {
  if (!n.has(past))
    return x;
  Value cache = n.operand(past);
  Dims shape(n.shapeOf(cache));
  if (failed(n.expectSameElements(cache, x)))
    return nullptr;
  if (shape.size() == 4)
    shape[2] = n.shapeOf(x)[2];
  if (NodeImport::Shape(shape) != n.shapeOf(x)) {
    (void)n.fail("operand #" + Twine(past) + " of shape " + n.text(n.shapeOf(cache)) + " does not precede " +
                 n.text(n.shapeOf(x)));
    return nullptr;
  }
  return n.shapeOf(cache)[2] == 0 ? x : n.concat({cache, x}, 2);
}

/// Each key or value head serves `repeats` query heads that follow one another.
static Value repeatHeads(NodeImport &n, Value x, int64_t repeats) {
  if (repeats == 1)
    return x;
  NodeImport::Shape s = n.shapeOf(x);
  Dims one = {s[0], s[1], 1, s[2], s[3]}, many = {s[0], s[1], repeats, s[2], s[3]};
  return n.reshape(n.broadcast(n.reshape(x, one), many), {s[0], s[1] * repeats, s[2], s[3]});
}

/// What is added to scores of shape [batch, heads, queries, keys]: the operand mask and the causal one. Null
/// when there is none, or after a failure.
static Value scoreMask(NodeImport &n, NodeImport::Shape scores, Type element, bool isCausal,
                       int64_t pastKeys) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  auto additive = [&](Value allowed) {
    NodeImport::Shape shape = n.shapeOf(allowed);
    return n.select(allowed, n.constant(shape, element, 0), n.constant(shape, element, -infinity));
  };
  Value mask;
  if (n.has(3)) {
    mask = n.operand(3);
    if (n.rankOf(mask) < 1) {
      (void)n.fail("its mask is a scalar");
      return nullptr;
    }
    mask = n.isBool(mask) ? additive(mask) : n.castTo(mask, element);
    int64_t missing = scores.back() - n.shapeOf(mask).back();
    if (missing > 0 && n.shapeOf(mask).back() != 1) { // keys that the mask does not reach are not seen
      Dims low(n.rankOf(mask), 0), high(n.rankOf(mask), 0), shape(n.shapeOf(mask));
      high.back() = missing;
      shape.back() += missing;
      mask = n.create<graph::PadOp>(RankedTensorType::get(shape, element), mask, low, high,
                                    cast<TypedAttr>(n.builder.getFloatAttr(element, -infinity)));
    }
    std::optional<Dims> wide = n.broadcastShape(n.shapeOf(mask), scores);
    if (!wide)
      return nullptr;
    if (NodeImport::Shape(*wide) != scores) {
      (void)n.fail("its mask of shape " + n.text(n.shapeOf(n.operand(3))) +
                   " does not broadcast to scores of " + n.text(scores));
      return nullptr;
    }
    mask = n.broadcast(mask, scores);
  }
  if (!isCausal)
    return mask;
  NodeImport::Shape square = scores.take_back(2);
  Type i64 = n.builder.getI64Type();
  Value query = n.iota(square, 0, i64), key = n.iota(square, 1, i64);
  if (pastKeys != 0)
    query = n.add(query, n.intsConstant(square, pastKeys, i64));
  Value causal = n.broadcast(additive(n.compare(arith::CmpIPredicate::sle, key, query)), scores);
  return mask ? n.add(mask, causal) : causal;
}

static Value attend(NodeImport &n, Value q, Value k, Value v, Value mask, double scale) {
  Dims shape(n.shapeOf(q));
  shape.back() = n.shapeOf(v).back();
  auto type = RankedTensorType::get(shape, n.elementOf(q));
  return n.create<graph::AttentionOp>(type, q, k, v, mask, n.builder.getF64FloatAttr(scale));
}

/// Attention whose scores s become softcap * tanh(s / softcap) before the mask is added.
static Value attendCapped(NodeImport &n, Value q, Value k, Value v, Value mask, double scale,
                          double softcap) {
  Value scores = n.matmul(q, n.transpose(k, {0, 1, 3, 2}));
  scores = n.mul(scores, n.constantLike(scores, scale / softcap));
  scores = n.mul(n.unary<math::TanhOp>(scores), n.constantLike(scores, softcap));
  if (mask)
    scores = n.add(scores, mask);
  Value weights = n.create<graph::SoftmaxOp>(scores.getType(), scores, n.builder.getI64IntegerAttr(3));
  return n.matmul(weights, v);
}

/// Zeros for queries that the mask lets see no key, where softmax has nothing to share out.
static Value zeroWhereMasked(NodeImport &n, Value y, Value mask) {
  Value best = n.reduce(graph::ReduceKind::Max, mask, {3}, /*keepDims=*/true);
  Value isBlind = n.compare(arith::CmpFPredicate::OEQ, best,
                            n.constantLike(best, -std::numeric_limits<double>::infinity()));
  return n.select(n.broadcast(isBlind, n.shapeOf(y)), n.constantLike(y, 0), y);
}

static LogicalResult importAttention(NodeImport &n) {
  bool isCausal = n.intAttribute("is_causal", 0) != 0;
  int64_t queryHeads = n.intAttribute("q_num_heads", 0), keyHeads = n.intAttribute("kv_num_heads", 0);
  double scale = n.floatAttribute("scale", 0), softcap = n.floatAttribute("softcap", 0);
  n.ignoreAttributes({"softmax_precision", "qk_matmul_output_mode"}); // softmax is formed in fp32 always
  if (n.failed() || n.wantsOutput(3))
    return n.fail("its output #3, the scores, is not supported");
  Value q = splitHeads(n, 0, queryHeads), k = splitHeads(n, 1, keyHeads), v = splitHeads(n, 2, keyHeads);
  if (!q || !k || !v || failed(n.expectFloat(q, "operand #0")) || failed(n.expectSameElements(q, k)) ||
      failed(n.expectSameElements(q, v)))
    return failure();
  if (n.has(4) != n.has(5))
    return n.fail("it has one of past_key and past_value");
  int64_t pastKeys = n.has(4) && n.rankOf(n.operand(4)) == 4 ? n.shapeOf(n.operand(4))[2] : 0;
  Value presentKey = appendToCache(n, 4, k), presentValue = appendToCache(n, 5, v);
  if (!presentKey || !presentValue)
    return failure();
  int64_t batch = n.shapeOf(q)[0], heads = n.shapeOf(q)[1], served = n.shapeOf(k)[1];
  if (served == 0 || heads % served != 0)
    return n.fail(Twine(heads) + " query heads do not divide among " + Twine(served) + " key heads");
  k = repeatHeads(n, presentKey, heads / served);
  v = repeatHeads(n, presentValue, heads / std::max<int64_t>(n.shapeOf(v)[1], 1));
  NodeImport::Shape qs = n.shapeOf(q), ks = n.shapeOf(k), vs = n.shapeOf(v);
  if (ks[0] != batch || vs[0] != batch || vs[1] != heads || ks[3] != qs[3] || vs[2] != ks[2])
    return n.fail("query " + n.text(qs) + ", key " + n.text(ks) + " and value " + n.text(vs) +
                  " do not belong together");
  if (scale == 0)
    scale = 1 / std::sqrt((double)qs[3]);
  Value mask = scoreMask(n, {batch, heads, qs[2], ks[2]}, n.elementOf(q), isCausal, pastKeys);
  if (n.failed())
    return failure();
  Value y = softcap == 0 ? attend(n, q, k, v, mask, scale) : attendCapped(n, q, k, v, mask, scale, softcap);
  if (n.has(3))
    y = zeroWhereMasked(n, y, mask);
  if (n.rankOf(n.operand(0)) == 3)
    y = n.reshape(n.transpose(y, {0, 2, 1, 3}), {batch, qs[2], heads * vs[3]});
  (void)n.yield(y);
  (void)n.yield(presentKey);
  return n.yield(presentValue);
}

//===-- RotaryEmbedding --===//

static LogicalResult importRotaryEmbedding(NodeImport &n) {
  bool interleaved = n.intAttribute("interleaved", 0) != 0;
  int64_t heads = n.intAttribute("num_heads", 0), rotated = n.intAttribute("rotary_embedding_dim", 0);
  Value x = splitHeads(n, 0, heads), cosines = n.operand(1), sines = n.operand(2);
  if (!x || failed(n.expectFloat(x, "operand #0")) || failed(n.expectSameElements(x, cosines)) ||
      failed(n.expectSameElements(x, sines)))
    return failure();
  NodeImport::Shape shape = n.shapeOf(x); // [batch, heads, positions, features]
  int64_t features = shape[3];
  rotated = rotated == 0 ? features : rotated;
  if (rotated < 0 || rotated > features || rotated % 2 != 0)
    return n.fail(Twine(rotated) + " of " + Twine(features) + " features cannot be rotated");
  // The angles' cosines and sines in the shape of half the rotated features.
  Dims half = {shape[0], shape[1], shape[2], rotated / 2};
  Dims table = {shape[0], 1, shape[2], rotated / 2};
  auto angles = [&](Value cache) -> Value {
    if (n.has(3)) {
      if (!n.elementOf(n.operand(3)).isInteger(64) || n.rankOf(cache) < 1)
        return (void)n.fail("its position_ids are no 64-bit integers"), nullptr;
      cache = n.gather(cache, n.operand(3), 0);
    }
    int64_t count = shape[0] * shape[2] * rotated / 2;
    if (n.rankOf(cache) != 3 || n.shapeOf(cache)[2] != rotated / 2 ||
        n.typeOf(cache).getNumElements() != count)
      return (void)n.fail("its cache of shape " + n.text(n.shapeOf(cache)) + " does not hold " +
                          Twine(rotated / 2) + " angles for each of " + Twine(shape[0]) + "x" +
                          Twine(shape[2]) + " positions"),
             nullptr;
    return n.broadcast(n.reshape(cache, table), half);
  };
  Value cos = angles(cosines), sin = cos ? angles(sines) : Value();
  if (!cos || !sin)
    return failure();
  int64_t stride = interleaved ? 2 : 1;
  Value a = n.sliceDim(x, 3, 0, rotated / 2, stride);
  Value b = n.sliceDim(x, 3, interleaved ? 1 : rotated / 2, rotated / 2, stride);
  Value real = n.sub(n.mul(cos, a), n.mul(sin, b)), imaginary = n.add(n.mul(sin, a), n.mul(cos, b));
  Value y;
  if (interleaved) {
    Dims pairs = half, single = half;
    single.push_back(1);
    pairs.back() = rotated;
    y = n.reshape(n.concat({n.reshape(real, single), n.reshape(imaginary, single)}, 4), pairs);
  } else {
    y = n.concat({real, imaginary}, 3);
  }
  if (rotated < features)
    y = n.concat({y, n.sliceDim(x, 3, rotated, features - rotated)}, 3);
  if (n.rankOf(n.operand(0)) == 3)
    y = n.reshape(n.transpose(y, {0, 2, 1, 3}), n.shapeOf(n.operand(0)));
  return n.yield(y);
}

void tilewright::onnx::addAttention(OperatorTable &table) {
  table["Attention"] = {importAttention, 3, 6};
  table["RotaryEmbedding"] = {importRotaryEmbedding, 3, 4};
}
