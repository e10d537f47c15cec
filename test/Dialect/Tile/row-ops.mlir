// Scans and sorts survive text, their generic form and bytecode.
// RUN: tw-opt %s | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @rows
tile.kernel @rows grid = [1, 1, 1] warps = 1 () {
  %x = arith.constant dense<1.0> : tensor<2x64xf32>
  %k = arith.constant dense<1> : tensor<2x64xi64>
  %d = arith.constant dense<1> : tensor<2x64xi32>
  // CHECK: tile.scan %{{.*}} dim = 1 {
  // CHECK: tile.yield
  // CHECK: : tensor<2x64xf32> to tensor<2x64xf32>, tensor<2x1xf32>
  %s, %t = tile.scan %x dim = 1 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<2x64xf32> to tensor<2x64xf32>, tensor<2x1xf32>
  // CHECK: tile.scan %{{.*}} dim = 0 reverse scratch = 128 {
  %r, %u = tile.scan %x dim = 0 reverse scratch = 128 {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    tile.yield %sum : f32
  } : tensor<2x64xf32> to tensor<2x64xf32>, tensor<1x64xf32>
  // CHECK: tile.sort %{{.*}}, %{{.*}} dim = 1 {
  // CHECK: : tensor<2x64xi64>, tensor<2x64xi32> to tensor<2x64xi64>, tensor<2x64xi32>
  %o:2 = tile.sort %k, %d dim = 1 {
  ^bb0(%a: i64, %i: i32, %b: i64, %j: i32):
    %less = arith.cmpi slt, %a, %b : i64
    tile.yield %less : i1
  } : tensor<2x64xi64>, tensor<2x64xi32> to tensor<2x64xi64>, tensor<2x64xi32>
  // CHECK: tile.take %{{.*}} at %{{.*}} dim = 1 of 60 : tensor<2x64xf32>, tensor<1x32xi32> -> tensor<2x32xf32>
  %at = arith.constant dense<1> : tensor<1x32xi32>
  %y = tile.take %x at %at dim = 1 of 60 : tensor<2x64xf32>, tensor<1x32xi32> -> tensor<2x32xf32>
  // CHECK: tile.take_shared %{{.*}}[%{{.*}}] at %{{.*}} dim = 1 of 60
  %stage = arith.constant 0 : index
  %b = tile.alloc : <1, f32, "{shape=[2,64], order=[1,0], inner=[64,1]}">
  %z = tile.take_shared %b[%stage] at %at dim = 1 of 60 : <1, f32, "{shape=[2,64], order=[1,0], inner=[64,1]}">, tensor<1x32xi32> -> tensor<2x32xf32>
  tile.return
}
