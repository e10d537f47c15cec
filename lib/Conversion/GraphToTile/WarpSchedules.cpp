// Schedules of products by single warps: small tiles, many of which a multiprocessor holds at once. Their
// code is short, they set up nothing, and their rings may hold a whole short K, so that a block waits for
// memory once: of few columns or of a short K they beat warpgroups (6112x16x384 in bf16 on an H200: 3.6 us
// and 5.2).

#include "WarpgroupSchedules.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

namespace {
/// A tile and the warps that divide it.
struct WarpTile {
  int64_t bm, bn, warpsM, warpsN;
};
} // namespace

static constexpr WarpTile kTiles[] = {{16, 32, 1, 2},  {32, 16, 2, 1}, {16, 64, 1, 4}, {64, 16, 4, 1},
                                      {32, 32, 2, 2},  {32, 64, 1, 4}, {64, 32, 4, 1}, {64, 64, 2, 2},
                                      {64, 128, 2, 2}, {128, 64, 2, 2}};
/// Stages at most: of more, the copies' code and its waits cost what they save.
static constexpr int64_t kMostStages = 8;
/// K at most: beyond what rings hold a block waits in each step, and warpgroups are the better choice.
static constexpr int64_t kMostDepth = 640;
/// Elements of a tile that takes part however few blocks there are.
static constexpr int64_t kSmallTile = 1024;

SmallVector<tile::ScheduleAttr> tilewright::warpSchedules(MLIRContext *context, const KernelShape &shape,
                                                          const Arch &arch) {
  SmallVector<tile::ScheduleAttr> found = {chooseSchedule(context, shape)};
  if (!shape.bulkOperands || !arch.tma || !(shape.operandType.isF16() || shape.operandType.isBF16()))
    return found;
  size_t rank = shape.extents.size();
  if (shape.extents[rank - 1] > kMostDepth)
    return found;
  int64_t m = shape.extents[rank - 3], n = shape.extents[rank - 2], k = shape.extents[rank - 1];
  for (const WarpTile &each : kTiles) {
    // A tile of which more than half would be empty is for a larger problem, and so is one that does not give
    // every multiprocessor a block.
    int64_t blocks = (int64_t)llvm::divideCeil(m, each.bm) * (int64_t)llvm::divideCeil(n, each.bn);
    if (each.bm * each.bn > kSmallTile && blocks < (int64_t)arch.numSMs)
      continue;
    int64_t warps = each.warpsM * each.warpsN;
    if ((each.bm > 16 && each.bm >= 2 * m) || (each.bn > 16 && each.bn >= 2 * n) ||
        !shape.pressure.fits(each.bm * each.bn, warps))
      continue;
    for (int64_t bk : {16, 32, 64, 128}) {
      int64_t steps = llvm::divideCeil(k, bk), stages = steps == 1 ? 1 : std::min(kMostStages, steps + 1);
      int64_t elements = shape.lhsTiles * each.bm + shape.rhsTiles * each.bn;
      // Steps that a ring does not hold are waited for: longer ones first.
      if ((bk > 16 && bk >= 2 * k) || (bk == 16 && steps > 1) || (steps > kMostStages && bk < 128) ||
          stages * elements * bk * 2 > shape.sharedLimit)
        continue;
      SmallVector<int64_t> tile(rank - 1, 1);
      tile[rank - 3] = each.bm;
      tile[rank - 2] = each.bn;
      found.push_back(tile::ScheduleAttr::get(context, tile, bk, warps, {each.warpsM, each.warpsN}, stages));
    }
  }
  return found;
}
