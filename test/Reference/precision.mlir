// Native precision rounds where the program does; fp64 leaves casts between floats out.
// RUN: tw-reference %s --default-arg=splat:1.0039 | FileCheck %s --check-prefix=NATIVE
// RUN: tw-reference %s --default-arg=splat:1.0039 --precision=f64 | FileCheck %s --check-prefix=WIDE

func.func @main(%x: tensor<1x2xf32>) -> (tensor<1x2xbf16>, tensor<1x2xf16>, tensor<1x1xf32>, tensor<1xbf16>) {
  // 1.0039 lies between the bf16 neighbours 1 and 1.0078125.
  // NATIVE: 0 : tensor<1x2xbf16> = 1 1
  // WIDE: 0 : tensor<1x2xf64> = 1.0039 1.0039
  %0 = arith.truncf %x : tensor<1x2xf32> to tensor<1x2xbf16>
  // NATIVE: 1 : tensor<1x2xf16> = 1.003906 1.003906
  // WIDE: 1 : tensor<1x2xf64> = 1.0039 1.0039
  %1 = arith.truncf %x : tensor<1x2xf32> to tensor<1x2xf16>
  // Products of bf16 accumulate in fp32.
  // NATIVE: 2 : tensor<1x1xf32> = 2.015625
  // WIDE: 2 : tensor<1x1xf64> = 2.023486
  %a = arith.constant dense<1.0078125> : tensor<2x1xbf16>
  %c = graph.reshape %a : tensor<2x1xbf16> to tensor<1x2xbf16>
  %m = graph.matmul %0, %a : tensor<1x2xbf16>, tensor<2x1xbf16> to tensor<1x1xf32>
  // So do sums: the bf16 sum of 1.0078125 + 1.0078125 is exact.
  // NATIVE: 3 : tensor<1xbf16> = 2.015625
  // WIDE: 3 : tensor<1xf64> = 2.015625
  %s = graph.reduce sum %c dims = [1] : tensor<1x2xbf16> to tensor<1xbf16>
  return %0, %1, %m, %s : tensor<1x2xbf16>, tensor<1x2xf16>, tensor<1x1xf32>, tensor<1xbf16>
}
