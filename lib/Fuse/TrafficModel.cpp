// Passes are walked from what each of them needs: the operands of its reductions, or the full-size results.

#include "TrafficModel.h"

#include "Tilewright/Analysis/LookBack.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// What one tile of a loop over rows takes a block, however little it moves: to load it, and to wait at its
/// barriers. (On an H200: 128 tiles of a column reduction's two passes 218 us, 27 of a reduction of long rows
/// 42.)
static constexpr double kStepMicroseconds = 1.4;
/// Blocks of a multiprocessor that go through their rows at a time.
static constexpr double kResidentBlocks = 4;
/// Shares of the memory's bandwidth that one multiprocessor can take.
static constexpr double kSharesOfOne = 2.5;

/// What the shorter one of loading and computing adds to the longer one in blocks that hold short rows in
/// steps of longer ones: they are few warps of a multiprocessor, which do both in turn.
static constexpr double kShownBeside = 0.25;

double KernelTraffic::microseconds(const Arch &arch) const {
  int64_t sharing = blocks;
  for (unsigned parts = 2;
       sharesRows && parts <= arch.mostClusterBlocks && 2 * sharing <= (int64_t)arch.numSMs; parts *= 2)
    sharing *= 2;
  double busy = std::min(1.0, (double)sharing / arch.numSMs);
  double memory = (bytes - cachedBytes) / (arch.hbmGBps * 1e3) + cachedBytes / (arch.l2GBps * 1e3);
  // Two flops are one instruction.
  double compute = instructions / (arch.fp32TFlops * 0.5e6 * busy);
  double waiting =
      steps * kStepMicroseconds * std::max(1.0, (double)blocks / (kResidentBlocks * arch.numSMs));
  double lookingUp = lookups / (arch.numSMs * busy * arch.clockGHz * 1e3);
  double loading = besideLookups(memory / std::min(1.0, kSharesOfOne * busy), lookingUp);
  double bound = std::max({loading, compute, waiting});
  if (inTurn)
    bound = std::max(loading, compute) + kShownBeside * std::min(loading, compute);
  bound += arch.nodeMicroseconds;
  return std::max(bound, productMicroseconds);
}

/// Bytes of a sector, in which memory is read and written, and elements of a reduction's tile that may lie
/// across its rows.
static constexpr int64_t kSectorBytes = 32, kAcrossElems = 8192;
/// Bytes of a table that stays in the L2 cache, of one of 50 MB.
static constexpr int64_t kCachedTable = 24 << 20;
/// Cycles of a lookup of an element that an index selects in the banks of shared memory, which serve 32 at a
/// time, where a block keeps rows of up to so many bytes (KeepTables).
static constexpr double kBankCycles = 3.5 / 32;
static constexpr int64_t kKeptRow = 100 << 10;
/// Elements of a row that is gathered whole by a block, and of its tile else.
static constexpr int64_t kWholeRow = 2048, kRowPart = 256;
/// The fewest columns of a tile, where blocks are fewer than half of these: as the schedules have them.
static constexpr int64_t kLeastColumns = 8, kFillBlocks = 132;
/// A tensor of less than this part of the elements of the largest ones says nothing of how a tile lies.
static constexpr int64_t kFewElements = 16;
/// Columns of a tile that has others' elements across: with fewer of both all of them are parts of sectors.
static constexpr int64_t kFewColumns = 16;
/// What a part of a sector costs that is stored, over its bytes: the sector is read, joined and written
/// again. (Of 2.1 million fp32 elements that an H200 stored one by one, and 1.8 million bf16 elements of each
/// of two results in pieces of four, with 37 and 16 us.)
static constexpr double kJoinedSector = 2;
/// The same of columns that blocks go through in steps, where rows begin anywhere in a sector: however wide
/// they are, both ends of each row's piece are parts. Of columns that are kept where one reduction is all
/// that they are kept for: else the kernel without what is stored keeps them still, and takes hardly less.
/// (H200: sums and means along the first two dimensions of 152x11x112x268 fp32 with three results of that
/// size, in one kernel 553 us, in two 293; columns of 10198x4052 bf16 less their means, beside three times as
/// much that is stored of them: kept 220 us, in the loop of their sums 354, in a kernel of its own 168. What
/// is computed of columns relative to their maximum, seven programs: 0.75 to 0.93 of the time in two kernels;
/// softmax along columns, seven: 0.99 to 1.43.)
static constexpr double kStoredApart = 1.25;
/// The same of single sectors, of which the memory moves two at a time, where no other one is near.
static constexpr double kBurst = 0.5;

