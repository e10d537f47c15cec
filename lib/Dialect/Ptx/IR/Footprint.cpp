// A digit of an access and one that a set of blocks is given by are both ranges of units of the block's
// number. What lies below or above the set's digit is free; of what is in both the set says the values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Ptx/IR/Footprint.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ptx;

namespace {
/// The least and the most that a sum may be.
struct Sum {
  int64_t least = 0, most = 0;
  /// Multiples of the period were left out.
  bool wraps = false;

  /// `bytes` times one of the numbers first to last.
  void add(int64_t bytes, int64_t first, int64_t last, int64_t period) {
    if (first == last && bytes % period != 0) {
      least += bytes * first;
      most += bytes * first;
      return;
    }
    if (bytes % period == 0) {
      wraps |= bytes != 0 && last > 0;
      return;
    }
    // Of free digits all but those within one period say nothing.
    int64_t inside = std::abs(bytes) < period && period % bytes == 0 ? period / std::abs(bytes) : 0;
    if (inside && first == 0 && last >= inside && (last + 1) % inside == 0) {
      last = inside - 1;
      wraps = true;
    }
    least += std::min(bytes * first, bytes * last);
    most += std::max(bytes * first, bytes * last);
  }
};
} // namespace

static void addTerm(const FootprintTerm &term, BlockSet set, int64_t period, Sum &sum) {
  int64_t end = term.unit * term.count, setEnd = set.unit * set.count;
  bool nests = term.unit && (set.unit % term.unit == 0 || term.unit % set.unit == 0) &&
               (end % setEnd == 0 || setEnd % end == 0) && (end <= set.unit || end % set.unit == 0) &&
               setEnd % std::max(term.unit, set.unit) == 0;
  if (!nests || end <= set.unit || term.unit >= setEnd)
    return sum.add(term.bytes, 0, term.count - 1, period);
  if (term.unit < set.unit)
    sum.add(term.bytes, 0, set.unit / term.unit - 1, period);
  if (end > setEnd)
    sum.add(term.bytes * (setEnd / term.unit), 0, end / setEnd - 1, period);
  // The digit from `low` to `high`, of the set's digit what is above low.
  int64_t low = std::max(term.unit, set.unit), high = std::min(end, setEnd);
  int64_t count = high / low, first = set.first / (low / set.unit), last = set.last / (low / set.unit);
  if (first / count == last / count)
    first %= count, last %= count;
  else
    first = 0, last = count - 1;
  sum.add(term.bytes * (low / term.unit), first, last, period);
}

static ByteSpan touchedBy(const FootprintAccess &access, BlockSet set, int64_t period) {
  int64_t least = access.offset, most = access.offset + access.width;
  for (const FootprintDim &dim : access.dims) {
    Sum sum;
    sum.least = sum.most = dim.first;
    for (const FootprintTerm &term : dim.terms)
      addTerm(term, set, period, sum);
    if (!sum.wraps) {
      sum.least = std::max(sum.least, dim.least);
      sum.most = std::min(sum.most, dim.most);
      if (sum.least > sum.most)
        return {};
    }
    least += sum.least;
    most += sum.most;
  }
  int64_t base = least - ((least % period) + period) % period;
  if (most - base > period)
    return {0, period};
  return {least - base, most - base};
}

ByteSpan Footprint::touched(BlockSet set, int64_t period) const {
  ByteSpan all;
  for (const FootprintAccess &access : accesses) {
    ByteSpan own = touchedBy(access, set, period);
    if (own.isEmpty())
      continue;
    all = all.isEmpty() ? own : ByteSpan{std::min(all.from, own.from), std::max(all.to, own.to)};
  }
  return all;
}

ArrayAttr Footprint::encode(MLIRContext *context) const {
  Builder builder(context);
  SmallVector<Attribute> all;
  for (const FootprintAccess &access : accesses) {
    SmallVector<int64_t> numbers = {access.offset, access.width};
    for (const FootprintDim &dim : access.dims) {
      numbers.append({dim.first, dim.least, dim.most, (int64_t)dim.terms.size()});
      for (const FootprintTerm &term : dim.terms)
        numbers.append({term.bytes, term.count, term.unit});
    }
    all.push_back(builder.getDenseI64ArrayAttr(numbers));
  }
  return builder.getArrayAttr(all);
}

std::optional<Footprint> Footprint::decode(Attribute attribute) {
  auto all = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!all)
    return std::nullopt;
  Footprint footprint;
  for (Attribute one : all) {
    auto list = dyn_cast<DenseI64ArrayAttr>(one);
    if (!list || list.size() < 2)
      return std::nullopt;
    ArrayRef<int64_t> numbers = list.asArrayRef();
    FootprintAccess &access = footprint.accesses.emplace_back();
    access.offset = numbers[0], access.width = numbers[1];
    if (access.width < 1)
      return std::nullopt;
    numbers = numbers.drop_front(2);
    while (!numbers.empty()) {
      if (numbers.size() < 4 || numbers[3] < 0 || (int64_t)numbers.size() < 4 + 3 * numbers[3])
        return std::nullopt;
      FootprintDim &dim = access.dims.emplace_back();
      dim.first = numbers[0], dim.least = numbers[1], dim.most = numbers[2];
      int64_t terms = numbers[3];
      numbers = numbers.drop_front(4);
      for (int64_t i = 0; i < terms; ++i, numbers = numbers.drop_front(3)) {
        dim.terms.push_back({numbers[0], numbers[1], numbers[2]});
        if (numbers[1] < 1 || numbers[2] < 0)
          return std::nullopt;
      }
    }
  }
  return footprint;
}
