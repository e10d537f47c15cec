// The fitted rates of products, one row a measured chip. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Target/Cuda/ProductRates.h"

using namespace tilewright;

/// H200 SXM: some 640 schedules of 48 products in bf16, in bursts.
static constexpr ProductRates kH200 = {
    /*launch=*/1.96,
    /*tensorClock=*/1.75,
    /*loadedClockLoss=*/0.03,
    /*feedClock=*/2.3,
    /*slotLatency=*/1.03,
    /*stepTime=*/6,
    /*lineTime=*/0.44,
    /*misaligned64=*/0.73,
    /*misaligned32=*/0.55,
    /*misaligned16=*/1.56,
    /*l2=*/16000,
    /*memory=*/2950,
    /*storeCycles=*/11,
    /*instructionCycles=*/0.8,
    /*exposedEpilogue=*/0.9,
    /*overlap=*/3.06,
    /*warpShare=*/0.42,
    /*scalarShare=*/0.03,
    /*meetingTime=*/300,
    /*exchangeTime=*/0.3,
    /*exchangeRate=*/5};

ProductRates tilewright::productRates(const Arch &arch) {
  const Arch &measured = *lookupArch("sm_90a");
  ProductRates rates = kH200;
  double clock = arch.clockGHz / measured.clockGHz;
  rates.tensorClock *= clock;
  rates.loadedClockLoss *= clock;
  rates.feedClock *= clock;
  rates.lineTime /= clock;
  rates.meetingTime /= clock;
  rates.l2 *= arch.l2GBps / measured.l2GBps;
  rates.memory *= arch.hbmGBps / measured.hbmGBps;
  return rates;
}
