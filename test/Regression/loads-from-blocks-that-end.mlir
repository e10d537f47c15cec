// RUN: tw-compile %s --target=sm_90a --emit=target -o - | FileCheck %s
// Blocks of a cluster read one another's part of a sum, and one of them alone uses it: its loads were still on their way
// when the other one had passed the last barrier and ended (H200: unspecified launch failure, since the barrier orders no
// more than the block's own shared memory). What was loaded is used before the thread arrives. Found by timing random
// programs on a GPU; the emulator has no loads that are under way.

// CHECK-COUNT-2: llvm.load {{.*}} !llvm.ptr<7>
// CHECK-NOT: ptx.arrive_cluster
// CHECK: ptx.hold
// CHECK-NEXT: ptx.arrive_cluster aligned
// CHECK: nvvm.cluster.wait
func.func @main(%x: tensor<2x11168xf32>) -> tensor<2xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<2x11168xf32> to tensor<2xf32>
  return %0 : tensor<2xf32>
}
