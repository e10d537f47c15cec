// Long rows are cut where they are few; short ones, and many, stay whole.
// RUN: tw-opt %s --fuse-split-reductions | FileCheck %s

// CHECK-LABEL: @with_a_rest
// CHECK: %[[MAIN:.*]] = graph.slice %{{.*}} : tensor<1000003xf32> to tensor<{{[0-9]+}}xf32>
// CHECK: graph.reshape %[[MAIN]]
// CHECK: graph.reduce sum %{{.*}} dims = [1]
// CHECK: graph.reduce sum %{{.*}} dims = [0]
// CHECK: graph.slice
// CHECK: graph.reduce sum
// CHECK: arith.addf
func.func @with_a_rest(%x: tensor<1000003xf32>) -> tensor<f32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<1000003xf32> to tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: @in_fp32
// CHECK: arith.extf %{{.*}} : tensor<1048576xbf16> to tensor<1048576xf32>
// CHECK: arith.truncf %{{.*}} : tensor<f32> to tensor<bf16>
func.func @in_fp32(%x: tensor<1048576xbf16>) -> tensor<bf16> {
  %0 = graph.reduce sum %x dims = [0] : tensor<1048576xbf16> to tensor<bf16>
  return %0 : tensor<bf16>
}

// CHECK-LABEL: @arg
// CHECK: graph.reduce min %{{.*}} dims = [2] : tensor<1x{{[0-9]+}}x{{[0-9]+}}xi64>
// CHECK: graph.reduce min %{{.*}} dims = [1] : tensor<1x{{[0-9]+}}xi64> to tensor<1xi64>
func.func @arg(%x: tensor<1x1048576xf32>) -> tensor<1xi64> {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<1x1048576xf32> to tensor<1xi64>
  return %0 : tensor<1xi64>
}

// CHECK-LABEL: @scan
// CHECK: %[[TOTALS:.*]] = graph.reduce sum %{{.*}} dims = [1]
// CHECK: %[[RUNNING:.*]] = graph.scan sum %[[TOTALS]] dim = 0
// CHECK: %[[SHORT:.*]] = graph.slice %[[RUNNING]]
// CHECK: graph.pad %[[SHORT]] low = [1] high = [0]
// CHECK: graph.scan sum %{{.*}} dim = 1
// CHECK: arith.addf
func.func @scan(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = graph.scan sum %x dim = 0 : tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}

// CHECK-LABEL: @whole
// CHECK-COUNT-4: graph.{{reduce|scan}} {{.*}} %arg{{[0-9]}}
func.func @whole(%many: tensor<67x1048576xf32>, %short: tensor<4x8192xf32>, %columns: tensor<8192x4096xf32>,
                 %prime: tensor<1000003xf32>)
    -> (tensor<67xf32>, tensor<4xf32>, tensor<4096xf32>, tensor<1000003xf32>) {
  %0 = graph.reduce sum %many dims = [1] : tensor<67x1048576xf32> to tensor<67xf32>
  %1 = graph.reduce sum %short dims = [1] : tensor<4x8192xf32> to tensor<4xf32>
  %2 = graph.reduce sum %columns dims = [0] : tensor<8192x4096xf32> to tensor<4096xf32>
  %3 = graph.scan sum %prime dim = 0 : tensor<1000003xf32>
  return %0, %1, %2, %3 : tensor<67xf32>, tensor<4xf32>, tensor<4096xf32>, tensor<1000003xf32>
}
