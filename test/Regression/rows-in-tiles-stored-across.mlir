// A row that a block goes through in tiles has few elements of each of its dimensions at a time: what lies across them is stored
// by a kernel of its own (H200, one kernel: 1065 us for 416 MB).
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
// CHECK: graph.kernel anchor(reduction)
// CHECK-NOT: transpose
// CHECK: graph.kernel
// CHECK: transpose
func.func @main(%x: tensor<432x25x16x301xbf16>) -> (tensor<432x301x16x25xbf16>, tensor<432x25x16x301xbf16>) {
  %0 = arith.extf %x : tensor<432x25x16x301xbf16> to tensor<432x25x16x301xf32>
  %1 = graph.rms_norm %0 dim = 1 epsilon = 1.0e-2 : tensor<432x25x16x301xf32> to tensor<432x25x16x301xf32>
  %2 = arith.maximumf %0, %1 : tensor<432x25x16x301xf32>
  %3 = math.tanh %1 : tensor<432x25x16x301xf32>
  %4 = graph.transpose %3 permutation = [0, 3, 2, 1] : tensor<432x25x16x301xf32> to tensor<432x301x16x25xf32>
  %5 = arith.truncf %4 : tensor<432x301x16x25xf32> to tensor<432x301x16x25xbf16>
  %6 = arith.truncf %2 : tensor<432x25x16x301xf32> to tensor<432x25x16x301xbf16>
  return %5, %6 : tensor<432x301x16x25xbf16>, tensor<432x25x16x301xbf16>
}
