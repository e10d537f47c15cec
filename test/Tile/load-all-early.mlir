// A kernel of few blocks asks for everything it reads at once: before its reductions and first results, once each, a
// gather behind all loads, since it waits for its indices. A kernel of many blocks keeps its registers.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-load-early))' | FileCheck %s

// CHECK-LABEL: tile.kernel @norm
// CHECK: tile.load %arg0
// CHECK-NEXT: tile.load
// CHECK-NOT: tile.load
// CHECK: tile.reduce
// CHECK: tile.reduce
// CHECK-NOT: tile.load
// CHECK: tile.return
graph.kernel anchor(reduction) @norm(%x: tensor<8x1024xf32>, %s: tensor<1024xf32>) -> (tensor<8x1024xf32>, tensor<8x1024xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<8x1024xf32> to tensor<8xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<8xf32> to tensor<8x1024xf32>
  %2 = arith.subf %x, %1 : tensor<8x1024xf32>
  %3 = graph.reduce max %2 dims = [1] : tensor<8x1024xf32> to tensor<8xf32>
  %4 = graph.broadcast %3 dims = [0] : tensor<8xf32> to tensor<8x1024xf32>
  %5 = graph.broadcast %s dims = [1] : tensor<1024xf32> to tensor<8x1024xf32>
  %6 = arith.mulf %4, %5 : tensor<8x1024xf32>
  %7 = arith.addf %x, %5 : tensor<8x1024xf32>
  graph.return %6, %7 : tensor<8x1024xf32>, tensor<8x1024xf32>
}

// CHECK-LABEL: tile.kernel @gathered
// CHECK: tile.load {{.*}}xi64>
// CHECK-NEXT: tile.load %arg0
// CHECK-NEXT: tile.gather
// CHECK-NEXT: tile.reduce
// CHECK-NOT: tile.gather
// CHECK: tile.return
graph.kernel anchor(reduction) @gathered(%x: tensor<8x1024xf32>, %t: tensor<8x64xf32>, %i: tensor<1024xi64>) -> tensor<8x1024xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<8x1024xf32> to tensor<8xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<8xf32> to tensor<8x1024xf32>
  %2 = graph.gather %t[%i] dim = 1 : tensor<8x64xf32>, tensor<1024xi64> to tensor<8x1024xf32>
  %3 = arith.subf %2, %1 : tensor<8x1024xf32>
  graph.return %3 : tensor<8x1024xf32>
}

// CHECK-LABEL: tile.kernel @many_blocks
// CHECK: tile.load %arg0
// CHECK: tile.reduce
// CHECK: tile.load
graph.kernel anchor(reduction) @many_blocks(%x: tensor<4096x1024xf32>, %s: tensor<1024xf32>) -> tensor<4096x1024xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<4096x1024xf32> to tensor<4096xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<4096xf32> to tensor<4096x1024xf32>
  %2 = arith.subf %x, %1 : tensor<4096x1024xf32>
  %3 = graph.broadcast %s dims = [1] : tensor<1024xf32> to tensor<4096x1024xf32>
  %4 = arith.mulf %2, %3 : tensor<4096x1024xf32>
  graph.return %4 : tensor<4096x1024xf32>
}
