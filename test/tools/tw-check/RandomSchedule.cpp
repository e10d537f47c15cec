// A schedule's numbers are drawn apart from each other: powers of two, sizes between them, and sizes that fit
// nothing; tiles of warpgroups from those that warpgroups have, so that most are taken. Entries that may be
// absent are drawn as text, from a table that must know every name that the attribute's parser knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomSchedule.h"
#include "RandomGrower.h"

#include "Tilewright/Dialect/Tile/IR/ScheduleText.h"
#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

//===-- Programs ----------------------------------------------------------------------------------------===//

/// A product as warpgroups take it: operands of 16-bit floats or bytes, most of whose rows start at multiples
/// of 16 bytes, in any of four transposes, with or without a batch; some with one or two more that share an
/// operand and are combined with it.
static Value warpgroupProduct(Grower &grower) {
  static const int64_t kRows[] = {16, 64, 100, 128, 136, 192, 200, 320},
                       kColumns[] = {8, 16, 40, 64, 72, 96, 136, 60},
                       kDepths[] = {16, 64, 64, 72, 136, 192, 200, 20};
  Dice &dice = grower.dice;
  Type element = dice.chance(15)   ? Type(grower.builder.getI8Type())
                 : dice.chance(60) ? Type(grower.builder.getBF16Type())
                                   : Type(grower.builder.getF16Type());
  int64_t m = dice.pick(ArrayRef(kRows)), n = dice.pick(ArrayRef(kColumns)), k = dice.pick(ArrayRef(kDepths));
  // Rows of whole words or odd ones, which no tensor map describes.
  if (int64_t less = dice.chance(30) ? dice.between(1, 3) : 0) {
    m -= less;
    n -= less;
    k -= less;
  }
  SmallVector<int64_t> batch(dice.chance(20) ? 1 : 0, 2);
  auto operand = [&](int64_t rows, int64_t columns, bool transposed) {
    SmallVector<int64_t> shape(batch), stored(batch);
    shape.append({rows, columns});
    stored.append(transposed ? SmallVector<int64_t>{columns, rows} : SmallVector<int64_t>{rows, columns});
    Value value = grower.addInput(stored, element);
    if (!transposed)
      return value;
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, (int64_t)shape.size()));
    std::swap(permutation[shape.size() - 2], permutation[shape.size() - 1]);
    return Value(graph::TransposeOp::create(grower.builder, grower.loc, RankedTensorType::get(shape, element),
                                            value, permutation));
  };
  auto left = [&] { return operand(m, k, dice.chance(30)); };
  auto right = [&] { return operand(k, n, dice.chance(40)); };
  Value lhs = left(), rhs = right();
  SmallVector<int64_t> shape(batch);
  shape.append({m, n});
  Type result = element.isInteger(8) ? Type(grower.builder.getI32Type())
                : dice.chance(60)    ? Type(grower.builder.getF32Type())
                                     : element;
  auto type = RankedTensorType::get(shape, result);
  auto product = [&](Value a, Value b) -> Value {
    return graph::MatmulOp::create(grower.builder, grower.loc, type, a, b);
  };
  Value sum = product(lhs, rhs);
  int64_t more = dice.chance(35) ? dice.between(1, 2) : 0;
  bool sharesLhs = dice.chance(70);
  for (; more > 0; --more) {
    Value other = sharesLhs ? product(lhs, right()) : product(left(), rhs);
    // Sums of bytes stay small enough for 32 bits, and those of floats for 16.
    if (isa<FloatType>(result))
      sum = arith::SubFOp::create(grower.builder, grower.loc, sum, other);
    else
      sum = arith::AddIOp::create(grower.builder, grower.loc, sum, other);
  }
  return sum;
}

OwningOpRef<ModuleOp> tilewright::check::makeAnchorProgram(MLIRContext &context, uint64_t seed) {
  Grower grower{context, Dice{seed * 6007 + 5}};
  OwningOpRef<ModuleOp> module = grower.begin();
  Dice &dice = grower.dice;
  Value value;
  if (dice.chance(40)) {
    value = warpgroupProduct(grower);
  } else {
    static const int64_t kSizes[] = {1, 7, 16, 33, 48, 64, 100, 130};
    SmallVector<int64_t> shape;
    for (int64_t rank = dice.between(2, 3); rank > 0; --rank)
      shape.push_back(rank == 3 ? dice.between(1, 3) : dice.pick(ArrayRef(kSizes)));
    Type element = dice.chance(50)   ? Type(grower.builder.getF32Type())
                   : dice.chance(50) ? Type(grower.builder.getF16Type())
                                     : Type(grower.builder.getBF16Type());
    grower.addInput(shape, element);
    using Step = Value (Grower::*)();
    static const Step kAnchors[] = {&Grower::matmul,    &Grower::matmul, &Grower::reduce,
                                    &Grower::normalize, &Grower::unary,  &Grower::transpose};
    value = (grower.*dice.pick(ArrayRef(kAnchors)))();
  }
  if (value)
    grower.values.push_back(value);
  for (int64_t more = dice.between(0, 2); more > 0; --more)
    if (Value next = dice.chance(50) ? grower.unary() : grower.binary())
      grower.values.push_back(next);
  grower.finish();
  return module;
}

