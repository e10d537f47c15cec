// A value that its readers compute again, of which the kernel that made it needs two slices: with nothing left that is needed
// in full, the slices are no kernel together, and stay where the value is. Found by random programs of parts: the fuse stage
// wrote them as one kernel and then refused it.
// RUN: tw-check %s --quiet
func.func @main(%x: tensor<3x25637xf32>) -> tensor<3x25636xf32> {
  %0 = graph.slice %x offsets = [0, 1] strides = [1, 1] : tensor<3x25637xf32> to tensor<3x25636xf32>
  %1 = graph.slice %x offsets = [0, 0] strides = [1, 1] : tensor<3x25637xf32> to tensor<3x25636xf32>
  %2 = math.absf %1 : tensor<3x25636xf32>
  %one = arith.constant dense<1.0> : tensor<3x25636xf32>
  %3 = arith.addf %2, %one : tensor<3x25636xf32>
  %4 = arith.divf %0, %3 : tensor<3x25636xf32>
  %5 = graph.slice %4 offsets = [0, 0] strides = [1, 1] : tensor<3x25636xf32> to tensor<3x19582xf32>
  %6 = graph.slice %4 offsets = [0, 19582] strides = [1, 1] : tensor<3x25636xf32> to tensor<3x6054xf32>
  %7 = arith.negf %6 : tensor<3x6054xf32>
  %8 = math.tanh %5 : tensor<3x19582xf32>
  %9 = graph.concat %7, %8 dim = 1 : tensor<3x6054xf32>, tensor<3x19582xf32> to tensor<3x25636xf32>
  %10 = math.tanh %4 : tensor<3x25636xf32>
  %11 = arith.mulf %9, %10 : tensor<3x25636xf32>
  %12 = math.tanh %11 : tensor<3x25636xf32>
  %13 = arith.mulf %4, %12 : tensor<3x25636xf32>
  return %13 : tensor<3x25636xf32>
}
