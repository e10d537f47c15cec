// A part of a tensor with padding around it, beside what is computed of all of it: the kernel stores the part where it lies, and
// the padding from places of the domain beside it. On neither side may the domain end before the padding does.
// REQUIRES: emulator
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s
// RUN: tw-check %s --quiet
// RUN: tw-check %s --target=sm_90a --quiet

// CHECK-LABEL: plan.program @of_a_row
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @of_a_row(%x: tensor<3007xf32>) -> (tensor<3007xf32>, tensor<2003xf32>) {
  %0 = math.absf %x : tensor<3007xf32>
  %1 = graph.slice %x offsets = [700] strides = [1] : tensor<3007xf32> to tensor<1999xf32>
  %2 = graph.pad %1 low = [1] high = [3] value = 5.000000e-01 : f32 : tensor<1999xf32> to tensor<2003xf32>
  return %0, %2 : tensor<3007xf32>, tensor<2003xf32>
}

// As many places before the part as are padded, and behind it.
// CHECK-LABEL: plan.program @just_enough
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @just_enough(%x: tensor<40x31xf32>) -> (tensor<40x31xf32>, tensor<40x31xf32>) {
  %0 = math.exp %x : tensor<40x31xf32>
  %1 = graph.slice %x offsets = [2, 3] strides = [1, 1] : tensor<40x31xf32> to tensor<37x27xf32>
  %2 = graph.pad %1 low = [2, 3] high = [1, 1] value = -1.000000e+00 : f32 : tensor<37x27xf32> to tensor<40x31xf32>
  return %0, %2 : tensor<40x31xf32>, tensor<40x31xf32>
}

// Columns of the part, rows of the whole.
// CHECK-LABEL: plan.program @beside_rows
func.func @beside_rows(%x: tensor<50x96xf32>) -> (tensor<50x96xf32>, tensor<50x72xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<50x96xf32> to tensor<50x96xf32>
  %1 = graph.slice %x offsets = [0, 20] strides = [1, 1] : tensor<50x96xf32> to tensor<50x64xf32>
  %2 = graph.pad %1 low = [0, 3] high = [0, 5] value = 0.000000e+00 : f32 : tensor<50x64xf32> to tensor<50x72xf32>
  return %0, %2 : tensor<50x96xf32>, tensor<50x72xf32>
}

// More padding than there are places: another domain, or another kernel.
// CHECK-LABEL: plan.program @too_much
func.func @too_much(%x: tensor<3007xf32>) -> (tensor<3007xf32>, tensor<2510xf32>, tensor<2510xf32>) {
  %0 = math.absf %x : tensor<3007xf32>
  %1 = graph.slice %x offsets = [5] strides = [1] : tensor<3007xf32> to tensor<2500xf32>
  %2 = graph.pad %1 low = [9] high = [1] value = 0.000000e+00 : f32 : tensor<2500xf32> to tensor<2510xf32>
  %3 = graph.slice %x offsets = [500] strides = [1] : tensor<3007xf32> to tensor<2500xf32>
  %4 = graph.pad %3 low = [1] high = [9] value = 0.000000e+00 : f32 : tensor<2500xf32> to tensor<2510xf32>
  return %0, %2, %4 : tensor<3007xf32>, tensor<2510xf32>, tensor<2510xf32>
}

// What is padded is computed in the kernel, and read by an op behind.
// CHECK-LABEL: plan.program @of_a_value
func.func @of_a_value(%x: tensor<64x128xbf16>) -> (tensor<64x128xf32>, tensor<62x120xbf16>) {
  %0 = arith.extf %x : tensor<64x128xbf16> to tensor<64x128xf32>
  %1 = math.tanh %0 : tensor<64x128xf32>
  %2 = graph.slice %1 offsets = [1, 4] strides = [1, 1] : tensor<64x128xf32> to tensor<60x116xf32>
  %3 = graph.pad %2 low = [1, 1] high = [1, 3] value = 2.000000e+00 : f32 : tensor<60x116xf32> to tensor<62x120xf32>
  %4 = arith.addf %3, %3 : tensor<62x120xf32>
  %5 = arith.truncf %4 : tensor<62x120xf32> to tensor<62x120xbf16>
  return %1, %5 : tensor<64x128xf32>, tensor<62x120xbf16>
}

// Rows of whole vectors with one place behind them, beside what is computed of the rows as they are: vectors end where the rows do.
func.func @one_place_behind(%x: tensor<9x4104xf32>, %y: tensor<9x4104xbf16>) -> (tensor<9x4105xf32>, tensor<9x4104xf32>, tensor<9x4111xbf16>, tensor<9x4104xbf16>) {
  %0 = graph.pad %x low = [0, 0] high = [0, 1] value = 2.0 : f32 : tensor<9x4104xf32> to tensor<9x4105xf32>
  %1 = math.absf %0 : tensor<9x4105xf32>
  %2 = arith.negf %x : tensor<9x4104xf32>
  %3 = graph.pad %y low = [0, 4] high = [0, 3] value = 3.0 : bf16 : tensor<9x4104xbf16> to tensor<9x4111xbf16>
  %4 = arith.negf %3 : tensor<9x4111xbf16>
  %5 = math.absf %y : tensor<9x4104xbf16>
  return %1, %2, %4, %5 : tensor<9x4105xf32>, tensor<9x4104xf32>, tensor<9x4111xbf16>, tensor<9x4104xbf16>
}
