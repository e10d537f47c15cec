// A kernel that spills stays one where its spills are modelled to cost less than a pass over memory: the product with two
// functions of it, of which each is divided by their sum.
// REQUIRES: ptxas
// RUN: tw-compile %s --math=exact -o %t.tw --emulation=off --report=text --remarks=%t.yaml | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.yaml

// CHECK: main: 1 launches
// REMARK: Name: {{ *}}SplitRefused
// REMARK: reason: {{.*}}2 kernels are modelled to take {{[0-9.]+}} us, the one with its spills {{[0-9.]+}} us
func.func @main(%a: tensor<2048x512xbf16>, %b: tensor<512x2048xbf16>) -> tensor<2048x2048xf32> {
  %x = graph.matmul %a, %b : tensor<2048x512xbf16>, tensor<512x2048xbf16> to tensor<2048x2048xf32>
  %c0 = arith.constant dense<0.015625> : tensor<2048x2048xf32>
  %c1 = arith.constant dense<0.03125> : tensor<2048x2048xf32>
  %m0 = arith.mulf %x, %c0 : tensor<2048x2048xf32>
  %m1 = arith.mulf %x, %c1 : tensor<2048x2048xf32>
  %e0 = math.exp %m0 : tensor<2048x2048xf32>
  %e1 = math.exp %m1 : tensor<2048x2048xf32>
  %s = arith.addf %e0, %e1 : tensor<2048x2048xf32>
  %d0 = arith.divf %e0, %s : tensor<2048x2048xf32>
  %d1 = arith.divf %e1, %s : tensor<2048x2048xf32>
  %w = arith.maximumf %d0, %d1 : tensor<2048x2048xf32>
  return %w : tensor<2048x2048xf32>
}
