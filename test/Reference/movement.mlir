// The reference's data movement, checked element by element.
// RUN: tw-reference %s --entry=views --default-arg=iota | FileCheck %s --check-prefix=VIEWS
// RUN: tw-reference %s --entry=gathers --arg=0=iota | FileCheck %s --check-prefix=GATHERS
// RUN: tw-reference %s --entry=generators --default-arg=splat:-1.5 | FileCheck %s --check-prefix=GENERATORS

func.func @views(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x2x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>, tensor<3x3xf32>, tensor<3x2xf32>, tensor<f32>) {
  // VIEWS: 0 : tensor<3x2xf32> = 0 3 1 4 2 5
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  // VIEWS: 1 : tensor<2x2x3xf32> = 0 1 2 0 1 2 3 4 5 3 4 5
  %r = graph.reshape %x : tensor<2x3xf32> to tensor<2x1x3xf32>
  %1 = graph.broadcast %r dims = [0, 1, 2] : tensor<2x1x3xf32> to tensor<2x2x3xf32>
  // VIEWS: 2 : tensor<3x2xf32> = 0 1 2 3 4 5
  %2 = graph.reshape %x : tensor<2x3xf32> to tensor<3x2xf32>
  // VIEWS: 3 : tensor<1x2xf32> = 5 3
  %3 = graph.slice %x offsets = [1, 2] strides = [1, -2] : tensor<2x3xf32> to tensor<1x2xf32>
  // VIEWS: 4 : tensor<3x3xf32> = 5 3 0 0 1 2 3 4 5
  %z = arith.constant dense<0.0> : tensor<1x1xf32>
  %c = graph.concat %3, %z dim = 1 : tensor<1x2xf32>, tensor<1x1xf32> to tensor<1x3xf32>
  %4 = graph.concat %c, %x dim = 0 : tensor<1x3xf32>, tensor<2x3xf32> to tensor<3x3xf32>
  // VIEWS: 5 : tensor<3x2xf32> = 9 9 0 1 3 4
  %5 = graph.pad %x low = [1, 0] high = [0, -1] value = 9.0 : f32 : tensor<2x3xf32> to tensor<3x2xf32>
  // VIEWS: 6 : tensor<f32> = 2
  %s = graph.slice %x offsets = [0, 2] strides = [1, 1] : tensor<2x3xf32> to tensor<1x1xf32>
  %6 = graph.reshape %s : tensor<1x1xf32> to tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3x2xf32>, tensor<2x2x3xf32>, tensor<3x2xf32>, tensor<1x2xf32>, tensor<3x3xf32>, tensor<3x2xf32>, tensor<f32>
}

// Negative indices count from the end; an index outside gives zero.
func.func @gathers(%x: tensor<3x2xf32>) -> (tensor<4x2xf32>, tensor<3x2x1xf32>) {
  // GATHERS: 0 : tensor<4x2xf32> = 2 3 4 5 0 0 0 0
  %c = arith.constant dense<[1, -1, 3, -4]> : tensor<4xi64>
  %0 = graph.gather %x[%c] dim = 0 : tensor<3x2xf32>, tensor<4xi64> to tensor<4x2xf32>
  // GATHERS: 1 : tensor<3x2x1xf32> = 1 0 3 2 5 4
  %d = arith.constant dense<[[1], [0]]> : tensor<2x1xi32>
  %1 = graph.gather %x[%d] dim = 1 : tensor<3x2xf32>, tensor<2x1xi32> to tensor<3x2x1xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<3x2x1xf32>
}

func.func @generators(%x: tensor<2xbf16>, %y: tensor<2xi32>) -> (tensor<2x3xi64>, tensor<2x3xf16>, tensor<2xbf16>, tensor<2xi32>) {
  // GENERATORS: 0 : tensor<2x3xi64> = 0 1 2 0 1 2
  %0 = graph.iota dim = 1 : tensor<2x3xi64>
  // GENERATORS: 1 : tensor<2x3xf16> = 0 0 0 1 1 1
  %1 = graph.iota dim = 0 : tensor<2x3xf16>
  // GENERATORS: 2 : tensor<2xbf16> = -1.5 -1.5
  // GENERATORS: 3 : tensor<2xi32> = -1 -1
  return %0, %1, %x, %y : tensor<2x3xi64>, tensor<2x3xf16>, tensor<2xbf16>, tensor<2xi32>
}
