// Tiles of six columns that are copied ahead had six warps, and the compiler ended.
// RUN: tw-compile %s --emit=tile -o - | FileCheck %s
// CHECK: tile.kernel @reduction_reduce grid = {{.*}} warps = {{1|2|4|8|16|32}} 
// CHECK-NOT: warps = 6
func.func @main(%x: tensor<359x12272x6xbf16>) -> (tensor<12272x359x6xf32>, tensor<6xf32>, tensor<12272x359x6xf32>) {
  %one = arith.constant dense<1.0> : tensor<359x12272x6xf32>
  %zero = arith.constant dense<0.0> : tensor<12272x359x6xf32>
  %wide = arith.extf %x : tensor<359x12272x6xbf16> to tensor<359x12272x6xf32>
  %size = math.absf %wide : tensor<359x12272x6xf32>
  %more = arith.addf %size, %one : tensor<359x12272x6xf32>
  %root = math.rsqrt %more : tensor<359x12272x6xf32>
  %least = arith.minimumf %wide, %root : tensor<359x12272x6xf32>
  %turned = graph.transpose %least permutation = [1, 0, 2] : tensor<359x12272x6xf32> to tensor<12272x359x6xf32>
  %most = arith.maximumf %turned, %zero : tensor<12272x359x6xf32>
  %sum = graph.reduce sum %most dims = [0, 1] : tensor<12272x359x6xf32> to tensor<6xf32>
  %sums = graph.broadcast %sum dims = [2] : tensor<6xf32> to tensor<12272x359x6xf32>
  %away = arith.subf %most, %sums : tensor<12272x359x6xf32>
  return %away, %sum, %turned : tensor<12272x359x6xf32>, tensor<6xf32>, tensor<12272x359x6xf32>
}
