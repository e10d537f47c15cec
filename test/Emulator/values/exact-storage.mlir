// Values that are stored in 16 bits between kernels since they are numbers of 16 bits.
// REQUIRES: emulator
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s
// RUN: tw-check %s --target=sm_90a --quiet

// CHECK: plan.launch @{{.*}} -> tensor<4096x72xbf16>
func.func @running_maximum(%x: tensor<4096x72xbf16>) -> tensor<4096x72xbf16> {
  %wide = arith.extf %x : tensor<4096x72xbf16> to tensor<4096x72xf32>
  %most = graph.scan max %wide dim = 0 : tensor<4096x72xf32>
  %0 = arith.negf %most : tensor<4096x72xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<4096x72xf32> to tensor<4096x72xf32>
  %2 = arith.truncf %1 : tensor<4096x72xf32> to tensor<4096x72xbf16>
  return %2 : tensor<4096x72xbf16>
}

// Zeros beside the rows, and a number that no input is.
// CHECK: plan.launch @{{.*}} -> tensor<4100x72xf16>
func.func @padded(%x: tensor<4096x72xf16>) -> tensor<4100x72xf32> {
  %wide = arith.extf %x : tensor<4096x72xf16> to tensor<4096x72xf32>
  %rows = graph.pad %wide low = [1, 0] high = [3, 0] value = 0.000000e+00 : f32 : tensor<4096x72xf32> to tensor<4100x72xf32>
  %most = graph.scan max %rows dim = 0 reverse : tensor<4100x72xf32>
  %half = arith.constant dense<-0.5> : tensor<4100x72xf32>
  %0 = arith.maximumf %most, %half : tensor<4100x72xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<4100x72xf32> to tensor<4100x72xf32>
  return %1 : tensor<4100x72xf32>
}
