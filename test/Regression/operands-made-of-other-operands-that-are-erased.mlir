// An elementwise chain that movement was hoisted through went away operand by operand. An operand that another one was made of went
// with that one, and was looked at again: memory that was free already (a random program, "double free or corruption").
// RUN: tw-opt %s --graph-push-movement | FileCheck %s
// RUN: tw-check %s --target=sm_90a --rtol=1e-2 --atol=1e-2 --quiet

// CHECK-LABEL: func.func @main
// CHECK: arith.cmpf olt, %arg0
// CHECK: math.erf %{{.*}} : tensor<33xf16>
func.func @main(%x: tensor<33xf16>, %y: tensor<1xf16>) -> tensor<33xf16> {
  %b = graph.broadcast %x dims = [0] : tensor<33xf16> to tensor<33x1xf16>
  %c = arith.constant dense<3.710940e-01> : tensor<33x1xf16>
  %l = arith.cmpf olt, %b, %c : tensor<33x1xf16>
  %o = graph.broadcast %y dims = [1] : tensor<1xf16> to tensor<33x1xf16>
  %s = arith.select %l, %b, %o : tensor<33x1xi1>, tensor<33x1xf16>
  %e = math.erf %s : tensor<33x1xf16>
  %r = graph.reshape %e : tensor<33x1xf16> to tensor<33xf16>
  return %r : tensor<33xf16>
}
