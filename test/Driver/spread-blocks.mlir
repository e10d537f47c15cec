// Few blocks that start beside another kernel ask for shared memory that keeps them on multiprocessors of their own: 96 blocks
// of 512 threads in clusters of two, three of which have room on one.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --target=sm_90a --dump-stages=%t/on --remarks=%t/remarks.yaml -o %t/on.tw
// RUN: FileCheck %s --input-file=%t/on/07-package.json
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks.yaml
// RUN: tw-compile %s --target=sm_90a --dump-stages=%t/off --spread-blocks=off -o %t/off.tw
// RUN: FileCheck %s --check-prefix=OFF --input-file=%t/off/07-package.json
// RUN: tw-compile %s --target=sm_80 --target=sm_90a --dump-stages=%t/two -o %t/two.tw
// RUN: FileCheck %s --check-prefix=OFF --input-file=%t/two/07-package.json
// RUN: not tw-compile %s --spread-blocks=maybe -o %t/no.tw 2>&1 | FileCheck %s --check-prefix=FLAG
// FLAG: --spread-blocks=maybe
// CHECK: "shared_bytes": 115840
// OFF-NOT: "shared_bytes": 115840
// REMARK: BlocksSpread
// REMARK: {{each: *}}'1'
func.func @main(%arg0: tensor<8x6x88x32x12xbf16>, %arg1: tensor<8xbf16>, %arg2: tensor<24xbf16>, %arg3: tensor<8x6x32x12xbf16>) -> (tensor<8x6x88x32x24xbf16>, tensor<8x6x88x32x24xbf16>, tensor<32x88x6x8x12xbf16>) {
  %0 = arith.extf %arg0 : tensor<8x6x88x32x12xbf16> to tensor<8x6x88x32x12xf32>
  %1 = arith.addf %0, %0 : tensor<8x6x88x32x12xf32>
  %2 = arith.extf %arg1 : tensor<8xbf16> to tensor<8xf32>
  %3 = graph.broadcast %2 dims = [0] : tensor<8xf32> to tensor<8x6x88x32x12xf32>
  %4 = math.tanh %1 : tensor<8x6x88x32x12xf32>
  %5 = arith.mulf %3, %4 : tensor<8x6x88x32x12xf32>
  %6 = graph.concat %0, %1 dim = 4 : tensor<8x6x88x32x12xf32>, tensor<8x6x88x32x12xf32> to tensor<8x6x88x32x24xf32>
  %7 = arith.extf %arg2 : tensor<24xbf16> to tensor<24xf32>
  %8 = graph.rms_norm %6 scale(%7 : tensor<24xf32>) dim = 4 epsilon = 1.000000e-02 : tensor<8x6x88x32x24xf32> to tensor<8x6x88x32x24xf32>
  %9 = graph.reduce max %6 dims = [2, 3, 4] : tensor<8x6x88x32x24xf32> to tensor<8x6xf32>
  %10 = graph.broadcast %9 dims = [0, 1] : tensor<8x6xf32> to tensor<8x6x88x32x24xf32>
  %11 = arith.addf %6, %10 : tensor<8x6x88x32x24xf32>
  %12 = graph.reduce min %8 dims = [0] : tensor<8x6x88x32x24xf32> to tensor<6x88x32x24xf32>
  %13 = graph.broadcast %12 dims = [1, 2, 3, 4] : tensor<6x88x32x24xf32> to tensor<8x6x88x32x24xf32>
  %14 = arith.subf %8, %13 : tensor<8x6x88x32x24xf32>
  %15 = arith.extf %arg3 : tensor<8x6x32x12xbf16> to tensor<8x6x32x12xf32>
  %16 = graph.broadcast %15 dims = [0, 1, 3, 4] : tensor<8x6x32x12xf32> to tensor<8x6x88x32x12xf32>
  %17 = math.tanh %5 : tensor<8x6x88x32x12xf32>
  %18 = arith.mulf %16, %17 : tensor<8x6x88x32x12xf32>
  %19 = graph.rms_norm %18 dim = 2 epsilon = 1.000000e-02 : tensor<8x6x88x32x12xf32> to tensor<8x6x88x32x12xf32>
  %20 = graph.transpose %19 permutation = [3, 2, 1, 0, 4] : tensor<8x6x88x32x12xf32> to tensor<32x88x6x8x12xf32>
  %21 = arith.truncf %14 : tensor<8x6x88x32x24xf32> to tensor<8x6x88x32x24xbf16>
  %22 = arith.truncf %11 : tensor<8x6x88x32x24xf32> to tensor<8x6x88x32x24xbf16>
  %23 = arith.truncf %20 : tensor<32x88x6x8x12xf32> to tensor<32x88x6x8x12xbf16>
  return %21, %22, %23 : tensor<8x6x88x32x24xbf16>, tensor<8x6x88x32x24xbf16>, tensor<32x88x6x8x12xbf16>
}
