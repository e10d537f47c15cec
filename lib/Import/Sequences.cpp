// Operators along a sequence whose samples have lengths or places of their own: reversal, cache updates.
//
// Both read one row of each sample for each place of the result: a gather from the samples' rows, laid end to
// end.

#include "NodeImport.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::onnx;
using Dims = NodeImport::Dims;

/// The order of dimensions that puts `batch` and `time` first.
static Dims frontOrder(int64_t rank, int64_t batch, int64_t time) {
  Dims order = {batch, time};
  for (int64_t d = 0; d < rank; ++d)
    if (d != batch && d != time)
      order.push_back(d);
  return order;
}

static Dims inverse(const Dims &order) {
  Dims result(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    result[from] = to;
  return result;
}

/// `x` with place t of sample b read from place[b, t] (64-bit, in range) of that sample.
static Value readPlaces(NodeImport &n, Value x, int64_t batch, int64_t time, Value place) {
  Dims order = frontOrder(n.rankOf(x), batch, time);
  Value front = n.transpose(x, order);
  NodeImport::Shape shape = n.shapeOf(front);
  Dims rows = {shape[0] * shape[1]};
  llvm::append_range(rows, shape.drop_front(2));
  Type i64 = n.builder.getI64Type();
  Value sample = n.iota(n.shapeOf(place), 0, i64);
  Value row = n.add(n.mul(sample, n.constantLike(sample, (double)shape[1])), place);
  return n.transpose(n.gather(n.reshape(front, rows), row, 0), inverse(order));
}

/// Operand `i`, one integer for each of `batch` samples, as [batch, count] of 64-bit integers; null after a
/// failure.
static Value perSample(NodeImport &n, unsigned i, int64_t batch, int64_t count) {
  Value x = n.operand(i);
  if (n.shapeOf(x) != NodeImport::Shape(batch) || n.isFloat(x) || n.isBool(x))
    return (void)n.fail("operand #" + Twine(i) + " is " + n.text(x.getType()) + ", expected " + Twine(batch) +
                        " integers"),
           nullptr;
  return n.broadcastDims(n.castTo(x, n.builder.getI64Type(), n.isUnsigned(i)), {0}, {batch, count});
}

static LogicalResult importReverseSequence(NodeImport &n) {
  int64_t batch = n.intAttribute("batch_axis", 1), time = n.intAttribute("time_axis", 0);
  Value x = n.operand(0);
  if (std::min(batch, time) != 0 || std::max(batch, time) != 1 || n.rankOf(x) < 2)
    return n.fail("batch_axis " + Twine(batch) + " and time_axis " + Twine(time) +
                  " are not the first two of a tensor of rank " + Twine(n.rankOf(x)));
  int64_t samples = n.shapeOf(x)[batch], places = n.shapeOf(x)[time];
  Value length = perSample(n, 1, samples, places);
  if (!length)
    return failure();
  Value place = n.iota({samples, places}, 1, n.builder.getI64Type());
  Value mirrored = n.sub(n.sub(length, n.constantLike(length, 1)), place);
  Value isInside = n.compare(arith::CmpIPredicate::slt, place, length);
  return n.yield(readPlaces(n, x, batch, time, n.select(isInside, mirrored, place)));
}

static LogicalResult importTensorScatter(NodeImport &n) {
  int64_t axisAttr = n.intAttribute("axis", -2);
  std::string mode = n.stringAttribute("mode", "linear");
  Value cache = n.operand(0), update = n.operand(1);
  std::optional<int64_t> axis = n.axis(axisAttr, n.rankOf(cache));
  if (!axis || failed(n.expectSameElements(cache, update)))
    return failure();
  Dims expected(n.shapeOf(cache));
  if (*axis > 0 && n.rankOf(update) == n.rankOf(cache))
    expected[*axis] = n.shapeOf(update)[*axis];
  if (*axis == 0 || n.shapeOf(update) != NodeImport::Shape(expected) ||
      (mode != "linear" && mode != "circular"))
    return n.fail("an update " + n.text(update.getType()) + " of " + n.text(cache.getType()) +
                  " along axis " + Twine(*axis) + " in mode '" + mode + "' is not supported");
  int64_t samples = n.shapeOf(cache)[0], places = n.shapeOf(cache)[*axis], count = expected[*axis];
  if (count == 0 || places == 0 || samples == 0)
    return n.yield(cache);
  Type i64 = n.builder.getI64Type();
  Value from = n.iota({samples, places}, 1, i64);
  if (n.has(2)) {
    Value start = perSample(n, 2, samples, places);
    if (!start)
      return failure();
    from = n.sub(from, start);
    if (mode == "circular") {
      Value size = n.constantLike(from, (double)places), rest = n.remainder(from, size);
      Value isNegative = n.compare(arith::CmpIPredicate::slt, rest, n.constantLike(rest, 0));
      from = n.select(isNegative, n.add(rest, size), rest);
    }
  }
  // Place t of the cache takes element t - start of the update, where there is one.
  Value zero = n.constantLike(from, 0), last = n.constantLike(from, (double)count - 1);
  Value isUpdated = n.create<arith::AndIOp>(n.compare(arith::CmpIPredicate::sge, from, zero),
                                            n.compare(arith::CmpIPredicate::sle, from, last));
  Value values = readPlaces(n, update, 0, *axis, n.min(n.max(from, zero), last));
  return n.yield(n.select(n.broadcastDims(isUpdated, {0, *axis}, n.shapeOf(cache)), values, cache));
}

void tilewright::onnx::addSequences(OperatorTable &table) {
  table["ReverseSequence"] = {importReverseSequence, 2, 2, Signedness::SameBits};
  table["TensorScatter"] = {importTensorScatter, 2, 3, Signedness::SameBits};
}
