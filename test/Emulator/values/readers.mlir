// Values that are computed again by those that read them, selections that are done before computing, kernels joined for what they
// read: the numbers stay those of the program as it is written.
// RUN: tw-check %s

// Indices outside of the table give zeros, not functions of zeros; negative ones count from the end.
func.func @gather_of_computed(%x: tensor<10x33xf32>, %row: tensor<33xf32>, %i: tensor<7xi64> {check.data = "random:-30:30"}) -> (tensor<7x33xf32>, tensor<10x7xf32>) {
  %0 = math.exp %x : tensor<10x33xf32>
  %b = graph.broadcast %row dims = [1] : tensor<33xf32> to tensor<10x33xf32>
  %1 = arith.addf %0, %b : tensor<10x33xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<10x33xf32>, tensor<7xi64> to tensor<7x33xf32>
  %3 = arith.mulf %1, %b : tensor<10x33xf32>
  %4 = graph.gather %3[%i] dim = 1 : tensor<10x33xf32>, tensor<7xi64> to tensor<10x7xf32>
  return %2, %4 : tensor<7x33xf32>, tensor<10x7xf32>
}

func.func @pad_of_computed(%x: tensor<6x31xf32>, %column: tensor<6xf32>) -> tensor<11x36xf32> {
  %0 = math.exp %x : tensor<6x31xf32>
  %b = graph.broadcast %column dims = [0] : tensor<6xf32> to tensor<6x31xf32>
  %1 = arith.addf %0, %b : tensor<6x31xf32>
  %2 = graph.pad %1 low = [2, 0] high = [3, 5] value = 1.5 : f32 : tensor<6x31xf32> to tensor<11x36xf32>
  return %2 : tensor<11x36xf32>
}

func.func @concat_of_computed(%x: tensor<5x17xf32>, %y: tensor<3x17xf32>, %z: tensor<2x17xf32>) -> (tensor<10x17xf32>, tensor<10x17xf32>) {
  %0 = math.exp %x : tensor<5x17xf32>
  %1 = math.tanh %y : tensor<3x17xf32>
  %2 = graph.concat %0, %1, %z dim = 0 : tensor<5x17xf32>, tensor<3x17xf32>, tensor<2x17xf32> to tensor<10x17xf32>
  %3 = arith.negf %2 : tensor<10x17xf32>
  return %2, %3 : tensor<10x17xf32>, tensor<10x17xf32>
}

// Two orders of one activated tensor, and sums along both of its dimensions.
func.func @two_axes(%x: tensor<40x65xbf16>) -> (tensor<40xf32>, tensor<65xf32>, tensor<65x40xf32>) {
  %0 = arith.extf %x : tensor<40x65xbf16> to tensor<40x65xf32>
  %1 = math.tanh %0 : tensor<40x65xf32>
  %2 = graph.reduce sum %1 dims = [1] : tensor<40x65xf32> to tensor<40xf32>
  %3 = graph.broadcast %2 dims = [0] : tensor<40xf32> to tensor<40x65xf32>
  %4 = arith.subf %1, %3 : tensor<40x65xf32>
  %5 = graph.reduce max %4 dims = [0] : tensor<40x65xf32> to tensor<65xf32>
  %6 = graph.transpose %4 permutation = [1, 0] : tensor<40x65xf32> to tensor<65x40xf32>
  %7 = math.exp %6 : tensor<65x40xf32>
  return %2, %5, %7 : tensor<40xf32>, tensor<65xf32>, tensor<65x40xf32>
}

// Pieces of unequal length, from either end.
func.func @uneven_scans(%x: tensor<40009xf32>) -> (tensor<40009xf32>, tensor<40009xf32>) attributes {check.rtol = 1.0e-4 : f64, check.atol = 1.0e-2 : f64} {
  %0 = graph.scan sum %x dim = 0 : tensor<40009xf32>
  %1 = graph.scan max %x dim = 0 reverse : tensor<40009xf32>
  return %0, %1 : tensor<40009xf32>, tensor<40009xf32>
}
