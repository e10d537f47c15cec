// Loop nests that differ in operands only share a function; another shape or constant has its own.
// RUN: tw-opt %s --reference-outline-loops | FileCheck %s

// CHECK-LABEL: func.func @main
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  // CHECK: call @loops_0(%arg0) : (memref<4xf32>) -> ()
  linalg.fill ins(%one : f32) outs(%x : memref<4xf32>)
  // CHECK: call @loops_0(%arg1)
  linalg.fill ins(%one : f32) outs(%y : memref<4xf32>)
  // CHECK: call @loops_1(%arg1)
  linalg.fill ins(%two : f32) outs(%y : memref<4xf32>)
  // CHECK: call @loops_2(%arg2)
  linalg.fill ins(%one : f32) outs(%z : memref<8xf32>)
  return
}
// CHECK: func.func private @loops_0(%arg0: memref<4xf32>) attributes {passthrough = ["noinline"]}
// CHECK-NEXT: arith.constant 1.000000e+00
// CHECK-NEXT: linalg.fill
