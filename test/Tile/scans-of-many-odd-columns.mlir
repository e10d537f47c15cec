// Columns that are scanned of rows that begin anywhere: blocks have so many side by side that all of them run at once, and no
// more than leave two blocks for a multiprocessor.
// RUN: tw-compile %s --stop-after=tile --target=sm_90a -o - | FileCheck %s

// CHECK: tile.kernel @{{.*}} tile.schedule = #tile.schedule<tile = [32, 64]
func.func @many(%x: tensor<2086x33678xf32>) -> tensor<2086x33678xf32> {
  %0 = graph.scan max %x dim = 0 : tensor<2086x33678xf32>
  return %0 : tensor<2086x33678xf32>
}
// CHECK: tile.kernel @{{.*}} tile.schedule = #tile.schedule<tile = [64, 32]
func.func @some(%x: tensor<4097x9001xf32>) -> tensor<4097x9001xf32> {
  %0 = graph.scan max %x dim = 0 : tensor<4097x9001xf32>
  return %0 : tensor<4097x9001xf32>
}
// Few, and such of rows that begin at sectors.
// CHECK: tile.kernel @{{.*}} tile.schedule = #tile.schedule<tile = [128, 16]
func.func @few(%x: tensor<4096x4099xf32>) -> tensor<4096x4099xf32> {
  %0 = graph.scan max %x dim = 0 : tensor<4096x4099xf32>
  return %0 : tensor<4096x4099xf32>
}
// CHECK: tile.kernel @{{.*}} tile.schedule = #tile.schedule<tile = [128, 16]
func.func @aligned(%x: tensor<4097x9000xf32>) -> tensor<4097x9000xf32> {
  %0 = graph.scan max %x dim = 0 : tensor<4097x9000xf32>
  return %0 : tensor<4097x9000xf32>
}
