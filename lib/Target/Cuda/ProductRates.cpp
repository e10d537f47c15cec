// The fitted rates of products, one row a measured chip. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Target/Cuda/ProductRates.h"

using namespace tilewright;

/// H200 SXM: some 790 schedules of 60 products in bf16, in bursts.
static constexpr ProductRates kH200 = {
    /*launch=*/1.96,
    /*tensorClock=*/1.73,
    /*loadedClockLoss=*/0.045,
    /*feedClock=*/2.21,
    /*slotLatency=*/1.04,
    /*stepTime=*/1.6,
    /*lineTime=*/0.31,
    /*misaligned64=*/0.85,
    /*misaligned32=*/0.64,
    /*misaligned16=*/1.44,
    /*l2=*/16500,
    /*memory=*/3530,
    /*storeCycles=*/14,
    /*instructionCycles=*/0.5,
    /*exposedEpilogue=*/1.15,
    /*overlap=*/3,
    /*warpShare=*/0.42,
    /*scalarShare=*/0.03,
    /*meetingTime=*/300,
    /*exchangeTime=*/0.3,
    // Products of 16 and of 128 rows in two parts (product-chains-h200.json): their exchange took no more.
    /*swappedExchangeTime=*/0.1,
    /*exchangeRate=*/12.5,
    /*elementStores=*/600,
    /*emptyRows=*/0.36};

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
  rates.elementStores *= arch.hbmGBps / measured.hbmGBps;
  return rates;
}
