// A division of tensors without elements divides nothing by zero: it becomes a constant like any other op. It was left, and its
// divisor, a constant of no elements, crashed the question whether zero is among them (found by random programs).
// RUN: tw-check %s
// RUN: tw-opt --graph-fold-empty %s | FileCheck %s
// CHECK-LABEL: @by_nothing
// CHECK-NOT: arith.divui
func.func @by_nothing(%a: tensor<1x0x1xi32>, %b: tensor<1x0x1xi32>) -> tensor<1x0x1xi32> {
  %0 = arith.ori %a, %b : tensor<1x0x1xi32>
  %1 = arith.divui %b, %0 : tensor<1x0x1xi32>
  return %1 : tensor<1x0x1xi32>
}
// CHECK-LABEL: @of_inputs
// CHECK-NOT: arith.remsi
func.func @of_inputs(%a: tensor<0x3xi32>, %b: tensor<0x3xi32>) -> tensor<0x3xi32> {
  %0 = arith.remsi %a, %b : tensor<0x3xi32>
  return %0 : tensor<0x3xi32>
}