/// Indices of one dimension of `view` from one place in memory to the one behind it: more than one where what
/// lies side by side is an outer digit of these indices. Nothing where nothing does.
static std::optional<int64_t> indicesToNeighbour(const layout::StridedView &view) {
  layout::StridedView simple = view.simplify(); // outlives the loop over its dims
  for (const layout::ViewDim &dim : simple.dims()) {
    int64_t inner = 1;
    for (const layout::Mode &mode : llvm::reverse(dim.modes)) {
      if (dim.step == 1 && mode.stride == 1 && mode.extent > 1)
        return inner;
      inner *= mode.extent;
    }
  }
  return std::nullopt;
}

/// The dimension along which `view` has neighbours in memory, wherever a window in it begins; -1 where there
/// is none.
static int contiguousDim(const layout::StridedView &view) {
  int best = -1;
  int64_t longest = 1;
  layout::StridedView simple = view.simplify();
  for (auto [d, dim] : llvm::enumerate(simple.dims())) {
    bool hasNeighbours = dim.step == 1 && !dim.modes.empty() && dim.modes.back().stride == 1;
    int64_t run = hasNeighbours ? std::min(dim.extent, dim.modes.back().extent) : 1;
    if (run > longest) {
      best = (int)d;
      longest = run;
    }
  }
  return best;
}

namespace {

/// What a reduction's tile has of each tensor side by side in memory: its rows, and as many elements across
/// as these leave room for.
struct TileRuns {
  const KernelIndexing &indexing;
  /// The dimension along which most of the kernel's tensors are contiguous.
  int fastest = -1;
  /// Elements of the tile across all rows, together.
  int64_t room = 1;
  /// Those along `fastest`, where that is kept, and along the kept dimensions before it that go on where it
  /// ends: columns side by side.
  SmallVector<int64_t> beside;
  /// Elements of the tile along each reduced dimension: innermost first, as many as it has room for.
  SmallVector<int64_t> reduced = {};
  /// Tiles that a block goes through for each pass over its rows, where they do not fit one.
  double steps = 1;
  /// Kept dimensions that `fastest` is one with, in memory: a tile's columns go on along them.
  SmallVector<bool> joined = {};
  /// Blocks where it is: as many as tiles at most.
  int64_t blocks = std::numeric_limits<int64_t>::max();

