// A pad of a value that other results need as it is was computed from padded inputs, beside the value itself: tanh and erf twice
// for each element, three loads in place of one (274 rows of 75266, H100: 497 us, and 324 since). The pad chooses by place among
// values that its kernel computes anyway; and a kernel that pads what another one stores computes it for itself (37x226x4600:
// 234 us, and 174 since).
// RUN: tw-compile %s --stop-after=fuse --target=sm_90a -o - | FileCheck %s
// RUN: tw-check %s --target=sm_90a --rtol=1e-5 --atol=1e-5 --quiet

// CHECK: plan.program @padded_and_not
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
// CHECK: graph.kernel
// CHECK-COUNT-1: math.tanh
// CHECK-NOT: math.tanh
// CHECK: scan sum
// CHECK: plan.program @stored_for_a_pad
// CHECK: plan.launch {{.*}}(%arg0)
// CHECK: plan.launch {{.*}}(%arg0)
func.func @padded_and_not(%x: tensor<9x700xf32>) -> (tensor<12x700xf32>, tensor<9x700xf32>) {
  %t = math.tanh %x : tensor<9x700xf32>
  %p = graph.pad %t low = [3, 0] high = [0, 0] value = 0.0 : f32 : tensor<9x700xf32> to tensor<12x700xf32>
  %s = graph.scan sum %p dim = 1 : tensor<12x700xf32>
  %m = arith.mulf %t, %t : tensor<9x700xf32>
  return %s, %m : tensor<12x700xf32>, tensor<9x700xf32>
}

func.func @stored_for_a_pad(%x: tensor<7x30x500xf32>) -> (tensor<7x30x500xf32>, tensor<11x30x200xf32>) {
  %d = arith.addf %x, %x : tensor<7x30x500xf32>
  %s = graph.slice %d offsets = [0, 0, 170] strides = [1, 1, 1] : tensor<7x30x500xf32> to tensor<7x30x200xf32>
  %p = graph.pad %s low = [3, 0, 0] high = [1, 0, 0] value = 0.0 : f32 : tensor<7x30x200xf32> to tensor<11x30x200xf32>
  %t = math.tanh %d : tensor<7x30x500xf32>
  return %t, %p : tensor<7x30x500xf32>, tensor<11x30x200xf32>
}
