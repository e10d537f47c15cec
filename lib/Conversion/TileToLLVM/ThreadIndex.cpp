// Small IR builders of the conversion: integers, lane maps, packed vectors, shuffles, states.

#include "Async.h"

#include "Tilewright/Target/Float8.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;

Type tilewright::registerType(Type elementType) {
  if (isFloat8(elementType))
    return IntegerType::get(elementType.getContext(), 8);
  if (elementType.isTF32()) // an fp32 number with fewer bits
    return Float32Type::get(elementType.getContext());
  return elementType.isIndex() ? IntegerType::get(elementType.getContext(), 32) : elementType;
}

Type tilewright::memoryType(Type elementType) {
  if (elementType.isInteger(1))
    return IntegerType::get(elementType.getContext(), 8);
  return registerType(elementType);
}

Value tilewright::toMemory(OpBuilder &builder, Location loc, Value value) {
  Type type = memoryType(value.getType());
  return type == value.getType() ? value : arith::ExtUIOp::create(builder, loc, type, value).getResult();
}

Value tilewright::fromMemory(OpBuilder &builder, Location loc, Value value, Type elementType) {
  if (value.getType() == elementType)
    return value;
  // A byte of a bool is true when it is not zero.
  Value zero = constantInt(builder, loc, 0, 8);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
}

Value tilewright::constantInt(OpBuilder &builder, Location loc, int64_t value, unsigned bits) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(builder.getIntegerType(bits), value));
}

Value tilewright::constantRegister(OpBuilder &builder, Location loc, TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value); number && isFloat8(number.getType()))
    return constantInt(builder, loc, (int8_t)number.getValue().bitcastToAPInt().getZExtValue(), 8);
  return arith::ConstantOp::create(builder, loc, value);
}

Value tilewright::addInt(OpBuilder &builder, Location loc, Value value, int64_t constant) {
  if (constant == 0)
    return value;
  Value rhs = constantInt(builder, loc, constant, value.getType().getIntOrFloatBitWidth());
  return arith::AddIOp::create(builder, loc, value, rhs);
}

