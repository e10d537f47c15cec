// plan-interleave-launches: kernels that need one another, or read the same, become one whose blocks go
// through the tensors slice by slice, so that what one leaves in the L2 cache the next finds there.
//
// Greedy: of all pairs of groups that share a large tensor the one that saves most bytes through the memory
// is taken in, until none saves enough. What passes the memory is modelled block by block, in the order of
// tickets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchGraph.h"
#include "MemoryTraffic.h"
#include "MergeWriter.h"

#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Dialect/Plan/Transforms/Passes.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tilewright::plan {
#define GEN_PASS_DEF_INTERLEAVELAUNCHES
#include "Tilewright/Dialect/Plan/Transforms/Passes.h.inc"
} // namespace tilewright::plan

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// Launches of a program beyond which the search takes longer than it is worth.
static constexpr size_t kMostLaunches = 48;
/// The share of a program's bytes through the memory that a pair has to save: the model knows no less.
static constexpr double kLeastSaved = 0.02;
/// Tensors of less than this share of the L2 cache are found there in any case.
static constexpr double kSharedShare = 0.0625;
/// Numbers of slices that are tried.
static constexpr int64_t kCounts[] = {8, 16, 32, 64, 128};
/// Rounds before the last part begins, by slices: in so many tickets of a round nobody has anything to do.
static constexpr double kMostLag = 0.25;
/// What a ticket and a wait add to a block's time, in microseconds, of which others on the multiprocessor
/// hide this share. (An estimate: an atomic operation, a barrier and a load in L2 one after the other.)
static constexpr double kTicketMicroseconds = 1.5, kHidden = 0.75;

//===-- Kernels and groups -----------------------------------------------------------------------------===//

namespace {

/// One launch and its kernel.
struct Node {
  LaunchOp launch;
  KernelPart part;
  /// Why it cannot be interleaved with anything; empty when it can.
  std::string whyNot;

  Value tensor(unsigned buffer) {
    unsigned inputs = (unsigned)launch.getArgs().size();
    return buffer < inputs ? aliased(launch.getArgs()[buffer]) : launch.getResult(buffer - inputs);
  }
  unsigned numBuffers() { return launch.getArgs().size() + launch.getNumResults(); }
  bool isWrite(unsigned buffer) { return buffer >= launch.getArgs().size(); }
  int64_t bytesOf(unsigned buffer) { return storageBytes(cast<RankedTensorType>(tensor(buffer).getType())); }
  /// The parameter of the kernel's function that is buffer number `buffer`.
  unsigned parameterOf(unsigned buffer);
  /// The bytes of a buffer that parts of the grid touch, two numbers each; empty where that is not known.
  ArrayRef<int64_t> footprint(unsigned buffer);
  /// Bytes of a buffer that blocks `first` to `last` - 1 touch.
  std::pair<int64_t, int64_t> touched(unsigned buffer, int64_t first, int64_t last);
  /// Whether parts of the grid touch parts of the buffer that lie apart.
  bool goesInParts(unsigned buffer);
};

/// Launches that are to be one, in program order.
struct Group {
  SmallVector<int> nodes;
  Slices slices;
};

/// One program while it is decided on.
struct Search {
  ProgramOp program;
  const Arch &arch;
  bool always;
  std::vector<Node> nodes = {};
  std::vector<Group> groups = {};
  /// needs[b]: nodes that node b reads results of.
  std::vector<llvm::SmallSetVector<int, 4>> needs = {};
  MemoryTraffic before = {}, now = {};
  int64_t tickets = 0;

  void addNodes(ArrayRef<std::string> alone);
  SmallVector<KernelPart> partsOf(const Group &group);
  /// Groups in an order in which each comes behind those it needs; nothing where there is none.
  std::optional<SmallVector<int>> order(const std::vector<Group> &of);
  std::optional<MemoryTraffic> trafficOf(const std::vector<Group> &of);
  void walk(int node, int64_t firstPart, int64_t lastPart, int64_t parts, SmallVectorImpl<Walk> &walks);
  int64_t sharedBytes(const Group &a, const Group &b);
  std::string whyApart(const Group &both);
  /// Cuts the parts of `group` into slices; says why that cannot be.
  std::string slice(Group &group, int64_t count);
  double microsecondsOf(const std::vector<Group> &of, const MemoryTraffic &traffic);
  bool takePair();
};

} // namespace

