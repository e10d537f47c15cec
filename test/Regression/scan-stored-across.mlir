// Blocks of a scan have elements one after the other: what is stored in another order of their digits touches a sector for each, and
// is a kernel of its own (H200, one kernel: 1185 us for 235 MB; two: 126).
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
func.func @main(%x: tensor<29424168xbf16>) -> (tensor<29424168xbf16>, tensor<817338x2x18xbf16>) {
  %0 = arith.extf %x : tensor<29424168xbf16> to tensor<29424168xf32>
  %1 = math.tanh %0 : tensor<29424168xf32>
  %2 = graph.reshape %1 : tensor<29424168xf32> to tensor<18x817338x2xf32>
  %3 = graph.transpose %2 permutation = [1, 2, 0] : tensor<18x817338x2xf32> to tensor<817338x2x18xf32>
  %4 = graph.scan max %0 dim = 0 : tensor<29424168xf32>
  %5 = arith.truncf %4 : tensor<29424168xf32> to tensor<29424168xbf16>
  %6 = arith.truncf %3 : tensor<817338x2x18xf32> to tensor<817338x2x18xbf16>
  return %5, %6 : tensor<29424168xbf16>, tensor<817338x2x18xbf16>
}
