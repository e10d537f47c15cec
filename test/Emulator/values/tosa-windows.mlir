// tosa's convolutions, pooling and resize against upstream's own lowering.
// RUN: tw-check %s --rtol=2e-6 --atol=2e-5 --quiet

func.func @convolution(%x: tensor<2x7x8x3xf32>, %w: tensor<5x3x2x3xf32>, %b: tensor<5xf32>) -> tensor<2x4x4x5xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 0, 0>, stride = array<i64: 2, 2>} : (tensor<2x7x8x3xf32>, tensor<5x3x2x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x4x4x5xf32>
  return %0 : tensor<2x4x4x5xf32>
}
func.func @convolution_of_bytes(%x: tensor<1x6x6x4xi8> {check.data = "random:-128:127"}, %w: tensor<3x3x3x4xi8> {check.data = "random:-128:127"}, %b: tensor<3xi32> {check.data = "random:-99:99"}) -> tensor<1x6x6x3xi32> {
  %zx = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.conv2d %x, %w, %b, %zx, %zw {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x6x6x4xi8>, tensor<3x3x3x4xi8>, tensor<3xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x6x6x3xi32>
  return %0 : tensor<1x6x6x3xi32>
}
func.func @convolution_in_three_dimensions(%x: tensor<1x4x5x6x2xf32>, %w: tensor<3x2x2x2x2xf32>, %b: tensor<3xf32>) -> tensor<1x3x4x5x3xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv3d %x, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1, 1>, pad = array<i64: 0, 0, 0, 0, 0, 0>, stride = array<i64: 1, 1, 1>} : (tensor<1x4x5x6x2xf32>, tensor<3x2x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4x5x3xf32>
  return %0 : tensor<1x3x4x5x3xf32>
}
func.func @each_channel(%x: tensor<1x6x7x3xf32>, %w: tensor<3x3x3x2xf32>, %b: tensor<6xf32>) -> tensor<1x6x3x6xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.depthwise_conv2d %x, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 2>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 2>} : (tensor<1x6x7x3xf32>, tensor<3x3x3x2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x3x6xf32>
  return %0 : tensor<1x6x3x6xf32>
}
func.func @pools(%x: tensor<1x6x7x3xf32>, %i: tensor<1x6x7x3xi8> {check.data = "random:-128:127"}) -> (tensor<1x3x4x3xf32>, tensor<1x3x4x3xf32>, tensor<1x3x4x3xi8>) {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.max_pool2d %x {kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x6x7x3xf32>) -> tensor<1x3x4x3xf32>
  %1 = tosa.avg_pool2d %x, %zero, %zero {acc_type = f32, kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x6x7x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x4x3xf32>
  %2 = tosa.max_pool2d %i {kernel = array<i64: 2, 3>, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x6x7x3xi8>) -> tensor<1x3x4x3xi8>
  return %0, %1, %2 : tensor<1x3x4x3xf32>, tensor<1x3x4x3xf32>, tensor<1x3x4x3xi8>
}
func.func @resized(%x: tensor<1x4x5x2xf32>, %i: tensor<1x4x5x2xi8> {check.data = "random:-128:127"}) -> (tensor<1x7x13x2xf32>, tensor<1x7x13x2xf32>, tensor<1x7x13x2xi8>, tensor<1x7x13x2xi32>) {
  %scale = tosa.const_shape {values = dense<[4, 2, 6, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %offset = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %border = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %x, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x4x5x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x13x2xf32>
  %1 = tosa.resize %x, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x4x5x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x13x2xf32>
  %2 = tosa.resize %i, %scale, %offset, %border {mode = NEAREST_NEIGHBOR} : (tensor<1x4x5x2xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x13x2xi8>
  %3 = tosa.resize %i, %scale, %offset, %border {mode = BILINEAR} : (tensor<1x4x5x2xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x7x13x2xi32>
  return %0, %1, %2, %3 : tensor<1x7x13x2xf32>, tensor<1x7x13x2xf32>, tensor<1x7x13x2xi8>, tensor<1x7x13x2xi32>
}
