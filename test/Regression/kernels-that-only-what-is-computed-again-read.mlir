// Ops that are computed again elsewhere were all that needed another kernel's results; that one stayed, without any, and
// partitioning died of it.
// RUN: tw-opt %s --fuse-partition-kernels | FileCheck %s

// CHECK-COUNT-2: graph.kernel
// CHECK-NOT: graph.kernel
func.func @main(%arg0: tensor<26878x121x11xbf16>, %arg1: tensor<11xbf16>) -> (tensor<33x121x11xf32>) {
  %cst = arith.constant dense<0.00999999977> : tensor<24833x121xf32>
  %cst_0 = arith.constant dense<1.100000e+01> : tensor<24833x121xf32>
  %cst_4 = arith.constant dense<1.000000e+00> : tensor<24833x121x11xf32>
  %0 = arith.extf %arg0 : tensor<26878x121x11xbf16> to tensor<26878x121x11xf32>
  %1 = graph.slice %0 offsets = [1667, 0, 0] strides = [1, 1, 1] : tensor<26878x121x11xf32> to tensor<24833x121x11xf32>
  %4 = math.tanh %1 : tensor<24833x121x11xf32>
  %5 = arith.mulf %1, %4 : tensor<24833x121x11xf32>
  %6 = arith.extf %arg1 : tensor<11xbf16> to tensor<11xf32>
  %7 = graph.reduce sum %5 dims = [2] : tensor<24833x121x11xf32> to tensor<24833x121xf32>
  %8 = arith.divf %7, %cst_0 : tensor<24833x121xf32>
  %9 = graph.broadcast %8 dims = [0, 1] : tensor<24833x121xf32> to tensor<24833x121x11xf32>
  %10 = arith.subf %5, %9 : tensor<24833x121x11xf32>
  %11 = arith.mulf %10, %10 : tensor<24833x121x11xf32>
  %12 = graph.reduce sum %11 dims = [2] : tensor<24833x121x11xf32> to tensor<24833x121xf32>
  %13 = arith.divf %12, %cst_0 : tensor<24833x121xf32>
  %14 = arith.addf %13, %cst : tensor<24833x121xf32>
  %15 = math.rsqrt %14 : tensor<24833x121xf32>
  %16 = graph.broadcast %15 dims = [0, 1] : tensor<24833x121xf32> to tensor<24833x121x11xf32>
  %18 = graph.broadcast %6 dims = [2] : tensor<11xf32> to tensor<24833x121x11xf32>
  %38 = graph.slice %arg0 offsets = [26467, 0, 0] strides = [1, 1, 1] : tensor<26878x121x11xbf16> to tensor<33x121x11xbf16>
  %39 = arith.extf %38 : tensor<33x121x11xbf16> to tensor<33x121x11xf32>
  %40 = graph.slice %arg0 offsets = [26467, 0, 0] strides = [1, 1, 1] : tensor<26878x121x11xbf16> to tensor<33x121x11xbf16>
  %41 = arith.extf %40 : tensor<33x121x11xbf16> to tensor<33x121x11xf32>
  %42 = math.tanh %41 : tensor<33x121x11xf32>
  %43 = arith.mulf %39, %42 : tensor<33x121x11xf32>
  %44 = graph.slice %9 offsets = [24800, 0, 0] strides = [1, 1, 1] : tensor<24833x121x11xf32> to tensor<33x121x11xf32>
  %45 = arith.subf %43, %44 : tensor<33x121x11xf32>
  %46 = graph.slice %16 offsets = [24800, 0, 0] strides = [1, 1, 1] : tensor<24833x121x11xf32> to tensor<33x121x11xf32>
  %47 = arith.mulf %45, %46 : tensor<33x121x11xf32>
  %48 = graph.slice %18 offsets = [24800, 0, 0] strides = [1, 1, 1] : tensor<24833x121x11xf32> to tensor<33x121x11xf32>
  %49 = arith.mulf %47, %48 : tensor<33x121x11xf32>
  %50 = math.erf %49 : tensor<33x121x11xf32>
  %51 = math.absf %50 : tensor<33x121x11xf32>
  %52 = graph.slice %cst_4 offsets = [24800, 0, 0] strides = [1, 1, 1] : tensor<24833x121x11xf32> to tensor<33x121x11xf32>
  %53 = arith.addf %51, %52 : tensor<33x121x11xf32>
  %54 = math.sqrt %53 : tensor<33x121x11xf32>
  %55 = math.tanh %54 : tensor<33x121x11xf32>
  %56 = graph.slice %arg0 offsets = [26467, 0, 0] strides = [1, 1, 1] : tensor<26878x121x11xbf16> to tensor<33x121x11xbf16>
  %57 = arith.extf %56 : tensor<33x121x11xbf16> to tensor<33x121x11xf32>
  %58 = graph.slice %arg0 offsets = [26467, 0, 0] strides = [1, 1, 1] : tensor<26878x121x11xbf16> to tensor<33x121x11xbf16>
  %59 = arith.extf %58 : tensor<33x121x11xbf16> to tensor<33x121x11xf32>
  %60 = math.tanh %59 : tensor<33x121x11xf32>
  %61 = arith.mulf %57, %60 : tensor<33x121x11xf32>
  %62 = graph.slice %9 offsets = [24800, 0, 0] strides = [1, 1, 1] : tensor<24833x121x11xf32> to tensor<33x121x11xf32>
  %63 = arith.subf %61, %62 : tensor<33x121x11xf32>
  %64 = graph.slice %16 offsets = [24800, 0, 0] strides = [1, 1, 1] : tensor<24833x121x11xf32> to tensor<33x121x11xf32>
  %65 = arith.mulf %63, %64 : tensor<33x121x11xf32>
  %66 = graph.slice %18 offsets = [24800, 0, 0] strides = [1, 1, 1] : tensor<24833x121x11xf32> to tensor<33x121x11xf32>
  %67 = arith.mulf %65, %66 : tensor<33x121x11xf32>
  %68 = math.erf %67 : tensor<33x121x11xf32>
  %69 = math.absf %68 : tensor<33x121x11xf32>
  %70 = graph.slice %cst_4 offsets = [24800, 0, 0] strides = [1, 1, 1] : tensor<24833x121x11xf32> to tensor<33x121x11xf32>
  %71 = arith.addf %69, %70 : tensor<33x121x11xf32>
  %72 = math.sqrt %71 : tensor<33x121x11xf32>
  %73 = arith.mulf %55, %72 : tensor<33x121x11xf32>
  return %73 : tensor<33x121x11xf32>
}
