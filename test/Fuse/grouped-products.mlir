// Products of rows by groups: what is computed behind them joins; two of the same rows and groups are one kernel, and not of other
// groups; ends that are computed, operands that are widened, and columns that are read in halves, are stored first.
// RUN: tw-compile %s --start-from=graph --stop-after=fuse --target=sm_90a -o - | FileCheck %s

// CHECK-LABEL: plan.program @gate
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @gate(%x: tensor<512x256xbf16>, %w: tensor<4x256x128xbf16>, %v: tensor<4x256x128xbf16>, %ends: tensor<4xi32>) -> tensor<512x128xf32> {
  %0 = graph.matmul %x, %w groups(%ends : tensor<4xi32>) : tensor<512x256xbf16>, tensor<4x256x128xbf16> to tensor<512x128xf32>
  %1 = graph.matmul %x, %v groups(%ends : tensor<4xi32>) : tensor<512x256xbf16>, tensor<4x256x128xbf16> to tensor<512x128xf32>
  %2 = math.tanh %0 : tensor<512x128xf32>
  %3 = arith.mulf %2, %1 : tensor<512x128xf32>
  return %3 : tensor<512x128xf32>
}

// CHECK-LABEL: plan.program @of_other_groups
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
func.func @of_other_groups(%x: tensor<512x256xbf16>, %w: tensor<4x256x128xbf16>, %v: tensor<4x256x128xbf16>, %ends: tensor<4xi32>, %others: tensor<4xi32>) -> tensor<512x128xf32> {
  %0 = graph.matmul %x, %w groups(%ends : tensor<4xi32>) : tensor<512x256xbf16>, tensor<4x256x128xbf16> to tensor<512x128xf32>
  %1 = graph.matmul %x, %v groups(%others : tensor<4xi32>) : tensor<512x256xbf16>, tensor<4x256x128xbf16> to tensor<512x128xf32>
  %3 = arith.mulf %0, %1 : tensor<512x128xf32>
  return %3 : tensor<512x128xf32>
}

// CHECK-LABEL: plan.program @computed
// CHECK-COUNT-4: plan.launch
// CHECK-NOT: plan.launch
func.func @computed(%x: tensor<512x256xbf16>, %w: tensor<4x256x256xi8>, %counts: tensor<4xi32>) -> tensor<512x128xf32> {
  %ends = graph.scan sum %counts dim = 0 : tensor<4xi32>
  %wide = arith.sitofp %w : tensor<4x256x256xi8> to tensor<4x256x256xbf16>
  %0 = graph.matmul %x, %wide groups(%ends : tensor<4xi32>) : tensor<512x256xbf16>, tensor<4x256x256xbf16> to tensor<512x256xf32>
  %1 = graph.slice %0 offsets = [0, 0] strides = [1, 1] : tensor<512x256xf32> to tensor<512x128xf32>
  %2 = graph.slice %0 offsets = [0, 128] strides = [1, 1] : tensor<512x256xf32> to tensor<512x128xf32>
  %3 = arith.mulf %1, %2 : tensor<512x128xf32>
  return %3 : tensor<512x128xf32>
}

// CHECK-LABEL: plan.program @chained
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
func.func @chained(%x: tensor<512x64xbf16>, %w: tensor<4x64x128xbf16>, %v: tensor<4x128x64xbf16>, %ends: tensor<4xi32>) -> tensor<512x64xf32> {
  %0 = graph.matmul %x, %w groups(%ends : tensor<4xi32>) : tensor<512x64xbf16>, tensor<4x64x128xbf16> to tensor<512x128xf32>
  %1 = math.tanh %0 : tensor<512x128xf32>
  %2 = arith.truncf %1 : tensor<512x128xf32> to tensor<512x128xbf16>
  %3 = graph.matmul %2, %v groups(%ends : tensor<4xi32>) : tensor<512x128xbf16>, tensor<4x128x64xbf16> to tensor<512x64xf32>
  return %3 : tensor<512x64xf32>
}
