// The kernels of a softmax over few long rows of bf16 each widen their operand for themselves: nothing is stored wide.
// RUN: tw-opt %s --fuse-stage | FileCheck %s

// CHECK-LABEL: plan.program @main
// CHECK-NOT: 4x1048576xf32
// CHECK: plan.return
func.func @main(%x: tensor<4x1048576xbf16> {graph.name = "x"}) -> (tensor<4x1048576xbf16> {graph.name = "y"}) {
  %0 = graph.softmax %x dim = 1 : tensor<4x1048576xbf16> to tensor<4x1048576xbf16>
  return %0 : tensor<4x1048576xbf16>
}
