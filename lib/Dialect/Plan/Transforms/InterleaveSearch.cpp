// Greedy: of all pairs of groups that share a large tensor the one that saves most bytes through the memory
// is taken in, until none saves enough. What passes the memory is modelled block by block, in the order of
// tickets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InterleaveSearch.h"

#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;
using namespace tilewright::plan::interleave;
using ptx::BlockSet;
using ptx::ByteSpan;
using ptx::Footprint;
using ptx::FootprintTerm;

/// The share of a program's bytes through the memory that a pair has to save: the model knows no less. Of
/// kernels that do not need one another more: what saves less takes longer. (H200, 19 random programs: 1.01
/// of the time in the mean.)
static constexpr double kLeastSaved = 0.02, kLeastSavedApart = 0.08;
/// Tensors of less than this share of the L2 cache are found there in any case.
static constexpr double kSharedShare = 0.0625;
/// Numbers of slices that are tried.
static constexpr int64_t kCounts[] = {8, 16, 32, 64, 128};
/// Rounds before the last part begins, by slices: in so many tickets of a round nobody has anything to do.
static constexpr double kMostLag = 0.25;
/// What a ticket and a wait add to a block's time, in microseconds, of which others on the multiprocessor
/// hide this share. (An estimate: an atomic operation, a barrier and a load in L2 one after the other.)
static constexpr double kTicketMicroseconds = 1.5, kHidden = 0.75;

/// Rounds in which the blocks of a part run at least. (H200: with one of 0.7 to 1.4 rounds kernels that read
/// the same took 1.00 to 1.31 of their time, others 0.82 to 1.07.)
static constexpr double kLeastRounds = 2;
/// Digits of a kernel that are tried, and pairs of digits whose traffic is modelled.
static constexpr size_t kMostDigits = 8, kMostModelled = 3;
/// Slices into which pairs of digits are cut for a first look.
static constexpr int64_t kLookCount = 16;
/// Bytes of the pieces of a slice at least: of smaller ones pages say nothing.
static constexpr int64_t kLeastPiece = 4 << 10;
/// Parts of a kernel's way through its tensors on its own.
static constexpr int64_t kSteps = 128;

//===-- Kernels and groups -----------------------------------------------------------------------------===//

unsigned Node::parameterOf(unsigned buffer) {
  for (unsigned i = 0, next = 0; i < part.function.getNumArguments(); ++i)
    if (!part.function.getArgAttr(i, ptx::PtxDialect::getTrueLengthAttrName()) && next++ == buffer)
      return i;
  llvm_unreachable("describePart has counted the parameters");
}

void Node::readFootprints() {
  for (unsigned buffer = 0; buffer < numBuffers() && whyNot.empty(); ++buffer) {
    auto found = Footprint::decode(
        part.function.getArgAttr(parameterOf(buffer), ptx::PtxDialect::getFootprintAttrName()));
    if (!found)
      whyNot = "nothing says which bytes its blocks touch";
    else
      footprints.push_back(*found);
    SmallVector<int64_t> &own = periods.emplace_back();
    own.push_back(std::max<int64_t>(bytesOf(buffer), 1));
    if (!found)
      continue;
    for (const ptx::FootprintAccess &access : found->accesses)
      for (const ptx::FootprintDim &dim : access.dims)
        for (const FootprintTerm &term : dim.terms)
          if (int64_t bytes = std::abs(term.bytes);
              bytes > access.width && own[0] % bytes == 0 && !llvm::is_contained(own, bytes))
            own.push_back(bytes);
  }
}

BlockSet Node::blocks(SliceDigit digit, int64_t k, int64_t count) {
  int64_t first = k * digit.count / count, last = (k + 1) * digit.count / count - 1;
  if (digit.isReversed)
    std::tie(first, last) = std::pair(digit.count - 1 - last, digit.count - 1 - first);
  return {digit.unit, digit.count, first, last};
}

