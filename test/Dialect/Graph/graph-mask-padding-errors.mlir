// What cannot be told apart from the padding of a shape bucket.
// RUN: tw-opt %s --graph-mask-padding --split-input-file --verify-diagnostics

func.func @last(%x: tensor<8x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<8x1xf32> {
  // expected-error@+1 {{dimension "seq" cannot be bucketed: a slice takes elements 127 to 127 of 128, and which these are depends on the true length}}
  %0 = graph.slice %x offsets = [0, 127] strides = [1, 1] : tensor<8x128xf32> to tensor<8x1xf32>
  return %0 : tensor<8x1xf32>
}

// -----

func.func @reversed(%x: tensor<8x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<8x128xf32> {
  // expected-error@+1 {{dimension "seq" cannot be bucketed: a slice takes elements 127 to 0 of 128}}
  %0 = graph.slice %x offsets = [0, 127] strides = [1, -1] : tensor<8x128xf32> to tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// -----

func.func @concat(%x: tensor<8x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<8x256xf32> {
  // expected-error@+1 {{dimension "seq" cannot be bucketed: it is followed by other elements in a concat}}
  %0 = graph.concat %x, %x dim = 1 : tensor<8x128xf32>, tensor<8x128xf32> to tensor<8x256xf32>
  return %0 : tensor<8x256xf32>
}

// -----

func.func @norm(%x: tensor<8x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<8x128xf32> {
  // expected-error@+1 {{dimension "seq" cannot be bucketed: a norm is taken over it}}
  %0 = graph.layer_norm %x dim = 1 epsilon = 1.0e-05 : tensor<8x128xf32> to tensor<8x128xf32>
  return %0 : tensor<8x128xf32>
}

// -----

func.func @gather(%x: tensor<128x8xf32> {graph.symbols = ["seq", ""]}, %i: tensor<2xi64>) -> tensor<2x8xf32> {
  // expected-error@+1 {{dimension "seq" cannot be bucketed: indices of a gather may count from its end}}
  %0 = graph.gather %x[%i] dim = 0 : tensor<128x8xf32>, tensor<2xi64> to tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

func.func @pad(%x: tensor<8x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<8x130xf32> {
  // expected-error@+1 {{dimension "seq" cannot be bucketed: a pad puts elements round it}}
  %0 = graph.pad %x low = [0, 1] high = [0, 1] value = 0.0 : f32 : tensor<8x128xf32> to tensor<8x130xf32>
  return %0 : tensor<8x130xf32>
}

// -----

func.func @straddles(%x: tensor<6x10xf32> {graph.symbols = ["", "seq"]}) -> tensor<15x4xf32> {
  // expected-error@+1 {{dimension "seq" cannot be bucketed: a reshape divides it unevenly}}
  %0 = graph.reshape %x : tensor<6x10xf32> to tensor<15x4xf32>
  return %0 : tensor<15x4xf32>
}

// -----

func.func @joined(%x: tensor<6x10xf32> {graph.symbols = ["", "seq"]}) -> tensor<60xf32> {
  %0 = graph.reshape %x : tensor<6x10xf32> to tensor<60xf32>
  // expected-error@+1 {{dimension "seq" cannot be bucketed: result 0 of the program holds it where no slice leaves the true part}}
  return %0 : tensor<60xf32>
}

// -----

func.func @sort(%x: tensor<8x128xi32> {graph.symbols = ["", "seq"]}) -> tensor<8x128xi32> {
  // expected-error@+1 {{dimension "seq" cannot be bucketed: what graph.sort does with it is not known}}
  %0 = graph.sort %x by %x dim = 1 : tensor<8x128xi32>, tensor<8x128xi32>
  return %0 : tensor<8x128xi32>
}

// -----

func.func @k_of_groups(%x: tensor<128x64xf32> {graph.symbols = ["", "k"]}, %w: tensor<2x64x32xf32>, %ends: tensor<2xi32>) -> tensor<128x32xf32> {
  // expected-error@+1 {{dimension "k" cannot be bucketed: a product by groups of rows sums along it}}
  %0 = graph.matmul %x, %w groups(%ends : tensor<2xi32>) : tensor<128x64xf32>, tensor<2x64x32xf32> to tensor<128x32xf32>
  return %0 : tensor<128x32xf32>
}

// -----

func.func @groups(%x: tensor<128x64xf32>, %w: tensor<8x64x32xf32> {graph.symbols = ["e", "", ""]}, %ends: tensor<8xi32>) -> tensor<128x32xf32> {
  // expected-error@+1 {{dimension "e" cannot be bucketed: a product by groups of rows has it in another operand than the rows}}
  %0 = graph.matmul %x, %w groups(%ends : tensor<8xi32>) : tensor<128x64xf32>, tensor<8x64x32xf32> to tensor<128x32xf32>
  return %0 : tensor<128x32xf32>
}
