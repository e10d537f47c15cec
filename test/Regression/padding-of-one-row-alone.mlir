// One element of padding, read beside the rows of the same pad: a tile of its row was loaded for it. Found by random programs.
// REQUIRES: emulator
// RUN: tw-check %s --quiet

func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = graph.pad %x low = [1] high = [0] value = -2.0 : f32 : tensor<1xf32> to tensor<2xf32>
  %1 = graph.softmax %0 dim = 0 : tensor<2xf32> to tensor<2xf32>
  %2 = graph.softmax %1 dim = 0 : tensor<2xf32> to tensor<2xf32>
  %3 = math.exp %2 : tensor<2xf32>
  %4 = graph.slice %3 offsets = [0] strides = [3] : tensor<2xf32> to tensor<1xf32>
  return %4 : tensor<1xf32>
}
