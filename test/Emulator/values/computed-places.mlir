// Values that are spread in one shape and read in another, and a small tensor in two orders of which neither is a view of the
// other: read at computed places, in a kernel each.
// RUN: tw-check %s --target=sm_90a --rtol=1e-6
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @main(%x: tensor<6x35x9xf32>, %rows: tensor<6x9xf32>, %columns: tensor<21xf32>, %y: tensor<4x3x5x7xbf16>) -> (tensor<90x21xf32>, tensor<20x21xf32>, tensor<21x20xf32>) {
  %e = math.exp %rows : tensor<6x9xf32>
  %0 = graph.broadcast %e dims = [0, 2] : tensor<6x9xf32> to tensor<6x35x9xf32>
  %1 = arith.addf %x, %0 : tensor<6x35x9xf32>
  %2 = graph.reshape %1 : tensor<6x35x9xf32> to tensor<90x21xf32>
  %3 = graph.broadcast %columns dims = [1] : tensor<21xf32> to tensor<90x21xf32>
  %4 = arith.mulf %2, %3 : tensor<90x21xf32>
  %w = arith.extf %y : tensor<4x3x5x7xbf16> to tensor<4x3x5x7xf32>
  %5 = graph.transpose %w permutation = [3, 0, 2, 1] : tensor<4x3x5x7xf32> to tensor<7x4x5x3xf32>
  %6 = graph.reshape %5 : tensor<7x4x5x3xf32> to tensor<20x21xf32>
  %7 = math.tanh %6 : tensor<20x21xf32>
  %8 = graph.transpose %7 permutation = [1, 0] : tensor<20x21xf32> to tensor<21x20xf32>
  return %4, %7, %8 : tensor<90x21xf32>, tensor<20x21xf32>, tensor<21x20xf32>
}
