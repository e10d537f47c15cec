// Touches follow from the views of a kernel's indexing; the cache is a list of pages, last touched first.
#include "MemoryTraffic.h"

#include "Tilewright/Analysis/TileBudget.h"
#include "Tilewright/Dialect/Plan/Transforms/Arena.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/simple_ilist.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>
#include <vector>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// Bytes of a sector, in which memory is moved, and of a page of the model at least.
static constexpr int64_t kSectorBytes = 32, kLeastPage = 16 << 10, kLeastSlicedPage = 4 << 10;
/// Pages of all tensors of a program, about: larger programs have larger pages.
static constexpr int64_t kPages = 1 << 18;
/// Bytes from which a gather takes what the same block reads in order, too.
static constexpr int64_t kNearBytes = 64 << 10;
/// Parts of a kernel's way through its tensors.
static constexpr int64_t kSteps = 128;
/// Blocks of an H200 that run at once, about, elements of one that only computes, and rounds of them from
/// which on a kernel is taken to go through a tensor in order.
static constexpr int64_t kBlocksAtOnce = 528, kElementwiseTile = 4096, kLeastRounds = 2;

static int64_t bytesOf(Type type) { return storageBytes(cast<RankedTensorType>(type)); }

/// Views of one tensor whose boxes are counted together.
static constexpr size_t kMostBoxes = 16;

/// Elements that lie in some of `boxes`, by their dimensions from `dim` on.
static int64_t volumeOf(ArrayRef<const Box *> boxes, size_t dim) {
  if (boxes.empty() || dim == boxes.front()->size())
    return boxes.empty() ? 0 : 1;
  SmallVector<int64_t> bounds;
  for (const Box *box : boxes)
    bounds.append({(*box)[dim].first, (*box)[dim].second});
  llvm::sort(bounds);
  int64_t volume = 0;
  for (auto [first, end] : llvm::zip(bounds, ArrayRef(bounds).drop_front())) {
    if (first == end)
      continue;
    SmallVector<const Box *> here;
    llvm::copy_if(boxes, std::back_inserter(here), [&, first = first](const Box *box) {
      return (*box)[dim].first <= first && first < (*box)[dim].second;
    });
    volume += (end - first) * volumeOf(here, dim + 1);
  }
  return volume;
}
static int64_t volumeOf(ArrayRef<Box> boxes) {
  SmallVector<const Box *> all;
  for (const Box &box : boxes)
    all.push_back(&box);
  return volumeOf(all, 0);
}

/// Inner indices of one dimension of a view that are no padding: how many, the first and the last.
struct Inside {
  int64_t count = 0, first = 0, last = 0;
};
static Inside insideOf(const layout::ViewDim &dim) {
  int64_t step = std::abs(dim.step), inner = dim.innerExtent();
  int64_t first = dim.step < 0 ? dim.start + (dim.extent - 1) * dim.step : dim.start;
  if (step == 0)
    return {dim.extent, first, first};
  int64_t skipped = first >= 0 ? 0 : (int64_t)llvm::divideCeil(-first, step);
  int64_t end = first >= inner ? 0 : std::min(dim.extent, (int64_t)llvm::divideCeil(inner - first, step));
  if (skipped >= end)
    return {};
  return {end - skipped, first + skipped * step, first + (end - 1) * step};
}

namespace {
/// The elements that a view reaches: runs of neighbours, and their number.
struct Runs {
  int64_t elements = 1, run = 1;
  /// The range of offsets that they lie in.
  int64_t from = 0, to = 0;

