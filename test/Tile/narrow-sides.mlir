// Tiles of transposes: where two short dimensions would both be padded much, the shorter one is taken whole beside 32
// elements of the other; and a kernel whose places stand for several elements of its result takes fewer of them.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s

// CHECK-LABEL: tile.kernel @whole
// CHECK-SAME: tile = [1, 1, 128, 32], reduce = 1, warps = 8
graph.kernel anchor(transpose) @whole(%x: tensor<64x96x128x80xbf16>) -> tensor<128x64x80x96xbf16> {
  %0 = graph.transpose %x permutation = [2, 0, 3, 1] {graph.materialize} : tensor<64x96x128x80xbf16> to tensor<128x64x80x96xbf16>
  graph.return %0 : tensor<128x64x80x96xbf16>
}

// CHECK-LABEL: tile.kernel @padded
// CHECK-SAME: tile = [1, 1, 128, 128], reduce = 1, warps = 8
graph.kernel anchor(transpose) @padded(%x: tensor<64x96x128x80xbf16>) -> tensor<96x64x80x128xbf16> {
  %0 = graph.transpose %x permutation = [1, 0, 3, 2] {graph.materialize} : tensor<64x96x128x80xbf16> to tensor<96x64x80x128xbf16>
  graph.return %0 : tensor<96x64x80x128xbf16>
}

// CHECK-LABEL: tile.kernel @joined
// CHECK-SAME: tile = [1, 1024], reduce = 1, warps = 4
graph.kernel anchor(elementwise) @joined(%x: tensor<16384x4096xbf16>, %y: tensor<16384x4096xbf16>) -> tensor<16384x8192xbf16> {
  %0 = arith.addf %x, %y : tensor<16384x4096xbf16>
  %1 = arith.subf %x, %y : tensor<16384x4096xbf16>
  %2 = graph.concat %0, %1 dim = 1 : tensor<16384x4096xbf16>, tensor<16384x4096xbf16> to tensor<16384x8192xbf16>
  graph.return %2 : tensor<16384x8192xbf16>
}

// The runs of 80 elements lie apart: fewer at a time than where they follow one another.
// CHECK-LABEL: tile.kernel @apart
// CHECK-SAME: tile = [128, 1, 64], reduce = 1, warps = 8
graph.kernel anchor(transpose) @apart(%x: tensor<64x96x128x80xbf16>) -> tensor<80x128x64x96xbf16> {
  %0 = graph.transpose %x permutation = [3, 2, 0, 1] {graph.materialize} : tensor<64x96x128x80xbf16> to tensor<80x128x64x96xbf16>
  graph.return %0 : tensor<80x128x64x96xbf16>
}