int64_t Node::periodOf(unsigned buffer, SliceDigit digit, int64_t count) {
  int64_t whole = bytesOf(buffer), least = whole + whole / 2, found = 0;
  for (int64_t period : periods[buffer]) {
    int64_t all = 0;
    for (int64_t k = 0; k < count; ++k)
      all += touched(buffer, digit, k, count, period).bytes() * (whole / period);
    if (all < least) {
      least = all;
      found = period;
    }
  }
  return found;
}

SmallVector<SliceDigit> Node::digits(ArrayRef<int64_t> otherPeriods, int64_t least) {
  SmallVector<SliceDigit> found;
  int64_t blocks = part.shape().numBlocks();
  auto add = [&](SliceDigit digit) {
    if (digit.count >= least && blocks % (digit.unit * digit.count) == 0 && found.size() < kMostDigits &&
        !llvm::is_contained(found, digit))
      found.push_back(digit);
  };
  bool isReversed = false;
  SmallVector<std::pair<FootprintTerm, int64_t>> terms;
  for (unsigned buffer = 0; buffer < numBuffers(); ++buffer)
    for (const ptx::FootprintAccess &access : footprints[buffer].accesses)
      for (const ptx::FootprintDim &dim : access.dims)
        for (const FootprintTerm &term : dim.terms)
          if (term.unit)
            terms.push_back({term, bytesOf(buffer)});
  // Of the largest tensors first.
  SmallVector<std::pair<int64_t, size_t>> order;
  for (auto [i, term] : llvm::enumerate(terms))
    order.push_back({-term.second, i});
  llvm::sort(order);
  if (!terms.empty())
    isReversed = terms[order.front().second].first.bytes < 0;
  add({1, blocks, isReversed});
  for (auto [bytes, i] : order) {
    const FootprintTerm &term = terms[i].first;
    add({term.unit, term.count, term.bytes < 0});
    // The digit within a period, and the one that counts periods.
    for (int64_t period : otherPeriods)
      if (int64_t step = std::abs(term.bytes); step && step < period && period % step == 0) {
        int64_t inside = period / step;
        if (inside >= term.count || term.count % inside != 0)
          continue;
        add({term.unit, inside, term.bytes < 0});
        add({term.unit * inside, term.count / inside, term.bytes < 0});
      }
  }
  return found;
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
    node.part.packs = true;
    if (node.whyNot.empty())
      node.readFootprints();
    llvm::SmallSetVector<int, 4> &own = needs.emplace_back();
    for (Value argument : launch.getArgs())
      if (auto it = numbers.find(aliased(argument).getDefiningOp()); it != numbers.end())
        own.insert(it->second);
    numbers[launch] = number;
    groups.push_back({{number}, {}});
  }
  // What one kernel does to a tensor period by period may be of use for the others.
  llvm::MapVector<Value, SmallVector<int64_t>> all;
  auto forEach =
      [&](llvm::function_ref<void(SmallVector<int64_t> & known, SmallVector<int64_t> & own)> visit) {
        for (Node &node : nodes)
          for (unsigned buffer = 0; buffer < node.periods.size(); ++buffer)
            visit(all[node.tensor(buffer)], node.periods[buffer]);
      };
  auto include = [](SmallVector<int64_t> &into, ArrayRef<int64_t> from) {
    for (int64_t period : from)
      if (!llvm::is_contained(into, period))
        into.push_back(period);
  };
  forEach([&](SmallVector<int64_t> &known, SmallVector<int64_t> &own) { include(known, own); });
  forEach([&](SmallVector<int64_t> &known, SmallVector<int64_t> &own) { include(own, known); });
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

