// Kernels that read the same tensors are one; elementwise values are computed again by those that read them, where that moves less;
// the order of ops in the function makes no difference.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --start-from=fuse --emit=fuse -o %t/fuse.mlir --remarks=%t/remarks.yaml
// RUN: FileCheck %s --input-file=%t/fuse.mlir
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK

// Two results of one tensor, which is read once.
// CHECK-LABEL: plan.program @siblings
// CHECK: plan.launch @{{[a-z_0-9]+}}(%arg0, %arg1){{.*}}read = 4194304, written = 4194304
// CHECK-NEXT: plan.return
// REMARK-DAG: Name: {{ *}}FusedSiblings
func.func @siblings(%x: tensor<1024x512xf32>, %y: tensor<1024x512xf32>) -> (tensor<1024x512xf32>, tensor<1024x512xf32>) {
  %0 = math.exp %x : tensor<1024x512xf32>
  %1 = math.tanh %x : tensor<1024x512xf32>
  %2 = arith.addf %1, %y : tensor<1024x512xf32>
  return %0, %2 : tensor<1024x512xf32>, tensor<1024x512xf32>
}

// A row's maximum and a column's sum of a widened and activated tensor: both kernels read the 16-bit one.
// CHECK-LABEL: plan.program @two_axes
// CHECK: plan.launch @{{[a-z_0-9]+}}(%arg0){{.*}}tensor<4096x4096xbf16>) -> tensor<4096xf32>
// CHECK-NEXT: %[[PARTS:.*]] = plan.launch @{{[a-z_0-9]+}}(%arg0){{.*}}tensor<4096x4096xbf16>) -> tensor<8x4096xf32>
// CHECK-NEXT: plan.launch @{{[a-z_0-9]+}}(%[[PARTS]])
// CHECK-NEXT: plan.return
// REMARK-DAG: Name: {{ *}}Recomputed
func.func @two_axes(%x: tensor<4096x4096xbf16>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %0 = arith.extf %x : tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = math.absf %0 : tensor<4096x4096xf32>
  %2 = graph.reduce max %1 dims = [1] : tensor<4096x4096xf32> to tensor<4096xf32>
  %3 = graph.reduce sum %1 dims = [0] : tensor<4096x4096xf32> to tensor<4096xf32>
  return %2, %3 : tensor<4096xf32>, tensor<4096xf32>
}

// A normalized row read in another order: the row and its mean are read, not the norm.
// CHECK-LABEL: plan.program @transposed_norm
// CHECK: %[[MEAN:.*]] = plan.launch {{.*}}-> tensor<4096xf32>
// CHECK-NEXT: plan.launch @{{[a-z_0-9]+}}(%[[MEAN]], %arg0)
// CHECK-NOT: tensor<4096x2048xf32>) loc
// CHECK: plan.return
func.func @transposed_norm(%x: tensor<4096x2048xf32>) -> tensor<2048xf32> {
  %n = arith.constant dense<4.8828125e-04> : tensor<4096xf32>
  %0 = graph.reduce sum %x dims = [1] : tensor<4096x2048xf32> to tensor<4096xf32>
  %1 = arith.mulf %0, %n : tensor<4096xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<4096xf32> to tensor<4096x2048xf32>
  %3 = arith.subf %x, %2 : tensor<4096x2048xf32>
  %4 = math.absf %3 : tensor<4096x2048xf32>
  %5 = graph.reduce max %4 dims = [0] : tensor<4096x2048xf32> to tensor<2048xf32>
  return %5 : tensor<2048xf32>
}

// Three powers of every element are dearer than storing them once.
// CHECK-LABEL: plan.program @dear
// CHECK: %[[P:.*]]:2 = plan.launch {{.*}}-> (tensor<512x512xf32>, tensor<512xf32>)
// CHECK: plan.launch {{.*}}(%[[P]]#0)
// CHECK-NEXT: plan.return
// REMARK-DAG: Name: {{ *}}RecomputeRefused
func.func @dear(%x: tensor<512x512xf32>) -> (tensor<512xf32>, tensor<512xf32>) {
  %0 = math.powf %x, %x : tensor<512x512xf32>
  %1 = math.powf %0, %x : tensor<512x512xf32>
  %2 = math.powf %1, %x : tensor<512x512xf32>
  %3 = math.powf %2, %x : tensor<512x512xf32>
  %4 = graph.reduce max %3 dims = [1] : tensor<512x512xf32> to tensor<512xf32>
  %5 = graph.reduce sum %3 dims = [0] : tensor<512x512xf32> to tensor<512xf32>
  return %4, %5 : tensor<512xf32>, tensor<512xf32>
}

// The same program in two orders has the same kernel.
// CHECK-LABEL: plan.program @one_order
// CHECK: plan.launch @[[A:[a-z_0-9]+]](
// CHECK-NEXT: plan.return
func.func @one_order(%x: tensor<64x4096xf32>, %y: tensor<64x4096xf32>, %z: tensor<4096x64xf32>) -> (tensor<64x4096xf32>, tensor<4096xf32>) {
  %0 = arith.addf %x, %y : tensor<64x4096xf32>
  %1 = math.exp %0 : tensor<64x4096xf32>
  %2 = math.tanh %y : tensor<64x4096xf32>
  %3 = arith.mulf %1, %2 : tensor<64x4096xf32>
  %4 = graph.transpose %z permutation = [1, 0] : tensor<4096x64xf32> to tensor<64x4096xf32>
  %5 = arith.subf %3, %4 : tensor<64x4096xf32>
  %6 = graph.reduce sum %5 dims = [0] : tensor<64x4096xf32> to tensor<4096xf32>
  return %5, %6 : tensor<64x4096xf32>, tensor<4096xf32>
}

