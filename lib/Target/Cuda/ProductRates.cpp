// The fitted rates of products, one row a measured chip. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Target/Cuda/ProductRates.h"

using namespace tilewright;

/// H200 SXM: some 880 schedules of 180 products in bf16, in bursts.
static constexpr ProductRates kH200 = {
    /*launch=*/1.22,
    /*wideLaunch=*/0.39,
    /*tensorClock=*/1.885,
    /*loadedClockLoss=*/0.025,
    /*feedClock=*/2.49,
    /*slotLatency=*/0.99,
    /*stepTime=*/17.7,
    /*lineTime=*/0.331,
    /*misaligned64=*/0.7,
    /*misaligned32=*/0.64,
    /*misaligned16=*/1.69,
    /*rowsAcrossK=*/1.55,
    /*l2=*/17940,
    /*memory=*/3550,
    /*storeCycles=*/12.9,
    /*instructionCycles=*/0.5,
    /*epilogueTime=*/625,
    /*exposedEpilogue=*/0.525,
    /*overlap=*/2.48,
    /*warpShare=*/0.42,
    /*scalarShare=*/0.03,
    /*warpLaunch=*/1.34,
    /*warpElement=*/0.109,
    /*warpWord=*/0.0563,
    /*warpStagedLatency=*/231,
    /*warpLatency=*/138,
    /*warpsResident=*/16,
    /*warpStores=*/2400,
    /*meetingTime=*/300,
    /*exchangeTime=*/0.274,
    /*swappedExchangeTime=*/0.078,
    /*exchangeRate=*/9,
    /*elementStores=*/600,
    /*rowStores=*/3500,
    /*wordRowStores=*/4500,
    /*swappedStores=*/4450,
    /*elementRow=*/5.8,
    /*wordRow=*/3.8,
    /*wideRow=*/5.9,
    /*stagedStep=*/1180,
    /*emptyRows=*/0.95};

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
  for (double *time :
       {&rates.epilogueTime, &rates.warpElement, &rates.warpWord, &rates.warpStagedLatency,
        &rates.warpLatency, &rates.elementRow, &rates.wordRow, &rates.wideRow, &rates.stagedStep})
    *time /= clock;
  rates.warpStores *= arch.hbmGBps / measured.hbmGBps;
  rates.memory *= arch.hbmGBps / measured.hbmGBps;
  for (double *rate : {&rates.elementStores, &rates.rowStores, &rates.wordRowStores, &rates.swappedStores})
    *rate *= arch.hbmGBps / measured.hbmGBps;
  return rates;
}
