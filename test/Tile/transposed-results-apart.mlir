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
