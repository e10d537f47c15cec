// With a finite mask rows that keep nothing have the mean of all values: all steps are run.
// RUN: tw-check %s --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet
// REQUIRES: emulator

func.func @nothing_left(%q: tensor<1x256x64xbf16>, %k: tensor<1x256x64xbf16>, %v: tensor<1x256x64xbf16>) -> tensor<1x256x64xbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<1x256x64xbf16> to tensor<1x64x256xbf16>
  %s = graph.matmul %q, %kt : tensor<1x256x64xbf16>, tensor<1x64x256xbf16> to tensor<1x256x256xf32>
  %i = graph.iota dim = 1 : tensor<1x256x256xi32>
  %j = graph.iota dim = 2 : tensor<1x256x256xi32>
  %h = arith.constant dense<-70> : tensor<1x256x256xi32>
  %io = arith.addi %i, %h : tensor<1x256x256xi32>
  %c = arith.cmpi slt, %j, %io : tensor<1x256x256xi32>
  %n = arith.constant dense<-3.4028234e38> : tensor<1x256x256xf32>
  %x = arith.select %c, %s, %n : tensor<1x256x256xi1>, tensor<1x256x256xf32>
  %p = graph.softmax %x dim = 2 : tensor<1x256x256xf32> to tensor<1x256x256xf32>
  %t = arith.truncf %p : tensor<1x256x256xf32> to tensor<1x256x256xbf16>
  %0 = graph.matmul %t, %v : tensor<1x256x256xbf16>, tensor<1x256x64xbf16> to tensor<1x256x64xbf16>
  return %0 : tensor<1x256x64xbf16>
}
