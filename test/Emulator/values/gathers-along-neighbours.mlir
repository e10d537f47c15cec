// Gathers along neighbouring dimensions are one, by a place for each two indices, also where what they select is
// computed of several tensors; indices from the end, and outside in either dimension.
// RUN: tw-check %s --target=sm_90a --rtol=0 --atol=0 --quiet
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK-LABEL: @first_rows(
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @first_rows(%t: tensor<6x9x4x24xf32>, %i: tensor<30xi64> {check.data = "random:-12:12"}, %j: tensor<5xi64> {check.data = "random:-7:7"}) -> tensor<6x30x5x24xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x9x4x24xf32>, tensor<30xi64> to tensor<6x30x4x24xf32>
  %1 = graph.gather %0[%j] dim = 2 : tensor<6x30x4x24xf32>, tensor<5xi64> to tensor<6x30x5x24xf32>
  return %1 : tensor<6x30x5x24xf32>
}

// CHECK-LABEL: @first_columns(
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @first_columns(%t: tensor<6x9x4x24xbf16>, %i: tensor<30xi32> {check.data = "random:-12:12"}, %j: tensor<5xi32> {check.data = "random:-7:7"}) -> tensor<6x30x5x24xbf16> {
  %0 = graph.gather %t[%j] dim = 2 : tensor<6x9x4x24xbf16>, tensor<5xi32> to tensor<6x9x5x24xbf16>
  %1 = graph.gather %0[%i] dim = 1 : tensor<6x9x5x24xbf16>, tensor<30xi32> to tensor<6x30x5x24xbf16>
  return %1 : tensor<6x30x5x24xbf16>
}

// What is selected is computed of rows, of what differs along one of the dimensions, and of a reduction.
// CHECK-LABEL: @computed(
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
func.func @computed(%t: tensor<16x40x16x24xf32>, %s: tensor<16x40xf32>, %i: tensor<39xi64> {check.data = "random:-44:44"}, %j: tensor<12xi64> {check.data = "random:-18:18"}) -> tensor<16x39x12x24xf32> {
  %0 = graph.broadcast %s dims = [0, 1] : tensor<16x40xf32> to tensor<16x40x16x24xf32>
  %1 = arith.addf %0, %t : tensor<16x40x16x24xf32>
  %2 = graph.reduce min %1 dims = [3] : tensor<16x40x16x24xf32> to tensor<16x40x16xf32>
  %3 = graph.broadcast %2 dims = [0, 1, 2] : tensor<16x40x16xf32> to tensor<16x40x16x24xf32>
  %4 = arith.subf %1, %3 : tensor<16x40x16x24xf32>
  %5 = graph.gather %4[%i] dim = 1 : tensor<16x40x16x24xf32>, tensor<39xi64> to tensor<16x39x16x24xf32>
  %6 = graph.gather %5[%j] dim = 2 : tensor<16x39x16x24xf32>, tensor<12xi64> to tensor<16x39x12x24xf32>
  return %6 : tensor<16x39x12x24xf32>
}

// Of single elements the places would be as many as what they select.
// CHECK-LABEL: @single(
// CHECK-COUNT-2: plan.launch
func.func @single(%t: tensor<40x50xf32>, %i: tensor<30xi64> {check.data = "random:-40:40"}, %j: tensor<20xi64> {check.data = "random:-50:50"}) -> tensor<30x20xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<40x50xf32>, tensor<30xi64> to tensor<30x50xf32>
  %1 = graph.gather %0[%j] dim = 1 : tensor<30x50xf32>, tensor<20xi64> to tensor<30x20xf32>
  return %1 : tensor<30x20xf32>
}