unsigned Node::parameterOf(unsigned buffer) {
  for (unsigned i = 0, next = 0; i < part.function.getNumArguments(); ++i)
    if (!part.function.getArgAttr(i, ptx::PtxDialect::getTrueLengthAttrName()) && next++ == buffer)
      return i;
  llvm_unreachable("describePart has counted the parameters");
}

ArrayRef<int64_t> Node::footprint(unsigned buffer) {
  auto ranges = part.function.getArgAttrOfType<DenseI64ArrayAttr>(parameterOf(buffer),
                                                                  ptx::PtxDialect::getFootprintAttrName());
  return ranges ? ranges.asArrayRef() : ArrayRef<int64_t>();
}

std::pair<int64_t, int64_t> Node::touched(unsigned buffer, int64_t first, int64_t last) {
  ArrayRef<int64_t> ranges = footprint(buffer);
  int64_t parts = (int64_t)ranges.size() / 2, blocks = part.shape().numBlocks();
  int64_t from = 0, to = 0;
  for (int64_t i = 0; i < parts; ++i) {
    int64_t begin = i * blocks / parts, end = (i + 1) * blocks / parts;
    int64_t a = ranges[2 * i], b = ranges[2 * i + 1];
    if (end <= first || begin >= last || a == b)
      continue;
    from = from == to ? a : std::min(from, a);
    to = std::max(to, b);
  }
  return {from, to};
}

bool Node::goesInParts(unsigned buffer) {
  ArrayRef<int64_t> ranges = footprint(buffer);
  int64_t all = 0;
  for (size_t i = 0; i < ranges.size(); i += 2)
    all += ranges[i + 1] - ranges[i];
  return all <= bytesOf(buffer) + bytesOf(buffer) / 2;
}

void Search::addNodes(ArrayRef<std::string> alone) {
  llvm::DenseMap<Operation *, int> numbers;
  for (auto launch : program.getBody().getOps<LaunchOp>()) {
    int number = (int)nodes.size();
    Node &node = nodes.emplace_back();
    node.launch = launch;
    node.whyNot = describePart(launch, node.part);
    if (llvm::is_contained(alone, launch.getKernel()))
      node.whyNot = "it is to stay alone";
    for (unsigned buffer = 0; node.whyNot.empty() && buffer < node.numBuffers(); ++buffer)
      if (node.footprint(buffer).empty())
        node.whyNot = "nothing says which bytes its blocks touch";
    llvm::SmallSetVector<int, 4> &own = needs.emplace_back();
    for (Value argument : launch.getArgs())
      if (auto it = numbers.find(aliased(argument).getDefiningOp()); it != numbers.end())
        own.insert(it->second);
    numbers[launch] = number;
    groups.push_back({{number}, {}});
  }
}

SmallVector<KernelPart> Search::partsOf(const Group &group) {
  return llvm::map_to_vector(group.nodes, [&](int node) { return nodes[node].part; });
}

std::optional<SmallVector<int>> Search::order(const std::vector<Group> &of) {
  std::vector<int> groupOf(nodes.size());
  for (auto [g, group] : llvm::enumerate(of))
    for (int node : group.nodes)
      groupOf[node] = (int)g;
  SmallVector<int> found;
  llvm::BitVector done(of.size());
  // The first that can go next: programs are short.
  while (found.size() < of.size()) {
    int next = -1;
    for (int g = 0; g < (int)of.size() && next < 0; ++g)
      if (!done.test(g) && llvm::all_of(of[g].nodes, [&](int node) {
            return llvm::all_of(needs[node],
                                [&](int need) { return groupOf[need] == g || done.test(groupOf[need]); });
          }))
        next = g;
    if (next < 0)
      return std::nullopt;
    done.set(next);
    found.push_back(next);
  }
  return found;
}

