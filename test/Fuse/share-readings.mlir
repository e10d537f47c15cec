// Reductions of one tensor that differ by choice alone are brought to common pieces, so that one kernel does them.
// RUN: tw-opt %s --split-input-file --fuse-split-reductions | FileCheck %s
// RUN: tw-opt %s --split-input-file --fuse-stage | FileCheck %s --check-prefix=KERNELS

// A sum of everything is one of rows, and of what the rows give.
// CHECK-LABEL: @rows_and_all
// CHECK: graph.reduce max %{{.*}} dims = [2]
// CHECK: %[[ROWS:.*]] = graph.reduce sum %{{.*}} dims = [2] {graph.part} : tensor<300x7x96xf32> to tensor<300x7xf32>
// CHECK: graph.reduce sum %[[ROWS]] dims = [0, 1] : tensor<300x7xf32> to tensor<f32>
// KERNELS-LABEL: plan.program @rows_and_all
// KERNELS: plan.launch {{.*}} : (tensor<300x7x96xf32>) -> (tensor<300x7x96xf32>, tensor<300x7xf32>)
// KERNELS-NEXT: plan.launch {{.*}} : (tensor<300x7xf32>) -> tensor<f32>
// KERNELS-NEXT: plan.return
func.func @rows_and_all(%x: tensor<300x7x96xf32>) -> (tensor<300x7x96xf32>, tensor<f32>) {
  %m = graph.reduce max %x dims = [2] : tensor<300x7x96xf32> to tensor<300x7xf32>
  %b = graph.broadcast %m dims = [0, 1] : tensor<300x7xf32> to tensor<300x7x96xf32>
  %s = arith.subf %x, %b : tensor<300x7x96xf32>
  %t = graph.reduce sum %s dims = [0, 1, 2] : tensor<300x7x96xf32> to tensor<f32>
  return %s, %t : tensor<300x7x96xf32>, tensor<f32>
}

// -----

// One that the rows wait for is no part of their kernel: it stays as it is.
// CHECK-LABEL: @all_before_rows
// CHECK: graph.reduce sum %{{.*}} dims = [0]
// CHECK: graph.reduce max %{{.*}} dims = [2]
func.func @all_before_rows(%x: tensor<300x7x96xf32>) -> tensor<300x7xf32> {
  %t = graph.reduce sum %x dims = [0, 1, 2] : tensor<300x7x96xf32> to tensor<f32>
  %b = graph.broadcast %t dims = [] : tensor<f32> to tensor<300x7x96xf32>
  %s = arith.subf %x, %b : tensor<300x7x96xf32>
  %m = graph.reduce max %s dims = [2] : tensor<300x7x96xf32> to tensor<300x7xf32>
  return %m : tensor<300x7xf32>
}

// -----

// Sums of few elements would be nearly as many as the elements.
// CHECK-LABEL: @short_rows
// CHECK-NOT: graph.reduce sum %{{.*}} dims = [1] : tensor<30000x8xf32>
// CHECK: return
func.func @short_rows(%x: tensor<30000x8xf32>) -> (tensor<30000xf32>, tensor<f32>) {
  %m = graph.reduce max %x dims = [1] : tensor<30000x8xf32> to tensor<30000xf32>
  %t = graph.reduce sum %x dims = [0, 1] : tensor<30000x8xf32> to tensor<f32>
  return %m, %t : tensor<30000xf32>, tensor<f32>
}

// -----

// The largest of a row that is cut for its deviations comes from the same pieces.
// CHECK-LABEL: @deviations_and_largest
// CHECK-DAG: graph.reduce sum %{{.*}} dims = [2] {graph.part} : tensor<3x10x16000xf32> to tensor<3x10xf32>
// CHECK-DAG: graph.reduce max %{{.*}} dims = [2] {graph.part} : tensor<3x10x16000xf32> to tensor<3x10xf32>
// KERNELS-LABEL: plan.program @deviations_and_largest
// KERNELS-COUNT-1: (tensor<3x160000xf32>) -> (
// KERNELS-NOT: (tensor<3x160000xf32>) -> (
// KERNELS: plan.return
func.func @deviations_and_largest(%x: tensor<3x160000xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %c = arith.constant dense<6.25e-06> : tensor<3xf32>
  %a = math.absf %x : tensor<3x160000xf32>
  %t = graph.reduce max %a dims = [1] : tensor<3x160000xf32> to tensor<3xf32>
  %s = graph.reduce sum %x dims = [1] : tensor<3x160000xf32> to tensor<3xf32>
  %m = arith.mulf %s, %c : tensor<3xf32>
  %b = graph.broadcast %m dims = [0] : tensor<3xf32> to tensor<3x160000xf32>
  %d = arith.subf %x, %b : tensor<3x160000xf32>
  %q = arith.mulf %d, %d : tensor<3x160000xf32>
  %v = graph.reduce sum %q dims = [1] : tensor<3x160000xf32> to tensor<3xf32>
  return %v, %t : tensor<3xf32>, tensor<3xf32>
}
