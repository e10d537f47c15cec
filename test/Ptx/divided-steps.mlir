// A product whose steps blocks share keeps the contract of warpgroups: products stay in flight, nothing is spilled. Flags
// are released and acquired at the scope of the chip, and what blocks do is read from constant lists.
// REQUIRES: ptxas
// RUN: tw-compile %s --start-from=tile --target=sm_90a --emit=ptx -o - | FileCheck %s
// RUN: sed 's/roles = pingpong/roles = cooperative/' %s | tw-compile - --start-from=tile --target=sm_90a --emit=ptx -o - | FileCheck %s
// CHECK-DAG: .global .align 4 .b8 list_0
// CHECK-DAG: st.release.gpu.global.u32
// CHECK-DAG: ld.acquire.gpu.global.u32
// CHECK-DAG: st.relaxed.gpu.global.u32
graph.kernel anchor(matmul) @matmul(%a: tensor<1000x1000xbf16>, %b: tensor<1000x1000xbf16>) -> tensor<1000x1000xf32> attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 5, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 132, order = hilbert, stream_k = 2, store = bulk, pdl>} {
  %0 = graph.matmul %a, %b : tensor<1000x1000xbf16>, tensor<1000x1000xbf16> to tensor<1000x1000xf32>
  graph.return %0 : tensor<1000x1000xf32>
}
plan.program @main(%a: tensor<1000x1000xbf16> {plan.name = "a"}, %b: tensor<1000x1000xbf16> {plan.name = "b"}) -> (tensor<1000x1000xf32> {plan.name = "c"}) {
  %0 = plan.launch @matmul(%a, %b) : (tensor<1000x1000xbf16>, tensor<1000x1000xbf16>) -> tensor<1000x1000xf32>
  plan.return %0 : tensor<1000x1000xf32>
}
