// Small kernels that do not need one another are one launch: the report names its parts, a remark says what the model
// gains; --merge-launches=off leaves them alone. What one of them feeds stays behind it, and the order in which the program
// is written makes no difference.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t && split-file %s %t/in
// RUN: tw-compile %t/in/one.mlir -o %t/on.tw --report=text --remarks=%t/remarks.yaml | FileCheck %s
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK
// RUN: tw-compile %t/in/one.mlir -o %t/off.tw --report=text --merge-launches=off | FileCheck %s --check-prefix=OFF
// RUN: tw-compile %t/in/one.mlir -o %t/json.tw --report=json | FileCheck %s --check-prefix=JSON
// RUN: tw-compile %t/in/other.mlir -o %t/other.tw --report=text | FileCheck %s

// CHECK: reduction{{.*}}_and_2_more several 1
// CHECK: merged from reduction{{[a-z_0-9]*}} ({{[0-9]+}} blocks), {{.*}} blocks), {{.*}} blocks)
// CHECK: main: 2 launches
// OFF-NOT: merged from
// OFF: main: 4 launches
// JSON: "parts": [
// JSON-NEXT: {
// JSON-NEXT: "kernel": "reduction
// JSON-NEXT: "first_block": 0,
// JSON: "anchor": "several",
// REMARK: --- !Passed
// REMARK: Name: LaunchesMerged
// REMARK: in one launch of
// REMARK: the program is modelled to take

//--- one.mlir
func.func @main(%x: tensor<37x2000xf32>, %y: tensor<5x96xf32>, %z: tensor<1001xf32>)
    -> (tensor<37xf32>, tensor<5xf32>, tensor<1001xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<37x2000xf32> to tensor<37xf32>
  %1 = graph.reduce max %y dims = [1] : tensor<5x96xf32> to tensor<5xf32>
  %2 = math.exp %z : tensor<1001xf32>
  %3 = graph.scan sum %0 dim = 0 : tensor<37xf32>
  return %3, %1, %2 : tensor<37xf32>, tensor<5xf32>, tensor<1001xf32>
}
//--- other.mlir
func.func @main(%x: tensor<37x2000xf32>, %y: tensor<5x96xf32>, %z: tensor<1001xf32>)
    -> (tensor<37xf32>, tensor<5xf32>, tensor<1001xf32>) {
  %2 = math.exp %z : tensor<1001xf32>
  %1 = graph.reduce max %y dims = [1] : tensor<5x96xf32> to tensor<5xf32>
  %0 = graph.reduce sum %x dims = [1] : tensor<37x2000xf32> to tensor<37xf32>
  %3 = graph.scan sum %0 dim = 0 : tensor<37xf32>
  return %3, %1, %2 : tensor<37xf32>, tensor<5xf32>, tensor<1001xf32>
}