Value tilewright::addInt(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value tilewright::mulInt(OpBuilder &builder, Location loc, Value value, int64_t constant) {
  if (constant == 1)
    return value;
  Value rhs = constantInt(builder, loc, constant, value.getType().getIntOrFloatBitWidth());
  return arith::MulIOp::create(builder, loc, value, rhs);
}

Value tilewright::asInt(OpBuilder &builder, Location loc, Value value, unsigned bits) {
  Type type = builder.getIntegerType(bits);
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (value.getType().getIntOrFloatBitWidth() < bits)
    return arith::ExtSIOp::create(builder, loc, type, value);
  return arith::TruncIOp::create(builder, loc, type, value);
}

Value tilewright::andPredicates(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

//===-- ThreadIndex ---------------------------------------------------------------------------------===//

Value ThreadIndex::lane() {
  if (!laneValue) {
    Value tid = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
    laneValue = arith::AndIOp::create(builder, loc, tid, constantInt(builder, loc, 31));
  }
  return laneValue;
}

Value ThreadIndex::warp() {
  if (!warpValue) {
    Value tid = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
    warpValue = arith::ShRUIOp::create(builder, loc, tid, constantInt(builder, loc, 5));
    if (std::optional<RolePlace> role = roleAt(builder)) {
      if (role->firstWarp)
        warpValue =
            arith::SubIOp::create(builder, loc, warpValue, constantInt(builder, loc, role->firstWarp));
      if (role->instances > 1)
        warpValue = arith::RemUIOp::create(builder, loc, warpValue, constantInt(builder, loc, role->warps));
    }
  }
  return warpValue;
}

Value ThreadIndex::emit(const layout::BitSum &sum) {
  Value total;
  for (const layout::BitTerm &term : sum.terms) {
    Value value = term.source == layout::Hw::Lane ? lane() : warp();
    if (term.shift)
      value = arith::ShRUIOp::create(builder, loc, value, constantInt(builder, loc, term.shift));
    if (!term.coversTop)
      value = arith::AndIOp::create(builder, loc, value, constantInt(builder, loc, term.mask));
    value = mulInt(builder, loc, value, term.mul);
    if (total && sum.isXor)
      total = arith::XOrIOp::create(builder, loc, total, value);
    else
      total = addInt(builder, loc, total, value);
  }
  return total;
}

Value ThreadIndex::emit(const layout::LaneSelect &select) {
  Value index = constantInt(builder, loc, 0);
  for (auto [bit, mask] : llvm::enumerate(select.laneMasks)) {
    Value masked = arith::AndIOp::create(builder, loc, lane(), constantInt(builder, loc, mask));
    Value parity = arith::AndIOp::create(builder, loc, math::CtPopOp::create(builder, loc, masked),
                                         constantInt(builder, loc, 1));
    Value shifted = arith::ShLIOp::create(builder, loc, parity, constantInt(builder, loc, bit));
    index = arith::OrIOp::create(builder, loc, index, shifted);
  }
  return index;
}

Value ThreadIndex::withoutBits(uint32_t lanes, uint32_t warps) {
  auto clear = [&](Value value, uint32_t mask) -> Value {
    Value masked = arith::AndIOp::create(builder, loc, value, constantInt(builder, loc, mask));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, masked,
                                 constantInt(builder, loc, 0));
  };
  Value predicate;
  if (lanes)
    predicate = clear(lane(), lanes);
  if (warps)
    predicate = andPredicates(builder, loc, predicate, clear(warp(), warps));
  return predicate;
}

//===-- Vectors -------------------------------------------------------------------------------------===//

Type tilewright::packedType(Type elementType, int64_t count) {
  Type memory = memoryType(elementType);
  int64_t bits = memory.getIntOrFloatBitWidth() * count;
  if (count == 1)
    return memory;
  // Vectors of 8- and 16-bit elements travel as 32-bit words, so that no access is split.
  if (memory.getIntOrFloatBitWidth() >= 32)
    return VectorType::get({count}, memory);
  MLIRContext *context = elementType.getContext();
  if (bits < 32)
    return IntegerType::get(context, bits);
  Type word = IntegerType::get(context, 32);
  return bits == 32 ? word : Type(VectorType::get({bits / 32}, word));
}

namespace {
/// A byte that was unpacked from a 32-bit word.
struct WordByte {
  Value vector;
  int64_t word = 0, byte = 0;
};
} // namespace

static std::optional<WordByte> wordByteOf(Value value) {
  auto element = value.getDefiningOp<LLVM::ExtractElementOp>();
  auto bytes = element ? element.getVector().getDefiningOp<LLVM::BitcastOp>() : LLVM::BitcastOp();
  APInt index;
  if (!bytes || !getElementTypeOrSelf(bytes.getArg().getType()).isInteger(32) ||
      !matchPattern(element.getPosition(), m_ConstantInt(&index)))
    return std::nullopt;
  return WordByte{bytes.getArg(), (int64_t)index.getZExtValue() / 4, (int64_t)index.getZExtValue() % 4};
}

/// Four bytes that come each from the same place of four words as one word, or null:
///
///   w0, w1  ==>  low = w0.j w1.j w0.j+1 w1.j+1    (j even; its neighbour's word uses it, too)
///   w2, w3  ==>  high, likewise                   result = the j or j+1 half of low and of high
static Value gatherBytes(OpBuilder &builder, Location loc, ValueRange values) {
  SmallVector<Value> words;
  std::optional<int64_t> place;
  for (Value value : values) {
    std::optional<WordByte> from = wordByteOf(value);
    if (!from || (place && *place != from->byte))
      return nullptr;
    place = from->byte;
    Value word = from->vector;
    if (isa<VectorType>(word.getType()))
      word = LLVM::ExtractElementOp::create(builder, loc, word, constantInt(builder, loc, from->word));
    words.push_back(word);
  }
  auto permute = [&](Value low, Value high, int64_t selector) -> Value {
    return NVVM::PermuteOp::create(builder, loc, builder.getI32Type(), low, high,
                                   constantInt(builder, loc, selector), NVVM::PermuteMode::DEFAULT);
  };
  int64_t even = *place & ~1, pairs = even | (even + 4) << 4 | (even + 1) << 8 | (even + 5) << 12;
  return permute(permute(words[0], words[1], pairs), permute(words[2], words[3], pairs),
                 *place & 1 ? 0x7632 : 0x5410);
}

/// Bytes of other words as whole words; null where they do not come in that way.
static Value packTurnedBytes(OpBuilder &builder, Location loc, ValueRange values) {
  if (!values[0].getType().isInteger(8) || values.size() % 4 != 0)
    return nullptr;
  SmallVector<Value> words;
  for (size_t i = 0; i < values.size(); i += 4) {
    words.push_back(gatherBytes(builder, loc, values.slice(i, 4)));
    if (!words.back())
      return nullptr;
  }
  if (words.size() == 1)
    return words[0];
  Value vector =
      LLVM::PoisonOp::create(builder, loc, VectorType::get({(int64_t)words.size()}, builder.getI32Type()));
  for (auto [i, word] : llvm::enumerate(words))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, word, constantInt(builder, loc, i));
  return vector;
}

