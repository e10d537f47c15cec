// The roofline: each of the three bounds, and that fewer blocks than multiprocessors compute slower.
#include "Tilewright/Pipeline/Roofline.h"

#include <gtest/gtest.h>

using namespace tilewright;

static const Arch &arch() { return *lookupArch("sm_90a"); }

TEST(Roofline, LargeTransfersAreBoundByMemory) {
  KernelCost cost{"fp32", /*flops=*/1'000'000, /*bytesRead=*/1'000'000'000, /*bytesWritten=*/1'000'000'000,
                  10000};
  Prediction prediction = predict(arch(), cost);
  EXPECT_STREQ(prediction.bound, "memory");
  double peak = 2e9 / (arch().hbmGBps * 1e3);
  EXPECT_GT(prediction.microseconds, peak);
  EXPECT_LT(prediction.microseconds, 1.3 * peak);
}

TEST(Roofline, ProductsAreBoundByTheirUnits) {
  KernelCost cost{"fp32", 1'000'000'000'000, 1000, 1000, 10000};
  Prediction fma = predict(arch(), cost);
  EXPECT_STREQ(fma.bound, "compute");
  EXPECT_NEAR(fma.microseconds, 1e12 / (arch().fp32TFlops * 1e6), 2);
  cost.unit = "bf16";
  EXPECT_LT(predict(arch(), cost).microseconds, fma.microseconds / 4);
}

TEST(Roofline, FewBlocksUseFewMultiprocessors) {
  KernelCost cost{"fp32", 1'000'000'000'000, 1000, 1000, 10000};
  double all = predict(arch(), cost).microseconds;
  cost.blocks = 1;
  EXPECT_NEAR(predict(arch(), cost).microseconds, all * arch().numSMs, 1e-3 * all * arch().numSMs);
}

TEST(Roofline, SmallKernelsAreBoundByTheLaunch) {
  EXPECT_STREQ(predict(arch(), {"fp32", 100, 100, 100, 1}).bound, "launch");
}

TEST(Roofline, InstructionsBoundKernelsOfFunctions) {
  KernelCost cost{"fp32", 1'000'000, /*bytesRead=*/100'000'000, /*bytesWritten=*/100'000'000, 10000};
  double bytes = predict(arch(), cost).microseconds;
  cost.instructions = 10'000'000'000;
  EXPECT_STREQ(predict(arch(), cost).bound, "compute");
  EXPECT_GT(predict(arch(), cost).microseconds, 4 * bytes);
}

TEST(Roofline, EachWaveGoesThroughItsCode) {
  KernelCost cost{"fp32", 1000, 1000, 1000, /*blocks=*/1};
  double small = predict(arch(), cost).microseconds;
  cost.ofThread = 1000;
  cost.resident = 2;
  double once = predict(arch(), cost).microseconds - small;
  EXPECT_GT(once, 0.5);
  EXPECT_STREQ(predict(arch(), cost).bound, "launch");
  cost.blocks = 4 * arch().numSMs;
  EXPECT_NEAR(predict(arch(), cost).microseconds - small, 2 * once, 0.01);
}
