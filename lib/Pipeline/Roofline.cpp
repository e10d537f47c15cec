// The roofline of one launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Roofline.h"

#include <algorithm>

using namespace tilewright;

/// Time of an empty kernel between its neighbours in a CUDA graph.
static constexpr double kLaunchMicroseconds = 1.5;

/// Peak of a unit in TFLOP/s; 16-bit floats run alike.
static double peakTFlops(const Arch &arch, std::string_view unit) {
  if (unit == "tf32")
    return arch.tf32TFlops;
  if (unit == "bf16" || unit == "fp16")
    return arch.bf16TFlops;
  return arch.fp32TFlops;
}

Prediction tilewright::predict(const Arch &arch, const KernelCost &cost) {
  double bytes = double(cost.bytesRead) + double(cost.bytesWritten);
  double gbps = bytes <= arch.l2Bytes / 2 ? std::max(arch.l2GBps, arch.hbmGBps) : arch.hbmGBps;
  double memory = bytes / (gbps * 1e3); // GB/s is 1e3 bytes a microsecond
  double busy = std::min<double>(cost.blocks, arch.numSMs) / arch.numSMs;
  double compute = cost.flops / (peakTFlops(arch, cost.unit) * std::max(busy, 1e-3) * 1e6);
  // Two flops are one instruction of the fp32 units.
  compute = std::max(compute, cost.instructions / (arch.fp32TFlops * 0.5e6 * std::max(busy, 1e-3)));
  Prediction prediction{"launch", kLaunchMicroseconds};
  if (memory > prediction.microseconds)
    prediction = {"memory", memory};
  if (compute > prediction.microseconds)
    prediction = {"compute", compute};
  return prediction;
}
