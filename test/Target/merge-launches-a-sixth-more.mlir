// Small kernels whose blocks are up to a sixth more than run at once are one launch: the last ones begin as soon as first ones
// have ended.
// RUN: tw-opt %s --plan-merge-launches | FileCheck %s

// CHECK: plan.launch @a_and_b
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [4900, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
