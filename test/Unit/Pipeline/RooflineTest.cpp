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
  EXPECT_DOUBLE_EQ(prediction.microseconds, 2e9 / (arch().hbmGBps * 1e3));
}

TEST(Roofline, ProductsAreBoundByTheirUnits) {
  KernelCost cost{"fp32", 1'000'000'000'000, 1000, 1000, 10000};
  Prediction fma = predict(arch(), cost);
  EXPECT_STREQ(fma.bound, "compute");
  EXPECT_DOUBLE_EQ(fma.microseconds, 1e12 / (arch().fp32TFlops * 1e6));
  cost.unit = "bf16";
  EXPECT_LT(predict(arch(), cost).microseconds, fma.microseconds / 4);
}

TEST(Roofline, FewBlocksUseFewMultiprocessors) {
  KernelCost cost{"fp32", 1'000'000'000'000, 1000, 1000, 10000};
  double all = predict(arch(), cost).microseconds;
  cost.blocks = 1;
  EXPECT_NEAR(predict(arch(), cost).microseconds, all * arch().numSMs, 1e-6 * all * arch().numSMs);
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
