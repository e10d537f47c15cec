// The fitted rates of products, one row a measured chip. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Target/Cuda/ProductRates.h"

using namespace tilewright;

/// H200 SXM: 2268 times of 349 products in bf16, in bursts (utils/bench/fit_product_model.py --write).
static constexpr ProductRates kH200 = {
    /*launch=*/1.3,
    /*wideLaunch=*/0.203,
    /*tensorClock=*/1.91,
    /*loadedClockLoss=*/0.03,
    /*feedClock=*/2.52,
    /*slotLatency=*/1,
    /*stepTime=*/22.1,
    /*lineTime=*/0.314,
    /*misaligned64=*/0.504,
    /*misaligned32=*/0.504,
    /*misaligned16=*/1.52,
    /*rowsAcrossK=*/0.927,
    /*l2=*/19000,
    /*memory=*/4930,
    /*rampBytes=*/5810000,
    /*rampTime=*/1830,
    /*storeCycles=*/7.13,
    /*instructionCycles=*/1.6,
    /*epilogueTime=*/540,
    /*exposedEpilogue=*/0.652,
    /*overlap=*/2.21,
    /*warpShare=*/0.4,
    /*scalarShare=*/0.03,
    /*warpLaunch=*/1.38,
    /*warpElement=*/0.107,
    /*warpWord=*/0.0552,
    /*warpStagedLatency=*/225,
    /*warpLatency=*/142,
    /*warpsResident=*/16,
    /*warpStores=*/1890,
    /*meetingTime=*/300,
    /*exchangeTime=*/0.328,
    /*swappedExchangeTime=*/0.0894,
    /*exchangeRate=*/13.1,
    /*elementStores=*/977,
    /*rowStores=*/3500,
    /*wordRowStores=*/4500,
    /*swappedStores=*/2170,
    /*elementRow=*/5.23,
    /*wordRow=*/3.64,
    /*wideRow=*/5.13,
    /*stagedStep=*/1130,
    /*emptyRows=*/0.681,
    /*clusterLaunch=*/0.774,
    /*clusterOnce=*/0.3,
    /*laterBlocks=*/0.533,
    /*oneTile=*/0.0321,
    /*directStores=*/2720,
    {/*launch=*/1.42, /*step=*/81.8, /*latency=*/245, /*element=*/0.042, /*share=*/0.301,
     /*stores=*/2430, /*memory=*/2160, /*resident=*/18, /*overlap=*/6, /*starts=*/0.8}};

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
  rates.rampBytes *= arch.hbmGBps / measured.hbmGBps;
  for (double *rate : {&rates.elementStores, &rates.rowStores, &rates.wordRowStores, &rates.swappedStores,
                       &rates.directStores, &rates.aligned.stores, &rates.aligned.memory})
    *rate *= arch.hbmGBps / measured.hbmGBps;
  return rates;
}
