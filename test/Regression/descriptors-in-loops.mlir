// Descriptors of stages that change with the tile: their upper halves are constants of their own up to the assembler, never
// summands of 64-bit sums, whose upper half ptxas 13.0 left out (wrong products, then an illegal address).
// RUN: tw-opt %s --tile-stage --schedule-stage --target-stage -o %t.mlir && tw-assemble %t.mlir --arch=sm_90a --print=ptx,resources > %t
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=SUMS < %t

// CHECK: mov.b64 [[A:%rd[0-9]+]], {%r{{[0-9]+}}, %r{{[0-9]+}}};
// CHECK: wgmma.mma_async
// SUMS-NOT: {{(add|or)}}.{{[bs]}}64{{.*}}, 46116862

graph.kernel anchor(matmul) @product(%x: tensor<256x136xbf16>, %g: tensor<136x72xbf16>, %u: tensor<136x72xbf16>) -> tensor<256x72xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 64], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, copy = bulk, roles = cooperative, registers = [40, 232], persistent = 2, order = grouped<2>, store = bulk>} {
  %0 = graph.matmul %x, %g : tensor<256x136xbf16>, tensor<136x72xbf16> to tensor<256x72xf32>
  %1 = graph.matmul %x, %u : tensor<256x136xbf16>, tensor<136x72xbf16> to tensor<256x72xf32>
  %2 = arith.mulf %0, %1 : tensor<256x72xf32>
  %3 = arith.truncf %2 : tensor<256x72xf32> to tensor<256x72xbf16>
  graph.return %3 : tensor<256x72xbf16>
}
