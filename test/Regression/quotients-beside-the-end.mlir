// Quotients of integers whose divisors are loaded, in tensors that no tile divides: elements beyond the end are loaded as
// zero, and nothing may be divided by them. Found by random programs of parts; the emulator stopped at the division.
// RUN: tw-check %s --quiet
// RUN: tw-opt --convert-tile-to-llvm %S/Inputs/quotient-tile.mlir | FileCheck %s

// A divisor that is known not to be zero is taken as it is, another one is looked at.
// CHECK-COUNT-1: arith.select
// CHECK: arith.divsi
// CHECK-NOT: arith.select
// CHECK: arith.divsi
func.func @remainders(%x: tensor<2x90xi32>, %y: tensor<2x90xi32> {check.data = "random:1:9"}) -> tensor<2x90xi32> {
  %0 = arith.remui %x, %y : tensor<2x90xi32>
  return %0 : tensor<2x90xi32>
}
func.func @signed_quotients(%x: tensor<3x67xi32>, %y: tensor<67xi32> {check.data = "random:-9:-1"}) -> tensor<3x67xi32> {
  %d = graph.broadcast %y dims = [1] : tensor<67xi32> to tensor<3x67xi32>
  %0 = arith.divsi %x, %d : tensor<3x67xi32>
  return %0 : tensor<3x67xi32>
}
func.func @bytes(%x: tensor<190xi8>, %y: tensor<190xi8> {check.data = "random:1:9"}) -> (tensor<190xi8>, tensor<i8>) {
  %0 = arith.divui %x, %y : tensor<190xi8>
  %1 = graph.reduce max %0 dims = [0] : tensor<190xi8> to tensor<i8>
  return %0, %1 : tensor<190xi8>, tensor<i8>
}
func.func @beside_the_whole(%x: tensor<5x90xi64>, %y: tensor<2x90xi64> {check.data = "random:1:9"}) -> (tensor<5x90xi64>, tensor<2x90xi64>) {
  %0 = arith.addi %x, %x : tensor<5x90xi64>
  %1 = graph.slice %0 offsets = [3, 0] strides = [1, 1] : tensor<5x90xi64> to tensor<2x90xi64>
  %2 = arith.floordivsi %1, %y : tensor<2x90xi64>
  return %0, %2 : tensor<5x90xi64>, tensor<2x90xi64>
}
