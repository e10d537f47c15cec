// What is known for each place is a constant of the program, and one number may stand for any count of them: sizes
// beyond a bound are refused at once, and so are windows with more places than can be counted.
// RUN: tw-opt %s --convert-upstream-to-graph --split-input-file --verify-diagnostics

func.func @rescale_big(%x: tensor<4398046511104xi8>) -> tensor<4398046511104xi8> {
  %m = "tosa.const"() <{values = dense<1> : tensor<4398046511104xi32>}> : () -> tensor<4398046511104xi32>
  %s = "tosa.const"() <{values = dense<2> : tensor<4398046511104xi8>}> : () -> tensor<4398046511104xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  // expected-error @+1 {{'tosa.rescale' cannot be imported: its shift has 4398046511104 elements, more than 1048576}}
  %0 = tosa.rescale %x, %m, %s, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<4398046511104xi8>, tensor<4398046511104xi32>, tensor<4398046511104xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<4398046511104xi8>
  return %0 : tensor<4398046511104xi8>
}

// -----

func.func @avgpool_big(%x: tensor<1x4398046511104x1x1xf32>) -> tensor<1x4398046511104x1x1xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.avg_pool2d' cannot be imported: its result of 1x4398046511104x1x1 has more than 65536 windows along a dimension}}
  %0 = tosa.avg_pool2d %x, %z, %z {kernel = array<i64: 1, 1>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32} : (tensor<1x4398046511104x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4398046511104x1x1xf32>
  return %0 : tensor<1x4398046511104x1x1xf32>
}

// -----

func.func @resize_big(%x: tensor<1x1x8x3xf32>) -> tensor<1x16384000000x8x3xf32> {
  %s = tosa.const_shape {values = dense<[4, 1, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[16383999999, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.resize' cannot be imported: its result of 1x16384000000x8x3 has more than 65536 places along a dimension}}
  %0 = tosa.resize %x, %s, %o, %b {mode = NEAREST_NEIGHBOR} : (tensor<1x1x8x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x16384000000x8x3xf32>
  return %0 : tensor<1x16384000000x8x3xf32>
}

// -----

func.func @huge_kernel(%x: tensor<1x8x8x3xf32>, %w: tensor<4x65536x65536x3xf32>, %b: tensor<4xf32>) -> tensor<1x1x1x4xf32> {
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  // expected-error @+1 {{'tosa.conv2d' cannot be imported: its window of 65536x65536 has more than 256 places}}
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 65528, 0, 65528, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<4x65536x65536x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x4xf32>
  return %0 : tensor<1x1x1x4xf32>
}
