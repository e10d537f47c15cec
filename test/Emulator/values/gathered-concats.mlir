// Values of gathers from concatenations, along other dimensions than the joined one.
// RUN: tw-check %s --target=sm_90a

func.func @main(%x: tensor<3x5x7x24xf32>, %i: tensor<23xi32> {check.data = "random:0:24"}, %j: tensor<2x2xi32> {check.data = "random:0:3"})
    -> (tensor<3x10x7x23xf32>, tensor<2x2x10x7x24xf32>, tensor<3x10x7x20xf32>) {
  %0 = graph.reduce sum %x dims = [3] : tensor<3x5x7x24xf32> to tensor<3x5x7xf32>
  %1 = graph.broadcast %0 dims = [0, 1, 2] : tensor<3x5x7xf32> to tensor<3x5x7x24xf32>
  %2 = arith.subf %x, %1 : tensor<3x5x7x24xf32>
  %3 = graph.concat %x, %2 dim = 1 : tensor<3x5x7x24xf32>, tensor<3x5x7x24xf32> to tensor<3x10x7x24xf32>
  %4 = graph.gather %3[%i] dim = 3 : tensor<3x10x7x24xf32>, tensor<23xi32> to tensor<3x10x7x23xf32>
  %5 = graph.gather %3[%j] dim = 0 : tensor<3x10x7x24xf32>, tensor<2x2xi32> to tensor<2x2x10x7x24xf32>
  %6 = graph.slice %3 offsets = [0, 0, 0, 3] strides = [1, 1, 1, 1] : tensor<3x10x7x24xf32> to tensor<3x10x7x20xf32>
  return %4, %5, %6 : tensor<3x10x7x23xf32>, tensor<2x2x10x7x24xf32>, tensor<3x10x7x20xf32>
}

// Along the joined dimension, beside parts that are one number; indices from the end and outside.
func.func @numbers(%x: tensor<70x6xf32>, %i: tensor<200xi64> {check.data = "random:-180:180"}) -> (tensor<200x6xf32>, tensor<150x6xf32>) {
  %0 = arith.negf %x : tensor<70x6xf32>
  %two = arith.constant dense<2.0> : tensor<33x6xf32>
  %three = arith.constant dense<3.0> : tensor<47x6xf32>
  %1 = graph.concat %three, %0, %two dim = 0 : tensor<47x6xf32>, tensor<70x6xf32>, tensor<33x6xf32> to tensor<150x6xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<150x6xf32>, tensor<200xi64> to tensor<200x6xf32>
  return %2, %1 : tensor<200x6xf32>, tensor<150x6xf32>
}

// What is computed of joined parts, one of which is a number, or one for each column, everywhere.
func.func @computed(%x: tensor<70x6xf32>, %r: tensor<6xf32>, %i: tensor<200xi64> {check.data = "random:-180:180"}) -> (tensor<200x6xf32>, tensor<200x6xf32>) {
  %0 = math.tanh %x : tensor<70x6xf32>
  %m = graph.reduce max %x dims = [0, 1] : tensor<70x6xf32> to tensor<f32>
  %1 = graph.broadcast %m dims = [] : tensor<f32> to tensor<70x6xf32>
  %2 = graph.concat %0, %1 dim = 0 : tensor<70x6xf32>, tensor<70x6xf32> to tensor<140x6xf32>
  %3 = math.exp %2 : tensor<140x6xf32>
  %4 = graph.gather %3[%i] dim = 0 : tensor<140x6xf32>, tensor<200xi64> to tensor<200x6xf32>
  %5 = graph.broadcast %r dims = [1] : tensor<6xf32> to tensor<70x6xf32>
  %6 = graph.concat %5, %x dim = 0 : tensor<70x6xf32>, tensor<70x6xf32> to tensor<140x6xf32>
  %7 = math.absf %6 : tensor<140x6xf32>
  %8 = graph.gather %7[%i] dim = 0 : tensor<140x6xf32>, tensor<200xi64> to tensor<200x6xf32>
  return %4, %8 : tensor<200x6xf32>, tensor<200x6xf32>
}

// Of one number for each row, along the rows and across them.
func.func @spread(%x: tensor<70xf32>, %i: tensor<90xi32> {check.data = "random:-90:90"}) -> (tensor<90x64xf32>, tensor<70x90xf32>) {
  %0 = graph.broadcast %x dims = [0] : tensor<70xf32> to tensor<70x64xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<70x64xf32>, tensor<90xi32> to tensor<90x64xf32>
  %2 = graph.gather %0[%i] dim = 1 : tensor<70x64xf32>, tensor<90xi32> to tensor<70x90xf32>
  return %1, %2 : tensor<90x64xf32>, tensor<70x90xf32>
}

// Of a part of what is joined of reshaped computed elements and a number.
func.func @flat(%x: tensor<70x6xbf16>, %i: tensor<200xi64> {check.data = "random:-520:520"}) -> tensor<200xf32> {
  %0 = arith.extf %x : tensor<70x6xbf16> to tensor<70x6xf32>
  %1 = math.exp %0 : tensor<70x6xf32>
  %2 = graph.reshape %1 : tensor<70x6xf32> to tensor<420xf32>
  %two = arith.constant dense<2.0> : tensor<130xf32>
  %3 = graph.concat %2, %two dim = 0 : tensor<420xf32>, tensor<130xf32> to tensor<550xf32>
  %4 = graph.slice %3 offsets = [41] strides = [1] : tensor<550xf32> to tensor<500xf32>
  %5 = graph.gather %4[%i] dim = 0 : tensor<500xf32>, tensor<200xi64> to tensor<200xf32>
  return %5 : tensor<200xf32>
}

// What is joined several times, beside what is joined once, is selected from once; of what is not an input, and computed of.
func.func @joined_twice(%x: tensor<70x6xf32>, %y: tensor<33x6xf32>, %i: tensor<300xi64> {check.data = "random:-260:260"}) -> (tensor<300x6xf32>, tensor<300x6xf32>) {
  %r = graph.reduce max %x dims = [1] : tensor<70x6xf32> to tensor<70xf32>
  %w = graph.broadcast %r dims = [0] : tensor<70xf32> to tensor<70x6xf32>
  %0 = arith.subf %x, %w : tensor<70x6xf32>
  %1 = math.exp %0 : tensor<70x6xf32>
  %2 = graph.concat %1, %y, %1 dim = 0 : tensor<70x6xf32>, tensor<33x6xf32>, tensor<70x6xf32> to tensor<173x6xf32>
  %3 = math.absf %2 : tensor<173x6xf32>
  %4 = graph.gather %3[%i] dim = 0 : tensor<173x6xf32>, tensor<300xi64> to tensor<300x6xf32>
  %5 = graph.concat %1, %1 dim = 0 : tensor<70x6xf32>, tensor<70x6xf32> to tensor<140x6xf32>
  %6 = math.tanh %5 : tensor<140x6xf32>
  %7 = graph.gather %6[%i] dim = 0 : tensor<140x6xf32>, tensor<300xi64> to tensor<300x6xf32>
  return %4, %7 : tensor<300x6xf32>, tensor<300x6xf32>
}
