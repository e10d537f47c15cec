// Results that are padded, joined and reshaped stand at different places of the domain that one kernel goes through: modelled on
// the code that was assembled (of functions that are exact to the bit), two kernels are faster, and they take its place. They give
// the values of the whole; a second run, with all kernels from the cache, gives the same bytes.
// REQUIRES: ptxas, emulator
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --math=exact -o %t/model.tw --emulation=off --report=text --remarks=%t/remarks.yaml --kernel-cache=%t/cache | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks.yaml
// RUN: tw-compile %s --math=exact -o %t/again.tw --emulation=off --kernel-cache=%t/cache && cmp %t/model.tw %t/again.tw
// RUN: tw-compile %s --math=exact -o %t/values.tw --golden=1 --kernel-cache=%t/cache && tw-run %t/values.tw --device=emulator --self-test

// CHECK: extf_truncf_part0
// CHECK: extf_truncf_part1
// CHECK: main: 3 launches

// REMARK: Name: {{ *}}ResultsDivided
// REMARK: kernel: {{ *}}extf_truncf
// REMARK: one_us:
// REMARK: apart_us:
func.func @main(%arg0: tensor<8x355952xbf16>, %arg1: tensor<355952xbf16>) -> (tensor<16x355952xbf16>, tensor<16x355952xbf16>, tensor<44494x12x8xbf16>) {
  %0 = arith.extf %arg0 : tensor<8x355952xbf16> to tensor<8x355952xf32>
  %1 = graph.pad %0 low = [2, 0] high = [2, 0] value = 0.000000e+00 : f32 : tensor<8x355952xf32> to tensor<12x355952xf32>
  %2 = graph.pad %1 low = [3, 0] high = [1, 0] value = 0.000000e+00 : f32 : tensor<12x355952xf32> to tensor<16x355952xf32>
  %3 = graph.reduce sum %1 dims = [1] : tensor<12x355952xf32> to tensor<12xf32>
  %cst = arith.constant dense<2.80936752E-6> : tensor<12xf32>
  %4 = arith.mulf %3, %cst : tensor<12xf32>
  %5 = graph.broadcast %4 dims = [0] : tensor<12xf32> to tensor<12x355952xf32>
  %6 = arith.subf %1, %5 : tensor<12x355952xf32>
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<8x355952xf32>
  %7 = arith.maximumf %0, %cst_0 : tensor<8x355952xf32>
  %8 = graph.reshape %6 : tensor<12x355952xf32> to tensor<44494x12x8xf32>
  %9 = arith.extf %arg1 : tensor<355952xbf16> to tensor<355952xf32>
  %10 = graph.broadcast %9 dims = [1] : tensor<355952xf32> to tensor<8x355952xf32>
  %11 = graph.concat %7, %10 dim = 0 : tensor<8x355952xf32>, tensor<8x355952xf32> to tensor<16x355952xf32>
  %12 = math.tanh %11 : tensor<16x355952xf32>
  %13 = arith.maximumf %11, %12 : tensor<16x355952xf32>
  %14 = arith.truncf %13 : tensor<16x355952xf32> to tensor<16x355952xbf16>
  %15 = arith.truncf %2 : tensor<16x355952xf32> to tensor<16x355952xbf16>
  %16 = arith.truncf %8 : tensor<44494x12x8xf32> to tensor<44494x12x8xbf16>
  return %14, %15, %16 : tensor<16x355952xbf16>, tensor<16x355952xbf16>, tensor<44494x12x8xbf16>
}