/// Slice `k` of the node's blocks touches its tensors.
void Search::walk(int number, SliceDigit digit, int64_t k, int64_t count, SmallVectorImpl<Walk> &walks) {
  Node &node = nodes[number];
  for (unsigned buffer = 0; buffer < node.numBuffers(); ++buffer) {
    Walk walk{node.tensor(buffer), 0, 0, node.isWrite(buffer)};
    int64_t bytes = node.bytesOf(buffer), period = 0;
    if (bytes == 0)
      continue;
    if (node.whyNot.empty() && node.footprints[buffer].accesses.empty())
      continue;
    if (node.whyNot.empty()) {
      auto [it, isNew] = knownPeriods.try_emplace({number, buffer, digit.unit, digit.count, count}, 0);
      if (isNew)
        it->second = node.periodOf(buffer, digit, count);
      period = it->second;
    }
    ByteSpan span = period ? node.touched(buffer, digit, k, count, period) : ByteSpan();
    if (period == bytes || span.bytes() >= kLeastPiece) {
      for (int64_t from = 0; from < bytes && !span.isEmpty(); from += period) {
        walk.from = from + span.from;
        walk.to = std::min(bytes, from + span.to);
        if (walk.from < walk.to)
          walks.push_back(walk);
      }
      continue;
    }
    // In some order of its own, which is nobody else's.
    constexpr int64_t stride = 37;
    int64_t place = k * stride % count;
    walk.from = bytes / count * place;
    walk.to = place + 1 == count ? bytes : bytes / count * (place + 1);
    if (walk.from < walk.to)
      walks.push_back(walk);
  }
}

std::optional<MemoryTraffic> Search::trafficOf(const std::vector<Group> &of) {
  std::optional<SmallVector<int>> ordered = order(of);
  if (!ordered)
    return std::nullopt;
  SmallVector<Walk> walks;
  for (int g : *ordered) {
    const Group &group = of[g];
    if (group.nodes.size() == 1) {
      int node = group.nodes[0];
      SliceDigit whole = nodes[node].whyNot.empty() ? nodes[node].wholeNumber() : SliceDigit();
      for (int64_t step = 0; step < kSteps; ++step)
        walk(node, whole, step, kSteps, walks);
      continue;
    }
    for (int64_t round = 0; round < group.slices.rounds(); ++round)
      for (auto [i, lag] : llvm::enumerate(group.slices.lags))
        if (int64_t k = round - lag; k >= 0 && k < group.slices.count)
          walk(group.nodes[i], group.slices.digits[i], k, group.slices.count, walks);
  }
  return plan::trafficOf(program, walks, arch.l2Bytes);
}

/// Registers of a thread in blocks of `threads`: what ptxas says of the parts, else about.
unsigned Search::registersOf(ArrayRef<KernelPart> parts, int64_t threads) {
  unsigned registers = 0;
  for (KernelPart part : parts) {
    auto known = part.function->getAttrOfType<ptx::ResourcesAttr>(ptx::PtxDialect::getResourcesAttrName());
    registers = std::max(registers, known ? (unsigned)known.getRegisters() : kRegisters);
  }
  return std::min(registers, registersForOccupancy(arch, (unsigned)threads, 1));
}

/// Blocks of the kernel of `parts` that the chip runs at once, about.
double Search::blocksAtOnce(ArrayRef<KernelPart> parts) {
  int64_t threads = threadsOf(parts);
  Occupancy resident =
      occupancy(arch, (unsigned)threads, registersOf(parts, threads), (unsigned)sharedBytesOf(parts));
  return std::max<double>(1, (double)resident.blocksPerSM * arch.numSMs);
}

