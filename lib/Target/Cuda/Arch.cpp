// The table of chip facts, and the occupancy calculation on it. Limits: CUDA Programming Guide 13, table of
// technical specifications per compute capability; rates: the vendor's data sheet of the named product
// (dense, without sparsity); L2 rates and latencies are round figures, good for telling L2-bound from
// HBM-bound, no more.
#include "Tilewright/Target/Cuda/Arch.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

using namespace tilewright;

static constexpr unsigned KiB = 1024;
static constexpr double MiB = 1024.0 * 1024.0;

/// The rows. `base` holds what all chips since sm_80 share; a row says what differs.
static std::vector<Arch> makeTable() {
  Arch base{};
  base.sharedReservedBytes = 1 * KiB;
  base.staticSharedBytes = 48 * KiB;
  base.registersPerSM = 64 * KiB;
  base.registersPerThread = 255;
  base.registerUnit = 256;
  base.threadsPerBlock = 1024;
  base.clusterBlocks = base.mostClusterBlocks = 1;
  base.cpAsync = base.mmaBf16 = base.mmaTf32 = true;

  Arch sm80 = base;
  sm80.name = "sm_80", sm80.sm = 80, sm80.ptxVersion = 80, sm80.features = "+ptx80";
  sm80.sharedBytesPerBlock = 163 * KiB, sm80.sharedBytesPerSM = 164 * KiB;
  sm80.threadsPerSM = 2048, sm80.warpsPerSM = 64, sm80.blocksPerSM = 32;
  sm80.product = "A100 80GB SXM", sm80.numSMs = 108, sm80.clockGHz = 1.41;
  sm80.hbmGBps = 2039, sm80.l2Bytes = 40 * MiB, sm80.l2GBps = 4500;
  sm80.memoryNanoseconds = 600, sm80.nodeMicroseconds = 1.5, sm80.besideMicroseconds = 0.8;
  sm80.fp32TFlops = 19.5, sm80.tf32TFlops = 156, sm80.bf16TFlops = 312;

  Arch sm86 = sm80;
  sm86.name = "sm_86", sm86.sm = 86;
  sm86.sharedBytesPerBlock = 99 * KiB, sm86.sharedBytesPerSM = 100 * KiB;
  sm86.threadsPerSM = 1536, sm86.warpsPerSM = 48, sm86.blocksPerSM = 16;
  sm86.product = "A10", sm86.numSMs = 72, sm86.clockGHz = 1.695;
  sm86.hbmGBps = 600, sm86.l2Bytes = 6 * MiB, sm86.l2GBps = 2000;
  sm86.fp32TFlops = 31.2, sm86.tf32TFlops = 62.5, sm86.bf16TFlops = 125;

  Arch sm89 = sm86;
  sm89.name = "sm_89", sm89.sm = 89, sm89.ptxVersion = 84, sm89.features = "+ptx84";
  sm89.blocksPerSM = 24;
  sm89.mmaFp8 = true;
  sm89.product = "L40S", sm89.numSMs = 142, sm89.clockGHz = 2.52;
  sm89.hbmGBps = 864, sm89.l2Bytes = 96 * MiB, sm89.l2GBps = 5000;
  sm89.fp32TFlops = 91.6, sm89.tf32TFlops = 183, sm89.bf16TFlops = 362, sm89.fp8TFlops = 733;

  Arch sm90 = sm80;
  sm90.name = "sm_90", sm90.sm = 90, sm90.ptxVersion = 86, sm90.features = "+ptx86";
  sm90.sharedBytesPerBlock = 227 * KiB, sm90.sharedBytesPerSM = 228 * KiB;
  sm90.clusterBlocks = 8;
  sm90.mostClusterBlocks = 16;
  sm90.mmaFp8 = sm90.tma = sm90.clusters = sm90.dependentLaunch = true;
  sm90.product = "H200 SXM", sm90.numSMs = 132, sm90.clockGHz = 1.98;
  sm90.hbmGBps = 4800, sm90.l2Bytes = 50 * MiB, sm90.l2GBps = 8000;
  sm90.memoryNanoseconds = 700;
  sm90.fp32TFlops = 66.9, sm90.tf32TFlops = 494.7, sm90.bf16TFlops = 989.4, sm90.fp8TFlops = 1978.9;

  Arch sm90a = sm90;
  sm90a.name = "sm_90a", sm90a.suffix = 'a';
  sm90a.wgmma = true;

  Arch sm100a = sm90;
  sm100a.name = "sm_100a", sm100a.sm = 100, sm100a.suffix = 'a';
  sm100a.ptxVersion = 88, sm100a.features = "+ptx88";
  sm100a.tcgen05 = sm100a.packedFma = true;
  sm100a.product = "B200", sm100a.numSMs = 148, sm100a.clockGHz = 1.965;
  sm100a.hbmGBps = 8000, sm100a.l2Bytes = 126 * MiB, sm100a.l2GBps = 12000;
  sm100a.fp32TFlops = 75, sm100a.tf32TFlops = 1100, sm100a.bf16TFlops = 2250, sm100a.fp8TFlops = 4500;

  Arch sm120a = sm89;
  sm120a.name = "sm_120a", sm120a.sm = 120, sm120a.suffix = 'a';
  sm120a.ptxVersion = 88, sm120a.features = "+ptx88";
  sm120a.clusterBlocks = sm120a.mostClusterBlocks = 8;
  sm120a.tma = sm120a.clusters = sm120a.packedFma = sm120a.dependentLaunch = true;
  sm120a.product = "GeForce RTX 5090", sm120a.numSMs = 170, sm120a.clockGHz = 2.407;
  sm120a.hbmGBps = 1792, sm120a.l2Bytes = 96 * MiB, sm120a.l2GBps = 6000;
  sm120a.fp32TFlops = 104.8, sm120a.tf32TFlops = 104.8, sm120a.bf16TFlops = 209.5, sm120a.fp8TFlops = 419;

  return {sm80, sm86, sm89, sm90, sm90a, sm100a, sm120a};
}

