// What is the same all along a reduced dimension is reduced without it (graph-reduce-repeated): sums are multiplied, bounds
// are not, and what is not the same stays.
// RUN: tw-check %s --target=sm_90a
// RUN: tw-compile %s --target=sm_90a --stop-after=fuse -o - | FileCheck %s
// CHECK: reduce sum {{.*}} : tensor<37xf32> to tensor<f32>
// CHECK: reduce sum {{.*}} : tensor<50x7xf32> to tensor<7xf32>
func.func @sum_of_all(%x: tensor<37xf32>) -> tensor<f32> {
  %0 = graph.broadcast %x dims = [0] : tensor<37xf32> to tensor<37x30000xf32>
  %1 = math.exp %0 : tensor<37x30000xf32>
  %2 = graph.reshape %1 : tensor<37x30000xf32> to tensor<1110000xf32>
  %3 = graph.reduce sum %2 dims = [0] : tensor<1110000xf32> to tensor<f32>
  return %3 : tensor<f32>
}
func.func @some_dimensions(%x: tensor<50x7xf32>, %y: tensor<7xf32>) -> (tensor<7xf32>, tensor<30xf32>, tensor<50x110xf32>) {
  %0 = graph.broadcast %x dims = [1, 3] : tensor<50x7xf32> to tensor<30x50x110x7xf32>
  %1 = graph.broadcast %y dims = [3] : tensor<7xf32> to tensor<30x50x110x7xf32>
  %c = arith.constant dense<2.0> : tensor<30x50x110x7xf32>
  %2 = arith.addf %0, %1 : tensor<30x50x110x7xf32>
  %3 = arith.mulf %2, %c : tensor<30x50x110x7xf32>
  %4 = graph.reduce sum %3 dims = [0, 1, 2] : tensor<30x50x110x7xf32> to tensor<7xf32>
  %5 = graph.reduce max %3 dims = [1, 2, 3] : tensor<30x50x110x7xf32> to tensor<30xf32>
  %6 = graph.reduce min %3 dims = [0, 3] : tensor<30x50x110x7xf32> to tensor<50x110xf32>
  return %4, %5, %6 : tensor<7xf32>, tensor<30xf32>, tensor<50x110xf32>
}
func.func @sum_of_one_dimension(%x: tensor<1x9xf32>) -> (tensor<9xf32>, tensor<f32>) {
  %0 = graph.broadcast %x dims = [0, 1] : tensor<1x9xf32> to tensor<131072x9xf32>
  %1 = arith.negf %0 : tensor<131072x9xf32>
  %2 = graph.reduce sum %1 dims = [0] : tensor<131072x9xf32> to tensor<9xf32>
  %c = arith.constant dense<0.5> : tensor<131072x9xf32>
  %3 = graph.reduce sum %c dims = [0, 1] : tensor<131072x9xf32> to tensor<f32>
  return %2, %3 : tensor<9xf32>, tensor<f32>
}
// 16-bit sums, whole numbers and products are formed term by term, and so is what is small.
func.func @term_by_term(%x: tensor<6xbf16>, %y: tensor<6xi32>, %z: tensor<6xf32>) -> (tensor<6xbf16>, tensor<6xi32>, tensor<6xf32>, tensor<6xi32>) {
  %0 = graph.broadcast %x dims = [0] : tensor<6xbf16> to tensor<6x33xbf16>
  %1 = graph.reduce sum %0 dims = [1] : tensor<6x33xbf16> to tensor<6xbf16>
  %2 = graph.broadcast %y dims = [0] : tensor<6xi32> to tensor<6x33xi32>
  %3 = graph.reduce sum %2 dims = [1] : tensor<6x33xi32> to tensor<6xi32>
  %4 = graph.broadcast %z dims = [0] : tensor<6xf32> to tensor<6x3xf32>
  %5 = graph.reduce prod %4 dims = [1] : tensor<6x3xf32> to tensor<6xf32>
  %6 = graph.reduce max %2 dims = [1] : tensor<6x33xi32> to tensor<6xi32>
  return %1, %3, %5, %6 : tensor<6xbf16>, tensor<6xi32>, tensor<6xf32>, tensor<6xi32>
}
// The half of a concatenation that is a repeated vector.
func.func @of_a_part(%x: tensor<64x16400xf32>, %y: tensor<64xf32>) -> (tensor<2099200xf32>, tensor<f32>) {
  %0 = math.tanh %x : tensor<64x16400xf32>
  %1 = graph.broadcast %y dims = [0] : tensor<64xf32> to tensor<64x16400xf32>
  %2 = graph.concat %0, %1 dim = 0 : tensor<64x16400xf32>, tensor<64x16400xf32> to tensor<128x16400xf32>
  %3 = graph.reshape %2 : tensor<128x16400xf32> to tensor<2099200xf32>
  %4 = arith.negf %3 : tensor<2099200xf32>
  %5 = graph.reduce sum %4 dims = [0] : tensor<2099200xf32> to tensor<f32>
  %6 = graph.broadcast %5 dims = [] : tensor<f32> to tensor<2099200xf32>
  %7 = arith.subf %4, %6 : tensor<2099200xf32>
  return %7, %5 : tensor<2099200xf32>, tensor<f32>
}
