// A join is refused when the values of the kernel's smallest tile would not fit the registers.
// RUN: tw-opt %s --fuse-partition-kernels | FileCheck %s --check-prefix=ENOUGH
// RUN: tw-opt %s --fuse-partition-kernels=max-registers=16 | FileCheck %s --check-prefix=FEW

// The product, two sums and a bias wait for the last op; a thread has eight elements of each, at the least.
// ENOUGH: plan.launch @matmul_mulf(
// ENOUGH-NOT: plan.launch
// FEW: plan.launch @matmul
// FEW: plan.launch
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = graph.matmul %a, %b : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x64xf32>
  %1 = arith.addf %0, %c : tensor<64x64xf32>
  %2 = math.exp %1 : tensor<64x64xf32>
  %3 = arith.addf %2, %1 : tensor<64x64xf32>
  %4 = arith.mulf %3, %0 : tensor<64x64xf32>
  return %4 : tensor<64x64xf32>
}
