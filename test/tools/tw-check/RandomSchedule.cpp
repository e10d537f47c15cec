// A schedule's numbers are drawn apart from each other: powers of two, sizes between them, and sizes that fit
// nothing. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomSchedule.h"
#include "RandomGrower.h"

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

//===-- Programs ----------------------------------------------------------------------------------------===//

OwningOpRef<ModuleOp> tilewright::check::makeAnchorProgram(MLIRContext &context, uint64_t seed) {
  Grower grower{context, Dice{seed * 6007 + 5}};
  OwningOpRef<ModuleOp> module = grower.begin();
  Dice &dice = grower.dice;
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
  Value value = (grower.*dice.pick(ArrayRef(kAnchors)))();
  if (value)
    grower.values.push_back(value);
  for (int64_t more = dice.between(0, 2); more > 0; --more)
    if (Value next = dice.chance(50) ? grower.unary() : grower.binary())
      grower.values.push_back(next);
  grower.finish();
  return module;
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

static tile::ScheduleAttr randomSchedule(MLIRContext *context, ArrayRef<int64_t> usual, bool isProduct,
                                         Dice &dice) {
  static const int64_t kSizes[] = {1, 2, 4, 8, 16, 16, 32, 32, 64, 64, 128, 24, 48, 80, 96, 20, 5};
  static const int64_t kReduces[] = {8, 16, 16, 32, 32, 64, 24, 48, 1, 12};
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  while (true) {
    SmallVector<int64_t> tile(usual);
    int64_t elems = 1;
    for (auto [d, size] : llvm::enumerate(tile)) {
      bool batch = isProduct && d + 2 < tile.size();
      if (!batch && dice.chance(75))
        size = dice.pick(ArrayRef(kSizes));
      elems *= size;
    }
    if (elems > 16384)
      continue;
    int64_t rows = int64_t(1) << dice.between(0, 3), columns = int64_t(1) << dice.between(0, 3);
    if (!isProduct && dice.chance(60))
      rows = 1;
    int64_t reduce = isProduct ? dice.pick(ArrayRef(kReduces)) : 1;
    int64_t stages = isProduct ? dice.between(1, 5) : 1, warpGrid[] = {rows, columns};
    auto emit = [&] { return emitError(UnknownLoc::get(context)); };
    if (succeeded(tile::ScheduleAttr::verify(emit, tile, reduce, rows * columns, warpGrid, stages, {})))
      return tile::ScheduleAttr::get(context, tile, reduce, rows * columns, warpGrid, stages);
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
