// The fitted rates of products, one row a measured chip. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Target/Cuda/ProductRates.h"

using namespace tilewright;

/// H200 SXM: some 1000 schedules of 180 products in bf16, in bursts.
static constexpr ProductRates kH200 = {
    /*launch=*/1.22,
    /*wideLaunch=*/0.38,
    /*tensorClock=*/1.925,
    /*loadedClockLoss=*/0.03,
    /*feedClock=*/2.6,
    /*slotLatency=*/0.98,
    /*stepTime=*/24.2,
    /*lineTime=*/0.307,
    /*misaligned64=*/0.67,
    /*misaligned32=*/0.64,
    /*misaligned16=*/1.7,
    /*rowsAcrossK=*/1.74,
    /*l2=*/18020,
    /*memory=*/3500,
    /*storeCycles=*/12.4,
    /*instructionCycles=*/0.5,
    /*epilogueTime=*/615,
    /*exposedEpilogue=*/0.5,
    /*overlap=*/2.43,
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
    /*exchangeTime=*/0.365,
    /*swappedExchangeTime=*/0.097,
    /*exchangeRate=*/13.8,
    /*elementStores=*/600,
    /*rowStores=*/3500,
    /*wordRowStores=*/4500,
    /*swappedStores=*/2970,
    /*elementRow=*/5.8,
    /*wordRow=*/3.8,
    /*wideRow=*/5.9,
    /*stagedStep=*/1180,
    /*emptyRows=*/0.91,
    /*sharedLines=*/0.5,
    /*oneTile=*/0.12,
    /*directStores=*/1318,
    {/*launch=*/1.432, /*step=*/72.5, /*latency=*/254, /*element=*/0.0399, /*share=*/0.357,
     /*stores=*/2433, /*memory=*/2168, /*resident=*/18, /*overlap=*/6.1, /*starts=*/0.8}};

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
  for (double *time : {&rates.epilogueTime, &rates.warpElement, &rates.warpWord, &rates.warpStagedLatency,
                       &rates.warpLatency, &rates.elementRow, &rates.wordRow, &rates.wideRow,
                       &rates.stagedStep, &rates.aligned.step, &rates.aligned.element})
    *time /= clock;
  rates.warpStores *= arch.hbmGBps / measured.hbmGBps;
  rates.memory *= arch.hbmGBps / measured.hbmGBps;
  for (double *rate : {&rates.elementStores, &rates.rowStores, &rates.wordRowStores, &rates.swappedStores,
                       &rates.directStores, &rates.aligned.stores, &rates.aligned.memory})
    *rate *= arch.hbmGBps / measured.hbmGBps;
  return rates;
}