//===-- Entries that may be absent ----------------------------------------------------------------------===//

namespace {
/// One entry of the attribute's text: how often a product of warpgroups and another kernel have it, and what
/// may follow its name.
struct Entry {
  StringRef name;
  int ofWarpgroups, ofWarps, ofOthers;
  SmallVector<StringRef> values;
};
} // namespace

/// The unit that multiplies comes first: the numbers follow from it.
static const Entry kProduct = {"product", 0, 40, 0, {" = fma", " = mma_sync"}};

static ArrayRef<Entry> entries() {
  static const Entry kEntries[] = {
      {"copy", 50, 15, 1, {" = plain", " = cp_async", " = bulk", " = bulk"}},
      {"roles", 70, 3, 1, {" = cooperative", " = pingpong", " = none"}},
      {"loaders", 10, 3, 1, {" = 1", " = 2", " = 2", " = 3"}},
      {"registers", 30, 3, 1, {" = [40, 232]", " = [24, 240]", " = [56, 152]", " = [40, 96]"}},
      {"persistent", 60, 3, 1, {" = 1", " = 2", " = 3", " = 132"}},
      {"order",
       30,
       10,
       1,
       {" = rows", " = grouped<1>", " = grouped<2>", " = grouped<8>", " = hilbert", " = hilbert",
        " = list<[1, 0]>"}},
      {"stream_k", 25, 3, 1, {" = 1", " = 2", " = 2", " = 3"}},
      {"rotate_k", 20, 3, 1, {""}},
      {"cluster", 10, 5, 1, {" = [1, 1]", " = [2, 1]", " = [1, 2]", " = [2, 2]", " = [4, 1]"}},
      {"split_k", 15, 15, 15, {" = 2", " = 3", " = 4", " = 8", " = 16"}},
      {"store", 50, 3, 1, {" = direct", " = bulk", " = bulk"}},
      {"defer_stores", 20, 3, 1, {""}},
      {"swap_operands", 15, 15, 1, {""}},
      {"raw_stages", 10, 3, 1, {" = 1", " = 2", " = 4", " = 6"}},
      {"pdl", 25, 25, 25, {""}},
      {"left", 20, 2, 1, {" = registers", " = registers", " = shared"}},
      {"look_back", 0, 0, 2, {""}},
      {"keep_tables", 0, 0, 2, {""}},
      {"align_rows", 0, 0, 10, {""}},
      {"skip_steps", 2, 2, 1, {""}},
      {"overlap_steps", 2, 1, 1, {""}},
  };
  return kEntries;
}

std::string tilewright::check::unknownScheduleEntries() {
  std::string names;
  for (StringRef name : tile::scheduleEntryNames())
    if (name != kProduct.name &&
        llvm::none_of(entries(), [&](const Entry &entry) { return entry.name == name; }))
      names += (names.empty() ? "" : ", ") + name.str();
  return names;
}

//===-- Schedules ---------------------------------------------------------------------------------------===//

/// Dimensions of `kernel`'s schedule: those of the one that the tile stage chooses itself.
static SmallVector<int64_t> usualTile(graph::KernelOp kernel, ModuleOp tiled) {
  for (auto candidate : tiled.getOps<tile::KernelOp>())
    if (candidate.getSymName() == kernel.getSymName())
      if (auto schedule = candidate->getAttrOfType<tile::ScheduleAttr>(tile::KernelOp::getScheduleAttrName()))
        return SmallVector<int64_t>(schedule.getTile());
  return {};
}

namespace {
/// The entries that every schedule has.
struct Numbers {
  SmallVector<int64_t> tile;
  int64_t reduce = 1, rows = 1, columns = 1, stages = 1;
};
} // namespace

