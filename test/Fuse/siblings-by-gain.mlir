// Of kernels that read the same tensor those join first that gain most: what is computed of all of it goes with the reduction
// of rows, which reads it once, and not with that of columns, which comes first in the program and would read it twice.
// RUN: tw-compile %s --start-from=fuse --emit=fuse -o %t.mlir --remarks=%t.yaml
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REMARK

// CHECK: graph.kernel
// CHECK-NOT: math.tanh
// CHECK: reduce sum {{.*}} dims = [0]
// CHECK-NOT: math.tanh
// CHECK: graph.kernel
// CHECK-DAG: math.tanh
// CHECK-DAG: reduce max {{.*}} dims = [1]
// REMARK: Name: {{ *}}FusedSiblings
// REMARK: Line: 20
// REMARK: op: {{ *}}math.tanh
func.func @main(%x: tensor<4096x8192xf32>) -> (tensor<8192xf32>, tensor<4096xf32>, tensor<4096x8192xf32>) {
  %a = graph.reduce sum %x dims = [0] : tensor<4096x8192xf32> to tensor<8192xf32>
  %b = graph.reduce max %x dims = [1] : tensor<4096x8192xf32> to tensor<4096xf32>
  %c = math.tanh %x : tensor<4096x8192xf32>
  return %a, %b, %c : tensor<8192xf32>, tensor<4096xf32>, tensor<4096x8192xf32>
}

// What a gather selects of a large table is not what the rows' kernel reads of it: the elementwise result is stored there.
// CHECK-LABEL: plan.program @beside_a_gather
// CHECK: plan.launch @reduction{{.*}} -> (tensor<1064x10x2303xf32>, tensor<1064x10xf32>, tensor<1064x10x2303xf32>)
// CHECK: plan.launch @cmpi_select{{.*}} -> tensor<1064x10x2303xf32>
// CHECK-NOT: plan.launch
func.func @beside_a_gather(%x: tensor<1064x10x2303xf32>, %i: tensor<1064xi64>)
    -> (tensor<1064x10x2303xf32>, tensor<1064x10x2303xf32>, tensor<1064x10x2303xf32>) {
  %0 = math.absf %x : tensor<1064x10x2303xf32>
  %1 = graph.reduce sum %x dims = [2] : tensor<1064x10x2303xf32> to tensor<1064x10xf32>
  %2 = graph.broadcast %1 dims = [0, 1] : tensor<1064x10xf32> to tensor<1064x10x2303xf32>
  %3 = arith.subf %x, %2 : tensor<1064x10x2303xf32>
  %4 = graph.softmax %3 dim = 2 : tensor<1064x10x2303xf32> to tensor<1064x10x2303xf32>
  %5 = graph.gather %3[%i] dim = 0 : tensor<1064x10x2303xf32>, tensor<1064xi64> to tensor<1064x10x2303xf32>
  return %0, %5, %4 : tensor<1064x10x2303xf32>, tensor<1064x10x2303xf32>, tensor<1064x10x2303xf32>
}
