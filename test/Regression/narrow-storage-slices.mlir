// A value of which a kernel reads a slice, or two: one slice is computed where it is read, and what is read through two
// views is stored wide, although intermediates are 16-bit: the widened input does not shape the kernel. Found by random programs in fp16 and bf16 under --verify-stages.
// RUN: tw-opt %s --split-input-file --fuse-partition-kernels=storage=bf16 --plan-annotate-costs --verify-fuse-form --tile-stage --verify-tile-form | FileCheck %s

// CHECK-LABEL: plan.program @returned_slice
// CHECK: plan.launch @exp_slice({{.*}} -> tensor<8x16xf32>
func.func @returned_slice(%x: tensor<80x128xf32> {graph.name = "x"}) -> (tensor<8x16xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<80x128xf32>
  %1 = math.tanh %0 : tensor<80x128xf32>
  %2 = graph.slice %1 offsets = [71, 16] strides = [1, 1] : tensor<80x128xf32> to tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// -----

// CHECK-LABEL: plan.program @sliced_operand
// CHECK: plan.launch @exp_tanh({{.*}} -> tensor<8x4xf32>
func.func @sliced_operand(%x: tensor<8x8xf32> {graph.name = "x"}) -> (tensor<8x4xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x8xf32>
  %1 = graph.slice %0 offsets = [0, 4] strides = [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  %2 = math.tanh %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: plan.program @two_halves
// CHECK: plan.launch @exp({{.*}} -> tensor<8x8xf32>
// CHECK: plan.launch @addf(
func.func @two_halves(%x: tensor<8x8xf32> {graph.name = "x"}) -> (tensor<8x4xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x8xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  %2 = graph.slice %0 offsets = [0, 4] strides = [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  %3 = arith.addf %1, %2 : tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}
