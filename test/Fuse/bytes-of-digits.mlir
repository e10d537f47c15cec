// A result stored in another order, of which what lies side by side in memory is an outer digit of the index that its kernel's
// elements are counted by: where all tensors can be counted by digits, tiles have some of each, and one kernel does it; where one
// cannot, each element would be stored in a sector of its own, and a kernel for this result alone reads another one again.
// RUN: rm -rf %t && split-file %s %t
// RUN: tw-compile %t/split.mlir --target=sm_90a --emit=fuse -o - | FileCheck %s
// RUN: tw-compile %t/padded.mlir --target=sm_90a --emit=fuse -o - | FileCheck %s --check-prefix=PADDED

//--- split.mlir
// CHECK-COUNT-1: graph.kernel
// CHECK-NOT: graph.kernel
func.func @split(%x: tensor<41937912xf32>) -> (tensor<41937912xf32>, tensor<1944x21573xf32>) {
  %0 = math.tanh %x : tensor<41937912xf32>
  %1 = graph.reshape %0 : tensor<41937912xf32> to tensor<21573x1944xf32>
  %2 = graph.transpose %1 permutation = [1, 0] : tensor<21573x1944xf32> to tensor<1944x21573xf32>
  return %0, %2 : tensor<41937912xf32>, tensor<1944x21573xf32>
}

//--- padded.mlir
// PADDED: graph.kernel
// PADDED-NOT: transpose
// PADDED: graph.kernel
// PADDED: transpose
func.func @padded(%x: tensor<41937909xf32>, %y: tensor<41937912xf32>) -> (tensor<41937912xf32>, tensor<1944x21573xf32>) {
  %0 = graph.pad %x low = [1] high = [2] value = 1.000000e+00 : f32 : tensor<41937909xf32> to tensor<41937912xf32>
  %1 = arith.mulf %0, %y : tensor<41937912xf32>
  %2 = math.tanh %1 : tensor<41937912xf32>
  %3 = graph.reshape %2 : tensor<41937912xf32> to tensor<21573x1944xf32>
  %4 = graph.transpose %3 permutation = [1, 0] : tensor<21573x1944xf32> to tensor<1944x21573xf32>
  return %1, %4 : tensor<41937912xf32>, tensor<1944x21573xf32>
}