  explicit Runs(const layout::StridedView &view) {
    SmallVector<std::pair<int64_t, int64_t>> strides; // stride, extent
    layout::StridedView simple = view.simplify();     // outlives the loop over its dims
    from = to = simple.offset();
    for (const layout::ViewDim &dim : simple.dims()) {
      Inside inside = insideOf(dim);
      bool single = dim.modes.size() == 1;
      int64_t distinct = 1;
      for (const layout::Mode &mode : dim.modes) {
        int64_t first = single ? inside.first : 0, last = single ? inside.last : mode.extent - 1;
        from += std::min(first * mode.stride, last * mode.stride);
        to += std::max(first * mode.stride, last * mode.stride);
        if (mode.stride == 0 || mode.extent == 1)
          continue;
        distinct *= mode.extent;
        strides.push_back(
            {std::abs(mode.stride * (single ? dim.step : 1)), single ? inside.count : mode.extent});
      }
      elements *= std::min(inside.count, distinct);
    }
    ++to;
    llvm::sort(strides);
    for (auto [stride, extent] : strides)
      if (stride == run)
        run *= std::max<int64_t>(extent, 1);
    run = std::min(run, std::max<int64_t>(elements, 1));
  }
  /// Bytes of the sectors that hold all of them, where runs begin anywhere.
  int64_t sectors(int64_t elementBytes) const {
    int64_t length = run * elementBytes;
    double each = 1 + double(length - elementBytes) / kSectorBytes;
    return (int64_t)(double(elements / run) * each * kSectorBytes);
  }
};
} // namespace

/// Whether blocks that run at once touch a small part of what `view` has, one part after the other as it lies
/// in memory.
static bool goesInOrder(const KernelIndexing &indexing, const layout::StridedView &view, int64_t elementBytes,
                        int64_t bytes) {
  int rank = (int)indexing.domain.size();
  bool reduces = llvm::is_contained(indexing.reduced, true), fastest = true;
  SmallVector<int64_t> steps(rank, 0);
  int64_t span = 1, blocks = 1, outer = 0;
  for (int d = 0; d < rank; ++d) {
    for (const layout::Mode &mode : view.dim(d).modes) {
      if (mode.stride * view.dim(d).step < 0)
        return false;
      if (mode.extent > 1)
        steps[d] = std::max(steps[d], mode.stride * view.dim(d).step);
    }
    if (indexing.reduced[d])
      span += (indexing.domain[d] - 1) * steps[d];
  }
  // From the dimension along which neighbouring blocks follow one another to the one that changes last.
  for (int d = rank - 1; d >= 0; --d) {
    int64_t extent = indexing.domain[d];
    if (extent == 1)
      continue;
    int64_t tile = !fastest ? 1 : reduces && !indexing.reduced[d] ? kColumnWidth : kElementwiseTile;
    fastest = false;
    if (indexing.reduced[d])
      continue;
    int64_t count = (int64_t)llvm::divideCeil(extent, tile);
    if (blocks < kBlocksAtOnce) {
      int64_t atOnce = std::min<int64_t>(count, llvm::divideCeil(kBlocksAtOnce, blocks));
      span += std::min(extent, atOnce * tile) * steps[d];
    } else if (steps[d] < outer) {
      return false;
    }
    blocks *= count;
    outer = std::max(outer, steps[d]);
  }
  return span * elementBytes <= bytes / kLeastRounds;
}

/// The passes over a kernel's rows in which each of its ops is computed: all in one where a tile or a cluster
/// holds a row; else one for each level of its reductions, and results of full size are stored in the pass
/// that has all they need.
static DenseMap<Operation *, llvm::SmallBitVector>
passesOf(KernelIndexing &indexing, ArrayRef<Operation *> ops, graph::KernelOp kernel) {
  SmallVector<Value> outputs(kernel.getBody().front().getTerminator()->getOperands());
  DenseMap<Operation *, llvm::SmallBitVector> passes;
  if (takesOnePass(indexing, planPasses(indexing, ops, outputs)) || keptRows(indexing, ops)) {
    for (Operation *op : ops)
      passes[op] = llvm::SmallBitVector(1, true);
    return passes;
  }
  SmallVector<Operation *> worklist;
  auto need = [&](Operation *op, int64_t pass) {
    llvm::SmallBitVector &of = passes[op];
    of.resize(std::max<unsigned>(of.size(), (unsigned)pass));
    if (!of.test((unsigned)pass - 1)) {
      of.set((unsigned)pass - 1);
      worklist.push_back(op);
    }
  };
  auto needAll = [&](Operation *op) {
    int64_t pass = passOf(indexing, op);
    need(op, pass);
    while (!worklist.empty())
      for (const OperandAccess &access : indexing.accesses.find(worklist.pop_back_val())->second)
        if (Operation *producer = access.root.getDefiningOp();
            indexing.contains(producer) && !indexing.rowReduction(producer))
          need(producer, pass);
  };
  for (Operation *op : ops)
    if (indexing.rowReduction(op))
      needAll(op);
  for (Value output : outputs)
    if (indexing.contains(output.getDefiningOp()) && !indexing.rowReduction(output.getDefiningOp()))
      needAll(output.getDefiningOp());
  return passes;
}

