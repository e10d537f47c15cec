// Dimensions of one element that are spread beside others were taken for one with them when places were computed: a row
// and a column for each element of a matrix whose rows are others.
// RUN: tw-check %s
// RUN: tw-check %s --target=sm_90a
func.func @main(%x: tensor<100x50xf32>, %row: tensor<1x50xf32>, %column: tensor<100x1xf32>, %one: tensor<1x1xf32>,
                %other: tensor<20xf32>) -> tensor<250x20xf32> {
  %0 = graph.broadcast %row dims = [0, 1] : tensor<1x50xf32> to tensor<100x50xf32>
  %1 = graph.broadcast %column dims = [0, 1] : tensor<100x1xf32> to tensor<100x50xf32>
  %2 = graph.broadcast %one dims = [0, 1] : tensor<1x1xf32> to tensor<100x50xf32>
  %3 = arith.addf %x, %0 : tensor<100x50xf32>
  %4 = arith.mulf %3, %1 : tensor<100x50xf32>
  %5 = arith.subf %4, %2 : tensor<100x50xf32>
  %6 = graph.reshape %5 : tensor<100x50xf32> to tensor<250x20xf32>
  %7 = graph.broadcast %other dims = [1] : tensor<20xf32> to tensor<250x20xf32>
  %8 = arith.addf %6, %7 : tensor<250x20xf32>
  return %8 : tensor<250x20xf32>
}

// Beside whole dimensions, and between them.
func.func @between(%x: tensor<6x4x5x3xf32>, %a: tensor<6x1x5x1xf32>, %b: tensor<1x4x1x3xf32>,
                   %other: tensor<8xf32>) -> tensor<45x8xf32> {
  %0 = graph.broadcast %a dims = [0, 1, 2, 3] : tensor<6x1x5x1xf32> to tensor<6x4x5x3xf32>
  %1 = graph.broadcast %b dims = [0, 1, 2, 3] : tensor<1x4x1x3xf32> to tensor<6x4x5x3xf32>
  %2 = arith.addf %x, %0 : tensor<6x4x5x3xf32>
  %3 = arith.mulf %2, %1 : tensor<6x4x5x3xf32>
  %4 = graph.reshape %3 : tensor<6x4x5x3xf32> to tensor<45x8xf32>
  %5 = graph.broadcast %other dims = [1] : tensor<8xf32> to tensor<45x8xf32>
  %6 = arith.addf %4, %5 : tensor<45x8xf32>
  return %6 : tensor<45x8xf32>
}
