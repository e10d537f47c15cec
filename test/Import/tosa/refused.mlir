// tosa operators that are refused: for what they are, and for how they are used.
// RUN: tw-opt %s --convert-upstream-to-graph --split-input-file --verify-diagnostics

func.func @what_they_are(%x: tensor<1x4x4xf32>) -> (tensor<1x4x3xf32>, tensor<1x4x3xf32>) {
  // expected-error @+1 {{'tosa.rfft2d' cannot be imported: there is no Fourier transform}}
  %0, %1 = tosa.rfft2d %x : (tensor<1x4x4xf32>) -> (tensor<1x4x3xf32>, tensor<1x4x3xf32>)
  return %0, %1 : tensor<1x4x3xf32>, tensor<1x4x3xf32>
}

// -----

func.func @how_they_are_used(%x: tensor<4xi32>, %s: tensor<1xi8>, %p: tensor<1xi32>, %f: tensor<4x4xf32>) -> (tensor<4xi32>, tensor<6xi32>, tensor<4xi32>) {
  // expected-error @+1 {{'tosa.mul' cannot be imported: its shift is not constant}}
  %0 = tosa.mul %x, %x, %s : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>
  %around = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  // expected-error @+1 {{'tosa.pad' cannot be imported: its value is not one constant number}}
  %1 = tosa.pad %x, %around, %p : (tensor<4xi32>, !tosa.shape<2>, tensor<1xi32>) -> tensor<6xi32>
  // expected-error @+1 {{'tosa.argmax' cannot be imported: nan_mode IGNORE is not supported}}
  %2 = tosa.argmax %f {axis = 0 : i32, nan_mode = IGNORE} : (tensor<4x4xf32>) -> tensor<4xi32>
  return %0, %1, %2 : tensor<4xi32>, tensor<6xi32>, tensor<4xi32>
}
