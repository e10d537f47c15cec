// Ops that have a part of their kernel's domain: slices of what is stored whole, and what is padded or joined
// beside what is not, each stored where it belongs.
// RUN: tw-check %s --quiet
// RUN: tw-check %s --quiet --precision=bf16 --rtol=2e-2 --atol=2e-2
// RUN: tw-opt --fuse-stage %s | FileCheck %s

// A slice and the whole.
// CHECK-LABEL: plan.program @slice_beside_whole
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @slice_beside_whole(%x: tensor<7x19x13xf32>, %y: tensor<7x11x13xf32>) -> (tensor<7x19x13xf32>, tensor<7x11x13xf32>) {
  %0 = math.tanh %x : tensor<7x19x13xf32>
  %1 = graph.slice %0 offsets = [0, 3, 0] strides = [1, 1, 1] : tensor<7x19x13xf32> to tensor<7x11x13xf32>
  %2 = arith.mulf %1, %y : tensor<7x11x13xf32>
  return %0, %2 : tensor<7x19x13xf32>, tensor<7x11x13xf32>
}

// Only the slice is needed: nothing computes the rest.
// CHECK-LABEL: plan.program @slice_alone
// CHECK-COUNT-1: plan.launch {{.*}} -> tensor<5x13xf32>
// CHECK-NOT: plan.launch
func.func @slice_alone(%x: tensor<700x13xf32>, %y: tensor<5x13xf32>) -> tensor<5x13xf32> {
  %0 = math.tanh %x : tensor<700x13xf32>
  %1 = graph.slice %0 offsets = [3, 0] strides = [1, 1] : tensor<700x13xf32> to tensor<5x13xf32>
  %2 = arith.mulf %1, %y : tensor<5x13xf32>
  return %2 : tensor<5x13xf32>
}

// Norms of rows; some of the rows are returned as well, and padding that is no zero.
// CHECK-LABEL: plan.program @norm_and_padding
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @norm_and_padding(%x: tensor<9x37xf32>) -> (tensor<13x37xf32>, tensor<9x37xf32>, tensor<4x37xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<9x37xf32> to tensor<9x37xf32>
  %1 = graph.pad %0 low = [3, 0] high = [1, 0] value = 2.5 : f32 : tensor<9x37xf32> to tensor<13x37xf32>
  %2 = math.exp %1 : tensor<13x37xf32>
  %3 = graph.slice %x offsets = [2, 0] strides = [1, 1] : tensor<9x37xf32> to tensor<4x37xf32>
  %4 = math.absf %3 : tensor<4x37xf32>
  return %2, %0, %4 : tensor<13x37xf32>, tensor<9x37xf32>, tensor<4x37xf32>
}

// Both parts of what is joined are results of their own.
// CHECK-LABEL: plan.program @joined_and_apart
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @joined_and_apart(%x: tensor<11x17xf32>, %y: tensor<6x17xf32>) -> (tensor<17x17xf32>, tensor<11x17xf32>, tensor<6x17xf32>) {
  %0 = math.tanh %x : tensor<11x17xf32>
  %1 = math.exp %y : tensor<6x17xf32>
  %2 = graph.concat %0, %1 dim = 0 : tensor<11x17xf32>, tensor<6x17xf32> to tensor<17x17xf32>
  %3 = math.absf %2 : tensor<17x17xf32>
  return %3, %0, %1 : tensor<17x17xf32>, tensor<11x17xf32>, tensor<6x17xf32>
}

// What is reduced cannot be a part: the sum of a slice stays a kernel of its own or reads the slice alone.
// CHECK-LABEL: plan.program @sum_of_slice
func.func @sum_of_slice(%x: tensor<23x31xf32>) -> (tensor<23x31xf32>, tensor<23xf32>) {
  %0 = math.tanh %x : tensor<23x31xf32>
  %1 = graph.slice %0 offsets = [0, 4] strides = [1, 1] : tensor<23x31xf32> to tensor<23x20xf32>
  %2 = graph.reduce sum %1 dims = [1] : tensor<23x20xf32> to tensor<23xf32>
  return %0, %2 : tensor<23x31xf32>, tensor<23xf32>
}

// Integers are not divided where there are none.
// CHECK-LABEL: plan.program @quotients
func.func @quotients(%x: tensor<9x5xi32>) -> (tensor<14x5xi32>, tensor<9x5xi32>) {
  %one = arith.constant dense<1> : tensor<9x5xi32>
  %0 = arith.ori %x, %one : tensor<9x5xi32>
  %c = arith.constant dense<7> : tensor<9x5xi32>
  %1 = arith.divsi %c, %0 : tensor<9x5xi32>
  %2 = graph.pad %0 low = [2, 0] high = [3, 0] value = 1 : i32 : tensor<9x5xi32> to tensor<14x5xi32>
  return %2, %1 : tensor<14x5xi32>, tensor<9x5xi32>
}
