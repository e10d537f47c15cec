// Gathers, pads and concatenations of widened elements select the narrow ones, through what only moves them, and where the value
// outside is a number of the narrow type; what is rounded again is what was selected.
// RUN: tw-opt %s --split-input-file --fuse-select-operands | FileCheck %s

// CHECK-LABEL: func.func @gathered
// CHECK: %[[ROWS:.*]] = graph.gather %arg0[%arg1] dim = 0 : tensor<64x48xbf16>, tensor<7xi64> to tensor<7x48xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[ROWS]]
// CHECK-NOT: arith.select
// CHECK: graph.reduce sum %[[WIDE]]
func.func @gathered(%x: tensor<64x48xbf16>, %i: tensor<7xi64>) -> tensor<7xf32> {
  %0 = arith.extf %x : tensor<64x48xbf16> to tensor<64x48xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<64x48xf32>, tensor<7xi64> to tensor<7x48xf32>
  %2 = graph.reduce sum %1 dims = [1] : tensor<7x48xf32> to tensor<7xf32>
  return %2 : tensor<7xf32>
}

// -----

// CHECK-LABEL: func.func @padded_part
// CHECK: %[[PART:.*]] = graph.slice %arg0 {{.*}} : tensor<64x48xf16> to tensor<64x20xf16>
// CHECK: %[[TURNED:.*]] = graph.transpose %[[PART]]
// CHECK: graph.pad %[[TURNED]] low = [1, 0] high = [3, 0] value = 1.000000e+00 : f16 : tensor<20x64xf16> to tensor<24x64xf16>
// CHECK: arith.extf
func.func @padded_part(%x: tensor<64x48xf16>) -> tensor<24x64xf32> {
  %0 = arith.extf %x : tensor<64x48xf16> to tensor<64x48xf32>
  %1 = graph.slice %0 offsets = [0, 5] strides = [1, 1] : tensor<64x48xf32> to tensor<64x20xf32>
  %2 = graph.transpose %1 permutation = [1, 0] : tensor<64x20xf32> to tensor<20x64xf32>
  %3 = graph.pad %2 low = [1, 0] high = [3, 0] value = 1.0 : f32 : tensor<20x64xf32> to tensor<24x64xf32>
  return %3 : tensor<24x64xf32>
}

// -----

// 0.1 is no number of sixteen bits.
// CHECK-LABEL: func.func @outside_is_wide
// CHECK: %[[WIDE:.*]] = arith.extf
// CHECK: %[[OUTSIDE:.*]] = arith.constant dense<1.000000e-01> : tensor<24x64xf32>
// CHECK: arith.select %{{.*}}, %[[WIDE]], %[[OUTSIDE]]
func.func @outside_is_wide(%x: tensor<20x64xbf16>) -> tensor<24x64xf32> {
  %0 = arith.extf %x : tensor<20x64xbf16> to tensor<20x64xf32>
  %1 = graph.pad %0 low = [1, 0] high = [3, 0] value = 0.1 : f32 : tensor<20x64xf32> to tensor<24x64xf32>
  return %1 : tensor<24x64xf32>
}

// -----

// CHECK-LABEL: func.func @joined
// CHECK: %[[BOTH:.*]] = graph.concat %arg0, %arg1 dim = 1 : tensor<4x8xi8>, tensor<4x9xi8> to tensor<4x17xi8>
// CHECK: arith.sitofp %[[BOTH]]
// CHECK: return
func.func @joined(%x: tensor<4x8xi8>, %y: tensor<4x9xi8>) -> tensor<4x17xf32> {
  %0 = arith.sitofp %x : tensor<4x8xi8> to tensor<4x8xf32>
  %1 = arith.sitofp %y : tensor<4x9xi8> to tensor<4x9xf32>
  %2 = graph.concat %0, %1 dim = 1 : tensor<4x8xf32>, tensor<4x9xf32> to tensor<4x17xf32>
  return %2 : tensor<4x17xf32>
}

// -----

// Bytes with a sign and bytes without are not one tensor.
// CHECK-LABEL: func.func @of_two_kinds
// CHECK-NOT: graph.concat {{.*}}xi8
// CHECK: return
func.func @of_two_kinds(%x: tensor<4x8xi8>, %y: tensor<4x9xi8>) -> tensor<4x17xf32> {
  %0 = arith.sitofp %x : tensor<4x8xi8> to tensor<4x8xf32>
  %1 = arith.uitofp %y : tensor<4x9xi8> to tensor<4x9xf32>
  %2 = graph.concat %0, %1 dim = 1 : tensor<4x8xf32>, tensor<4x9xf32> to tensor<4x17xf32>
  return %2 : tensor<4x17xf32>
}

// -----

// CHECK-LABEL: func.func @rounded_again
// CHECK: %[[PADDED:.*]] = graph.pad %arg0
// CHECK-NOT: arith.truncf
// CHECK: return %[[PADDED]]
func.func @rounded_again(%x: tensor<20x64xbf16>) -> tensor<24x64xbf16> {
  %0 = arith.extf %x : tensor<20x64xbf16> to tensor<20x64xf32>
  %1 = graph.pad %0 low = [1, 0] high = [3, 0] value = 0.0 : f32 : tensor<20x64xf32> to tensor<24x64xf32>
  %2 = arith.truncf %1 : tensor<24x64xf32> to tensor<24x64xbf16>
  return %2 : tensor<24x64xbf16>
}

// -----

// What is transposed or reshaped is narrow, whoever reads it: a kernel that stores it stores half of the bytes.
// CHECK-LABEL: func.func @moved
// CHECK: %[[TURNED:.*]] = graph.transpose %arg0 {{.*}} : tensor<20x64xbf16> to tensor<64x20xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[TURNED]]
// CHECK: %[[FLAT:.*]] = graph.reshape %[[TURNED]] : tensor<64x20xbf16> to tensor<1280xbf16>
// CHECK: return %[[WIDE]], %[[FLAT]]
func.func @moved(%x: tensor<20x64xbf16>) -> (tensor<64x20xf32>, tensor<1280xbf16>) {
  %0 = arith.extf %x : tensor<20x64xbf16> to tensor<20x64xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<20x64xf32> to tensor<64x20xf32>
  %2 = graph.reshape %1 : tensor<64x20xf32> to tensor<1280xf32>
  %3 = arith.truncf %2 : tensor<1280xf32> to tensor<1280xbf16>
  return %1, %3 : tensor<64x20xf32>, tensor<1280xbf16>
}

// -----

// A part of an input that is widened first: the gather reads the input, with indices into all of it.
// CHECK-LABEL: func.func @part_of_a_widened_input
// CHECK: arith.addi %arg1
// CHECK: graph.gather %arg0[{{.*}}] dim = 0 : tensor<24x130xbf16>
// CHECK-NOT: graph.slice
func.func @part_of_a_widened_input(%x: tensor<24x130xbf16>, %i: tensor<12xi64>) -> tensor<12x130xf32> {
  %0 = arith.extf %x : tensor<24x130xbf16> to tensor<24x130xf32>
  %1 = graph.slice %0 offsets = [1, 0] strides = [1, 1] : tensor<24x130xf32> to tensor<12x130xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<12x130xf32>, tensor<12xi64> to tensor<12x130xf32>
  return %2 : tensor<12x130xf32>
}