  /// `kept`: what blocks keep of the kernel's rows.
  TileRuns(const KernelIndexing &indexing, bool onePass, const std::optional<KeptRows> &kept,
           ArrayRef<Operation *> ops, ArrayRef<Value> outputs)
      : indexing(indexing), beside(indexing.domain.size(), 1) {
    SmallVector<int64_t> elements(indexing.domain.size(), 0);
    llvm::SmallVector<std::pair<Value, layout::StridedView>> seen;
    auto count = [&](const layout::StridedView &view, Value value, int indexed = -1) {
      if (llvm::is_contained(seen, std::pair(value, view)))
        return;
      seen.push_back({value, view});
      // A slice takes a part of its tensor, such as the rest that a row's pieces leave.
      int64_t taken = 1;
      SmallVector<bool> depends = supportOf(view);
      for (size_t d = 0; d < depends.size() && d < indexing.domain.size(); ++d)
        taken *= depends[d] || (int)d == indexed ? indexing.domain[d] : 1;
      int d = contiguousDim(view);
      if (d < 0)
        d = indexed;
      if (d >= 0)
        elements[d] += std::min(taken, cast<RankedTensorType>(value.getType()).getNumElements());
    };
    for (Operation *op : ops)
      for (auto [place, access] : llvm::enumerate(indexing.accesses.find(op)->second))
        if (!indexing.contains(access.root.getDefiningOp()) && !isSplatConstant(access.root)) {
          // Elements that indices select of a table's rows lie where these indices do, as near as may be.
          bool selects = isa<graph::GatherOp>(op) && place > 0;
          count(access.view, access.root,
                selects ? contiguousDim(indexing.accesses.find(op)->second[0].view) : -1);
        }
    for (Value output : outputs)
      count(indexing.views.find(output.getDefiningOp())->second, output);
    for (auto [d, number] : llvm::enumerate(elements))
      if (number > 0 && (fastest < 0 || number >= elements[fastest]))
        fastest = (int)d;
    if (fastest < 0)
      return;
    joinDims();
    int64_t elems = 1;
    for (auto [extent, reduced] : llvm::zip(indexing.domain, indexing.reduced))
      elems *= reduced ? extent : 1;
    steps = (double)elems / kColumnTileElems;
    // Innermost first, or those along which most lies side by side.
    auto take = [&](int64_t left, bool byRuns) {
      SmallVector<size_t> order;
      for (size_t d = indexing.domain.size(); d-- > 0;)
        if (indexing.reduced[d])
          order.push_back(d);
      if (byRuns)
        llvm::stable_sort(order, [&](size_t a, size_t b) { return elements[a] > elements[b]; });
      reduced.assign(indexing.domain.size(), 1);
      for (size_t d : order) {
        reduced[d] = std::min(indexing.domain[d], left);
        left = std::max<int64_t>(1, left / reduced[d]);
      }
    };
    take(indexing.reduced[fastest] && !onePass ? kColumnTileElems : elems, /*byRuns=*/false);
    // Tensors that lie across in different ways divide the room among them.
    int64_t across = 0;
    for (auto [d, number] : llvm::enumerate(elements))
      across += (int)d != fastest && !indexing.reduced[d] && number * kFewElements >= elements[fastest];
    room = std::max<int64_t>(1, kAcrossElems / elems);
    // Columns side by side; long ones are gone through in a loop.
    if (!indexing.reduced[fastest]) {
      int64_t columns = 1, taken = std::min(indexing.domain[fastest], kColumnWidth);
      for (auto [extent, reduced] : llvm::zip(indexing.domain, indexing.reduced))
        columns *= reduced ? 1 : extent;
      // Narrower ones while few multiprocessors have a block.
      bool keepsColumns = kept && kept->columns;
      int64_t least = keepsColumns ? std::max(kept->columns, kLeastColumns) : kLeastColumns;
      int64_t sharing = keepsColumns ? kept->blocks : 1;
      while (taken > least && columns * sharing < kFillBlocks / 2 * taken)
        taken /= 2;
      if (indexing.isHeld(fastest))
        taken = indexing.domain[fastest];
      beside[fastest] = taken;
      // Those that are kept go on along the dimensions before; columns that are gone over in a loop are
      // counted along their own alone. (H200: means along the first and third dimension of 6x2x635x912x2 fp32
      // beside softmax and a scan: 168 us, where they are counted along both 239 in other kernels.)
      for (int d = fastest - 1; keepsColumns && d >= 0 && !indexing.reduced[d]; --d) {
        if (beside[d + 1] < indexing.domain[d + 1])
          break;
        // Those that the tile stage makes one dimension of end in the midst of what was one.
        int64_t wanted = joined[d] ? (int64_t)llvm::divideCeil(kColumnWidth, taken) : kColumnWidth / taken;
        beside[d] = indexing.isHeld(d) ? indexing.domain[d]
                                       : std::min(indexing.domain[d], std::max<int64_t>(1, wanted));
        taken *= beside[d];
      }
      for (int d = 0; d < (int)indexing.domain.size(); ++d)
        if (indexing.isHeld(d) && beside[d] < indexing.domain[d]) {
          beside[d] = indexing.domain[d];
          taken *= beside[d];
        }
      steps = (double)(elems * taken) / kColumnTileElems;
      blocks = sharing;
      for (auto [extent, reduced, size] : llvm::zip(indexing.domain, indexing.reduced, beside))
        blocks *= reduced ? 1 : (int64_t)llvm::divideCeil(extent, size);
      // A loop's tile has a part of the columns; what lies along the others is a few elements side by side.
      // (H200: means along the first and third dimension of 72x72x126x3x24 fp32, beside results along either:
      // in one kernel 2740 us.)
      if (steps > 1)
        take(std::max<int64_t>(1, kColumnTileElems / taken), /*byRuns=*/true);
      // Fewer columns leave more room; of a loop's tile the rows have all of it.
      room = steps > 1 ? 1 : std::max<int64_t>(1, room / std::min(taken, kFewColumns));
    }
    if (across > 1)
      room = std::max<int64_t>(1, (int64_t)std::pow((double)room, 1.0 / (double)across));
  }
  /// Finds `joined`, as the tile stage merges dimensions. Operands of products are views of other ones.
  void joinDims() {
    joined.assign(indexing.domain.size(), false);
    if (indexing.anchor != graph::Anchor::Reduction)
      return;
    std::vector<layout::StridedView> views;
    for (const auto &[op, view] : indexing.views)
      views.push_back(view);
    for (const auto &[op, places] : indexing.joins)
      llvm::append_range(views, places);
    for (const auto &[op, accesses] : indexing.accesses)
      for (const OperandAccess &access : accesses)
        views.push_back(access.view);
    for (const std::vector<int> &group : layout::collapseDims(views)) {
      auto at = llvm::find(group, fastest);
      if (at == group.end())
        continue;
      for (auto d = std::make_reverse_iterator(at); d != group.rend() && !indexing.reduced[*d]; ++d)
        joined[*d] = true;
    }
  }
  /// Whether a tile has columns side by side, whose rows it goes over in a loop.
  bool areColumns() const {
    return indexing.anchor == graph::Anchor::Reduction && fastest >= 0 && !indexing.reduced[fastest];
  }
  /// Bytes of `view` that a tile has side by side.
  int64_t runOf(const layout::StridedView &view, int64_t elementBytes) const {
    layout::StridedView simple = view.simplify();
    int64_t run = elementBytes, left = room;
    for (int d = contiguousDim(view); d >= 0;) {
      int64_t extent = indexing.domain[d], taken = indexing.reduced[d] ? reduced[d] : extent;
      if (d == fastest && !indexing.reduced[d]) {
        taken = beside[d];
      } else if (!indexing.reduced[d]) {
        taken = std::min(extent, std::max(left, beside[d]));
        left = std::max<int64_t>(1, left / taken);
      }
      ArrayRef<layout::Mode> modes = simple.dim(d).modes;
      run *= std::min(taken, modes.back().extent);
      if (taken < extent || modes.size() != 1)
        break;
      // What goes on where it ends.
      int64_t end = modes[0].stride * extent;
      d = (int)(llvm::find_if(simple.dims(),
                              [&](const layout::ViewDim &dim) {
                                return dim.extent > 1 && dim.modes.size() == 1 && dim.modes[0].stride == end;
                              }) -
                simple.dims().begin());
      if (d == simple.rank())
        break;
    }
    return run;
  }
  /// Whether each row of a tile of columns begins anywhere in a sector of `view`.
  bool areApart(const layout::StridedView &view, Value value, int64_t bytes) const {
    int64_t elements = cast<RankedTensorType>(value.getType()).getNumElements();
    if (!areColumns() || elements == 0 || contiguousDim(view) != fastest ||
        indexing.domain[fastest] <= beside[fastest])
      return false;
    int64_t elementBytes = std::max<int64_t>(bytes / elements, 1);
    for (auto [d, dim] : llvm::enumerate(view.dims()))
      for (const layout::Mode &mode : dim.modes)
        if ((int)d != fastest && !joined[d] && mode.extent > 1 &&
            mode.stride * elementBytes % kSectorBytes != 0)
          return true;
    return false;
  }
  /// Bytes that pass beside those of a tensor, as a part of these, since its accesses have parts of sectors.
  /// Runs of less than two sectors leave `burst` of what the memory moves at a time.
  double besides(const layout::StridedView &view, Value value, int64_t bytes, double burst = 0) const {
    int64_t elements = cast<RankedTensorType>(value.getType()).getNumElements();
    std::optional<int64_t> apart = indicesToNeighbour(view);
    if (indexing.anchor == graph::Anchor::Matmul || elements == 0 || !apart)
      return 0;
    bool reduces = indexing.anchor == graph::Anchor::Reduction;
    if (reduces && (fastest < 0 || isRowLevel(indexing, view)))
      return 0;
    // Tiles of other kernels take any runs but those across the indices of one dimension.
    int64_t elementBytes = std::max<int64_t>(bytes / elements, 1);
    int64_t run = reduces      ? runOf(view, elementBytes)
                  : *apart > 1 ? elementBytes * std::max<int64_t>(kAcrossElems / *apart, 1)
                               : 2 * kSectorBytes;
    if (run >= 2 * kSectorBytes)
      return 0;
    // Runs begin where the strides of memory let them.
    int64_t unit = std::gcd(kSectorBytes, run);
    for (const layout::ViewDim &dim : view.dims())
      for (const layout::Mode &mode : dim.modes)
        if (mode.stride * elementBytes >= run)
          unit = std::gcd(unit, mode.stride * elementBytes);
    return (double)(run - unit + kSectorBytes) / (double)run - 1 + burst * (1 - run / (2.0 * kSectorBytes));
  }
};

/// One kernel while it is counted.
struct Count {
  const KernelIndexing &indexing;
  const TileRuns &runs;
  function_ref<ValueBytes(Value)> bytesOf;
  SmallVector<int64_t> tile = typicalTile(indexing);
  KernelTraffic traffic = {};
  /// Values of one a row: computed and read once in whatever pass.
  llvm::SmallDenseSet<Value> rows = {};
  /// Tables that indices select from.
  llvm::SmallDenseSet<Value> tables = {};
  /// Whether what a pass reads stays for those after it, and what they have.
  bool keeps = false;
  llvm::SmallDenseSet<Value> kept = {};

