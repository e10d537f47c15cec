// A package has one program, in several shapes: functions with other inputs or results are named, where they stand.
// RUN: not tw-compile %s -o %t.tw --target=sm_90a 2>&1 | FileCheck %s
// RUN: not ls %t.tw

func.func @one(%x: tensor<64xf32>) -> tensor<64xf32> {
  %0 = math.absf %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}

// CHECK: unlike-functions.mlir:[[@LINE+1]]:1: error: 'two' has 2 inputs and 1 results, 'one' has 1 and 1: functions of one package are one program in several shapes
func.func @two(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %0 = arith.addf %x, %y : tensor<64xf32>
  return %0 : tensor<64xf32>
}