//===-- Traffic ----------------------------------------------------------------------------------------===//

/// Blocks from `first` of `parts` equal parts to before the one `last` touch their tensors.
void Search::walk(int number, int64_t first, int64_t last, int64_t parts, SmallVectorImpl<Walk> &walks) {
  Node &node = nodes[number];
  for (unsigned buffer = 0; buffer < node.numBuffers(); ++buffer) {
    Walk walk{node.tensor(buffer), 0, 0, node.isWrite(buffer)};
    int64_t bytes = node.bytesOf(buffer);
    if (node.whyNot.empty() && node.goesInParts(buffer)) {
      int64_t blocks = node.part.shape().numBlocks();
      std::tie(walk.from, walk.to) = node.touched(buffer, first * blocks / parts, last * blocks / parts);
    } else {
      // In some order of its own, which is nobody else's.
      constexpr int64_t stride = 37;
      int64_t place = first * stride % parts;
      walk.from = bytes * place / parts;
      walk.to = bytes * (place + 1) / parts;
    }
    if (walk.from < walk.to)
      walks.push_back(walk);
  }
}

std::optional<MemoryTraffic> Search::trafficOf(const std::vector<Group> &of) {
  std::optional<SmallVector<int>> ordered = order(of);
  if (!ordered)
    return std::nullopt;
  SmallVector<Walk> walks;
  constexpr int64_t steps = 128;
  for (int g : *ordered) {
    const Group &group = of[g];
    if (group.nodes.size() == 1) {
      for (int64_t step = 0; step < steps; ++step)
        walk(group.nodes[0], step, step + 1, steps, walks);
      continue;
    }
    for (int64_t round = 0; round < group.slices.rounds(); ++round)
      for (auto [node, lag] : llvm::zip_equal(group.nodes, group.slices.lags))
        if (int64_t k = round - lag; k >= 0 && k < group.slices.count)
          walk(node, k, k + 1, group.slices.count, walks);
  }
  return plan::trafficOf(program, walks, arch.l2Bytes);
}

double Search::microsecondsOf(const std::vector<Group> &of, const MemoryTraffic &traffic) {
  double microseconds = (double)(traffic.read + traffic.written) / (arch.hbmGBps * 1e3);
  for (const Group &group : of) {
    microseconds += arch.nodeMicroseconds;
    if (group.nodes.size() == 1)
      continue;
    SmallVector<KernelPart> parts = partsOf(group);
    int64_t threads = threadsOf(parts);
    Occupancy resident = occupancy(
        arch, threads, std::min(kRegisters, registersForOccupancy(arch, threads, 1)), sharedBytesOf(parts));
    double atOnce = std::max<double>(1, (double)resident.blocksPerSM * arch.numSMs);
    microseconds += (double)blocksOf(placesOf(parts, &group.slices), &group.slices) / atOnce *
                    kTicketMicroseconds * (1 - kHidden);
  }
  return microseconds;
}

//===-- Slices -----------------------------------------------------------------------------------------===//

/// Bytes of tensors that launches of both touch.
int64_t Search::sharedBytes(const Group &a, const Group &b) {
  llvm::SmallSetVector<Value, 8> mine;
  for (int node : a.nodes)
    for (unsigned buffer = 0; buffer < nodes[node].numBuffers(); ++buffer)
      mine.insert(nodes[node].tensor(buffer));
  llvm::SmallSetVector<Value, 8> both;
  for (int node : b.nodes)
    for (unsigned buffer = 0; buffer < nodes[node].numBuffers(); ++buffer)
      if (Value tensor = nodes[node].tensor(buffer); mine.contains(tensor))
        both.insert(tensor);
  int64_t bytes = 0;
  for (Value tensor : both)
    bytes += storageBytes(cast<RankedTensorType>(tensor.getType()));
  return bytes;
}

