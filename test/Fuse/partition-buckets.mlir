// Shape buckets in fuse-partition-kernels: a program for each function, with its key; kernels of equal text are shared
// by the programs.
// RUN: tw-opt %s --fuse-partition-kernels | FileCheck %s
// RUN: tw-opt %s --fuse-partition-kernels | FileCheck %s --check-prefix=COUNT

// CHECK: plan.program @main_8(
// CHECK-SAME: bucket = [#plan.dim<"rows", 8>]
// CHECK: plan.launch @[[OWN8:matmul[_0-9]*]](%{{.*}}, %{{.*}}) : (tensor<8x16xf32>,
// CHECK: plan.launch @[[SHARED:exp[_0-9]*]](
// CHECK: plan.program @main_32(
// CHECK-SAME: bucket = [#plan.dim<"rows", 32>]
// CHECK: plan.launch @[[OWN32:matmul[_0-9]*]](%{{.*}}, %{{.*}}) : (tensor<32x16xf32>,
// CHECK: plan.launch @[[SHARED]](
// COUNT-COUNT-3: graph.kernel
// COUNT-NOT: graph.kernel
func.func @main_8(%x: tensor<8x16xf32> {graph.name = "x", graph.symbols = ["rows", ""]}, %t: tensor<16xf32> {graph.name = "t"})
    -> (tensor<8x16xf32> {graph.name = "y", graph.symbols = ["rows", ""]}, tensor<16xf32> {graph.name = "z"})
    attributes {plan.bucket = [#plan.dim<"rows", 8>]} {
  %w = graph.weight <"w", tensor<16x16xf32>, "", []> : tensor<16x16xf32>
  %0 = graph.matmul %x, %w : tensor<8x16xf32>, tensor<16x16xf32> to tensor<8x16xf32>
  %1 = math.exp %t : tensor<16xf32>
  return %0, %1 : tensor<8x16xf32>, tensor<16xf32>
}
func.func @main_32(%x: tensor<32x16xf32> {graph.name = "x", graph.symbols = ["rows", ""]}, %t: tensor<16xf32> {graph.name = "t"})
    -> (tensor<32x16xf32> {graph.name = "y", graph.symbols = ["rows", ""]}, tensor<16xf32> {graph.name = "z"})
    attributes {plan.bucket = [#plan.dim<"rows", 32>]} {
  %w = graph.weight <"w", tensor<16x16xf32>, "", []> : tensor<16x16xf32>
  %0 = graph.matmul %x, %w : tensor<32x16xf32>, tensor<16x16xf32> to tensor<32x16xf32>
  %1 = math.exp %t : tensor<16xf32>
  return %0, %1 : tensor<32x16xf32>, tensor<16xf32>
}
