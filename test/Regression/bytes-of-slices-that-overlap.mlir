// What a kernel reads in several views was counted once for each of them, up to the whole tensor; and of parts that two kernels read
// apart the least was the larger one's.
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// The last 128 columns of 384, widened, and both halves of these: 512 rows of 256 bytes, and the factors; two results of 131072 bytes.
// CHECK: plan.program @main
// CHECK-SAME: plan.traffic = array<i64: {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, 655360>
// CHECK: plan.launch {{.*}}read = 262144, written = 131072>
// CHECK: plan.launch {{.*}}read = 131072, written = 131072>
func.func @main(%x: tensor<512x384xbf16>, %c: tensor<512x128xbf16>) -> (tensor<4x512x32xbf16>, tensor<128x512xbf16>) {
  %0 = graph.slice %x offsets = [0, 256] strides = [1, 1] : tensor<512x384xbf16> to tensor<512x128xbf16>
  %1 = arith.extf %0 : tensor<512x128xbf16> to tensor<512x128xf32>
  %2 = graph.reshape %1 : tensor<512x128xf32> to tensor<512x4x32xf32>
  %3 = graph.slice %2 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<512x4x32xf32> to tensor<512x4x16xf32>
  %4 = graph.slice %2 offsets = [0, 0, 16] strides = [1, 1, 1] : tensor<512x4x32xf32> to tensor<512x4x16xf32>
  %5 = graph.concat %4, %3 dim = 2 : tensor<512x4x16xf32>, tensor<512x4x16xf32> to tensor<512x4x32xf32>
  %6 = arith.extf %c : tensor<512x128xbf16> to tensor<512x128xf32>
  %7 = graph.reshape %6 : tensor<512x128xf32> to tensor<512x4x32xf32>
  %8 = arith.mulf %5, %7 : tensor<512x4x32xf32>
  %9 = arith.addf %8, %2 : tensor<512x4x32xf32>
  %10 = arith.truncf %9 : tensor<512x4x32xf32> to tensor<512x4x32xbf16>
  %11 = graph.transpose %10 permutation = [1, 0, 2] : tensor<512x4x32xbf16> to tensor<4x512x32xbf16>
  %12 = graph.slice %x offsets = [0, 0] strides = [1, 1] : tensor<512x384xbf16> to tensor<512x128xbf16>
  %13 = graph.transpose %12 permutation = [1, 0] : tensor<512x128xbf16> to tensor<128x512xbf16>
  return %11, %13 : tensor<4x512x32xbf16>, tensor<128x512xbf16>
}