std::string Search::whyApart(const Group &both) {
  for (int node : both.nodes)
    if (!nodes[node].whyNot.empty())
      return nodes[node].launch.getKernel().str() + ": " + nodes[node].whyNot;
  if (both.nodes.size() > kMostParts)
    return llvm::formatv("a kernel has at most {0} parts", kMostParts).str();
  SmallVector<KernelPart> parts = partsOf(both);
  int64_t threads = threadsOf(parts);
  unsigned parameters = 1;
  for (KernelPart part : parts) {
    int64_t own = part.shape().getBlock();
    parameters += part.function.getNumArguments();
    if (always)
      continue;
    if (threads > kFreeThreads && own != threads)
      return llvm::formatv("threads of {0} a block would have the registers of {1} a block", own, threads)
          .str();
    if (2 * own * part.blocksInOne(threads) < threads)
      return llvm::formatv("blocks of {0} threads would leave most of {1} idle", own, threads).str();
  }
  if (parameters > kMostParameters)
    return llvm::formatv("they have {0} parameters, a kernel takes {1}", parameters, kMostParameters).str();
  return "";
}

std::string Search::slice(Group &group, int64_t count) {
  Slices &slices = group.slices;
  slices = Slices();
  slices.count = count;
  SmallVector<KernelPart> parts = partsOf(group);
  int64_t threads = threadsOf(parts);
  // The blocks that slice k of part p has on its own.
  auto touched = [&](size_t p, unsigned buffer, int64_t k) {
    KernelPart part = parts[p];
    int64_t inOne = part.blocksInOne(threads), blocks = part.blocksOf(threads);
    return nodes[group.nodes[p]].touched(buffer, slices.firstOfSlice(k, blocks) * inOne,
                                         slices.firstOfSlice(k + 1, blocks) * inOne);
  };
  for (size_t c = 0; c < group.nodes.size(); ++c) {
    Node &reader = nodes[group.nodes[c]];
    SmallVector<SliceWait> waits;
    int64_t lag = 0;
    for (unsigned buffer = 0; buffer < reader.launch.getArgs().size(); ++buffer)
      for (size_t p = 0; p < c; ++p) {
        Node &writer = nodes[group.nodes[p]];
        auto result = dyn_cast<OpResult>(reader.tensor(buffer));
        if (!result || result.getOwner() != writer.launch)
          continue;
        unsigned written = (unsigned)writer.launch.getArgs().size() + result.getResultNumber();
        slices.inside.push_back(
            {{(unsigned)c, reader.parameterOf(buffer)}, {(unsigned)p, writer.parameterOf(written)}});
        SliceWait wait{(unsigned)p, -count, -count};
        bool waitsAtAll = false;
        for (int64_t k = 0; k < count; ++k) {
          auto [from, to] = touched(c, buffer, k);
          for (int64_t j = 0; j < count && from < to; ++j) {
            auto [first, last] = touched(p, written, j);
            if (first == last || first >= to || last <= from)
              continue;
            wait.before = std::max(wait.before, k - j);
            wait.after = std::max(wait.after, j - k);
            waitsAtAll = true;
          }
        }
        if (!waitsAtAll)
          continue;
        if (wait.before + wait.after + 1 > kMostAwaited)
          return llvm::formatv(
                     "a slice of {0} needs {1} slices of {2}, more than the {3} that a warp waits for",
                     reader.launch.getKernel(), wait.before + wait.after + 1, writer.launch.getKernel(),
                     kMostAwaited)
              .str();
        // A round later still, so that blocks rarely wait.
        lag = std::max(lag, slices.lags[p] + wait.after + 1);
        auto same = llvm::find_if(waits, [&](const SliceWait &other) { return other.part == p; });
        if (same == waits.end()) {
          waits.push_back(wait);
        } else {
          same->before = std::max(same->before, wait.before);
          same->after = std::max(same->after, wait.after);
        }
      }
    slices.lags.push_back(lag);
    slices.waits.push_back(waits);
    if (lag > (always ? count : (int64_t)((double)count * kMostLag)))
      return llvm::formatv("{0} would begin {1} rounds late, of {2}", reader.launch.getKernel(), lag, count)
          .str();
  }
  for (ArrayRef<SliceWait> waits : slices.waits)
    for (const SliceWait &wait : waits)
      if (wait.before + wait.after + 1 > kMostAwaited)
        return "a slice needs too many of another part";
  if (blocksOf(placesOf(parts, &slices), &slices) > INT32_MAX)
    return "it would have too many blocks";
  return "";
}