SmallVector<Touch> plan::touchesOf(graph::KernelOp kernel) {
  SmallVector<Touch> touches;
  Block &body = kernel.getBody().front();
  SmallVector<Type> types(body.getArgumentTypes());
  llvm::append_range(types, kernel.getResultTypes());
  for (Type type : types)
    touches.push_back({bytesOf(type), bytesOf(type), 0, bytesOf(type)});
  std::string why;
  std::optional<KernelIndexing> indexing = KernelIndexing::solve(kernel, why);
  if (!indexing)
    return touches;
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    if (indexing->contains(&op))
      ops.push_back(&op);
  DenseMap<Operation *, llvm::SmallBitVector> passes = passesOf(*indexing, ops, kernel);
  for (BlockArgument arg : body.getArguments()) {
    Touch &touch = touches[arg.getArgNumber()];
    int64_t whole = touch.bytes, elements = cast<RankedTensorType>(arg.getType()).getNumElements();
    if (elements == 0)
      continue;
    int64_t size = std::max<int64_t>(1, whole / elements);
    SmallVector<layout::StridedView> views;
    llvm::SmallBitVector inPasses;
    bool inOrder = true, isOperand = false;
    touch = {};
    for (Operation *op : ops)
      for (auto [place, access] : llvm::enumerate(indexing->accesses.find(op)->second)) {
        if (access.root != arg)
          continue;
        auto gather = dyn_cast<graph::GatherOp>(op);
        if (gather && place == 1) {
          int64_t selected = neededElements(*indexing, gather);
          Runs runs(access.view);
          touch.selected = std::min(whole, touch.selected + selected * size);
          double each = 1 + double(runs.run - 1) * size / double(kRandomBytes);
          touch.gathered += (int64_t)(double(selected / runs.run) * each * kRandomBytes);
          // The dimensions around those of the indices are gone through one by one.
          const layout::StridedView &indices = indexing->accesses.find(op)->second[0].view;
          SmallVector<bool> depends = supportOf(access.view);
          // Where padding around them ends says nothing of where they lie.
          touch.parts = 1;
          for (size_t d = 0; d < depends.size() && !dependsOn(indices, d); ++d)
            touch.parts *= depends[d] ? indexing->domain[d] : 1;
          continue;
        }
        if (isa<graph::MatmulOp>(op)) {
          touch.needed = touch.bytes = touch.to = whole;
          isOperand = true;
          continue;
        }
        if (!isRowLevel(*indexing, access.view))
          inPasses |= passes.lookup(op);
        if (llvm::is_contained(views, access.view))
          continue;
        views.push_back(access.view);
        inOrder &= goesInOrder(*indexing, access.view, size, whole);
        Runs runs(access.view);
        touch.from = touch.needed ? std::min(touch.from, runs.from * size) : runs.from * size;
        touch.to = std::max(touch.to, runs.to * size);
        touch.needed = std::min(touch.to - touch.from, touch.needed + runs.elements * size);
        touch.bytes = std::min(touch.to - touch.from, touch.bytes + runs.sectors(size));
        if (auto box = access.view.boxIn(cast<RankedTensorType>(arg.getType()).getShape().vec()))
          touch.boxes.push_back(std::move(*box));
      }
    if (isOperand || touch.boxes.size() != views.size() || views.size() > kMostBoxes)
      touch.boxes.clear();
    // What several views reach counts once.
    if (int64_t most = volumeOf(touch.boxes) * size; most && most < touch.needed) {
      touch.bytes = (int64_t)((double)touch.bytes * (double)most / (double)touch.needed);
      touch.needed = most;
    }
    touch.passes = std::max<int64_t>(1, inPasses.count());
    touch.inOrder = inOrder && touch.passes == 1 && !views.empty();
    if (touch.needed && whole / touch.parts <= kNearBytes)
      touch.selected = 0;
  }
  for (auto [result, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    if (auto it = indexing->views.find(value.getDefiningOp()); it != indexing->views.end())
      if (Touch &touch = touches[body.getNumArguments() + result]; touch.bytes > 0) {
        int64_t elements = cast<RankedTensorType>(value.getType()).getNumElements();
        touch.inOrder =
            goesInOrder(*indexing, it->second, touch.bytes / std::max<int64_t>(elements, 1), touch.bytes);
      }
  return touches;
}

namespace {

/// One tensor in memory: its space, and where it begins there.
struct Place {
  int64_t space = 0, offset = 0, bytes = 0;
  bool isResult = false;
};

/// A page and whether the memory lacks what was written to it.
struct Page : llvm::ilist_node<Page> {
  int64_t space = 0, bytes = 0, dirty = 0;
  bool isHeld = false;
  bool leaves = false; ///< It is among the first to go.
};

/// How a page is touched.
enum class Use { Read, Write, LastRead, LastWrite };

struct Cache {
  int64_t capacity;
  /// What pages that are the first to go take before others make room for them.
  int64_t leavingShare = 0;
  int64_t held = 0, leavingHeld = 0, count = 0;
  /// The pages of all spaces, and where those of each begin.
  SmallVector<int64_t> firstOfSpace;
  std::vector<Page> all;
  /// The one touched last in front; and those that are the first to go.
  llvm::simple_ilist<Page> pages, leaving;

  Cache(double capacity, const DenseMap<Value, Place> &places, int64_t pageBytes)
      : capacity((int64_t)capacity) {
    SmallVector<int64_t> ends;
    for (auto &[value, place] : places) {
      ends.resize(std::max<size_t>(ends.size(), (size_t)place.space + 1));
      ends[place.space] = std::max(ends[place.space], place.offset + place.bytes);
    }
    int64_t total = 0;
    for (int64_t end : ends) {
      firstOfSpace.push_back(total);
      total += (int64_t)llvm::divideCeil(end, pageBytes);
    }
    all = std::vector<Page>(total);
  }

  /// Touches page `number` of a space; the bytes of it that the cache has.
  int64_t touch(int64_t space, int64_t number, int64_t bytes, Use use, MemoryTraffic &traffic) {
    bool writes = use == Use::Write || use == Use::LastWrite;
    int64_t had = 0;
    Page &page = all[firstOfSpace[space] + number];
    // What is read from memory takes a place as any other line, whatever it is said to be.
    bool leaves = use == Use::LastWrite || (use == Use::LastRead && page.isHeld);
    count += page.isHeld ? 0 : 1;
    if (page.isHeld) {
      (page.leaves ? leaving : pages).remove(page);
      had = std::min(bytes, page.bytes);
      leavingHeld += ((int)leaves - (int)page.leaves) * page.bytes;
    }
    (leaves ? leaving : pages).push_front(page);
    page.space = space;
    page.isHeld = true;
    page.leaves = leaves;
    held += bytes - had;
    leavingHeld += leaves ? bytes - had : 0;
    page.bytes += bytes - had;
    page.dirty = writes ? std::max(page.dirty, bytes) : page.dirty;
    while (held > capacity && count > 1)
      drop(leavingHeld > leavingShare || pages.empty() ? leaving : pages, traffic);
    return had;
  }

  void drop(llvm::simple_ilist<Page> &from, MemoryTraffic &traffic) {
    Page &page = from.back();
    traffic.written += page.dirty;
    held -= page.bytes;
    leavingHeld -= page.leaves ? page.bytes : 0;
    --count;
    from.remove(page);
    page.bytes = page.dirty = 0;
    page.isHeld = page.leaves = false;
  }

  template <typename Take> void forEachPage(Take take) const {
    for (const llvm::simple_ilist<Page> *those : {&pages, &leaving})
      for (const Page &page : *those)
        take(page);
  }
};

/// How a tensor was gone through.
struct LastWay {
  bool backward = false, inOrder = true;
};

} // namespace

Value plan::aliased(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getInput();
  return value;
}

/// Where the tensors of `program` lie: the arena is space 0, every other one has its own.
static DenseMap<Value, Place> placesOf(ProgramOp program, ArrayRef<LaunchOp> launches) {
  DenseMap<Value, Place> places;
  DenseMap<Operation *, unsigned> number;
  SmallVector<llvm::BitVector> before; // before[b][a]: b waits for a
  SmallVector<Value> between;
  llvm::DenseSet<Value> returned;
  int64_t spaces = 1;
  for (Value value : program.getBody().front().getTerminator()->getOperands())
    returned.insert(aliased(value));
  for (unsigned i = 0; i < launches.size(); ++i) {
    LaunchOp launch = launches[i];
    number[launch] = i;
    llvm::BitVector &waits = before.emplace_back(launches.size());
    for (Value arg : launch.getArgs()) {
      Value root = aliased(arg);
      if (auto it = number.find(root.getDefiningOp()); it != number.end()) {
        waits |= before[it->second];
        waits.set(it->second);
      } else if (!places.count(root)) {
        places[root] = {spaces++, 0, bytesOf(root.getType()), false};
      }
    }
    for (Value result : launch.getResults())
      if (returned.contains(result))
        places[result] = {spaces++, 0, bytesOf(result.getType()), true};
      else
        between.push_back(result);
  }
  // `b` may lie where `a` did when it is computed after all that touch `a`.
  auto follows = [&](Value a, Value b) {
    unsigned later = number[b.getDefiningOp()];
    SmallVector<Value> worklist = {a};
    auto waits = [&](Operation *op) { return number.count(op) && before[later].test(number[op]); };
    bool all = waits(a.getDefiningOp());
    while (!worklist.empty() && all)
      for (Operation *user : worklist.pop_back_val().getUsers()) {
        if (isa<graph::ReshapeOp>(user))
          worklist.push_back(user->getResult(0));
        else
          all = all && waits(user);
      }
    return all;
  };
  SmallVector<int64_t> bytes =
      llvm::map_to_vector(between, [](Value value) { return bytesOf(value.getType()); });
  ArenaPlacement arena = placeInArena(bytes, /*alignment=*/256, [&](unsigned a, unsigned b) {
    return !follows(between[a], between[b]) && !follows(between[b], between[a]);
  });
  for (auto [i, value] : llvm::enumerate(between))
    places[value] = {0, arena.offsets[i], bytes[i], false};
  return places;
}

/// Bytes of a page where the tensors lie at `places`.
static int64_t pageBytesOf(const DenseMap<Value, Place> &places, int64_t least = kLeastPage) {
  int64_t page = least;
  double bytes = 0;
  for (auto &[value, place] : places)
    bytes += (double)place.bytes;
  while ((double)page * (double)kPages < bytes)
    page *= 2;
  return page;
}

/// Where step `step` of kSteps through `length` bytes begins.
static int64_t startOf(int64_t step, int64_t length) {
  return length / kSteps * step + length % kSteps * step / kSteps;
}

/// The share of the cache that lines which are the first to go take all the same, by the bytes that a kernel
/// writes for one that it reads. (H200: a kernel that goes backward through 24 to 90 MB of a tensor and
/// writes one, two or three of its size finds 35, 24 and 22 MB of it, without that 27, 16 and 16.)
static double leavingShare(ArrayRef<std::pair<Place, const Touch *>> reads,
                           ArrayRef<std::pair<Place, const Touch *>> writes) {
  double read = 0, written = 0;
  for (auto &[place, touch] : reads)
    read += (double)touch->bytes;
  for (auto &[place, touch] : writes)
    written += (double)touch->bytes;
  return std::clamp(0.07 + 0.28 * (written / std::max(read, 1.0) - 1), 0.07, 0.4);
}

/// Bytes of a tensor that some of its readers need, at least: of boxes that are needed whole, and of ranges
/// that overlap without gaps, all; of others the most that one of them needs.
static int64_t neededOf(ArrayRef<const Touch *> touches, int64_t whole, int64_t elementBytes) {
  SmallVector<Box> boxes;
  bool needsBoxes = true;
  for (const Touch *touch : touches) {
    needsBoxes &= touch->needed == volumeOf(touch->boxes) * elementBytes && !touch->selected;
    llvm::append_range(boxes, touch->boxes);
  }
  if (needsBoxes && boxes.size() <= kMostBoxes)
    return std::min(whole, volumeOf(boxes) * elementBytes);
  SmallVector<const Touch *> sorted(touches);
  llvm::stable_sort(sorted, [](const Touch *a, const Touch *b) { return a->from < b->from; });
  int64_t total = 0, from = 0, to = 0, most = 0, selected = 0;
  bool dense = true;
  auto close = [&] { total += dense ? to - from : most; };
  for (const Touch *touch : sorted) {
    selected = std::max(selected, touch->selected);
    if (touch->needed == 0)
      continue;
    if (touch->from >= to) {
      close();
      from = touch->from, to = touch->to, most = 0, dense = true;
    }
    dense &= touch->needed == touch->to - touch->from;
    most = std::max(most, touch->needed);
    to = std::max(to, touch->to);
  }
  close();
  return std::min(whole, std::max(total, selected));
}

MemoryTraffic plan::trafficOf(ProgramOp program, ArrayRef<Walk> walks, double cacheBytes) {
  MemoryTraffic traffic;
  SmallVector<LaunchOp> launches(program.getBody().front().getOps<LaunchOp>());
  DenseMap<Value, Place> places = placesOf(program, launches);
  int64_t pageBytes = pageBytesOf(places, kLeastSlicedPage);
  Cache cache(kCacheShare * cacheBytes, places, pageBytes);
  for (const Walk &walk : walks) {
    const Place &place = places.find(aliased(walk.tensor))->second;
    int64_t from = place.offset + std::max<int64_t>(0, walk.from),
            to = place.offset + std::min(place.bytes, walk.to);
    for (int64_t page = from / pageBytes; page * pageBytes < to; ++page) {
      // Whole pages: walks that share one touch different bytes of it.
      int64_t bytes = std::min(place.offset + place.bytes, (page + 1) * pageBytes) -
                      std::max(place.offset, page * pageBytes);
      int64_t had = cache.touch(place.space, page, bytes, walk.isWrite ? Use::Write : Use::Read, traffic);
      traffic.read += walk.isWrite ? 0 : bytes - had;
    }
  }
  llvm::DenseSet<int64_t> results;
  for (auto &[value, place] : places)
    if (place.isResult)
      results.insert(place.space);
  cache.forEachPage(
      [&](const Page &page) { traffic.written += results.contains(page.space) ? page.dirty : 0; });
  return traffic;
}

ProgramTraffic plan::trafficOf(ProgramOp program, const SymbolTable &symbols, double cacheBytes) {
  ProgramTraffic result;
  SmallVector<LaunchOp> launches(program.getBody().front().getOps<LaunchOp>());
  DenseMap<Value, Place> places = placesOf(program, launches);
  int64_t pageBytes = pageBytesOf(places);
  Cache cache(kCacheShare * cacheBytes, places, pageBytes);
  llvm::MapVector<Value, SmallVector<const Touch *>> needed;
  // How tensors were gone through last, by where they lie.
  std::map<std::pair<int64_t, int64_t>, LastWay> lastWays;
  // Touches are pointed to: they stay where they are.
  std::map<StringRef, SmallVector<Touch>> known;
  for (LaunchOp launch : launches) {
    MemoryTraffic &traffic = result.launches.emplace_back();
    auto kernel = symbols.lookup<graph::KernelOp>(launch.getKernel());
    if (!kernel)
      continue;
    auto [it, isNew] = known.try_emplace(launch.getKernel());
    if (isNew)
      it->second = touchesOf(kernel);
    SmallVector<std::pair<Place, const Touch *>> reads, writes;
    for (auto [touch, arg] : llvm::zip(it->second, launch.getArgs())) {
      Value root = aliased(arg);
      reads.push_back({places[root], &touch});
      if (!isa_and_nonnull<LaunchOp>(root.getDefiningOp()))
        needed[root].push_back(&touch);
    }
    for (auto [touch, value] : llvm::zip(ArrayRef(it->second).drop_front(reads.size()), launch.getResults()))
      writes.push_back({places[value], &touch});
    int64_t passes = 1;
    for (auto &[place, touch] : reads)
      passes = std::max(passes, touch->passes);
    // Only what is gone through in order, and was before, is found by going the other way: what is touched in
    // no order is taken to be gone through as before.
    llvm::SmallDenseMap<const Touch *, bool> fromEnd;
    for (auto *touches : {&reads, &writes})
      for (auto &[place, touch] : *touches) {
        LastWay &last = lastWays[{place.space, place.offset}];
        bool isBackward = kernel->hasAttr(kBackwardAttrName);
        fromEnd[touch] = touch->inOrder && last.inOrder ? isBackward : last.backward;
        last = {touch->inOrder ? isBackward : last.backward, touch->inOrder};
      }
    llvm::SmallDenseSet<const Touch *> leaving;
    if (auto places = kernel->getAttrOfType<DenseI64ArrayAttr>(kLeavingAttrName))
      for (int64_t place : places.asArrayRef())
        leaving.insert(&it->second[place]);
    cache.leavingShare = (int64_t)(leavingShare(reads, writes) * (double)cache.capacity);
    // The part of a tensor's pages that is touched in one step.
    auto walk = [&](const Place &place, const Touch &touch, int64_t step, bool isWrite) {
      int64_t first = place.offset + std::max<int64_t>(0, touch.from),
              last = place.offset + std::min(place.bytes, touch.to), length = last - first;
      if (length <= 0)
        return;
      bool isReversed = fromEnd.lookup(&touch);
      if (isReversed)
        step = kSteps - 1 - step;
      double share = (double)touch.bytes / (double)length;
      int64_t from = first + startOf(step, length), to = first + startOf(step + 1, length);
      // A page belongs to the step in which it begins.
      int64_t page = step == 0 ? from / pageBytes : (int64_t)llvm::divideCeil(from, pageBytes);
      int64_t count = std::max<int64_t>(0, (int64_t)llvm::divideCeil(to, pageBytes) - page);
      for (int64_t i = 0; i < count; ++i) {
        int64_t number = isReversed ? page + count - 1 - i : page + i;
        int64_t inside = std::min(last, (number + 1) * pageBytes) - std::max(first, number * pageBytes);
        int64_t bytes = (int64_t)((double)inside * share);
        bool leaves = leaving.contains(&touch);
        Use use = isWrite ? leaves ? Use::LastWrite : Use::Write : leaves ? Use::LastRead : Use::Read;
        int64_t had = cache.touch(place.space, number, bytes, use, traffic);
        traffic.read += isWrite ? 0 : bytes - had;
      }
    };
    for (int64_t pass = 0; pass < passes; ++pass)
      for (int64_t step = 0; step < kSteps; ++step) {
        for (auto &[place, touch] : reads)
          if (pass < touch->passes)
            walk(place, *touch, step, /*isWrite=*/false);
        for (auto &[place, touch] : writes)
          if (pass + 1 == passes)
            walk(place, *touch, step, /*isWrite=*/true);
      }
    // What indices select lies anywhere in a part of the table: of one that the cache holds each sector comes
    // once, of others what is not there comes again.
    for (auto &[place, touch] : reads) {
      if (!touch->gathered || !place.bytes)
        continue;
      double table = (double)place.bytes, selected = (double)touch->gathered,
             part = table / (double)touch->parts;
      double distinct = table * (1 - std::exp(-selected / table)), kept = kRandomShare * cacheBytes;
      int64_t held = 0;
      cache.forEachPage([&, space = place.space](const Page &page) {
        held += space != 0 && page.space == space ? page.bytes : 0;
      });
      double missing = 1 - std::min(1.0, (double)held / table);
      if (part > kept)
        traffic.read += (int64_t)std::max(distinct * missing, selected * (1 - kept / part));
      else if (!touch->bytes)
        traffic.read += (int64_t)(distinct * missing);
      Touch all{touch->selected, (int64_t)distinct, 0, place.bytes};
      MemoryTraffic fetched;
      std::swap(fetched, traffic); // counted already
      for (int64_t step = 0; step < kSteps && !touch->bytes; ++step)
        walk(place, all, step, /*isWrite=*/false);
      std::swap(fetched, traffic);
      traffic.written += fetched.written;
    }
  }
  for (const MemoryTraffic &traffic : result.launches) {
    result.read += traffic.read;
    result.written += traffic.written;
  }
  llvm::DenseSet<int64_t> results;
  for (auto &[value, place] : places)
    if (place.isResult)
      results.insert(place.space);
  cache.forEachPage(
      [&](const Page &page) { (results.contains(page.space) ? result.written : result.dead) += page.dirty; });
  for (auto &[value, touches] : needed)
    result.least += neededOf(touches, bytesOf(value.getType()),
                             storageBytes(cast<RankedTensorType>(value.getType()).clone({1})));
  for (Value value : program.getBody().front().getTerminator()->getOperands())
    result.least += bytesOf(value.getType());
  return result;
}
