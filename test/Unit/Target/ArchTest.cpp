// The chip table: names, limits that must agree with one another, occupancy against hand-counted cases.
#include "Tilewright/Target/Cuda/Arch.h"

#include <gtest/gtest.h>

using namespace tilewright;

TEST(Arch, LooksUpEveryName) {
  for (const Arch &arch : allArchs())
    EXPECT_EQ(lookupArch(arch.name), &arch);
}

TEST(Arch, NamesTheKnownTargetsInTheError) {
  std::string error;
  EXPECT_EQ(lookupArch("sm_75", &error), nullptr);
  EXPECT_EQ(error,
            "unknown target 'sm_75'; known targets: sm_80, sm_86, sm_89, sm_90, sm_90a, sm_100a, sm_120a");
}

TEST(Arch, NameVersionAndFeaturesAgree) {
  for (const Arch &arch : allArchs()) {
    std::string name = "sm_" + std::to_string(arch.sm);
    if (arch.suffix)
      name += arch.suffix;
    EXPECT_EQ(name, arch.name);
    EXPECT_EQ("+ptx" + std::to_string(arch.ptxVersion), arch.features);
    EXPECT_EQ(arch.threadsPerSM, arch.warpsPerSM * 32);
    EXPECT_EQ(arch.sharedBytesPerSM, arch.sharedBytesPerBlock + arch.sharedReservedBytes);
    EXPECT_EQ(arch.clusters, arch.clusterBlocks > 1);
    EXPECT_EQ(arch.mmaFp8, arch.fp8TFlops > 0);
    EXPECT_GT(arch.numSMs, 0u);
  }
}

TEST(Arch, FeaturesOfTheChips) {
  EXPECT_FALSE(lookupArch("sm_80")->tma);
  EXPECT_FALSE(lookupArch("sm_90")->wgmma);
  EXPECT_TRUE(lookupArch("sm_90a")->wgmma);
  EXPECT_FALSE(lookupArch("sm_100a")->wgmma);
  EXPECT_TRUE(lookupArch("sm_100a")->tcgen05);
  EXPECT_FALSE(lookupArch("sm_120a")->tcgen05);
}

struct OccupancyCase {
  const char *arch;
  unsigned threads, registers, sharedBytes, blocks;
  OccupancyLimit limit;
};

TEST(Occupancy, AgreesWithHandCountedCases) {
  const OccupancyCase cases[] = {
      {"sm_90a", 128, 32, 0, 16, OccupancyLimit::Threads},
      {"sm_90a", 32, 32, 0, 32, OccupancyLimit::Blocks},
      {"sm_86", 32, 32, 0, 16, OccupancyLimit::Blocks},
      // 168 registers: 5376 a warp, 3 warps a partition, 12 an SM.
      {"sm_90a", 384, 168, 0, 1, OccupancyLimit::Registers},
      {"sm_90a", 128, 255, 0, 2, OccupancyLimit::Registers},
      // 33 registers cost as much as 40.
      {"sm_80", 256, 33, 0, 6, OccupancyLimit::Registers},
      {"sm_80", 256, 40, 0, 6, OccupancyLimit::Registers},
      // 48 KiB and the reserved KiB: four in 228.
      {"sm_90a", 128, 32, 49152, 4, OccupancyLimit::SharedMemory},
      {"sm_90a", 128, 32, 227 * 1024, 1, OccupancyLimit::SharedMemory},
      {"sm_80", 128, 32, 163 * 1024, 1, OccupancyLimit::SharedMemory},
      {"sm_80", 128, 32, 164 * 1024, 0, OccupancyLimit::DoesNotFit},
      {"sm_80", 1024, 128, 0, 0, OccupancyLimit::DoesNotFit},
      {"sm_80", 2048, 32, 0, 0, OccupancyLimit::DoesNotFit},
      {"sm_120a", 1024, 32, 0, 1, OccupancyLimit::Threads},
  };
  for (const OccupancyCase &c : cases) {
    Occupancy result = occupancy(*lookupArch(c.arch), c.threads, c.registers, c.sharedBytes);
    SCOPED_TRACE(std::string(c.arch) + " threads " + std::to_string(c.threads) + " registers " +
                 std::to_string(c.registers) + " shared " + std::to_string(c.sharedBytes));
    EXPECT_EQ(result.blocksPerSM, c.blocks);
    EXPECT_STREQ(occupancyLimitName(result.limit), occupancyLimitName(c.limit));
  }
}

TEST(Occupancy, MoreOfAnythingNeverRaisesIt) {
  for (const Arch &arch : allArchs())
    for (unsigned threads = 32; threads <= 1024; threads += 32)
      for (unsigned registers = 16; registers < 255; registers += 8) {
        unsigned blocks = occupancy(arch, threads, registers, 4096).blocksPerSM;
        EXPECT_GE(blocks, occupancy(arch, threads, registers + 1, 4096).blocksPerSM);
        EXPECT_GE(blocks, occupancy(arch, threads, registers, 8192).blocksPerSM);
        EXPECT_LE(blocks * threads, arch.threadsPerSM);
      }
}

TEST(Occupancy, RegistersForOccupancyIsTheLargestThatFits) {
  for (const Arch &arch : allArchs())
    for (unsigned threads : {128u, 256u, 384u})
      for (unsigned blocks : {1u, 2u, 3u}) {
        unsigned registers = registersForOccupancy(arch, threads, blocks);
        EXPECT_GE(occupancy(arch, threads, registers, 0).blocksPerSM, blocks);
        if (registers < arch.registersPerThread)
          EXPECT_LT(occupancy(arch, threads, registers + 1, 0).blocksPerSM, blocks);
      }
}

TEST(Arch, MinimumDriverGrowsWithPtx) {
  EXPECT_EQ(minimumDriver(80), 525u);
  EXPECT_EQ(minimumDriver(88), 575u);
  EXPECT_EQ(minimumDriver(90), 580u);
  EXPECT_EQ(driverVersion(minimumDriver(80)), 12000u);
  EXPECT_EQ(driverVersion(minimumDriver(86)), 12070u);
  EXPECT_EQ(driverVersion(minimumDriver(88)), 12090u);
  EXPECT_EQ(driverVersion(minimumDriver(90)), 13000u);
}