//===-- Choice -----------------------------------------------------------------------------------------===//

/// Makes one of the two groups that gain most by it; whether there were any.
bool Search::takePair() {
  double microseconds = microsecondsOf(groups, now), best = 0;
  std::optional<std::vector<Group>> chosen;
  MemoryTraffic reached;
  for (size_t a = 0; a < groups.size(); ++a)
    for (size_t b = a + 1; b < groups.size(); ++b) {
      int64_t shared = sharedBytes(groups[a], groups[b]);
      if (shared == 0 || (!always && (double)shared < kSharedShare * arch.l2Bytes))
        continue;
      Group both;
      both.nodes = groups[a].nodes;
      llvm::append_range(both.nodes, groups[b].nodes);
      llvm::sort(both.nodes);
      auto refuse = [&](StringRef why) {
        emitRemark(nodes[groups[b].nodes.front()].launch, Remark::InterleaveRefused,
                   nodes[groups[b].nodes.front()].launch.getKernel(),
                   nodes[groups[a].nodes.front()].launch.getKernel(), shared, why.str());
      };
      if (std::string why = whyApart(both); !why.empty()) {
        refuse(why);
        continue;
      }
      std::vector<Group> next(groups);
      next.erase(next.begin() + (ptrdiff_t)b);
      next[a] = both;
      if (!order(next)) {
        refuse("another launch stands between them");
        continue;
      }
      SmallVector<KernelPart> parts = partsOf(both);
      int64_t most = 0;
      for (KernelPart part : parts)
        most = std::max(most, part.blocksOf(threadsOf(parts)));
      SmallVector<int64_t> counts(kCounts, std::end(kCounts));
      if (always)
        counts = {std::min<int64_t>(kMostAwaited / 2, (int64_t)llvm::bit_floor((uint64_t)most))};
      std::string why;
      bool taken = false;
      for (int64_t count : counts) {
        if (count > most) {
          why = llvm::formatv("{0} blocks are too few for slices", most).str();
          continue;
        }
        if (why = slice(next[a], count); !why.empty())
          continue;
        std::optional<MemoryTraffic> traffic = trafficOf(next);
        double then = microsecondsOf(next, *traffic);
        int64_t saved = now.read + now.written - traffic->read - traffic->written;
        if (!always &&
            ((double)saved < kLeastSaved * (double)(before.read + before.written) || then >= microseconds)) {
          why =
              llvm::formatv(
                  "{0} bytes would be found in the cache in {1} slices, and the program would take {2:f2} us "
                  "instead of {3:f2}",
                  saved, count, then, microseconds)
                  .str();
          continue;
        }
        taken = true;
        if (!chosen || microseconds - then > best) {
          best = microseconds - then;
          chosen = next;
          reached = *traffic;
        }
      }
      if (!taken)
        refuse(why);
      if (always && chosen)
        break;
    }
  if (!chosen)
    return false;
  groups = *chosen;
  now = reached;
  return true;
}

//===-- Pass -------------------------------------------------------------------------------------------===//

