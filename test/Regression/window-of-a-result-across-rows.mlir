// A part of a result that lies across long rows was counted as if it had no neighbours in memory, and the kernel that reduces the
// rows stored it one element a sector: 425 us for what two kernels do in less than 140.
// RUN: tw-opt %s --graph-stage --fuse-stage | FileCheck %s

// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
func.func @main(%x: tensor<2215x10344xf32>, %y: tensor<10344xf32>) -> (tensor<2215x10344xf32>, tensor<2215x10344xf32>, tensor<10344x1926xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<2215x10344xf32> to tensor<2215xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<2215xf32> to tensor<2215x10344xf32>
  %2 = arith.subf %x, %1 : tensor<2215x10344xf32>
  %3 = graph.broadcast %y dims = [1] : tensor<10344xf32> to tensor<2215x10344xf32>
  %4 = arith.maximumf %x, %3 : tensor<2215x10344xf32>
  %5 = graph.slice %4 offsets = [181, 0] strides = [1, 1] : tensor<2215x10344xf32> to tensor<1926x10344xf32>
  %6 = graph.transpose %5 permutation = [1, 0] : tensor<1926x10344xf32> to tensor<10344x1926xf32>
  return %4, %2, %6 : tensor<2215x10344xf32>, tensor<2215x10344xf32>, tensor<10344x1926xf32>
}
