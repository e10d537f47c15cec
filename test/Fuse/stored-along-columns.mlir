// Columns less their means, beside a result of every element that needs no sum. Where rows begin anywhere in a sector that is stored
// by a kernel of its own, along memory; where they begin at whole ones a cluster keeps the columns, and one kernel stores it all.
// RUN: tw-compile %s --start-from=fuse --stop-after=fuse --target=sm_90a -o - | FileCheck %s

// CHECK-LABEL: plan.program @anywhere
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @anywhere(%x: tensor<10198x4052xbf16>) -> (tensor<10198x1013x8xbf16>, tensor<10198x4052xbf16>) {
  %0 = arith.extf %x : tensor<10198x4052xbf16> to tensor<10198x4052xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<10198x4052xf32> to tensor<4052xf32>
  %2 = graph.broadcast %1 dims = [1] : tensor<4052xf32> to tensor<10198x4052xf32>
  %3 = arith.subf %0, %2 : tensor<10198x4052xf32>
  %4 = arith.negf %x : tensor<10198x4052xbf16>
  %5 = graph.reshape %4 : tensor<10198x4052xbf16> to tensor<10198x1013x4xbf16>
  %6 = graph.concat %5, %5 dim = 2 : tensor<10198x1013x4xbf16>, tensor<10198x1013x4xbf16> to tensor<10198x1013x8xbf16>
  %7 = arith.truncf %3 : tensor<10198x4052xf32> to tensor<10198x4052xbf16>
  return %6, %7 : tensor<10198x1013x8xbf16>, tensor<10198x4052xbf16>
}

// Columns of two dimensions that follow one another are columns of one, whatever the inner one's rows begin at.
// CHECK-LABEL: plan.program @of_two_dimensions
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @of_two_dimensions(%x: tensor<998x32x998xbf16>) -> (tensor<998x32x998xbf16>, tensor<998x32x998xbf16>) {
  %0 = arith.extf %x : tensor<998x32x998xbf16> to tensor<998x32x998xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<998x32x998xf32> to tensor<32x998xf32>
  %2 = graph.broadcast %1 dims = [1, 2] : tensor<32x998xf32> to tensor<998x32x998xf32>
  %3 = arith.subf %0, %2 : tensor<998x32x998xf32>
  %4 = math.rsqrt %0 : tensor<998x32x998xf32>
  %5 = arith.truncf %3 : tensor<998x32x998xf32> to tensor<998x32x998xbf16>
  %6 = arith.truncf %4 : tensor<998x32x998xf32> to tensor<998x32x998xbf16>
  return %5, %6 : tensor<998x32x998xbf16>, tensor<998x32x998xbf16>
}

// CHECK-LABEL: plan.program @whole_sectors
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @whole_sectors(%x: tensor<10198x4096xbf16>) -> (tensor<10198x1024x8xbf16>, tensor<10198x4096xbf16>) {
  %0 = arith.extf %x : tensor<10198x4096xbf16> to tensor<10198x4096xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<10198x4096xf32> to tensor<4096xf32>
  %2 = graph.broadcast %1 dims = [1] : tensor<4096xf32> to tensor<10198x4096xf32>
  %3 = arith.subf %0, %2 : tensor<10198x4096xf32>
  %4 = arith.negf %x : tensor<10198x4096xbf16>
  %5 = graph.reshape %4 : tensor<10198x4096xbf16> to tensor<10198x1024x4xbf16>
  %6 = graph.concat %5, %5 dim = 2 : tensor<10198x1024x4xbf16>, tensor<10198x1024x4xbf16> to tensor<10198x1024x8xbf16>
  %7 = arith.truncf %3 : tensor<10198x4096xf32> to tensor<10198x4096xbf16>
  return %6, %7 : tensor<10198x1024x8xbf16>, tensor<10198x4096xbf16>
}