// CHECK-LABEL: plan.program @another_order
// CHECK: plan.launch @[[A]](
// CHECK-NEXT: plan.return
func.func @another_order(%x: tensor<64x4096xf32>, %y: tensor<64x4096xf32>, %z: tensor<4096x64xf32>) -> (tensor<64x4096xf32>, tensor<4096xf32>) {
  %4 = graph.transpose %z permutation = [1, 0] : tensor<4096x64xf32> to tensor<64x4096xf32>
  %2 = math.tanh %y : tensor<64x4096xf32>
  %0 = arith.addf %x, %y : tensor<64x4096xf32>
  %1 = math.exp %0 : tensor<64x4096xf32>
  %3 = arith.mulf %1, %2 : tensor<64x4096xf32>
  %5 = arith.subf %3, %4 : tensor<64x4096xf32>
  %6 = graph.reduce sum %5 dims = [0] : tensor<64x4096xf32> to tensor<4096xf32>
  return %5, %6 : tensor<64x4096xf32>, tensor<4096xf32>
}

// Elements that indices select of a large tensor take 64 bytes of memory each: they are stored for those who read them in another
// order.
// CHECK-LABEL: plan.program @gathered_once
// CHECK: %[[GATHERED:.*]]:2 = plan.launch @{{[a-z_0-9]+}}(%arg0, %arg1) {{.*}} -> (tensor<4096x4096xf32>, tensor<4096xf32>)
// CHECK: plan.launch @{{[a-z_0-9]+}}(%[[GATHERED]]#0)
// CHECK-NEXT: plan.return
func.func @gathered_once(%table: tensor<20000000xf32>, %i: tensor<4096x4096xi32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %0 = graph.gather %table[%i] dim = 0 : tensor<20000000xf32>, tensor<4096x4096xi32> to tensor<4096x4096xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<4096x4096xf32> to tensor<4096xf32>
  %2 = graph.reduce sum %0 dims = [0] : tensor<4096x4096xf32> to tensor<4096xf32>
  return %1, %2 : tensor<4096xf32>, tensor<4096xf32>
}

// A part that a kernel of reductions could compute beside them is computed by who joins it, from what that reads anyway: no kernel stores it.
// CHECK-LABEL: plan.program @parts_computed_by_who_joins_them
// CHECK: plan.launch {{.*}} : (tensor<64x1048576xf32>) -> tensor<64x4xf32>
// CHECK: plan.launch {{.*}} -> tensor<64x4xf32>
// CHECK: plan.launch {{.*}}tensor<64x1048576xf32>) -> tensor<64x2097152xf32>
// CHECK: plan.return
func.func @parts_computed_by_who_joins_them(%x: tensor<64x1048576xf32>) -> tensor<64x2097152xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x1048576xf32> to tensor<64xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<64xf32> to tensor<64x1048576xf32>
  %2 = arith.subf %x, %1 : tensor<64x1048576xf32>
  %3 = math.absf %2 : tensor<64x1048576xf32>
  %4 = graph.reduce max %2 dims = [1] : tensor<64x1048576xf32> to tensor<64xf32>
  %5 = graph.broadcast %4 dims = [0] : tensor<64xf32> to tensor<64x1048576xf32>
  %6 = arith.subf %2, %5 : tensor<64x1048576xf32>
  %7 = math.exp %6 : tensor<64x1048576xf32>
  %8 = graph.concat %3, %7 dim = 1 : tensor<64x1048576xf32>, tensor<64x1048576xf32> to tensor<64x2097152xf32>
  return %8 : tensor<64x2097152xf32>
}

// The exponentials that the kernel of rows computes for one result and for the sums of columns are computed there once.
// CHECK-LABEL: plan.program @copies
// CHECK: graph.kernel anchor(reduction) @{{[a-z_0-9]+}}(%arg0: tensor<88x218x218x9xf32>
// CHECK-COUNT-1: math.exp
// CHECK-NOT: math.exp
// CHECK: return {{.*}} : tensor<88x218x218xf32>, tensor<88x218x218xf32>, tensor<88x218x218x9xf32>, tensor<88x218x218x9xf32>
func.func @copies(%x: tensor<88x218x218x9xf32>, %t: tensor<f32>) -> (tensor<88x218x218x9xf32>, tensor<88x218x218x9xf32>) {
  %n = graph.layer_norm %x dim = 3 epsilon = 1.0e-5 : tensor<88x218x218x9xf32> to tensor<88x218x218x9xf32>
  %e = math.exp %n : tensor<88x218x218x9xf32>
  %q = math.tanh %x : tensor<88x218x218x9xf32>
  %p = arith.mulf %e, %q : tensor<88x218x218x9xf32>
  %tb = graph.broadcast %t dims = [] : tensor<f32> to tensor<88x218x218x9xf32>
  %d = arith.subf %e, %tb : tensor<88x218x218x9xf32>
  %s = graph.reduce sum %d dims = [0, 1] : tensor<88x218x218x9xf32> to tensor<218x9xf32>
  %b = graph.broadcast %s dims = [2, 3] : tensor<218x9xf32> to tensor<88x218x218x9xf32>
  %o = arith.addf %d, %b : tensor<88x218x218x9xf32>
  return %p, %o : tensor<88x218x218x9xf32>, tensor<88x218x218x9xf32>
}
