// Masks that are added to the scores of a chain select them instead, and a factor of the scores stands behind the select: what
// the mask keeps takes no instruction more. Not where what is added is no mask.
// RUN: tw-opt %s --pass-pipeline='builtin.module(graph-decompose-attention,graph-decompose-named,fuse-chain-products{target=sm_90a})' | FileCheck %s

// CHECK-LABEL: func.func @causal(
// CHECK: %[[S:.+]] = graph.matmul
// CHECK: %[[C:.+]] = graph.broadcast %{{.+}} dims = [1, 2] : tensor<256x256xi1> to tensor<8x256x256xi1>
// CHECK: %[[X:.+]] = arith.select %[[C]], %[[S]]
// CHECK: %[[T:.+]] = arith.mulf %[[X]], %{{.+}} : tensor<8x256x256xf32>
// CHECK-NOT: arith.addf
// CHECK: graph.reduce max %[[T]]
// CHECK: graph.matmul {{.*}} {graph.chain}
func.func @causal(%q: tensor<8x256x64xbf16>, %k: tensor<8x256x64xbf16>, %v: tensor<8x256x64xbf16>) -> tensor<8x256x64xbf16> {
  %i = graph.iota dim = 0 : tensor<256x256xi64>
  %j = graph.iota dim = 1 : tensor<256x256xi64>
  %c = arith.cmpi sle, %j, %i : tensor<256x256xi64>
  %z = arith.constant dense<0.0> : tensor<256x256xbf16>
  %n = arith.constant dense<0xFF80> : tensor<256x256xbf16>
  %a = arith.select %c, %z, %n : tensor<256x256xi1>, tensor<256x256xbf16>
  %m = graph.broadcast %a dims = [1, 2] : tensor<256x256xbf16> to tensor<8x256x256xbf16>
  %0 = graph.attention %q, %k, %v mask (%m : tensor<8x256x256xbf16>) scale = 0.125 : tensor<8x256x64xbf16>, tensor<8x256x64xbf16>, tensor<8x256x64xbf16> to tensor<8x256x64xbf16>
  return %0 : tensor<8x256x64xbf16>
}

// A finite mask, in places where the condition holds; the factor stays before it.
// CHECK-LABEL: func.func @finite(
// CHECK: %[[S:.+]] = arith.mulf
// CHECK: arith.select %{{.+}}, %{{.+}}, %[[S]]
// CHECK-NOT: arith.addf
// CHECK: graph.reduce max
func.func @finite(%q: tensor<8x256x64xbf16>, %k: tensor<8x256x64xbf16>, %v: tensor<8x256x64xbf16>) -> tensor<8x256x64xbf16> {
  %i = graph.iota dim = 1 : tensor<8x256x256xi64>
  %j = graph.iota dim = 2 : tensor<8x256x256xi64>
  %c = arith.cmpi sgt, %j, %i : tensor<8x256x256xi64>
  %z = arith.constant dense<0.0> : tensor<8x256x256xf32>
  %n = arith.constant dense<-3.0e38> : tensor<8x256x256xf32>
  %m = arith.select %c, %n, %z : tensor<8x256x256xi1>, tensor<8x256x256xf32>
  %0 = graph.attention %q, %k, %v mask (%m : tensor<8x256x256xf32>) scale = 0.125 : tensor<8x256x64xbf16>, tensor<8x256x64xbf16>, tensor<8x256x64xbf16> to tensor<8x256x64xbf16>
  return %0 : tensor<8x256x64xbf16>
}

// A penalty is no mask.
// CHECK-LABEL: func.func @penalty(
// CHECK: arith.addf
// CHECK: graph.reduce max
func.func @penalty(%q: tensor<8x256x64xbf16>, %k: tensor<8x256x64xbf16>, %v: tensor<8x256x64xbf16>) -> tensor<8x256x64xbf16> {
  %i = graph.iota dim = 1 : tensor<8x256x256xi64>
  %j = graph.iota dim = 2 : tensor<8x256x256xi64>
  %c = arith.cmpi sgt, %j, %i : tensor<8x256x256xi64>
  %z = arith.constant dense<0.0> : tensor<8x256x256xf32>
  %n = arith.constant dense<-10.0> : tensor<8x256x256xf32>
  %m = arith.select %c, %n, %z : tensor<8x256x256xi1>, tensor<8x256x256xf32>
  %0 = graph.attention %q, %k, %v mask (%m : tensor<8x256x256xf32>) scale = 0.125 : tensor<8x256x64xbf16>, tensor<8x256x64xbf16>, tensor<8x256x64xbf16> to tensor<8x256x64xbf16>
  return %0 : tensor<8x256x64xbf16>
}
