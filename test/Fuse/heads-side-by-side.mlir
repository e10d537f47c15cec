// Heads that a product reads side by side are stored so by the kernel that computes them: the product's rows are rows of memory.
// Not where another kernel reads the heads, nor where rows of memory would not stay.
// RUN: tw-compile %s --start-from=fuse --stop-after=fuse --target=sm_90a -o - | FileCheck %s

// CHECK-LABEL: plan.program @heads
// CHECK: plan.launch @{{.*}}(%arg0, %arg1) {{.*}} -> tensor<4x64x12x32xbf16>
// CHECK: plan.launch @{{.*}} -> tensor<256x96xf32>
func.func @heads(%t: tensor<4x12x64x64xbf16>, %v: tensor<4x12x64x32xbf16>, %w: tensor<384x96xbf16>) -> tensor<256x96xf32> {
  %0 = graph.matmul %t, %v : tensor<4x12x64x64xbf16>, tensor<4x12x64x32xbf16> to tensor<4x12x64x32xf32>
  %1 = arith.truncf %0 : tensor<4x12x64x32xf32> to tensor<4x12x64x32xbf16>
  %2 = graph.transpose %1 permutation = [0, 2, 1, 3] : tensor<4x12x64x32xbf16> to tensor<4x64x12x32xbf16>
  %3 = graph.reshape %2 : tensor<4x64x12x32xbf16> to tensor<256x384xbf16>
  %4 = graph.matmul %3, %w : tensor<256x384xbf16>, tensor<384x96xbf16> to tensor<256x96xf32>
  return %4 : tensor<256x96xf32>
}

// CHECK-LABEL: plan.program @heads_for_two
// CHECK: plan.launch @{{.*}}(%arg0, %arg1) {{.*}} -> tensor<4x12x64x32xbf16>
func.func @heads_for_two(%t: tensor<4x12x64x64xbf16>, %v: tensor<4x12x64x32xbf16>, %w: tensor<384x96xbf16>) -> (tensor<256x96xf32>, tensor<4x12x64x32xbf16>) {
  %0 = graph.matmul %t, %v : tensor<4x12x64x64xbf16>, tensor<4x12x64x32xbf16> to tensor<4x12x64x32xf32>
  %1 = arith.truncf %0 : tensor<4x12x64x32xf32> to tensor<4x12x64x32xbf16>
  %2 = graph.transpose %1 permutation = [0, 2, 1, 3] : tensor<4x12x64x32xbf16> to tensor<4x64x12x32xbf16>
  %3 = graph.reshape %2 : tensor<4x64x12x32xbf16> to tensor<256x384xbf16>
  %4 = graph.matmul %3, %w : tensor<256x384xbf16>, tensor<384x96xbf16> to tensor<256x96xf32>
  return %4, %1 : tensor<256x96xf32>, tensor<4x12x64x32xbf16>
}

// CHECK-LABEL: plan.program @columns_of_heads
// CHECK: plan.launch @{{.*}}(%arg0, %arg1) {{.*}} -> tensor<4x12x64x32xbf16>
func.func @columns_of_heads(%t: tensor<4x12x64x64xbf16>, %v: tensor<4x12x64x32xbf16>, %w: tensor<384x96xbf16>) -> tensor<256x96xf32> {
  %0 = graph.matmul %t, %v : tensor<4x12x64x64xbf16>, tensor<4x12x64x32xbf16> to tensor<4x12x64x32xf32>
  %1 = arith.truncf %0 : tensor<4x12x64x32xf32> to tensor<4x12x64x32xbf16>
  %2 = graph.transpose %1 permutation = [0, 2, 3, 1] : tensor<4x12x64x32xbf16> to tensor<4x64x32x12xbf16>
  %3 = graph.reshape %2 : tensor<4x64x32x12xbf16> to tensor<256x384xbf16>
  %4 = graph.matmul %3, %w : tensor<256x384xbf16>, tensor<384x96xbf16> to tensor<256x96xf32>
  return %4 : tensor<256x96xf32>
}
