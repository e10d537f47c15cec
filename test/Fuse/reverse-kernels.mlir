// A kernel begins with what the one before it has gone through last where the cache then has it: pieces of a row and what needs
// their mean. Not where everything fits the cache, nor in columns, whose blocks touch all of the tensor at once.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --start-from=fuse --stop-after=fuse --target=sm_90a --remarks=%t/remarks.yaml -o %t/fuse.mlir
// RUN: FileCheck %s --input-file=%t/fuse.mlir
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK
// RUN: tw-compile %s --start-from=fuse --stop-after=fuse --target=sm_90a --reverse-kernels=off -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: plan.backward
// OFF-NOT: plan.leaving
// RUN: tw-compile %s --start-from=fuse --stop-after=fuse --target=sm_90a --cache-hints=off -o - | FileCheck %s --check-prefix=KEPT
// KEPT-LABEL: plan.program @norm
// KEPT: attributes {plan.backward} {
// KEPT-NOT: plan.leaving

// CHECK-LABEL: plan.program @norm
// CHECK-LABEL: graph.kernel anchor(reduction) @{{.*}} -> (tensor<{{[0-9]+}}xf32>, tensor<{{[0-9]+}}xf32>, tensor<{{[0-9]+}}xf32>) {
// CHECK-LABEL: graph.kernel anchor(elementwise) @{{.*}} -> tensor<33554432xf32> attributes {plan.backward} {
// CHECK-LABEL: plan.program @small
// CHECK-NOT: plan.backward
// CHECK-NOT: plan.leaving
// What is read again for the last time and what is written leave the cache first where that saves much.
// CHECK-LABEL: plan.program @middle
// CHECK-LABEL: graph.kernel anchor(reduction)
// CHECK-NOT: plan.leaving
// CHECK-LABEL: graph.kernel anchor(elementwise) @{{.*}} -> tensor<9437184xf32> attributes {plan.backward, plan.leaving = array<i64: 0, 3>} {
// REMARK: Name: KernelReversed
func.func @norm(%x: tensor<33554432xf32>) -> tensor<33554432xf32> {
  %0 = graph.layer_norm %x dim = 0 epsilon = 1.0e-5 : tensor<33554432xf32> to tensor<33554432xf32>
  return %0 : tensor<33554432xf32>
}

func.func @small(%x: tensor<2097152xf32>) -> tensor<2097152xf32> {
  %0 = graph.layer_norm %x dim = 0 epsilon = 1.0e-5 : tensor<2097152xf32> to tensor<2097152xf32>
  return %0 : tensor<2097152xf32>
}

func.func @middle(%x: tensor<9437184xf32>) -> tensor<9437184xf32> {
  %0 = graph.layer_norm %x dim = 0 epsilon = 1.0e-5 : tensor<9437184xf32> to tensor<9437184xf32>
  return %0 : tensor<9437184xf32>
}

// CHECK-LABEL: plan.program @columns
// CHECK-NOT: plan.backward
func.func @columns(%x: tensor<65536x512xf32>) -> tensor<65536x512xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<65536x512xf32> to tensor<512xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<512xf32> to tensor<65536x512xf32>
  %2 = arith.subf %x, %1 : tensor<65536x512xf32>
  return %2 : tensor<65536x512xf32>
}
