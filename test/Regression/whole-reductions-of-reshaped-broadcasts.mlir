// A reduction of all elements of a reshape was cut along the dimensions of the reshape. Rows that a broadcast spreads lie across
// these pieces, so that no kernel of them could compute its operand: it was stored in fp32 and read twice (bf16 of 40x14120x40,
// H100: 171 us, and 90 since). All elements of what was reshaped are the same ones.
// RUN: tw-opt %s --fuse-split-reductions | FileCheck %s
// RUN: tw-check %s --target=sm_90a --rtol=1e-4 --atol=1e-4 --quiet

// CHECK-LABEL: func.func @spread
// CHECK: %[[SUM:.*]] = arith.addf
// CHECK: graph.reshape %[[SUM]]
// CHECK: graph.reduce sum %[[SUM]] dims = [0, 1, 2]
func.func @spread(%x: tensor<6x70x40xf32>, %y: tensor<70x40xf32>) -> tensor<84x200xf32> {
  %b = graph.broadcast %y dims = [1, 2] : tensor<70x40xf32> to tensor<6x70x40xf32>
  %v = arith.addf %x, %b : tensor<6x70x40xf32>
  %r = graph.reshape %v : tensor<6x70x40xf32> to tensor<84x200xf32>
  %s = graph.reduce sum %r dims = [0, 1] : tensor<84x200xf32> to tensor<f32>
  %all = graph.broadcast %s dims = [] : tensor<f32> to tensor<84x200xf32>
  %d = arith.subf %r, %all : tensor<84x200xf32>
  return %d : tensor<84x200xf32>
}

// What is given is cut as others read it.
// CHECK-LABEL: func.func @given
// CHECK: %[[FLAT:.*]] = graph.reshape
// CHECK: graph.reduce sum %[[FLAT]] dims = [0]
func.func @given(%x: tensor<6x70x40xf32>) -> tensor<f32> {
  %r = graph.reshape %x : tensor<6x70x40xf32> to tensor<16800xf32>
  %s = graph.reduce sum %r dims = [0] : tensor<16800xf32> to tensor<f32>
  return %s : tensor<f32>
}