  void add(int64_t bytes, bool cached) {
    traffic.bytes += bytes;
    traffic.cachedBytes += cached ? bytes : 0;
  }
  /// Whether indices select from a table of `whole` bytes that no cache holds; the indices come first.
  bool selectsFromLarge(Operation *op, const OperandAccess &access, int64_t whole) const {
    return isa<graph::GatherOp>(op) && &access != indexing.accesses.find(op)->second.begin() &&
           whole > kCachedTable;
  }
  int64_t bytesRead(Operation *op, const OperandAccess &access, int64_t whole) {
    int64_t elements = 1;
    int64_t total = cast<RankedTensorType>(access.root.getType()).getNumElements();
    if (isa<graph::MatmulOp>(op) || total == 0)
      return whole;
    // A gather takes rows of its table, a slice part of its operand.
    SmallVector<bool> depends = supportOf(access.view);
    bool gathers = isa<graph::GatherOp>(op);
    // Of a table that no cache holds each short row that an index selects takes sectors of its own.
    if (selectsFromLarge(op, access, whole)) {
      auto gather = cast<graph::GatherOp>(op);
      auto type = cast<RankedTensorType>(gather.getInput().getType());
      int64_t row = whole / total;
      for (int64_t size : type.getShape().drop_front((int64_t)gather.getDim() + 1))
        row *= size;
      if (row > 0 && row < kRandomBytes) {
        int64_t random = neededElements(indexing, gather) * (whole / total) / row * kRandomBytes;
        // One part of the table after the other: what indices select of one stays in a cache meanwhile.
        // Blocks of columns come back to it later, or select of as many parts at a time as their columns are
        // long.
        int64_t part = row * type.getDimSize((int64_t)gather.getDim());
        for (size_t d = 0; d < depends.size(); ++d)
          part *= runs.areColumns() && indexing.reduced[d] && depends[d] ? indexing.domain[d] : 1;
        bool stays = part <= kCachedTable && !comesBack();
        return stays ? std::min(random, whole) : random;
      }
    }
    for (size_t d = 0; d < depends.size(); ++d)
      elements *= depends[d] || gathers ? indexing.domain[d] : 1;
    return whole / total * std::min(elements, total);
  }
  /// Whether blocks go over columns longer than a tile has them whole.
  bool comesBack() const {
    constexpr int64_t shortColumn = 64;
    int64_t column = 1;
    for (size_t d = 0; d < indexing.domain.size(); ++d)
      column *= indexing.reduced[d] ? indexing.domain[d] : 1;
    return runs.areColumns() && column > shortColumn;
  }
  /// Cycles of the lookups of `gather`, of whose elements all blocks compute `count`.
  double lookupsOf(graph::GatherOp gather, int64_t count) {
    auto type = cast<RankedTensorType>(gather.getInput().getType());
    int64_t bytes = std::max<int64_t>((int64_t)type.getElementTypeBitWidth() / 8, 1), run = bytes;
    for (int64_t size : type.getShape().drop_front((int64_t)gather.getDim() + 1))
      run *= size;
    if (count == 0 || type.getNumElements() == 0 || run >= kSectorBytes)
      return 0;
    int64_t row = run * type.getDimSize((int64_t)gather.getDim()), whole = type.getNumElements() * bytes;
    int64_t rows = whole / row;
    SmallVector<bool> ofTable = supportOf(indexing.accesses.find(gather)->second[1].view);
    bool isReduced = comesBack() || llvm::any_of(llvm::seq<size_t>(0, ofTable.size()),
                                                 [&](size_t d) { return ofTable[d] && indexing.reduced[d]; });
    bool keeps = !isReduced && row <= kKeptRow && rows >= kFillBlocks && count * kSectorBytes >= whole;
    // Tiles have rows whole while these are short.
    int64_t places = std::max<int64_t>(count / rows, 1), inTile = places > kWholeRow ? kRowPart : places;
    double cycles = lookupCycles(row, places, kResidentElems / (double)inTile);
    return (double)count * (keeps ? std::min(kBankCycles, cycles) : cycles);
  }
  /// Elements of `op` that all blocks compute.
  int64_t evaluations(Operation *op) {
    SmallVector<bool> depends = supportOf(indexing.views.find(op)->second);
    int64_t elements = 1;
    for (size_t d = 0; d < depends.size(); ++d) {
      bool whole = depends[d] || (indexing.rowReduction(op) && indexing.reduced[d]);
      elements *= whole                 ? indexing.domain[d]
                  : indexing.reduced[d] ? 1
                                        : (int64_t)llvm::divideCeil(indexing.domain[d], tile[d]);
    }
    return elements;
  }
  /// Counts what `value` needs in a pass that has `seen` other values.
  void visit(Operation *user, const OperandAccess &access, llvm::SmallDenseSet<Value> &seen) {
    if (isSplatConstant(access.root))
      return;
    Operation *producer = access.root.getDefiningOp();
    bool member = indexing.contains(producer);
    bool once = isRowLevel(indexing, member ? indexing.views.find(producer)->second : access.view);
    // What indices select of a table that no cache holds is not what else the kernel reads of it.
    bool apart = !member && selectsFromLarge(user, access, bytesOf(access.root).bytes);
    if (!(apart ? tables : once ? rows : seen).insert(access.root).second)
      return;
    if (member)
      visit(producer, seen);
    else if (ValueBytes value = bytesOf(access.root); !keeps || apart || kept.insert(access.root).second) {
      int64_t read = bytesRead(user, access, value.bytes);
      add(read, value.cached);
      // The other parts of sectors are in the cache when they are asked for, or have left it by then.
      if (!isa<graph::MatmulOp, graph::GatherOp>(user))
        add((int64_t)(runs.besides(access.view, access.root, value.bytes) * (double)read),
            /*cached=*/indicesToNeighbour(access.view).value_or(1) * kSectorBytes <= kCachedTable);
    }
  }
  void visit(Operation *op, llvm::SmallDenseSet<Value> &seen) {
    // A product's work is on other units, and the same wherever its kernel is cut.
    if (auto gather = dyn_cast<graph::GatherOp>(op))
      traffic.lookups += lookupsOf(gather, evaluations(op));
    if (!isa<graph::MatmulOp>(op))
      traffic.instructions += instructionsOf(op) * evaluations(op);
    for (const OperandAccess &access : indexing.accesses.find(op)->second)
      visit(op, access, seen);
  }
};

} // namespace

