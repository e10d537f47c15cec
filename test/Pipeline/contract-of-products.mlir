// A schedule with product = wgmma makes a contract on what is assembled: products of warpgroups, in flight, without spills
// and local memory. A breach is an error at the kernel: here of a kernel whose schedule multiplies by single warps.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: sed 's/UNIT/wgmma/; s/CONTRACT/registers = 240/' %s > %t/kept.mlir
// RUN: tw-compile %t/kept.mlir --start-from=tile --target=sm_90a --emit=tile | FileCheck %s --check-prefix=CARRIED
// CARRIED: tile.contract = #tile.contract<registers = 240, uses = wgmma>
// RUN: tw-compile %t/kept.mlir --start-from=tile --target=sm_90a -o %t/kept.tw

// RUN: sed 's/UNIT/mma_sync/; s/CONTRACT/uses = wgmma/' %s > %t/warps.mlir
// RUN: not tw-compile %t/warps.mlir --start-from=tile --target=sm_90a -o %t/breach.tw 2>&1 | FileCheck %s --check-prefix=BREACH
// BREACH: error: kernel @product has no product of warpgroups on sm_90a, for which its contract asks

// RUN: sed 's/UNIT/wgmma/; s/CONTRACT/uses = fma/' %s > %t/unknown.mlir
// RUN: not tw-compile %t/unknown.mlir --start-from=tile --target=sm_90a -o %t/breach.tw 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: a contract can ask for wgmma, not for fma
plan.program @main(%a: tensor<128x64xbf16> {plan.name = "a"}, %b: tensor<64x64xbf16> {plan.name = "b"}) -> (tensor<128x64xf32> {plan.name = "c"}) {
  %0 = plan.launch @product(%a, %b) : (tensor<128x64xbf16>, tensor<64x64xbf16>) -> tensor<128x64xf32>
  plan.return %0 : tensor<128x64xf32>
}
graph.kernel anchor(matmul) @product(%a: tensor<128x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<128x64xf32>
    attributes {tile.contract = #tile.contract<CONTRACT>,
                tile.schedule = #tile.schedule<tile = [64, 64], reduce = 32, warps = 4, warp_grid = [4, 1], stages = 2, product = UNIT>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x64xbf16> to tensor<128x64xf32>
  graph.return %0 : tensor<128x64xf32>
}
