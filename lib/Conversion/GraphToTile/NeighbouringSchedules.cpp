// Schedules of kernels without products that are worth measuring beside the one that the rules choose: other
// warps for its tile, tiles a step away from it, and those that the model of tiles puts first.

#include "TileModel.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tilewright;

/// Elements of a thread, warps of a block, elements of a tile over those of the rules', and tiles that the
/// model of tiles adds.
static constexpr int64_t kMostOfThread = 64, kMostWarps = 32, kMostLarger = 4;
static constexpr size_t kFittest = 8;
/// Stages of loops that copy ahead.
static constexpr int64_t kAheadStages[] = {1, 3, 4};
/// Extents that a tile may hold whole in multiples of so many elements, where no power of two is near.
static constexpr int64_t kMostWhole = 256, kWholeUnit = 8;
/// Elements of a block of the reference along a row, and rows beside one another of columns.
static constexpr int64_t kPlainRow = 1024, kPlainColumns = 32, kPlainElems = 128;

namespace {

/// Collects schedules, each once.
struct Neighbours {
  tile::ScheduleAttr own;
  TileModel model;
  SmallVector<ModelledSchedule> found = {};

  bool fits(ArrayRef<int64_t> tile, int64_t warps) const {
    const KernelShape &shape = model.shape;
    for (auto [size, extent, held] : llvm::zip_equal(tile, shape.extents, shape.held))
      if (held && size < extent)
        return false;
    int64_t each = model.perThread(tile, warps);
    if (32 * warps > model.divisible(tile) || each > kMostOfThread)
      return false;
    return shape.anchor == graph::Anchor::Reduction
               ? shape.pressure.fits(each * 32 * warps, warps)
               : shape.pressure.registers(each) <= kTileRegisters &&
                     shape.pressure.instructions * each <= kElementwiseInstructions;
  }
  void add(ArrayRef<int64_t> tile, int64_t warps, int64_t stages, const tile::ScheduleOptions &options) {
    MLIRContext *context = own.getContext();
    int64_t warpGrid[] = {1, warps};
    auto emit = [&] { return emitError(UnknownLoc::get(context)); };
    if (failed(tile::ScheduleAttr::verify(emit, tile, own.getReduce(), warps, warpGrid, stages, options)))
      return;
    auto schedule = tile::ScheduleAttr::get(context, tile, own.getReduce(), warps, warpGrid, stages, options);
    bool isKnown = llvm::any_of(found, [&](auto &other) { return other.schedule == schedule; });
    if (!isKnown && (schedule == own || fits(tile, warps)))
      found.push_back({schedule, model.time(tile, warps)});
  }
  /// The tile with as many elements a thread as in the rules' schedule, `alsoOthers`: with half and twice as
  /// many, too.
  void addInWarps(ArrayRef<int64_t> tile, bool alsoOthers) {
    int64_t elems = model.elems(tile), before = model.elems(own.getTile());
    if (elems > kMostLarger * before)
      return;
    auto warps = (int64_t)llvm::bit_floor(
        (uint64_t)std::clamp<int64_t>((int64_t)own.getWarps() * elems / before, 1, kMostWarps));
    add(tile, warps, own.getStages(), own.getOptions());
    if (alsoOthers)
      for (int64_t count : {2 * warps, warps / 2})
        add(tile, count, own.getStages(), own.getOptions());
  }
  /// Tiles that differ from the rules' in one dimension.
  void addSteps(bool alsoOthers) {
    SmallVector<int64_t> tile(own.getTile());
    for (size_t d = 0; d < tile.size(); ++d)
      for (int64_t size : stepsAlong(d)) {
        tile[d] = size;
        addInWarps(tile, alsoOthers);
        tile[d] = own.getTile()[d];
      }
  }
  /// Sizes a step away from that of dimension `d`: half and twice as many, and the whole of a short extent;
  /// of a reduced one that is held whole the ways to hold it.
  SmallVector<int64_t> stepsAlong(size_t d) const {
    const KernelShape &shape = model.shape;
    int64_t size = own.getTile()[d], extent = shape.extents[d];
    SmallVector<int64_t> sizes;
    auto offer = [&](int64_t other) {
      if (other != size && other >= 1 && !llvm::is_contained(sizes, other))
        sizes.push_back(other);
    };
    if (shape.reduced[d] && size >= extent && !shape.sorts) {
      offer((int64_t)llvm::PowerOf2Ceil((uint64_t)extent));
      offer((int64_t)llvm::alignTo(extent, 32));
      return sizes;
    }
    if (shape.sorts && shape.reduced[d])
      return sizes;
    int64_t power = (int64_t)llvm::bit_floor((uint64_t)size);
    offer(power / (power == size ? 2 : 1));
    if (size < extent)
      offer(2 * power);
    if (extent <= kMostWhole && !shape.reduced[d])
      offer((int64_t)llvm::alignTo(extent, kWholeUnit));
    return sizes;
  }
};

} // namespace

