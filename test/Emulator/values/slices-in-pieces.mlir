// Slices of what is computed, reduced in pieces: the elements of each piece and of what is left are computed for it, and nothing
// of full size is stored.
// RUN: tw-check %s --target=sm_90a --rtol=2e-5 --quiet
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK-LABEL: plan.program @part
// CHECK-NOT: -> tensor<2{{[0-9]*}}xf32>
// CHECK: plan.return
func.func @part(%x: tensor<200003xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = math.absf %x : tensor<200003xf32>
  %1 = arith.constant dense<1.000000e+00> : tensor<200003xf32>
  %2 = arith.addf %0, %1 : tensor<200003xf32>
  %3 = math.sqrt %2 : tensor<200003xf32>
  %4 = graph.slice %3 offsets = [40001] strides = [1] : tensor<200003xf32> to tensor<150001xf32>
  %5 = graph.reduce max %4 dims = [0] : tensor<150001xf32> to tensor<f32>
  %6 = graph.reduce min %x dims = [0] : tensor<200003xf32> to tensor<f32>
  %7 = graph.reduce sum %4 dims = [0] : tensor<150001xf32> to tensor<f32>
  return %7, %6, %5 : tensor<f32>, tensor<f32>, tensor<f32>
}

// Every third element of a slice of every second one.
func.func @steps(%x: tensor<4x300001xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.broadcast %y dims = [0] : tensor<4xf32> to tensor<4x300001xf32>
  %1 = arith.mulf %x, %0 : tensor<4x300001xf32>
  %2 = graph.slice %1 offsets = [0, 3] strides = [1, 2] : tensor<4x300001xf32> to tensor<4x149998xf32>
  %3 = math.absf %2 : tensor<4x149998xf32>
  %4 = graph.slice %3 offsets = [0, 5] strides = [1, 3] : tensor<4x149998xf32> to tensor<4x49997xf32>
  %5 = graph.reduce sum %4 dims = [1] : tensor<4x49997xf32> to tensor<4xf32>
  return %5 : tensor<4xf32>
}
