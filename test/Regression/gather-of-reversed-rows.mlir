// A gather moved in front of a slice that only reverses another dimension: the slice, of the same type as what it is of, was
// dropped. Found by random programs.
// REQUIRES: emulator
// RUN: tw-check %s --quiet

func.func @reversed(%x: tensor<4x3x100xf32>, %i: tensor<2xi64>) -> tensor<4x3x2xf32> {
  %0 = graph.slice %x offsets = [3, 0, 0] strides = [-1, 1, 1] : tensor<4x3x100xf32> to tensor<4x3x100xf32>
  %1 = graph.gather %0[%i] dim = 2 : tensor<4x3x100xf32>, tensor<2xi64> to tensor<4x3x2xf32>
  return %1 : tensor<4x3x2xf32>
}

// Both: what is gathered lies backwards, too.
func.func @both(%x: tensor<4x3x100xf32>, %i: tensor<100xi64>) -> tensor<4x3x100xf32> {
  %0 = graph.slice %x offsets = [3, 0, 99] strides = [-1, 1, -1] : tensor<4x3x100xf32> to tensor<4x3x100xf32>
  %1 = graph.gather %0[%i] dim = 2 : tensor<4x3x100xf32>, tensor<100xi64> to tensor<4x3x100xf32>
  return %1 : tensor<4x3x100xf32>
}