static Numbers ordinaryNumbers(ArrayRef<int64_t> usual, bool isProduct, Dice &dice) {
  static const int64_t kSizes[] = {1, 2, 4, 8, 16, 16, 32, 32, 64, 64, 128, 24, 48, 80, 96, 20, 5};
  static const int64_t kReduces[] = {8, 16, 16, 32, 32, 64, 24, 48, 1, 12};
  Numbers numbers{SmallVector<int64_t>(usual)};
  for (auto [d, size] : llvm::enumerate(numbers.tile)) {
    bool batch = isProduct && d + 2 < usual.size();
    if (!batch && dice.chance(75))
      size = dice.pick(ArrayRef(kSizes));
  }
  numbers.rows = int64_t(1) << dice.between(0, 3);
  numbers.columns = int64_t(1) << dice.between(0, 3);
  if (!isProduct && dice.chance(60))
    numbers.rows = 1;
  if (isProduct) {
    numbers.reduce = dice.pick(ArrayRef(kReduces));
    numbers.stages = dice.between(1, 5);
  }
  return numbers;
}

static Numbers warpgroupNumbers(ArrayRef<int64_t> usual, Dice &dice) {
  static const int64_t kColumns[] = {8, 16, 24, 32, 64, 64, 72, 96, 128, 12};
  static const int64_t kReduces[] = {64, 64, 64, 32, 16, 128, 48, 24};
  Numbers numbers{SmallVector<int64_t>(usual)};
  numbers.rows = dice.chance(70) ? 4 : 8;
  size_t rank = usual.size();
  numbers.tile[rank - 2] = 16 * numbers.rows * (dice.chance(75) ? 1 : 2);
  numbers.tile[rank - 1] = dice.pick(ArrayRef(kColumns));
  numbers.reduce = dice.pick(ArrayRef(kReduces));
  numbers.stages = dice.between(2, 5);
  return numbers;
}

static std::string textOf(const Numbers &numbers, bool isWarpgroup, bool isProduct, Dice &dice) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "#tile.schedule<tile = [";
  llvm::interleaveComma(numbers.tile, os);
  os << "], reduce = " << numbers.reduce << ", warps = " << numbers.rows * numbers.columns
     << ", warp_grid = [" << numbers.rows << ", " << numbers.columns << "], stages = " << numbers.stages;
  if (isWarpgroup)
    os << ", product = wgmma";
  else if (isProduct && dice.chance(kProduct.ofWarps))
    os << ", " << kProduct.name << dice.pick(ArrayRef(kProduct.values));
  for (const Entry &entry : entries())
    if (int share = isWarpgroup ? entry.ofWarpgroups
                    : isProduct ? entry.ofWarps
                                : entry.ofOthers;
        share && dice.chance(share))
      os << ", " << entry.name << dice.pick(ArrayRef(entry.values));
  os << ">";
  return text;
}

static tile::ScheduleAttr randomSchedule(MLIRContext *context, ArrayRef<int64_t> usual, bool isProduct,
                                         Dice &dice) {
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  // Drawn once: the entries are drawn until they fit together, and those of warpgroups seldom do.
  bool isWarpgroup = usual.size() >= 2 && dice.chance(isProduct ? 60 : 3);
  for (int tries = 0;; ++tries) {
    // Batches may leave no room for a warpgroup's tile.
    isWarpgroup &= tries < 10000;
    Numbers numbers = isWarpgroup ? warpgroupNumbers(usual, dice) : ordinaryNumbers(usual, isProduct, dice);
    int64_t elems = 1;
    for (int64_t size : numbers.tile)
      elems *= size;
    if (elems > 16384)
      continue;
    if (Attribute attribute = parseAttribute(textOf(numbers, isWarpgroup, isProduct, dice), context))
      return cast<tile::ScheduleAttr>(attribute);
  }
}

std::string tilewright::check::setRandomSchedules(ModuleOp program, ModuleOp tiled, uint64_t seed) {
  Dice dice{seed * 104729 + 11};
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto kernel : program.getOps<graph::KernelOp>()) {
    SmallVector<int64_t> usual = usualTile(kernel, tiled);
    if (usual.empty())
      continue;
    bool isProduct = kernel.getAnchor() == graph::Anchor::Matmul;
    tile::ScheduleAttr schedule = randomSchedule(program.getContext(), usual, isProduct, dice);
    kernel->setAttr(tile::KernelOp::getScheduleAttrName(), schedule);
    os << "\n  " << kernel.getSymName() << ": " << schedule;
  }
  return text;
}
