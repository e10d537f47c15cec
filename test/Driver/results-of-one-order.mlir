// Three results of one order, of which one gathers from what the others read in place: a multiprocessor has room for one block of them
// all. The gathered one shares nothing with them, and is a kernel of its own where that is modelled to be faster.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/model.tw --emulation=off --report=text --remarks=%t/remarks.yaml | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks.yaml

// CHECK: reduction_{{.*}}_part0 {{ *}}reduction
// CHECK: reduction_{{.*}}_part1 {{ *}}gather

// REMARK: Name: {{ *}}ResultsDivided
// REMARK: count: {{ *}}'2'
func.func @main(%arg0: tensor<74x127x96x33xf32>, %arg1: tensor<127xi64>, %arg2: tensor<127x33xf32>) -> (tensor<74x127x96x33xf32>, tensor<74x127x96x33xf32>, tensor<74x127x96x33xf32>) {
  %0 = math.tanh %arg0 : tensor<74x127x96x33xf32>
  %1 = math.exp %0 : tensor<74x127x96x33xf32>
  %2 = arith.minimumf %1, %arg0 : tensor<74x127x96x33xf32>
  %3 = graph.reduce sum %arg0 dims = [0] : tensor<74x127x96x33xf32> to tensor<127x96x33xf32>
  %4 = graph.broadcast %3 dims = [1, 2, 3] : tensor<127x96x33xf32> to tensor<74x127x96x33xf32>
  %5 = arith.addf %arg0, %4 : tensor<74x127x96x33xf32>
  %6 = arith.addf %2, %arg0 : tensor<74x127x96x33xf32>
  %7 = math.absf %6 : tensor<74x127x96x33xf32>
  %8 = math.sqrt %7 : tensor<74x127x96x33xf32>
  %9 = graph.gather %1[%arg1] dim = 1 : tensor<74x127x96x33xf32>, tensor<127xi64> to tensor<74x127x96x33xf32>
  %10 = math.absf %9 : tensor<74x127x96x33xf32>
  %11 = math.sqrt %10 : tensor<74x127x96x33xf32>
  %12 = graph.broadcast %arg2 dims = [1, 3] : tensor<127x33xf32> to tensor<74x127x96x33xf32>
  %13 = arith.addf %11, %12 : tensor<74x127x96x33xf32>
  return %13, %8, %5 : tensor<74x127x96x33xf32>, tensor<74x127x96x33xf32>, tensor<74x127x96x33xf32>
}
