// Clusters of a grid (mostly of one block) over CPU threads. Each CPU thread takes the next cluster; after a
// fault in number n only those before n matter, so that the fault reported does not depend on timing.
#include "GlobalShadow.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <thread>

using namespace tilewright::emulator;

/// Fibers over all CPU threads: each stack costs two mappings, of which Linux grants 65530 to a process.
static constexpr uint64_t kMaxFibers = 24 * 1024;
static constexpr uint64_t kMaxClusterBlocks = 16;
static constexpr uint64_t kMaxGrid[3] = {0x7FFFFFFF, 65535, 65535};

Machine::Machine(MachineOptions options) : options(options), global(std::make_unique<GlobalShadow>()) {}
Machine::~Machine() = default;

static std::string refuse(const Launch &launch) {
  uint64_t threads = launch.block.count(), grid[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
  for (unsigned i = 0; i < 3; ++i)
    if (!grid[i] || grid[i] > kMaxGrid[i])
      return "kernel " + launch.kernel + " is launched with " + std::to_string(grid[i]) +
             " blocks in dimension " + std::to_string(i) + ", not 1 to " + std::to_string(kMaxGrid[i]);
  if (!threads || threads > kMaxThreads)
    return "kernel " + launch.kernel + " is launched with " + std::to_string(threads) +
           " threads a block, not 1 to " + std::to_string(kMaxThreads);
  if (launch.sharedBytes > kMaxSharedBytes)
    return "kernel " + launch.kernel + " wants " + std::to_string(launch.sharedBytes) +
           " bytes of shared memory, more than " + std::to_string(kMaxSharedBytes);
  uint64_t cluster[3] = {launch.cluster.x, launch.cluster.y, launch.cluster.z};
  for (unsigned i = 0; i < 3; ++i)
    if (!cluster[i] || grid[i] % cluster[i])
      return "kernel " + launch.kernel + " is launched with " + std::to_string(grid[i]) +
             " blocks in dimension " + std::to_string(i) + ", not a multiple of its clusters of " +
             std::to_string(cluster[i]);
  uint64_t blocks = launch.cluster.count();
  if (blocks > kMaxClusterBlocks)
    return "kernel " + launch.kernel + " runs in clusters of " + std::to_string(blocks) +
           " blocks, more than " + std::to_string(kMaxClusterBlocks);
  if (blocks > 1 && (threads % kWarpLanes || threads * blocks > kMaxClusterThreads))
    return "kernel " + launch.kernel + " runs in clusters of " + std::to_string(blocks) + " blocks of " +
           std::to_string(threads) + " threads; the emulator takes whole warps and up to " +
           std::to_string(kMaxClusterThreads) + " threads";
  return "";
}

namespace {
/// A permutation of clusters: i * stride + start modulo count, with a stride that has no factor in common
/// with count.
struct BlockOrder {
  uint64_t count, stride = 1, start = 0;

  BlockOrder(uint64_t count, uint64_t seed) : count(count) {
    if (!seed || count < 3 || count > UINT32_MAX)
      return;
    Dice dice(seed);
    start = dice.next() % count;
    do
      stride = 1 + dice.next() % (count - 1);
    while (std::gcd(stride, count) != 1);
  }
  uint64_t at(uint64_t position) const { return (position * stride + start) % count; }
};
} // namespace

Fault Machine::run(const Launch &launch) {
  if (std::string reason = refuse(launch); !reason.empty())
    return {FaultKind::Limit, reason};
  uint64_t count = launch.grid.count() / launch.cluster.count();
  BlockOrder order(count, options.seed);
  uint64_t workers = options.threads ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  workers = std::max<uint64_t>(
      1, std::min({workers, count, kMaxFibers / (launch.block.count() * launch.cluster.count())}));
  while (clusters.size() < workers)
    clusters.push_back(std::make_unique<Cluster>(options));

  global->begin(options.checkShared ? launch : Launch());
  for (const auto &cluster : clusters)
    cluster->global = global.get();

  if (launch.usesFlags)
    return runTogether(launch, count, kMaxFibers / (launch.block.count() * launch.cluster.count()));

  std::atomic<uint64_t> next{0}, firstFaulty{count};
  std::mutex mutex;
  Fault first;
  auto note = [&](uint64_t index, Fault fault) {
    std::lock_guard<std::mutex> lock(mutex);
    if (index >= firstFaulty)
      return;
    firstFaulty = index;
    first = std::move(fault);
  };
  auto work = [&](Cluster &cluster) {
    if (Fault fault = cluster.prepare(launch))
      return note(0, std::move(fault));
    for (uint64_t index = next++; index < firstFaulty; index = next++)
      if (Fault fault = cluster.run(launch, order.at(index)))
        note(index, std::move(fault));
  };
  std::vector<std::thread> helpers;
  for (uint64_t i = 1; i < workers; ++i)
    helpers.emplace_back(work, std::ref(*clusters[i]));
  work(*clusters[0]);
  for (std::thread &helper : helpers)
    helper.join();
  return first;
}

/// Clusters that a seed other than 0 lets run side by side though none of them must.
static constexpr size_t kSideBySide = 6;

Fault Machine::runTogether(const Launch &launch, uint64_t count, uint64_t most) {
  std::vector<Cluster *> running, idle;
  BlockOrder order(count, options.seed);
  Dice dice(options.seed + count);
  size_t made = 0;
  for (uint64_t next = 0; next < count || !running.empty();) {
    std::vector<Cluster *> ready;
    for (Cluster *cluster : running)
      if (cluster->canGoOn())
        ready.push_back(cluster);
    bool mayStart = next < count && running.size() < std::max<uint64_t>(most, 1);
    // In the order of their numbers, as a GPU starts blocks, unless they count themselves: the first when no
    // other can go on.
    if (mayStart && (ready.empty() || (options.seed && running.size() < kSideBySide && dice.next() % 2))) {
      if (idle.empty()) {
        if (made == clusters.size())
          clusters.push_back(std::make_unique<Cluster>(options));
        Cluster *fresh = clusters[made++].get();
        fresh->global = global.get();
        if (Fault fault = fresh->prepare(launch))
          return fault;
        idle.push_back(fresh);
      }
      idle.back()->begin(launch, launch.takesTickets ? order.at(next) : next);
      ++next;
      running.push_back(idle.back());
      idle.pop_back();
      continue;
    }
    // Those that wait do so for one another.
    if (ready.empty())
      return running.front()->finish();
    Cluster *chosen = ready[options.seed ? dice.next() % ready.size() : 0];
    if (Fault fault = chosen->advance())
      return fault;
    if (!chosen->isOver() && chosen->waitsAtFlag())
      continue;
    if (Fault fault = chosen->finish())
      return fault;
    running.erase(std::find(running.begin(), running.end(), chosen));
    idle.push_back(chosen);
  }
  return global->flagsLeftUp(launch);
}