const std::vector<Arch> &tilewright::allArchs() {
  static const std::vector<Arch> table = makeTable();
  return table;
}

const Arch *tilewright::lookupArch(std::string_view name, std::string *error) {
  for (const Arch &arch : allArchs())
    if (name == arch.name)
      return &arch;
  if (error) {
    *error = "unknown target '" + std::string(name) + "'; known targets: ";
    const char *separator = "";
    for (const Arch &arch : allArchs()) {
      *error += separator + std::string(arch.name);
      separator = ", ";
    }
  }
  return nullptr;
}

const char *tilewright::occupancyLimitName(OccupancyLimit limit) {
  switch (limit) {
  case OccupancyLimit::Threads:
    return "threads";
  case OccupancyLimit::Registers:
    return "registers";
  case OccupancyLimit::SharedMemory:
    return "shared memory";
  case OccupancyLimit::Blocks:
    return "blocks";
  case OccupancyLimit::DoesNotFit:
    break;
  }
  return "does not fit";
}

static unsigned roundUp(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

// The four partitions of an SM each own a quarter of the registers, and a warp's registers lie in one of
// them: so warps fit per partition, not per SM.
static constexpr unsigned partitionsPerSM = 4;
static constexpr unsigned lanes = 32;
static constexpr unsigned sharedUnitBytes = 128;

static unsigned warpsByRegisters(const Arch &arch, unsigned registers) {
  unsigned perWarp = roundUp(std::max(registers, 1u) * lanes, arch.registerUnit);
  return arch.registersPerSM / partitionsPerSM / perWarp * partitionsPerSM;
}

Occupancy tilewright::occupancy(const Arch &arch, unsigned threads, unsigned registers,
                                unsigned sharedBytes) {
  Occupancy result;
  if (threads == 0 || threads > arch.threadsPerBlock || registers > arch.registersPerThread ||
      sharedBytes > arch.sharedBytesPerBlock)
    return result;
  unsigned warps = (threads + lanes - 1) / lanes;
  unsigned sharedPerBlock = roundUp(sharedBytes + arch.sharedReservedBytes, sharedUnitBytes);
  // Order breaks ties: the limit that a schedule can move comes last.
  unsigned blocks = arch.blocksPerSM;
  OccupancyLimit limit = OccupancyLimit::Blocks;
  auto bound = [&](unsigned candidate, OccupancyLimit reason) {
    if (candidate < blocks)
      blocks = candidate, limit = reason;
  };
  bound(std::min(arch.threadsPerSM / (warps * lanes), arch.warpsPerSM / warps), OccupancyLimit::Threads);
  bound(warpsByRegisters(arch, registers) / warps, OccupancyLimit::Registers);
  bound(arch.sharedBytesPerSM / sharedPerBlock, OccupancyLimit::SharedMemory);
  if (blocks == 0)
    return result;
  result.blocksPerSM = blocks;
  result.limit = limit;
  result.warpFraction = static_cast<double>(blocks * warps) / arch.warpsPerSM;
  return result;
}

unsigned tilewright::registersForOccupancy(const Arch &arch, unsigned threads, unsigned blocks) {
  // ptxas hands out registers of a thread in steps of 8 (a unit of 256 per warp of 32).
  unsigned step = arch.registerUnit / lanes;
  for (unsigned registers = arch.registersPerThread; registers > 0;
       registers = registers % step ? registers - registers % step : registers - step)
    if (occupancy(arch, threads, registers, 0).blocksPerSM >= blocks)
      return registers;
  return 0;
}

/// CUDA release notes: the driver branch that first took each PTX version, and the CUDA version of that
/// driver.
static constexpr struct {
  unsigned ptx, driver, version;
} driverBranches[] = {{80, 525, 12000}, {81, 530, 12010}, {82, 535, 12020}, {83, 545, 12030},
                      {84, 550, 12040}, {85, 555, 12050}, {86, 565, 12070}, {87, 570, 12080},
                      {88, 575, 12090}, {90, 580, 13000}};

unsigned tilewright::minimumDriver(unsigned ptxVersion) {
  for (auto [ptx, driver, version] : driverBranches)
    if (ptxVersion <= ptx)
      return driver;
  return std::end(driverBranches)[-1].driver;
}

unsigned tilewright::driverVersion(unsigned driver) {
  unsigned found = std::begin(driverBranches)->version;
  for (auto [ptx, branch, version] : driverBranches)
    if (branch <= driver)
      found = version;
  return found;
}