double Search::microsecondsOf(const std::vector<Group> &of, const MemoryTraffic &traffic) {
  double microseconds = (double)(traffic.read + traffic.written) / (arch.hbmGBps * 1e3);
  for (const Group &group : of) {
    microseconds += arch.nodeMicroseconds;
    if (group.nodes.size() > 1 && group.slices.areAwaited())
      microseconds += (double)blocksOf(partsOf(group), &group.slices) / blocksAtOnce(partsOf(group)) *
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

bool Search::isNeeded(const Group &group, const Group &by) {
  return llvm::any_of(by.nodes, [&](int node) {
    return llvm::any_of(needs[node], [&](int need) { return llvm::is_contained(group.nodes, need); });
  });
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
    if (choice.always)
      continue;
    // Few blocks that go through much each are at work as long as the kernel is.
    double atOnce = blocksAtOnce(part);
    if (int64_t blocks = part.shape().numBlocks(); (double)blocks < kLeastRounds * atOnce)
      return llvm::formatv("of {0} blocks {1} run at once, which leaves no order in which they begin", blocks,
                           (int64_t)atOnce)
          .str();
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

Relation Search::relate(int reader, SliceDigit readers, unsigned read, int writer, SliceDigit writers,
                        unsigned written, int64_t count) {
  Node &a = nodes[reader], &b = nodes[writer];
  std::optional<Relation> best;
  // Both have the tensor's periods.
  for (int64_t period : a.periods[read]) {
    Relation relation{-count, -count, false};
    SmallVector<ByteSpan> others;
    for (int64_t j = 0; j < count; ++j)
      others.push_back(b.touched(written, writers, j, count, period));
    for (int64_t k = 0; k < count; ++k) {
      ByteSpan own = a.touched(read, readers, k, count, period);
      for (int64_t j = 0; j < count; ++j)
        if (own.overlaps(others[j])) {
          relation.before = std::max(relation.before, k - j);
          relation.after = std::max(relation.after, j - k);
          relation.isAny = true;
        }
    }
    if (!best || relation.width() < best->width() ||
        (relation.width() == best->width() && relation.after < best->after))
      best = relation;
  }
  return best.value_or(Relation());
}

std::string Search::slice(Group &group, int64_t count) {
  Slices &slices = group.slices;
  slices.count = count;
  slices.lags.clear();
  slices.waits.clear();
  slices.inside.clear();
  // So many rounds lie between a slice and what waits for it that its blocks have run by then: blocks rarely
  // wait.
  SmallVector<KernelPart> parts = partsOf(group);
  int64_t round = 0, threads = threadsOf(parts);
  for (auto [i, part] : llvm::enumerate(parts))
    round += slices.mostBlocks((unsigned)i, part, threads);
  int64_t apart = choice.always ? 1 : (int64_t)std::ceil(blocksAtOnce(parts) / (double)round);
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
        Relation relation = relate(group.nodes[c], slices.digits[c], buffer, group.nodes[p], slices.digits[p],
                                   written, count);
        if (!relation.isAny)
          continue;
        lag = std::max(lag, slices.lags[p] + relation.after + apart);
        auto same = llvm::find_if(waits, [&](const SliceWait &other) { return other.part == p; });
        if (same == waits.end())
          same = waits.insert(same, {(unsigned)p, relation.before, relation.after});
        same->before = std::max(same->before, relation.before);
        same->after = std::max(same->after, relation.after);
        if (int64_t needed = same->before + same->after + 1; needed > kMostAwaited)
          return llvm::formatv(
                     "a slice of {0} needs {1} slices of {2}, more than the {3} that a warp waits for",
                     reader.launch.getKernel(), needed, writer.launch.getKernel(), kMostAwaited)
              .str();
      }
    slices.lags.push_back(lag);
    slices.waits.push_back(waits);
    if (lag > (choice.always ? count : (int64_t)((double)count * kMostLag)))
      return llvm::formatv("{0} would begin {1} rounds late, of {2}", reader.launch.getKernel(), lag, count)
          .str();
  }
  if (blocksOf(parts, &slices) > INT32_MAX)
    return "it would have too many blocks";
  return "";
}

double Search::spread(const Group &group, int64_t count) {
  double sum = 0;
  for (size_t b = 0; b < group.nodes.size(); ++b)
    for (size_t a = 0; a < b; ++a)
      for (unsigned i = 0; i < nodes[group.nodes[a]].numBuffers(); ++i)
        for (unsigned j = 0; j < nodes[group.nodes[b]].numBuffers(); ++j)
          if (nodes[group.nodes[a]].tensor(i) == nodes[group.nodes[b]].tensor(j))
            sum += (double)nodes[group.nodes[a]].bytesOf(i) *
                   (double)relate(group.nodes[b], group.slices.digits[b], j, group.nodes[a],
                                  group.slices.digits[a], i, count)
                       .width();
  return sum;
}

std::vector<Group> Search::withDigits(const Group &group, ArrayRef<int> fixed,
                                      ArrayRef<SliceDigit> fixedDigits) {
  // Periods of what several parts touch.
  SmallVector<int64_t> periods;
  for (int node : group.nodes)
    for (ArrayRef<int64_t> own : nodes[node].periods)
      for (int64_t period : own)
        if (!llvm::is_contained(periods, period))
          periods.push_back(period);
  std::vector<Group> found(1);
  for (int node : group.nodes) {
    SmallVector<SliceDigit> digits;
    if (auto it = llvm::find(fixed, node); it != fixed.end())
      digits = {fixedDigits[it - fixed.begin()]};
    else
      digits = nodes[node].digits(periods, choice.always ? 1 : kCounts[0]);
    std::vector<Group> next;
    for (const Group &one : found)
      for (SliceDigit digit : digits) {
        next.push_back(one);
        next.back().nodes.push_back(node);
        next.back().slices.digits.push_back(digit);
      }
    found = std::move(next);
  }
  SmallVector<std::pair<double, size_t>> order;
  for (auto [i, one] : llvm::enumerate(found))
    order.push_back({spread(one, kLookCount), i});
  llvm::sort(order);
  std::vector<Group> best;
  for (auto [spread, i] : ArrayRef(order).take_front(kMostModelled))
    best.push_back(found[i]);
  return best;
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
      if (shared == 0 || (!choice.always && (double)shared < kSharedShare * arch.l2Bytes) ||
          (choice.independent && (isNeeded(groups[a], groups[b]) || isNeeded(groups[b], groups[a]))))
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
      SmallVector<int> fixed;
      SmallVector<SliceDigit> fixedDigits;
      for (const Group *own : {&groups[a], &groups[b]})
        if (own->nodes.size() > 1) {
          llvm::append_range(fixed, own->nodes);
          llvm::append_range(fixedDigits, own->slices.digits);
        }
      std::string why = "its blocks are too few for slices";
      bool taken = false;
      for (const Group &one : withDigits(both, fixed, fixedDigits)) {
        int64_t most = 0;
        for (SliceDigit digit : one.slices.digits)
          most = std::max(most, digit.count);
        SmallVector<int64_t> counts(kCounts, std::end(kCounts));
        if (choice.always)
          counts = {std::min<int64_t>(kLookCount, (int64_t)llvm::bit_floor((uint64_t)most))};
        for (int64_t count : counts) {
          if (count > most)
            continue;
          next[a] = one;
          why = slice(next[a], count);
          if (!why.empty())
            continue;
          std::optional<MemoryTraffic> traffic = trafficOf(next);
          double then = microsecondsOf(next, *traffic);
          int64_t saved = now.read + now.written - traffic->read - traffic->written;
          double least = choice.independent ? kLeastSavedApart : kLeastSaved;
          if (!choice.always &&
              ((double)saved < least * (double)(before.read + before.written) || then >= microseconds)) {
            why = llvm::formatv("{0} bytes would be found in the cache in {1} slices, and the program would "
                                "take {2:f2} us instead of {3:f2}",
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
      }
      if (!taken)
        refuse(why);
      if (choice.always && chosen)
        break;
    }
  if (!chosen)
    return false;
  groups = *chosen;
  now = reached;
  return true;
}
