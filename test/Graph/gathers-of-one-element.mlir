// A gather along a dimension of one element has that element, or zero where the index is neither 0 nor -1: a select, which is
// computed with what is around it.
// RUN: tw-compile %s --stop-after=fuse --target=sm_90a -o - | FileCheck %s
// RUN: tw-check %s --quiet --rtol=1e-5

// CHECK: plan.launch @addi_exp
// CHECK-NOT: = gather
// CHECK: graph.kernel anchor(elementwise) @addi_exp
func.func @middle(%x: tensor<3x1x5xf32>, %i: tensor<2x4xi64> {check.data = "random:1:-3:3"}) -> tensor<3x2x4x5xf32> {
  %0 = math.absf %x : tensor<3x1x5xf32>
  %1 = graph.gather %0[%i] dim = 1 : tensor<3x1x5xf32>, tensor<2x4xi64> to tensor<3x2x4x5xf32>
  %2 = math.exp %1 : tensor<3x2x4x5xf32>
  return %2 : tensor<3x2x4x5xf32>
}
func.func @scalar(%x: tensor<1x7xbf16>, %i: tensor<i32> {check.data = "random:1:-1:0"}) -> tensor<7xbf16> {
  %0 = graph.gather %x[%i] dim = 0 : tensor<1x7xbf16>, tensor<i32> to tensor<7xbf16>
  return %0 : tensor<7xbf16>
}
func.func @last(%x: tensor<6x1xi32>, %i: tensor<9xi32> {check.data = "random:1:-2:1"}) -> tensor<6x9xi32> {
  %0 = graph.gather %x[%i] dim = 1 : tensor<6x1xi32>, tensor<9xi32> to tensor<6x9xi32>
  return %0 : tensor<6x9xi32>
}
