// The fitted rates of products, one row a measured chip. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/Target/Cuda/ProductRates.h"

using namespace tilewright;

/// H200 SXM: 2263 times of 349 products in bf16, in bursts (utils/bench/fit_product_model.py --write).
static constexpr ProductRates kH200 = {
    /*launch=*/1.29,
    /*wideLaunch=*/0.199,
    /*tensorClock=*/1.93,
    /*loadedClockLoss=*/0.03,
    /*feedClock=*/2.52,
    /*slotLatency=*/1,
    /*stepTime=*/17.3,
    /*lineTime=*/0.325,
    /*misaligned64=*/0.473,
    /*misaligned32=*/0.473,
    /*misaligned16=*/1.49,
    /*rowsAcrossK=*/0.945,
    /*l2=*/19100,
    /*memory=*/5420,
    /*rampBytes=*/6700000,
    /*rampTime=*/2020,
    /*storeCycles=*/8.25,
    /*instructionCycles=*/1.58,
    /*epilogueTime=*/531,
    /*exposedEpilogue=*/0.658,
    /*overlap=*/2.13,
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
    /*exchangeTime=*/0.00333,
    /*swappedExchangeTime=*/0.00728,
    /*exchangeRate=*/17.7,
    /*swappedExchangeRate=*/8,
    /*elementStores=*/953,
    /*rowStores=*/3500,
    /*wordRowStores=*/4500,
    /*swappedStores=*/2560,
    /*elementRow=*/5.15,
    /*wordRow=*/3.11,
    /*wideRow=*/5.31,
    /*stagedStep=*/1110,
    /*emptyRows=*/0.824,
    /*clusterLaunch=*/0.804,
    /*clusterOnce=*/0.35,
    /*clusterPair=*/0.7,
    /*laterBlocks=*/0.518,
    /*clusterWaits=*/0.05,
    /*oneTile=*/0.00222,
    /*directStores=*/2450,
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
