// What nobody needs but to select or move it and to round it then is rounded where it is computed: the narrow elements lie between
// the kernels.
// RUN: tw-opt %s --split-input-file --fuse-select-operands | FileCheck %s

// CHECK-LABEL: func.func @selected_twice
// CHECK: %[[SUM:.*]] = graph.reduce sum %arg0
// CHECK: %[[ROUNDED:.*]] = arith.truncf %[[SUM]] : tensor<64x48xf32> to tensor<64x48xbf16>
// CHECK: %[[ROWS:.*]] = graph.gather %[[ROUNDED]][%arg1] dim = 0 : tensor<64x48xbf16>, tensor<7xi64> to tensor<7x48xbf16>
// CHECK: %[[BOTH:.*]] = graph.gather %[[ROWS]][%arg2] dim = 1 : tensor<7x48xbf16>, tensor<5xi64> to tensor<7x5xbf16>
// CHECK: %[[PADDED:.*]] = graph.pad %[[BOTH]] {{.*}} value = 1.000000e+00 : bf16
// CHECK: return %[[PADDED]]
func.func @selected_twice(%x: tensor<64x3x48xf32>, %i: tensor<7xi64>, %j: tensor<5xi64>) -> tensor<9x5xbf16> {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x3x48xf32> to tensor<64x48xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<64x48xf32>, tensor<7xi64> to tensor<7x48xf32>
  %2 = graph.gather %1[%j] dim = 1 : tensor<7x48xf32>, tensor<5xi64> to tensor<7x5xf32>
  %3 = graph.pad %2 low = [1, 0] high = [1, 0] value = 1.0 : f32 : tensor<7x5xf32> to tensor<9x5xf32>
  %4 = arith.truncf %3 : tensor<9x5xf32> to tensor<9x5xbf16>
  return %4 : tensor<9x5xbf16>
}

// -----

// Parts are rounded one by one: what joins them has no tile of its own.
// CHECK-LABEL: func.func @joined
// CHECK: %[[SUM:.*]] = graph.reduce sum %arg1
// CHECK: %[[FIRST:.*]] = arith.truncf %arg0 : tensor<64x48xf32> to tensor<64x48xbf16>
// CHECK: %[[SECOND:.*]] = arith.truncf %[[SUM]] : tensor<64x48xf32> to tensor<64x48xbf16>
// CHECK: graph.concat %[[FIRST]], %[[SECOND]] dim = 0
// CHECK-NOT: arith.truncf
func.func @joined(%x: tensor<64x48xf32>, %y: tensor<64x3x48xf32>) -> tensor<48x128xbf16> {
  %0 = graph.reduce sum %y dims = [1] : tensor<64x3x48xf32> to tensor<64x48xf32>
  %1 = graph.concat %x, %0 dim = 0 : tensor<64x48xf32>, tensor<64x48xf32> to tensor<128x48xf32>
  %2 = graph.reshape %1 : tensor<128x48xf32> to tensor<48x128xf32>
  %3 = arith.truncf %2 : tensor<48x128xf32> to tensor<48x128xbf16>
  return %3 : tensor<48x128xbf16>
}

// -----

// 0.1 would be rounded as well; it is chosen behind the rounding's operand.
// CHECK-LABEL: func.func @outside_is_wide
// CHECK: graph.pad {{.*}} : f32
// CHECK: arith.truncf
func.func @outside_is_wide(%x: tensor<64x3x48xf32>) -> tensor<66x48xbf16> {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x3x48xf32> to tensor<64x48xf32>
  %1 = graph.pad %0 low = [1, 0] high = [1, 0] value = 0.1 : f32 : tensor<64x48xf32> to tensor<66x48xf32>
  %2 = arith.truncf %1 : tensor<66x48xf32> to tensor<66x48xbf16>
  return %2 : tensor<66x48xbf16>
}

// -----

// Others need the sums as they are, and an input lies in memory as it is.
// CHECK-LABEL: func.func @needed_wide
// CHECK: %[[SUM:.*]] = graph.reduce sum
// CHECK: graph.gather %[[SUM]]
// CHECK: graph.gather %arg0
// CHECK-NOT: graph.gather
// CHECK: return
func.func @needed_wide(%x: tensor<64x3x48xf32>, %i: tensor<7xi64>) -> (tensor<7x48xbf16>, tensor<64x48xf32>, tensor<7x3x48xbf16>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x3x48xf32> to tensor<64x48xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<64x48xf32>, tensor<7xi64> to tensor<7x48xf32>
  %2 = arith.truncf %1 : tensor<7x48xf32> to tensor<7x48xbf16>
  %3 = graph.gather %x[%i] dim = 0 : tensor<64x3x48xf32>, tensor<7xi64> to tensor<7x3x48xf32>
  %4 = arith.truncf %3 : tensor<7x3x48xf32> to tensor<7x3x48xbf16>
  return %2, %0, %4 : tensor<7x48xbf16>, tensor<64x48xf32>, tensor<7x3x48xbf16>
}
