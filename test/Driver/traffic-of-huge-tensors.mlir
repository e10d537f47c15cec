// The model of the cache walked through tensors of any size in pages of 16 KiB: a program of 4 TiB took for ever.
// RUN: not tw-compile %s -o %t.tw 2>&1 | FileCheck %s
// CHECK: error: a dimension of 1099511627776 elements is more than
func.func @main(%x: tensor<1099511627776xf32>) -> tensor<1099511627776xf32> {
  %0 = math.exp %x : tensor<1099511627776xf32>
  return %0 : tensor<1099511627776xf32>
}
