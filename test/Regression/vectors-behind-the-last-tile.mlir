// A tile that ends with its tensor was loaded in vectors that begin within those of its threads, the last of which goes on
// behind the tile, and went on behind the tensor.
// RUN: tw-check %s
// RUN: tw-check %s --target=sm_90a
func.func @main(%x: tensor<2045xbf16>, %y: tensor<bf16>) -> tensor<4096xf32> {
  %0 = arith.extf %x : tensor<2045xbf16> to tensor<2045xf32>
  %1 = math.tanh %0 : tensor<2045xf32>
  %2 = arith.extf %y : tensor<bf16> to tensor<f32>
  %3 = graph.broadcast %2 dims = [] : tensor<f32> to tensor<2045xf32>
  %4 = graph.concat %1, %3 dim = 0 : tensor<2045xf32>, tensor<2045xf32> to tensor<4090xf32>
  %5 = graph.pad %4 low = [3] high = [3] value = 0.0 : f32 : tensor<4090xf32> to tensor<4096xf32>
  %6 = graph.reduce sum %5 dims = [0] : tensor<4096xf32> to tensor<f32>
  %7 = graph.broadcast %6 dims = [] : tensor<f32> to tensor<4096xf32>
  return %7 : tensor<4096xf32>
}
