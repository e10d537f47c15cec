// A mask that a large product's results are selected by, and one that they give: both go through shared memory by tensor maps, of
// bytes. There was no map of truth values, and no such product compiled.
// RUN: tw-check %s --target=sm_90a | FileCheck %s
// CHECK: 2 programs right, 0 wrong
func.func @dropout(%x: tensor<256x256xbf16>, %w: tensor<256x256xbf16>, %mask: tensor<256x256xi1>) -> tensor<256x256xbf16> {
  %p = graph.matmul %x, %w : tensor<256x256xbf16>, tensor<256x256xbf16> to tensor<256x256xf32>
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %q = arith.select %mask, %p, %zero : tensor<256x256xi1>, tensor<256x256xf32>
  %r = arith.truncf %q : tensor<256x256xf32> to tensor<256x256xbf16>
  return %r : tensor<256x256xbf16>
}
func.func @relu_and_its_mask(%x: tensor<256x256xbf16>, %w: tensor<256x256xbf16>) -> (tensor<256x256xbf16>, tensor<256x256xi1>) {
  %p = graph.matmul %x, %w : tensor<256x256xbf16>, tensor<256x256xbf16> to tensor<256x256xf32>
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %positive = arith.cmpf ogt, %p, %zero : tensor<256x256xf32>
  %q = arith.maximumf %p, %zero : tensor<256x256xf32>
  %r = arith.truncf %q : tensor<256x256xf32> to tensor<256x256xbf16>
  return %r, %positive : tensor<256x256xbf16>, tensor<256x256xi1>
}
