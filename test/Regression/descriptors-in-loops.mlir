// Descriptors of stages that change with the tile: their upper halves are constants of their own up to the assembler, never
// summands of 64-bit sums, whose upper half ptxas 13.0 left out (wrong products, then an illegal address).
// RUN: tw-compile %s --start-from=tile --emit=ptx --kernel-cache=off -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: FileCheck %s --check-prefix=SUMS --input-file=%t.ptx

// CHECK: mov.b64 [[A:%rd[0-9]+]], {%r{{[0-9]+}}, %r{{[0-9]+}}};
// CHECK: wgmma.mma_async
// SUMS-NOT: {{(add|or)}}.{{[bs]}}64{{.*}}, 46116862

plan.program @main(%x: tensor<256x136xbf16> {plan.name = "x"}, %g: tensor<136x72xbf16> {plan.name = "g"}, %u: tensor<136x72xbf16> {plan.name = "u"}) -> (tensor<256x72xbf16> {plan.name = "y"}) {
  %0 = plan.launch @product(%x, %g, %u) : (tensor<256x136xbf16>, tensor<136x72xbf16>, tensor<136x72xbf16>) -> tensor<256x72xbf16>
  plan.return %0 : tensor<256x72xbf16>
}
graph.kernel anchor(matmul) @product(%x: tensor<256x136xbf16>, %g: tensor<136x72xbf16>, %u: tensor<136x72xbf16>) -> tensor<256x72xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>} {
  %0 = graph.matmul %x, %g : tensor<256x136xbf16>, tensor<136x72xbf16> to tensor<256x72xf32>
  %1 = graph.matmul %x, %u : tensor<256x136xbf16>, tensor<136x72xbf16> to tensor<256x72xf32>
  %2 = arith.mulf %0, %1 : tensor<256x72xf32>
  %3 = arith.truncf %2 : tensor<256x72xf32> to tensor<256x72xbf16>
  graph.return %3 : tensor<256x72xbf16>
}
