// Found by random programs: a kernel that goes over columns of two dimensions in a loop has a few elements of them at a time, and
// was taken for one that has all of the inner and most of the outer one. Of a result that lies along the outer one it
// stored each element by itself: 2740 us where two kernels take 504 (H200).
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s
// CHECK: graph.kernel anchor(reduction) @{{.*}} -> tensor<72x3x24xf32>
// CHECK: graph.kernel anchor(transpose)
// CHECK-NOT: graph.kernel
func.func @main(%x: tensor<72x72x126x3x24xf32>, %s: tensor<3x126xf32>)
    -> (tensor<72x3x24x72x126xf32>, tensor<72x126x3x24x72xf32>, tensor<126x3x72x72x24xf32>) {
  %0 = graph.reduce sum %x dims = [0, 2] : tensor<72x72x126x3x24xf32> to tensor<72x3x24xf32>
  %1 = graph.transpose %x permutation = [1, 3, 4, 0, 2] : tensor<72x72x126x3x24xf32> to tensor<72x3x24x72x126xf32>
  %2 = graph.broadcast %s dims = [1, 4] : tensor<3x126xf32> to tensor<72x3x24x72x126xf32>
  %3 = arith.divf %1, %2 : tensor<72x3x24x72x126xf32>
  %4 = graph.broadcast %0 dims = [0, 1, 2] : tensor<72x3x24xf32> to tensor<72x3x24x72x126xf32>
  %5 = arith.addf %4, %3 : tensor<72x3x24x72x126xf32>
  %6 = graph.transpose %5 permutation = [0, 4, 1, 2, 3] : tensor<72x3x24x72x126xf32> to tensor<72x126x3x24x72xf32>
  %7 = graph.transpose %x permutation = [2, 3, 0, 1, 4] : tensor<72x72x126x3x24xf32> to tensor<126x3x72x72x24xf32>
  return %3, %6, %7 : tensor<72x3x24x72x126xf32>, tensor<72x126x3x24x72xf32>, tensor<126x3x72x72x24xf32>
}
