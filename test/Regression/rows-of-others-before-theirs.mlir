// Where a block goes over a row from the multiple of 16 bytes before it, a matrix that several rows share begins elsewhere: its rows are
// runs of memory, which went through shared memory from as many elements before them on, and results were wrong. Found by a random
// program on a GPU: memory-698790.
// RUN: tw-check %s --quiet

func.func @main(%x: tensor<900x2x621xbf16>, %y: tensor<900x621xbf16>) -> (tensor<900x2x621xf32>, tensor<900x2xf32>) attributes {
    check.schedule = #tile.schedule<tile = [1, 1, 640], reduce = 1, warps = 1, warp_grid = [1, 1], stages = 1, align_rows>} {
  %0 = arith.extf %x : tensor<900x2x621xbf16> to tensor<900x2x621xf32>
  %1 = graph.reduce max %0 dims = [2] : tensor<900x2x621xf32> to tensor<900x2xf32>
  %2 = arith.extf %y : tensor<900x621xbf16> to tensor<900x621xf32>
  %3 = graph.broadcast %2 dims = [0, 2] : tensor<900x621xf32> to tensor<900x2x621xf32>
  %4 = graph.broadcast %1 dims = [0, 1] : tensor<900x2xf32> to tensor<900x2x621xf32>
  %5 = arith.mulf %0, %4 : tensor<900x2x621xf32>
  %6 = arith.addf %5, %3 : tensor<900x2x621xf32>
  return %6, %1 : tensor<900x2x621xf32>, tensor<900x2xf32>
}
