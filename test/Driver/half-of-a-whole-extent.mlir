// A kernel that spilled registers was given half of its largest dimension, rounded to a power of two: of 299 elements 256, so that
// a second tile had 43, and the program took 777 us in place of 387. Another dimension is halved. (What
// the reduction reads is a result, too, so that it stays transposed.)
// REQUIRES: ptxas
// RUN: tw-compile %s --target=sm_90a --kernel-cache=off --emulation=off --remarks=%t.yaml -o %t.tw
// RUN: FileCheck %s --input-file=%t.yaml
// CHECK: BackedOff
// CHECK: tile = [1, 1, 1, 1, 304, 32]
// CHECK: tile = [1, 1, 1, 1, 304, 16]
func.func @main(%x: tensor<3x16x26x16x2392xbf16>, %y: tensor<3x26x16x2392xbf16>, %z: tensor<26x2392xbf16>, %w: tensor<3x16x16x2392xbf16>)
    -> (tensor<3x16x26x16x2392xbf16>, tensor<3x16x26x16x2392xbf16>, tensor<16x3x16x2392x26xbf16>, tensor<16x3xf32>) {
  %0 = arith.extf %x : tensor<3x16x26x16x2392xbf16> to tensor<3x16x26x16x2392xf32>
  %one = arith.constant dense<1.0> : tensor<3x16x26x16x2392xf32>
  %1 = math.absf %0 : tensor<3x16x26x16x2392xf32>
  %2 = arith.addf %1, %one : tensor<3x16x26x16x2392xf32>
  %3 = arith.divf %one, %2 : tensor<3x16x26x16x2392xf32>
  %4 = arith.subf %3, %0 : tensor<3x16x26x16x2392xf32>
  %5 = arith.extf %y : tensor<3x26x16x2392xbf16> to tensor<3x26x16x2392xf32>
  %6 = graph.broadcast %5 dims = [0, 2, 3, 4] : tensor<3x26x16x2392xf32> to tensor<3x16x26x16x2392xf32>
  %7 = arith.addf %4, %6 : tensor<3x16x26x16x2392xf32>
  %8 = math.absf %7 : tensor<3x16x26x16x2392xf32>
  %9 = arith.addf %8, %one : tensor<3x16x26x16x2392xf32>
  %10 = math.log %9 : tensor<3x16x26x16x2392xf32>
  %11 = arith.extf %z : tensor<26x2392xbf16> to tensor<26x2392xf32>
  %12 = graph.broadcast %11 dims = [2, 4] : tensor<26x2392xf32> to tensor<3x16x26x16x2392xf32>
  %13 = arith.minimumf %12, %10 : tensor<3x16x26x16x2392xf32>
  %14 = arith.extf %w : tensor<3x16x16x2392xbf16> to tensor<3x16x16x2392xf32>
  %15 = math.tanh %14 : tensor<3x16x16x2392xf32>
  %16 = graph.broadcast %15 dims = [0, 1, 3, 4] : tensor<3x16x16x2392xf32> to tensor<3x16x26x16x2392xf32>
  %17 = arith.mulf %13, %16 : tensor<3x16x26x16x2392xf32>
  %18 = arith.truncf %17 : tensor<3x16x26x16x2392xf32> to tensor<3x16x26x16x2392xbf16>
  %19 = arith.truncf %13 : tensor<3x16x26x16x2392xf32> to tensor<3x16x26x16x2392xbf16>
  %20 = math.tanh %0 : tensor<3x16x26x16x2392xf32>
  %21 = graph.transpose %20 permutation = [1, 0, 3, 4, 2] : tensor<3x16x26x16x2392xf32> to tensor<16x3x16x2392x26xf32>
  %22 = math.absf %21 : tensor<16x3x16x2392x26xf32>
  %two = arith.constant dense<1.0> : tensor<16x3x16x2392x26xf32>
  %23 = arith.addf %22, %two : tensor<16x3x16x2392x26xf32>
  %24 = math.sqrt %23 : tensor<16x3x16x2392x26xf32>
  %25 = graph.reduce max %24 dims = [2, 3, 4] : tensor<16x3x16x2392x26xf32> to tensor<16x3xf32>
  %26 = arith.truncf %24 : tensor<16x3x16x2392x26xf32> to tensor<16x3x16x2392x26xbf16>
  return %18, %19, %26, %25 : tensor<3x16x26x16x2392xbf16>, tensor<3x16x26x16x2392xbf16>, tensor<16x3x16x2392x26xbf16>, tensor<16x3xf32>
}
