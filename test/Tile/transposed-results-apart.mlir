// What is stored across in rows that begin within sectors is stored in long runs, which fewer blocks share: as many bytes of it in each
// block as it has room for. Rows of whole sectors, and results in both orders, have square tiles.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s

// CHECK: tile.kernel @words {{.*}}tile = [64, 256], reduce = 1, warps = 8
graph.kernel anchor(transpose) @words(%x: tensor<4095x4097xf32>) -> tensor<4097x4095xf32> {
  %0 = graph.transpose %x permutation = [1, 0] {graph.materialize} : tensor<4095x4097xf32> to tensor<4097x4095xf32>
  graph.return %0 : tensor<4097x4095xf32>
}

// CHECK: tile.kernel @halves {{.*}}tile = [32, 256], reduce = 1, warps = 8
graph.kernel anchor(transpose) @halves(%x: tensor<4095x4097xbf16>) -> tensor<4097x4095xbf16> {
  %0 = graph.transpose %x permutation = [1, 0] {graph.materialize} : tensor<4095x4097xbf16> to tensor<4097x4095xbf16>
  graph.return %0 : tensor<4097x4095xbf16>
}

// CHECK: tile.kernel @whole_sectors {{.*}}tile = [128, 128], reduce = 1, warps = 8
graph.kernel anchor(transpose) @whole_sectors(%x: tensor<4096x4097xbf16>) -> tensor<4097x4096xbf16> {
  %0 = graph.transpose %x permutation = [1, 0] {graph.materialize} : tensor<4096x4097xbf16> to tensor<4097x4096xbf16>
  graph.return %0 : tensor<4097x4096xbf16>
}

// CHECK: tile.kernel @both {{.*}}tile = [128, 128], reduce = 1, warps = 8
graph.kernel anchor(transpose) @both(%x: tensor<4095x4097xbf16>) -> (tensor<4097x4095xbf16>, tensor<4095x4097xbf16>) {
  %0 = graph.transpose %x permutation = [1, 0] {graph.materialize} : tensor<4095x4097xbf16> to tensor<4097x4095xbf16>
  %1 = arith.negf %x : tensor<4095x4097xbf16>
  graph.return %0, %1 : tensor<4097x4095xbf16>, tensor<4095x4097xbf16>
}

// Short rows that follow one another are one run where a tile has them whole.
// CHECK: tile.kernel @short_rows {{.*}}tile = [16, 256], reduce = 1, warps = 8
graph.kernel anchor(elementwise) @short_rows(%x: tensor<177x213079xf32>) -> (tensor<213079x177xf32>, tensor<213079x177xf32>) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<177x213079xf32> to tensor<213079x177xf32>
  %1 = math.absf %0 : tensor<213079x177xf32>
  %2 = arith.negf %0 : tensor<213079x177xf32>
  graph.return %1, %2 : tensor<213079x177xf32>, tensor<213079x177xf32>
}

// Threads that would compute too much of a wide tile are twice as many.
// CHECK: tile.kernel @more_warps {{.*}}tile = [64, 64], reduce = 1, warps = 16
graph.kernel anchor(elementwise) @more_warps(%x: tensor<1152x23168xf32>) -> (tensor<23168x1152xf32>, tensor<1152x23168xf32>) {
  %0 = math.tanh %x : tensor<1152x23168xf32>
  %1 = math.erf %0 : tensor<1152x23168xf32>
  %2 = arith.mulf %0, %1 : tensor<1152x23168xf32>
  %3 = math.tanh %2 : tensor<1152x23168xf32>
  %4 = math.erf %3 : tensor<1152x23168xf32>
  %5 = arith.mulf %2, %4 : tensor<1152x23168xf32>
  %6 = graph.transpose %5 permutation = [1, 0] : tensor<1152x23168xf32> to tensor<23168x1152xf32>
  %7 = arith.negf %6 : tensor<23168x1152xf32>
  graph.return %7, %4 : tensor<23168x1152xf32>, tensor<1152x23168xf32>
}
