// Rows and columns of one tile, and an input that is gathered beside: a multiprocessor has room for one block, which loads, computes
// and stores in turns. Modelled on the code that was assembled, two kernels are faster, and they take its place.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/model.tw --emulation=off --report=text --remarks=%t/remarks.yaml | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks.yaml

// CHECK: reduction_{{.*}}_part0
// CHECK: reduction_{{.*}}_part1

// REMARK: Name: {{ *}}ResultsDivided
// REMARK: one_us:
// REMARK: count: {{ *}}'2'
// REMARK: apart_us:
func.func @main(%arg0: tensor<32x20x5x80x77xbf16>, %arg1: tensor<5xi64>, %arg2: tensor<32x5x80x77xbf16>, %arg3: tensor<32x20x80xbf16>) -> (tensor<32x20x10x80x77xbf16>, tensor<32x20x5x80x77xbf16>, tensor<32x20x5x80x77xbf16>) {
  %0 = arith.extf %arg0 : tensor<32x20x5x80x77xbf16> to tensor<32x20x5x80x77xf32>
  %1 = graph.gather %0[%arg1] dim = 2 : tensor<32x20x5x80x77xf32>, tensor<5xi64> to tensor<32x20x5x80x77xf32>
  %2 = arith.extf %arg2 : tensor<32x5x80x77xbf16> to tensor<32x5x80x77xf32>
  %3 = graph.broadcast %2 dims = [0, 2, 3, 4] : tensor<32x5x80x77xf32> to tensor<32x20x5x80x77xf32>
  %4 = arith.addf %3, %1 : tensor<32x20x5x80x77xf32>
  %5 = graph.reduce sum %1 dims = [4] : tensor<32x20x5x80x77xf32> to tensor<32x20x5x80xf32>
  %cst = arith.constant dense<0.012987013> : tensor<32x20x5x80xf32>
  %6 = arith.mulf %5, %cst : tensor<32x20x5x80xf32>
  %7 = graph.broadcast %6 dims = [0, 1, 2, 3] : tensor<32x20x5x80xf32> to tensor<32x20x5x80x77xf32>
  %8 = arith.subf %1, %7 : tensor<32x20x5x80x77xf32>
  %9 = math.tanh %4 : tensor<32x20x5x80x77xf32>
  %10 = arith.subf %8, %9 : tensor<32x20x5x80x77xf32>
  %11 = graph.reduce max %10 dims = [4] : tensor<32x20x5x80x77xf32> to tensor<32x20x5x80xf32>
  %12 = graph.broadcast %11 dims = [0, 1, 2, 3] : tensor<32x20x5x80xf32> to tensor<32x20x5x80x77xf32>
  %13 = arith.subf %10, %12 : tensor<32x20x5x80x77xf32>
  %14 = arith.extf %arg3 : tensor<32x20x80xbf16> to tensor<32x20x80xf32>
  %15 = graph.broadcast %14 dims = [0, 1, 3] : tensor<32x20x80xf32> to tensor<32x20x5x80x77xf32>
  %16 = graph.concat %4, %15 dim = 2 : tensor<32x20x5x80x77xf32>, tensor<32x20x5x80x77xf32> to tensor<32x20x10x80x77xf32>
  %17 = graph.reduce sum %13 dims = [0] : tensor<32x20x5x80x77xf32> to tensor<20x5x80x77xf32>
  %cst_0 = arith.constant dense<3.125000e-02> : tensor<20x5x80x77xf32>
  %18 = arith.mulf %17, %cst_0 : tensor<20x5x80x77xf32>
  %19 = graph.broadcast %18 dims = [1, 2, 3, 4] : tensor<20x5x80x77xf32> to tensor<32x20x5x80x77xf32>
  %20 = arith.subf %13, %19 : tensor<32x20x5x80x77xf32>
  %21 = graph.reduce sum %8 dims = [0, 1, 2, 3] : tensor<32x20x5x80x77xf32> to tensor<77xf32>
  %cst_1 = arith.constant dense<3.906250e-06> : tensor<77xf32>
  %22 = arith.mulf %21, %cst_1 : tensor<77xf32>
  %23 = graph.broadcast %22 dims = [4] : tensor<77xf32> to tensor<32x20x5x80x77xf32>
  %24 = arith.addf %8, %23 : tensor<32x20x5x80x77xf32>
  %25 = arith.truncf %16 : tensor<32x20x10x80x77xf32> to tensor<32x20x10x80x77xbf16>
  %26 = arith.truncf %24 : tensor<32x20x5x80x77xf32> to tensor<32x20x5x80x77xbf16>
  %27 = arith.truncf %20 : tensor<32x20x5x80x77xf32> to tensor<32x20x5x80x77xbf16>
  return %25, %26, %27 : tensor<32x20x10x80x77xbf16>, tensor<32x20x5x80x77xbf16>, tensor<32x20x5x80x77xbf16>
}
