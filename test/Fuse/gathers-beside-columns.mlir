// A reduction of columns reads what is gathered from rows: fused with the gather its blocks, of a few columns each, would come back
// to every row of the table.
// RUN: rm -rf %t && split-file %s %t
// RUN: tw-compile %t/long.mlir --target=sm_90a --emit=fuse -o - | FileCheck %s
// RUN: tw-compile %t/short.mlir --target=sm_90a --emit=fuse -o - | FileCheck %s --check-prefix=SHORT
// RUN: tw-compile %t/wide.mlir --target=sm_90a --emit=fuse -o - | FileCheck %s --check-prefix=WIDE

//--- long.mlir
// CHECK: graph.kernel anchor(gather)
// CHECK: = gather
// CHECK: graph.kernel anchor(reduction)
// CHECK-NOT: = gather
func.func @columns(%x: tensor<9000x2000xf32>, %i: tensor<2500xi64>) -> (tensor<9000x2500xf32>, tensor<2500xf32>) {
  %0 = graph.gather %x[%i] dim = 1 : tensor<9000x2000xf32>, tensor<2500xi64> to tensor<9000x2500xf32>
  %1 = math.tanh %0 : tensor<9000x2500xf32>
  %2 = graph.reduce max %1 dims = [0] : tensor<9000x2500xf32> to tensor<2500xf32>
  return %1, %2 : tensor<9000x2500xf32>, tensor<2500xf32>
}

//--- short.mlir
// Columns of eight elements are whole in a tile, whose blocks go through the table with their neighbours.
// SHORT-COUNT-1: graph.kernel
// SHORT-NOT: graph.kernel
func.func @short(%x: tensor<8x11430x360xf32>, %i: tensor<355xi64>) -> tensor<11430x355xf32> {
  %0 = graph.gather %x[%i] dim = 2 : tensor<8x11430x360xf32>, tensor<355xi64> to tensor<8x11430x355xf32>
  %1 = graph.reduce max %0 dims = [0] : tensor<8x11430x355xf32> to tensor<11430x355xf32>
  return %1 : tensor<11430x355xf32>
}

//--- wide.mlir
// Each of eight rows fits the L2 cache, all of them do not: blocks that have columns whole would select of all of them at a time.
// WIDE: graph.kernel anchor(reduction)
// WIDE-NOT: = gather
// WIDE: graph.kernel anchor(gather)
// WIDE: = gather
func.func @wide(%x: tensor<8x4043709xbf16>, %i: tensor<4043709xi64>) -> (tensor<4043709xf32>, tensor<8x4043709xbf16>) {
  %0 = arith.extf %x : tensor<8x4043709xbf16> to tensor<8x4043709xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<8x4043709xf32> to tensor<4043709xf32>
  %2 = graph.gather %x[%i] dim = 1 : tensor<8x4043709xbf16>, tensor<4043709xi64> to tensor<8x4043709xbf16>
  return %1, %2 : tensor<4043709xf32>, tensor<8x4043709xbf16>
}