SmallVector<ModelledSchedule> tilewright::neighbouringSchedules(tile::ScheduleAttr own,
                                                                const KernelShape &shape, const Arch &arch) {
  ScopedDiagnosticHandler quiet(own.getContext(), [](Diagnostic &) { return success(); });
  Neighbours all{own, {shape, arch}};
  const tile::ScheduleOptions &options = own.getOptions();
  SmallVector<int64_t> tile(own.getTile());
  all.add(tile, own.getWarps(), own.getStages(), options);
  for (int64_t warps : {2 * own.getWarps(), own.getWarps() / 2, 4 * own.getWarps(), own.getWarps() / 4})
    all.add(tile, warps, own.getStages(), options);
  all.addSteps(/*alsoOthers=*/false);
  // Blocks of larger and smaller clusters, loops that copy further ahead.
  if (options.splitK > 1)
    for (int64_t parts : {2 * (int64_t)options.splitK, (int64_t)options.splitK / 2}) {
      tile::ScheduleOptions other = options;
      other.splitK = parts;
      for (size_t d = 0; d < tile.size(); ++d)
        if (shape.reduced[d] && tile[d] < shape.extents[d]) {
          tile[d] = (int64_t)llvm::alignTo(llvm::divideCeil(shape.extents[d], parts), 32);
          for (int64_t warps : {(int64_t)own.getWarps(), own.getWarps() * options.splitK / parts})
            all.add(tile, warps, own.getStages(), other);
          tile[d] = own.getTile()[d];
        }
    }
  bool loops = options.splitK == 1 && !options.lookBack &&
               llvm::any_of(llvm::seq<size_t>(0, tile.size()),
                            [&](size_t d) { return shape.reduced[d] && tile[d] < shape.extents[d]; });
  if (loops)
    for (int64_t stages : kAheadStages)
      all.add(tile, own.getWarps(), stages, options);
  for (const ModelledTile &one : fittestTiles(own, shape, arch, kFittest))
    for (int64_t warps : {one.warps, 2 * one.warps})
      all.add(one.tile, warps, own.getStages(), options);
  // Less of one dimension for more of another one; then any step in other warps.
  for (size_t a = 0; a < tile.size(); ++a)
    for (size_t b = 0; b < tile.size(); ++b)
      for (int64_t less : all.stepsAlong(a))
        for (int64_t more : all.stepsAlong(b))
          if (a != b && less < own.getTile()[a] && more > own.getTile()[b]) {
            tile[a] = less;
            tile[b] = more;
            all.addInWarps(tile, /*alsoOthers=*/false);
            tile = llvm::to_vector(own.getTile());
          }
  all.addSteps(/*alsoOthers=*/true);
  return std::move(all.found);
}

tile::ScheduleAttr tilewright::plainSchedule(tile::ScheduleAttr own, const KernelShape &shape) {
  size_t rank = shape.extents.size();
  SmallVector<int64_t> tile(rank, 1);
  int fastest = -1;
  for (size_t d = 0; d < rank; ++d)
    if (shape.extents[d] > 1 && (fastest < 0 || shape.contiguousBytes[d] >= shape.contiguousBytes[fastest]))
      fastest = (int)d;
  bool keepsWhole = shape.wholeRows || (shape.isMixed && !shape.holdsDims()) || shape.sorts;
  int64_t elems = 1;
  for (size_t d = 0; d < rank; ++d) {
    auto whole = (int64_t)llvm::PowerOf2Ceil((uint64_t)shape.extents[d]);
    if (shape.held[d])
      tile[d] = whole;
    else if (shape.reduced[d] && (keepsWhole || own.getTile()[d] >= shape.extents[d]))
      tile[d] = shape.sorts ? own.getTile()[d] : whole;
    else if (shape.reduced[d])
      tile[d] = std::min(whole, (int)d == fastest ? kPlainRow : kPlainColumns);
    else if ((int)d == fastest)
      tile[d] = std::min(whole, shape.anchor == graph::Anchor::Reduction ? kPlainColumns : kPlainElems);
    elems *= tile[d];
  }
  int64_t warps = 1;
  while (warps < kMostWarps && elems / (32 * warps) > kMostOfThread / 2)
    warps *= 2;
  return tile::ScheduleAttr::get(own.getContext(), tile, own.getReduce(), warps, {1, warps}, 1);
}
