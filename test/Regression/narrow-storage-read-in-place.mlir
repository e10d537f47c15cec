// A value that a product or a gather reads in place is stored as it is: widened in the reading kernel it would have no
// indexing. Concatenations and pads compute it themselves. Found by asking verify-fuse-form of programs stored in bf16.
// RUN: tw-opt %s --split-input-file --fuse-partition-kernels=storage=bf16 --plan-annotate-costs --verify-fuse-form --tile-stage | FileCheck %s

// CHECK-LABEL: plan.program @product
// CHECK: plan.launch @addf({{.*}} -> tensor<8x8xf32>
func.func @product(%x: tensor<8x8xf32> {graph.name = "x"}, %z: tensor<8x8xf32> {graph.name = "z"}) -> (tensor<8x8xf32> {graph.name = "y"}) {
  %0 = arith.addf %x, %z : tensor<8x8xf32>
  %1 = graph.matmul %0, %x : tensor<8x8xf32>, tensor<8x8xf32> to tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: plan.program @concatenation
// CHECK: plan.launch @exp_concat({{.*}} -> tensor<8x16xf32>
func.func @concatenation(%x: tensor<8x8xf32> {graph.name = "x"}) -> (tensor<8x16xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x8xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<8x8xf32> to tensor<8x8xf32>
  %2 = graph.concat %1, %x dim = 1 : tensor<8x8xf32>, tensor<8x8xf32> to tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: plan.program @padding
// CHECK: plan.launch @exp_pad({{.*}} -> tensor<8x16xf32>
func.func @padding(%x: tensor<8x8xf32> {graph.name = "x"}) -> (tensor<8x16xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x8xf32>
  %1 = graph.pad %0 low = [0, 4] high = [0, 4] value = 0.5 : f32 : tensor<8x8xf32> to tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: plan.program @table
// CHECK: plan.launch @exp({{.*}} -> tensor<8x8xf32>
func.func @table(%x: tensor<8x8xf32> {graph.name = "x"}, %i: tensor<3xi64> {graph.name = "i"})
    -> (tensor<3x8xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x8xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<8x8xf32>, tensor<3xi64> to tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}
