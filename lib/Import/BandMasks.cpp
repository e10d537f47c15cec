// Masks as comparisons of indices.
#include "BandMasks.h"

#include "ElementCast.h"

using namespace mlir;
using namespace tilewright;

/// What is added to scores that shall not count is at most this.
static constexpr double kMostMasked = -1e4;

std::optional<Band> tilewright::findBand(RankedTensorType type, StringRef bytes) {
  int64_t rank = type.getRank(), width = elementBytes(type.getElementType());
  if (rank < 2 || (int64_t)bytes.size() != type.getNumElements() * width)
    return std::nullopt;
  int64_t rows = type.getDimSize(rank - 2), columns = type.getDimSize(rank - 1);
  if (rows < 2 || columns < 2 || rows + columns > (int64_t(1) << 30))
    return std::nullopt;
  auto element = [&](int64_t row, int64_t column) {
    return bytes.substr((row * columns + column) * width, width);
  };
  // Two values, and how far from the diagonal each of them lies.
  struct Reach {
    StringRef value;
    int64_t first, last;
  };
  SmallVector<Reach, 2> reaches;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column) {
      StringRef value = element(row, column);
      int64_t apart = column - row;
      Reach *reach = llvm::find_if(reaches, [&](const Reach &other) { return other.value == value; });
      if (reach == reaches.end()) {
        if (reaches.size() == 2)
          return std::nullopt;
        reaches.push_back({value, apart, apart});
        continue;
      }
      reach->first = std::min(reach->first, apart);
      reach->last = std::max(reach->last, apart);
    }
  if (reaches.size() != 2)
    return std::nullopt;
  auto isBand = [&](const Reach &reach) {
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        if ((element(row, column) == reach.value) !=
            (column - row >= reach.first && column - row <= reach.last))
          return false;
    return true;
  };
  int64_t slice = rows * columns * width;
  for (int64_t at = slice; at < (int64_t)bytes.size(); at += slice)
    if (bytes.substr(at, slice) != bytes.take_front(slice))
      return std::nullopt;
  for (int which : {0, 1})
    if (isBand(reaches[which]))
      return Band{reaches[which].first, reaches[which].last, reaches[which].value, reaches[1 - which].value};
  return std::nullopt;
}

/// Zero, and a number that hides a score it is added to.
static bool isAdditive(FloatType type, StringRef one, StringRef other) {
  auto number = [&](StringRef bytes) {
    double wide = 0;
    castElements(type, bytes.data(), Float64Type::get(type.getContext()), reinterpret_cast<char *>(&wide), 1);
    return wide;
  };
  double a = number(one), b = number(other);
  return (a == 0 && b <= kMostMasked) || (b == 0 && a <= kMostMasked);
}

Value tilewright::bandMask(GraphBuilder &b, RankedTensorType type, StringRef bytes) {
  Type element = type.getElementType();
  if (!isCastable(element))
    return nullptr;
  std::optional<Band> band = findBand(type, bytes);
  if (!band)
    return nullptr;
  if (auto kind = dyn_cast<FloatType>(element); kind && !isAdditive(kind, band->inside, band->outside))
    return nullptr;
  GraphBuilder::Shape shape = type.getShape(), square = shape.take_back(2);
  Type index = b.builder.getI32Type();
  Value row = b.iota(square, 0, index), column = b.iota(square, 1, index), seen;
  auto require = [&](arith::CmpIPredicate predicate, int64_t apart) {
    Value place = apart == 0 ? row : b.add(row, b.intsConstant(square, apart, index));
    Value holds = b.compare(predicate, column, place);
    seen = seen ? b.create<arith::AndIOp>(seen, holds) : holds;
  };
  if (band->last < square[1] - 1)
    require(arith::CmpIPredicate::sle, band->last);
  if (band->first > 1 - square[0])
    require(arith::CmpIPredicate::sge, band->first);
  auto splat = [&](StringRef value) {
    auto kind = RankedTensorType::get(square, element);
    ArrayRef<char> raw(value.data(), value.size());
    return arith::ConstantOp::create(b.builder, b.loc, DenseElementsAttr::getFromRawBuffer(kind, raw));
  };
  Value mask = seen;
  if (!element.isInteger(1))
    mask = b.select(seen, splat(band->inside), splat(band->outside));
  else if (band->inside[0] == 0)
    mask = b.create<arith::XOrIOp>(seen, b.constant(square, element, 1));
  return b.broadcast(mask, shape);
}
