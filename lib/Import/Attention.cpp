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

namespace {
/// Which keys a query sees, beside what the mask operand says.
struct Visibility {
  bool isCausal;
  /// Keys to the left and right of the query's own position; -1: all.
  int64_t left, right;
  /// Keys before the first query.
  int64_t pastKeys;

  bool isLimited(NodeImport &n) const { return isCausal || left >= 0 || right >= 0 || n.has(6); }
};
} // namespace

/// The keys of scores [batch, heads, queries, keys] that are seen, as truth values of that shape.
static Value visibleKeys(NodeImport &n, NodeImport::Shape scores, Visibility sight) {
  // Without lengths of its own for each sample, one square serves all.
  NodeImport::Shape shape = n.has(6) ? scores : scores.take_back(2);
  int64_t rank = shape.size();
  Type i64 = n.builder.getI64Type();
  Value position = n.iota(shape, rank - 2, i64), key = n.iota(shape, rank - 1, i64), seen;
  auto require = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    Value holds = n.compare(predicate, a, b);
    seen = seen ? n.create<arith::AndIOp>(seen, holds) : holds;
  };
  auto shifted = [&](Value x, int64_t by) { return by == 0 ? x : n.add(x, n.intsConstant(shape, by, i64)); };
  if (n.has(6)) {
    Value lengths = n.broadcastDims(n.castTo(n.operand(6), i64), {0}, shape);
    require(arith::CmpIPredicate::slt, key, lengths);
    if (!n.has(4)) // the queries are the last of each sample's tokens
      position = shifted(n.add(position, lengths), -scores[2]);
  }
  position = shifted(position, sight.pastKeys);
  if (sight.isCausal)
    require(arith::CmpIPredicate::sle, key, position);
  if (sight.left >= 0)
    require(arith::CmpIPredicate::sge, key, shifted(position, -sight.left));
  if (sight.right >= 0)
    require(arith::CmpIPredicate::sle, key, shifted(position, sight.right));
  return n.broadcast(seen, scores);
}

/// What is added to scores of shape [batch, heads, queries, keys]: the operand mask and what is not visible.
/// Null when there is none, or after a failure.
static Value scoreMask(NodeImport &n, NodeImport::Shape scores, Type element, Visibility sight) {
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
  if (!sight.isLimited(n))
    return mask;
  Value limit = additive(visibleKeys(n, scores, sight));
  return mask ? n.add(mask, limit) : limit;
}

static Value attend(NodeImport &n, Value q, Value k, Value v, Value mask, double scale) {
  Dims shape(n.shapeOf(q));
  shape.back() = n.shapeOf(v).back();
  auto type = RankedTensorType::get(shape, n.elementOf(q));
  return n.create<graph::AttentionOp>(type, q, k, v, mask, n.builder.getF64FloatAttr(scale));
}

namespace {
/// Attention spelled out: the result and the scores at every step.
struct SpelledAttention {
  Value scaled, capped, masked, weights, result;
};
} // namespace

static Value zeroWhereMasked(NodeImport &n, Value y, Value mask);

/// Attention whose scores s become softcap * tanh(s / softcap) before the mask is added, unless softcap is 0.
static SpelledAttention attendSpelled(NodeImport &n, Value q, Value k, Value v, Value mask, double scale,
                                      double softcap) {
  SpelledAttention all;
  Value scores = n.matmul(q, n.transpose(k, {0, 1, 3, 2}));
  all.scaled = all.capped = n.mul(scores, n.constantLike(scores, scale));
  if (softcap != 0) {
    scores = n.mul(scores, n.constantLike(scores, scale / softcap));
    all.capped = n.mul(n.unary<math::TanhOp>(scores), n.constantLike(scores, softcap));
  }
  all.masked = mask ? n.add(all.capped, mask) : all.capped;
  Type type = all.masked.getType();
  all.weights = n.create<graph::SoftmaxOp>(type, all.masked, n.builder.getI64IntegerAttr(3));
  if (mask)
    all.weights = zeroWhereMasked(n, all.weights, mask);
  all.result = n.matmul(all.weights, v);
  return all;
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
  int64_t left = n.intAttribute("left_window_size", -1), right = n.intAttribute("right_window_size", -1);
  int64_t mode = n.intAttribute("qk_matmul_output_mode", 0);
  n.ignoreAttributes({"softmax_precision"}); // softmax is formed in fp32 always
  if (n.failed() || mode < 0 || mode > 3)
    return n.fail("qk_matmul_output_mode is " + Twine(mode) + ", expected 0 to 3");
  Value q = splitHeads(n, 0, queryHeads), k = splitHeads(n, 1, keyHeads), v = splitHeads(n, 2, keyHeads);
  if (!q || !k || !v || failed(n.expectFloat(q, "operand #0")) || failed(n.expectSameElements(q, k)) ||
      failed(n.expectFloat(v, "operand #2")))
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
  v = n.castTo(presentValue,
               n.elementOf(q)); // values may have a type of their own; the result has the query's
  v = repeatHeads(n, v, heads / std::max<int64_t>(n.shapeOf(v)[1], 1));
  NodeImport::Shape qs = n.shapeOf(q), ks = n.shapeOf(k), vs = n.shapeOf(v);
  if (ks[0] != batch || vs[0] != batch || vs[1] != heads || ks[3] != qs[3] || vs[2] != ks[2])
    return n.fail("query " + n.text(qs) + ", key " + n.text(ks) + " and value " + n.text(vs) +
                  " do not belong together");
  if (scale == 0)
    scale = 1 / std::sqrt((double)qs[3]);
  if (n.has(6) &&
      (n.shapeOf(n.operand(6)) != NodeImport::Shape(batch) || !isa<IntegerType>(n.elementOf(n.operand(6)))))
    return n.fail("its nonpad_kv_seqlen is " + n.text(n.operand(6).getType()) + ", expected " + Twine(batch) +
                  " integers");
  Visibility sight{isCausal, left, right, pastKeys};
  Value mask = scoreMask(n, {batch, heads, qs[2], ks[2]}, n.elementOf(q), sight);
  if (n.failed())
    return failure();
  Value y, scores;
  if (softcap == 0 && !n.wantsOutput(3)) {
    y = attend(n, q, k, v, mask, scale);
    if (n.has(3) || n.has(6) || left >= 0 || right >= 0)
      y = zeroWhereMasked(n, y, mask);
  } else {
    SpelledAttention all = attendSpelled(n, q, k, v, mask, scale, softcap);
    Value steps[] = {all.scaled, all.capped, all.masked, all.weights};
    y = all.result;
    scores = steps[mode];
  }
  if (n.rankOf(n.operand(0)) == 3)
    y = n.reshape(n.transpose(y, {0, 2, 1, 3}), {batch, qs[2], heads * vs[3]});
  (void)n.yield(y);
  (void)n.yield(presentKey);
  (void)n.yield(presentValue);
  return scores ? n.yield(scores) : success();
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
  table["Attention"] = {importAttention, 3, 7};
  table["RotaryEmbedding"] = {importRotaryEmbedding, 3, 4};
}