static KernelTraffic countTraffic(const KernelIndexing &indexing, const TilePressure &pressure,
                                  ArrayRef<Operation *> ops, ArrayRef<Value> outputs,
                                  function_ref<ValueBytes(Value)> bytesOf) {
  bool onePass = takesOnePass(indexing, pressure);
  std::optional<KeptRows> kept = onePass ? std::nullopt : keptRows(indexing, ops);
  int64_t last = 1;
  for (Operation *op : ops)
    last = std::max(last, passOf(indexing, op));
  // Of what one pass goes over nothing is kept for another.
  TileRuns runs(indexing, onePass, last > 1 ? kept : std::nullopt, ops, outputs);
  Count count{indexing, runs, bytesOf};
  for (size_t d = 0; d < indexing.domain.size(); ++d)
    if (!indexing.reduced[d])
      count.traffic.blocks *=
          (int64_t)llvm::divideCeil(indexing.domain[d], std::max<int64_t>(count.tile[d], 1));
  if (indexing.anchor == graph::Anchor::Reduction)
    count.traffic.blocks = std::min(count.traffic.blocks, runs.blocks);
  // Blocks that look back have a piece of a row each.
  int64_t elements = 1;
  for (int64_t extent : indexing.domain)
    elements *= extent;
  bool looksBack = llvm::any_of(ops, [](Operation *op) { return op->hasAttr(kLookBackAttrName); });
  if (looksBack)
    count.traffic.blocks = std::max(count.traffic.blocks, elements / kLookBackPiece);
  // Rows that shared memory keeps are computed again in each pass, but read once.
  count.keeps = kept.has_value();
  if ((!onePass || runs.areColumns()) && !looksBack && !count.keeps && !indexing.isMixed)
    count.traffic.steps = runs.steps > 1 ? runs.steps : 0;
  llvm::SmallDenseSet<Value> seen;
  bool sumsComeBack = false;
  int64_t loops = 1;
  for (Operation *op : ops) {
    if (indexing.rowReduction(op))
      for (const OperandAccess &access : indexing.accesses.find(op)->second)
        if (Operation *producer = access.root.getDefiningOp(); indexing.contains(producer))
          sumsComeBack |= !indexing.rowReduction(producer) && passOf(indexing, producer) > 1;
    // What has one value a row takes no loop.
    if (indexing.rowReduction(op) || !isRowLevel(indexing, indexing.views.find(op)->second))
      loops = std::max(loops, passOf(indexing, op));
  }
  count.traffic.steps *= (double)loops;
  count.traffic.keepsColumns = count.keeps && loops > 1 && runs.areColumns();
  count.traffic.sharesRows = count.keeps && loops > 1 && !runs.areColumns();
  count.traffic.inTurn = indexing.isLooped();
  // Many columns of one dimension that are summed beside what is stored have tiles of whole lines
  // (storedApart).
  int64_t columns = 1, summed = 0;
  for (auto [extent, reduced] : llvm::zip_equal(indexing.domain, indexing.reduced)) {
    columns *= reduced ? 1 : extent;
    summed += reduced && extent > 1;
  }
  bool wideTiles = last == 1 && summed == 1 && columns >= 4 * kFillBlocks * 2 * kColumnWidth;
  for (int64_t pass = 1; pass <= last; ++pass) {
    for (Operation *op : ops)
      if (indexing.rowReduction(op) && passOf(indexing, op) == pass &&
          count.rows.insert(op->getResult(0)).second)
        count.visit(op, seen);
    for (Value output : outputs) {
      Operation *op = output.getDefiningOp();
      const layout::StridedView &view = indexing.views.find(op)->second;
      if (passOf(indexing, op) != pass)
        continue;
      ValueBytes stored = bytesOf(output);
      double joined = kJoinedSector * runs.besides(view, output, stored.bytes, kBurst);
      if (!wideTiles && !onePass && (!count.keeps || !sumsComeBack) &&
          runs.areApart(view, output, stored.bytes))
        joined = std::max(joined, kStoredApart);
      count.add(stored.bytes + (int64_t)(joined * (double)stored.bytes), stored.cached);
      if ((isRowLevel(indexing, view) ? count.rows : seen).insert(output).second)
        count.visit(op, seen);
    }
    if (!onePass) {
      seen.clear();
      count.tables.clear();
    }
  }
  return count.traffic;
}

/// Whether a kernel without row ops has tensors that lie side by side along digits of a dimension alone.
static bool hasDigits(const KernelIndexing &indexing) {
  if (indexing.anchor == graph::Anchor::Matmul || indexing.anchor == graph::Anchor::Reduction)
    return false;
  auto isDigit = [](const layout::StridedView &view) { return indicesToNeighbour(view).value_or(1) > 1; };
  return llvm::any_of(indexing.views, [&](const auto &entry) { return isDigit(entry.second); }) ||
         llvm::any_of(indexing.accesses, [&](const auto &entry) {
           return llvm::any_of(entry.second,
                               [&](const OperandAccess &access) { return isDigit(access.view); });
         });
}

KernelTraffic fuse::kernelTraffic(const KernelIndexing &indexing, const TilePressure &pressure,
                                  ArrayRef<Operation *> ops, ArrayRef<Value> outputs,
                                  function_ref<ValueBytes(Value)> bytesOf) {
  if (!hasDigits(indexing))
    return countTraffic(indexing, pressure, ops, outputs, bytesOf);
  // Tiles have some of each digit, as far as all tensors allow it.
  KernelIndexing split = indexing;
  split.splitDigits();
  return countTraffic(split, pressure, ops, outputs, bytesOf);
}
