// Parts that are joined for a gather are computed for every element of the result, each one of them: of little that is less than
// storing them; what takes many instructions is computed once and joined.
// RUN: tw-opt %s --fuse-select-operands | FileCheck %s

// CHECK-LABEL: func.func @little
// CHECK-NOT: graph.concat
// CHECK: arith.select
// CHECK: return
func.func @little(%x: tensor<64x48x8xf32>, %y: tensor<64x48x8xf32>, %i: tensor<60xi64>) -> tensor<60x96x8xf32> {
  %0 = arith.negf %x : tensor<64x48x8xf32>
  %1 = math.tanh %y : tensor<64x48x8xf32>
  %2 = graph.concat %0, %1 dim = 1 : tensor<64x48x8xf32>, tensor<64x48x8xf32> to tensor<64x96x8xf32>
  %3 = graph.gather %2[%i] dim = 0 : tensor<64x96x8xf32>, tensor<60xi64> to tensor<60x96x8xf32>
  return %3 : tensor<60x96x8xf32>
}

// CHECK-LABEL: func.func @much
// CHECK: math.tanh
// CHECK: graph.concat
// CHECK-NOT: math.tanh
// CHECK: return
func.func @much(%x: tensor<64x48x8xf32>, %y: tensor<64x48x8xf32>, %i: tensor<60xi64>) -> tensor<60x96x8xf32> {
  %0 = math.tanh %x : tensor<64x48x8xf32>
  %1 = math.exp %0 : tensor<64x48x8xf32>
  %2 = math.tanh %1 : tensor<64x48x8xf32>
  %3 = math.exp %2 : tensor<64x48x8xf32>
  %4 = math.erf %y : tensor<64x48x8xf32>
  %5 = graph.concat %3, %4 dim = 1 : tensor<64x48x8xf32>, tensor<64x48x8xf32> to tensor<64x96x8xf32>
  %6 = graph.gather %5[%i] dim = 0 : tensor<64x96x8xf32>, tensor<60xi64> to tensor<60x96x8xf32>
  return %6 : tensor<60x96x8xf32>
}