Value tilewright::packVector(OpBuilder &builder, Location loc, ValueRange values) {
  Type memory = memoryType(values[0].getType());
  if (values.size() == 1)
    return toMemory(builder, loc, values[0]);
  if (Value turned = packTurnedBytes(builder, loc, values))
    return turned;
  Value vector = LLVM::PoisonOp::create(builder, loc, VectorType::get({(int64_t)values.size()}, memory));
  for (auto [i, value] : llvm::enumerate(values))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, toMemory(builder, loc, value),
                                           constantInt(builder, loc, i));
  Type packed = packedType(values[0].getType(), values.size());
  return packed == vector.getType() ? vector
                                    : LLVM::BitcastOp::create(builder, loc, packed, vector).getResult();
}

SmallVector<Value> tilewright::unpackVector(OpBuilder &builder, Location loc, Value packed, Type elementType,
                                            int64_t count) {
  if (count == 1)
    return {fromMemory(builder, loc, packed, elementType)};
  auto type = VectorType::get({count}, memoryType(elementType));
  if (packed.getType() != type)
    packed = LLVM::BitcastOp::create(builder, loc, type, packed);
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i) {
    Value element = LLVM::ExtractElementOp::create(builder, loc, packed, constantInt(builder, loc, i));
    values.push_back(fromMemory(builder, loc, element, elementType));
  }
  return values;
}

//===-- Shuffles ------------------------------------------------------------------------------------===//

Value tilewright::shuffle(OpBuilder &builder, Location loc, Value value, Value lane, bool butterfly) {
  Type type = value.getType(), i32 = builder.getI32Type();
  auto exchange = [&](Value word) -> Value {
    return NVVM::ShflOp::create(builder, loc, i32, constantInt(builder, loc, -1), word, lane,
                                constantInt(builder, loc, 31),
                                butterfly ? NVVM::ShflKind::bfly : NVVM::ShflKind::idx, UnitAttr());
  };
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = builder.getIntegerType(bits);
  Value raw =
      isa<FloatType>(type) ? LLVM::BitcastOp::create(builder, loc, integer, value).getResult() : value;
  Value moved;
  if (bits == 64) {
    Value low = arith::TruncIOp::create(builder, loc, i32, raw);
    Value high = arith::TruncIOp::create(
        builder, loc, i32, arith::ShRUIOp::create(builder, loc, raw, constantInt(builder, loc, 32, 64)));
    Value lowMoved = arith::ExtUIOp::create(builder, loc, integer, exchange(low));
    Value highMoved = arith::ExtUIOp::create(builder, loc, integer, exchange(high));
    highMoved = arith::ShLIOp::create(builder, loc, highMoved, constantInt(builder, loc, 32, 64));
    moved = arith::OrIOp::create(builder, loc, lowMoved, highMoved);
  } else if (bits == 32) {
    moved = exchange(raw);
  } else {
    Value wide = arith::ExtUIOp::create(builder, loc, i32, raw);
    moved = arith::TruncIOp::create(builder, loc, integer, exchange(wide));
  }
  return isa<FloatType>(type) ? LLVM::BitcastOp::create(builder, loc, type, moved).getResult() : moved;
}

State tilewright::combineStates(OpBuilder &builder, Region &combiner, ValueRange lhs, ValueRange rhs) {
  Block &block = combiner.front();
  IRMapping mapping;
  mapping.map(block.getArguments().take_front(lhs.size()), lhs);
  mapping.map(block.getArguments().drop_front(lhs.size()), rhs);
  for (Operation &inner : block.without_terminator())
    builder.clone(inner, mapping);
  return llvm::map_to_vector(block.getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookup(value); });
}

State tilewright::selectStates(OpBuilder &builder, Location loc, Value condition, ValueRange a,
                               ValueRange b) {
  return llvm::map_to_vector(llvm::zip_equal(a, b), [&](auto pair) -> Value {
    return arith::SelectOp::create(builder, loc, condition, std::get<0>(pair), std::get<1>(pair));
  });
}