/// What the user is told of an interleaved launch.
static void explain(LaunchOp launch, ArrayRef<KernelPart> parts, const Slices &slices, int64_t saved,
                    int64_t bytes, ArrayRef<std::string> names) {
  std::string waits;
  llvm::raw_string_ostream stream(waits);
  for (auto [part, own] : llvm::enumerate(slices.waits))
    for (const SliceWait &wait : own)
      stream << (waits.empty() ? "" : ", ") << "slice k of " << names[part] << " waits for slices k - "
             << wait.before << " to k + " << wait.after << " of " << names[wait.part];
  if (waits.empty())
    stream << "none waits for another";
  emitRemark(launch, Remark::LaunchesInterleaved, launch.getKernel(), llvm::join(names, ", "),
             blocksOf(placesOf(parts, &slices), &slices), threadsOf(parts), slices.count, waits, saved,
             bytes);
}

/// Where the workspace of all kernels of the module ends, at a multiple of a cache line.
static int64_t workspaceEnd(ModuleOp module) {
  constexpr int64_t line = 128;
  int64_t end = 0;
  module.walk([&](LLVM::LLVMFuncOp function) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto range =
              function.getArgAttrOfType<DenseI64ArrayAttr>(i, ptx::PtxDialect::getWorkspaceAttrName()))
        end = std::max(end, range[0] + range[1]);
  });
  return (int64_t)llvm::alignTo(end, line);
}

/// Subtracts from the bytes through the memory that launch and program are said to move.
static void subtractTraffic(LaunchOp launch, ProgramOp program, MemoryTraffic saved) {
  for (Operation *op : {launch.getOperation(), program.getOperation()})
    if (auto traffic = op->getAttrOfType<DenseI64ArrayAttr>(kTrafficAttrName)) {
      SmallVector<int64_t> bytes(traffic.asArrayRef());
      bytes[0] = std::max<int64_t>(0, bytes[0] - saved.read);
      bytes[1] = std::max<int64_t>(0, bytes[1] - saved.written);
      op->setAttr(kTrafficAttrName, DenseI64ArrayAttr::get(op->getContext(), bytes));
    }
}

namespace {
struct InterleaveLaunches : plan::impl::InterleaveLaunchesBase<InterleaveLaunches> {
  using Base::Base;
  void runOnOperation() override {
    std::string error;
    const Arch *arch = lookupArch(target, &error);
    if (!arch) {
      getOperation().emitError() << error;
      return signalPassFailure();
    }
    MergeWriter writer{getOperation()};
    int64_t workspace = workspaceEnd(getOperation());
    for (auto program : getOperation().getOps<ProgramOp>()) {
      SmallVector<LaunchOp> launches(program.getBody().getOps<LaunchOp>());
      if (launches.size() < 2 || launches.size() > kMostLaunches ||
          llvm::any_of(launches, [](LaunchOp launch) { return launch.hasBuffers(); }))
        continue;
      Search search{program, *arch, always};
      search.addNodes(SmallVector<std::string>(alone.begin(), alone.end()));
      search.before = search.now = *search.trafficOf(search.groups);
      while (search.takePair())
        ;
      MemoryTraffic saved{search.before.read - search.now.read, search.before.written - search.now.written};
      int64_t count = llvm::count_if(search.groups, [](const Group &g) { return g.nodes.size() > 1; });
      for (Group &group : search.groups) {
        if (group.nodes.size() < 2)
          continue;
        group.slices.workspace = workspace;
        workspace = (int64_t)llvm::alignTo(workspace + group.slices.workspaceBytes(), 128);
        SmallVector<LaunchOp> merged;
        SmallVector<std::string> names;
        for (int node : group.nodes) {
          merged.push_back(search.nodes[node].launch);
          names.push_back(merged.back().getKernel().str());
        }
        SmallVector<KernelPart> parts = search.partsOf(group);
        LaunchOp launch = writer.writeLaunch(merged, parts, &group.slices);
        MemoryTraffic share{saved.read / count, saved.written / count};
        subtractTraffic(launch, program, share);
        explain(launch, parts, group.slices, share.read + share.written,
                search.before.read + search.before.written, names);
        launchesSaved += names.size() - 1;
      }
      if (count)
        sortTopologically(&program.getBody().front());
    }
    writer.eraseUnused();
  }
};
} // namespace
