// Rings that threads fill keep the contract of warpgroup products: in flight, without spills and local memory, for
// cp.async in one loading instance and for odd rows through registers in two, at the tiles that tuning tries.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --start-from=tile --target=sm_90a --kernel-cache=off --emulation=off --report=text -o %t/rings.tw 2>&1 | FileCheck %s
// CHECK-NOT: warning
// CHECK: words
// CHECK: odd
plan.program @main(%a: tensor<512x1002xbf16> {plan.name = "a"}, %b: tensor<514x1002xbf16> {plan.name = "b"}, %c: tensor<512x1003xbf16> {plan.name = "c"}, %d: tensor<1003x513xbf16> {plan.name = "d"}) -> (tensor<512x514xbf16> {plan.name = "e"}, tensor<512x513xbf16> {plan.name = "f"}, tensor<512x514xbf16> {plan.name = "g"}) {
  %0 = plan.launch @words(%a, %b) : (tensor<512x1002xbf16>, tensor<514x1002xbf16>) -> tensor<512x514xbf16>
  %1 = plan.launch @odd(%c, %d) : (tensor<512x1003xbf16>, tensor<1003x513xbf16>) -> tensor<512x513xbf16>
  %2 = plan.launch @turns(%a, %b) : (tensor<512x1002xbf16>, tensor<514x1002xbf16>) -> tensor<512x514xbf16>
  plan.return %0, %1, %2 : tensor<512x514xbf16>, tensor<512x513xbf16>, tensor<512x514xbf16>
}
graph.kernel anchor(matmul) @words(%a: tensor<512x1002xbf16>, %b: tensor<514x1002xbf16>) -> tensor<512x514xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 6, product = wgmma, roles = cooperative, registers = [56, 216], persistent = 132, store = bulk, pdl>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<514x1002xbf16> to tensor<1002x514xbf16>
  %0 = graph.matmul %a, %t : tensor<512x1002xbf16>, tensor<1002x514xbf16> to tensor<512x514xf32>
  %1 = arith.truncf %0 : tensor<512x514xf32> to tensor<512x514xbf16>
  graph.return %1 : tensor<512x514xbf16>
}
graph.kernel anchor(matmul) @turns(%a: tensor<512x1002xbf16>, %b: tensor<514x1002xbf16>) -> tensor<512x514xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 6, product = wgmma, roles = pingpong, registers = [56, 216], persistent = 132, order = grouped<8>, store = bulk, pdl>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<514x1002xbf16> to tensor<1002x514xbf16>
  %0 = graph.matmul %a, %t : tensor<512x1002xbf16>, tensor<1002x514xbf16> to tensor<512x514xf32>
  %1 = arith.truncf %0 : tensor<512x514xf32> to tensor<512x514xbf16>
  graph.return %1 : tensor<512x514xbf16>
}
graph.kernel anchor(matmul) @odd(%c: tensor<512x1003xbf16>, %d: tensor<1003x513xbf16>) -> tensor<512x513xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 8, product = wgmma, roles = cooperative, loaders = 2, registers = [152, 152], persistent = 132, order = grouped<8>, store = bulk, pdl>} {
  %0 = graph.matmul %c, %d : tensor<512x1003xbf16>, tensor<1003x513xbf16> to tensor<512x513xf32>
  %1 = arith.truncf %0 : tensor<512x513xf32> to tensor<512x513xbf16>
  graph.return %1 : tensor<512x513xbf16>
}
