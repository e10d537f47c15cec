// tosa's elementwise operators against upstream's own lowering: arithmetic, comparisons, selection, shifts, casts.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-6 --quiet

func.func @arithmetic(%x: tensor<5x7xf32>, %row: tensor<1x7xf32>, %column: tensor<5x1xf32>) -> (tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>) {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.add %row, %column : (tensor<1x7xf32>, tensor<5x1xf32>) -> tensor<5x7xf32>
  %1 = tosa.sub %x, %row : (tensor<5x7xf32>, tensor<1x7xf32>) -> tensor<5x7xf32>
  %2 = tosa.mul %x, %column, %shift : (tensor<5x7xf32>, tensor<5x1xf32>, tensor<1xi8>) -> tensor<5x7xf32>
  %3 = tosa.maximum %x, %row : (tensor<5x7xf32>, tensor<1x7xf32>) -> tensor<5x7xf32>
  %4 = tosa.minimum %x, %column : (tensor<5x7xf32>, tensor<5x1xf32>) -> tensor<5x7xf32>
  %5 = tosa.identity %4 : (tensor<5x7xf32>) -> tensor<5x7xf32>
  return %0, %1, %2, %3, %5 : tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>
}
func.func @functions(%x: tensor<37xf32> {check.data = "random:0.25:3"}) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>) {
  %0 = tosa.abs %x : (tensor<37xf32>) -> tensor<37xf32>
  %1 = tosa.ceil %x : (tensor<37xf32>) -> tensor<37xf32>
  %2 = tosa.floor %x : (tensor<37xf32>) -> tensor<37xf32>
  %3 = tosa.exp %x : (tensor<37xf32>) -> tensor<37xf32>
  %4 = tosa.log %x : (tensor<37xf32>) -> tensor<37xf32>
  %5 = tosa.rsqrt %x : (tensor<37xf32>) -> tensor<37xf32>
  %6 = tosa.reciprocal %x : (tensor<37xf32>) -> tensor<37xf32>
  %7 = tosa.sigmoid %x : (tensor<37xf32>) -> tensor<37xf32>
  %8 = tosa.tanh %x : (tensor<37xf32>) -> tensor<37xf32>
  %9 = tosa.erf %x : (tensor<37xf32>) -> tensor<37xf32>
  %10 = tosa.sin %x : (tensor<37xf32>) -> tensor<37xf32>
  %11 = tosa.cos %x : (tensor<37xf32>) -> tensor<37xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>
}
func.func @powers_of_halves(%x: tensor<9xf16> {check.data = "random:0.5:2"}, %y: tensor<9xf16>) -> (tensor<9xf16>, tensor<9xf16>) attributes {check.rtol = 4.0e-3, check.atol = 4.0e-3} {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %0 = tosa.pow %x, %y : (tensor<9xf16>, tensor<9xf16>) -> tensor<9xf16>
  %1 = tosa.negate %y, %zero, %zero : (tensor<9xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<9xf16>
  return %0, %1 : tensor<9xf16>, tensor<9xf16>
}
func.func @comparisons(%x: tensor<6x5xf32>, %y: tensor<6x1xf32>, %i: tensor<6x5xi32> {check.data = "random:-3:3"}, %j: tensor<1x5xi32> {check.data = "random:-3:3"}) -> (tensor<6x5xi1>, tensor<6x5xi1>, tensor<6x5xi1>, tensor<6x5xf32>, tensor<6x5xi1>) {
  %0 = tosa.greater %x, %y : (tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xi1>
  %1 = tosa.greater_equal %i, %j : (tensor<6x5xi32>, tensor<1x5xi32>) -> tensor<6x5xi1>
  %2 = tosa.equal %i, %j : (tensor<6x5xi32>, tensor<1x5xi32>) -> tensor<6x5xi1>
  %3 = tosa.select %1, %x, %y : (tensor<6x5xi1>, tensor<6x5xf32>, tensor<6x1xf32>) -> tensor<6x5xf32>
  %4 = tosa.logical_and %0, %1 : (tensor<6x5xi1>, tensor<6x5xi1>) -> tensor<6x5xi1>
  %5 = tosa.logical_or %4, %2 : (tensor<6x5xi1>, tensor<6x5xi1>) -> tensor<6x5xi1>
  %6 = tosa.logical_xor %5, %0 : (tensor<6x5xi1>, tensor<6x5xi1>) -> tensor<6x5xi1>
  %7 = tosa.logical_not %6 : (tensor<6x5xi1>) -> tensor<6x5xi1>
  return %0, %1, %2, %3, %7 : tensor<6x5xi1>, tensor<6x5xi1>, tensor<6x5xi1>, tensor<6x5xf32>, tensor<6x5xi1>
}
func.func @integers(%x: tensor<31xi32> {check.data = "random:-1000:1000"}, %y: tensor<31xi32> {check.data = "random:1:9"}) -> (tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>) {
  %shift = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.intdiv %x, %y : (tensor<31xi32>, tensor<31xi32>) -> tensor<31xi32>
  %1 = tosa.mul %x, %y, %shift : (tensor<31xi32>, tensor<31xi32>, tensor<1xi8>) -> tensor<31xi32>
  %2 = tosa.arithmetic_right_shift %x, %y {round = true} : (tensor<31xi32>, tensor<31xi32>) -> tensor<31xi32>
  %3 = tosa.arithmetic_right_shift %x, %y {round = false} : (tensor<31xi32>, tensor<31xi32>) -> tensor<31xi32>
  %4 = tosa.logical_left_shift %x, %y : (tensor<31xi32>, tensor<31xi32>) -> tensor<31xi32>
  %5 = tosa.logical_right_shift %x, %y : (tensor<31xi32>, tensor<31xi32>) -> tensor<31xi32>
  %6 = tosa.bitwise_and %x, %y : (tensor<31xi32>, tensor<31xi32>) -> tensor<31xi32>
  %7 = tosa.bitwise_xor %6, %x : (tensor<31xi32>, tensor<31xi32>) -> tensor<31xi32>
  %8 = tosa.bitwise_or %7, %y : (tensor<31xi32>, tensor<31xi32>) -> tensor<31xi32>
  %9 = tosa.bitwise_not %8 : (tensor<31xi32>) -> tensor<31xi32>
  %10 = tosa.abs %x : (tensor<31xi32>) -> tensor<31xi32>
  %11 = tosa.clz %y : (tensor<31xi32>) -> tensor<31xi32>
  return %0, %1, %2, %3, %4, %5, %7, %9, %10, %11 : tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>, tensor<31xi32>
}
func.func @bytes(%x: tensor<19xi8> {check.data = "random:-120:120"}, %y: tensor<19xi8> {check.data = "random:-120:120"}) -> (tensor<19xi32>, tensor<19xi8>, tensor<19xi8>, tensor<19xi8>) {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %in = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %out = "tosa.const"() <{values = dense<-30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %x, %y, %shift : (tensor<19xi8>, tensor<19xi8>, tensor<1xi8>) -> tensor<19xi32>
  %1 = tosa.clamp %x {min_val = -100 : i8, max_val = 50 : i8} : (tensor<19xi8>) -> tensor<19xi8>
  %2 = tosa.negate %x, %in, %out : (tensor<19xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<19xi8>
  %3 = tosa.maximum %x, %y : (tensor<19xi8>, tensor<19xi8>) -> tensor<19xi8>
  return %0, %1, %2, %3 : tensor<19xi32>, tensor<19xi8>, tensor<19xi8>, tensor<19xi8>
}
func.func @casts(%x: tensor<33xf32> {check.data = "random:-300:300"}, %i: tensor<33xi32> {check.data = "random:-300:300"}) -> (tensor<33xi32>, tensor<33xi8>, tensor<33xf16>, tensor<33xf32>, tensor<33xi1>, tensor<33xi8>) attributes {check.rtol = 2.0e-3} {
  %0 = tosa.cast %x : (tensor<33xf32>) -> tensor<33xi32>
  %1 = tosa.cast %x : (tensor<33xf32>) -> tensor<33xi8>
  %2 = tosa.cast %x : (tensor<33xf32>) -> tensor<33xf16>
  %3 = tosa.cast %i : (tensor<33xi32>) -> tensor<33xf32>
  %4 = tosa.cast %i : (tensor<33xi32>) -> tensor<33xi1>
  %5 = tosa.cast %i : (tensor<33xi32>) -> tensor<33xi8>
  return %0, %1, %2, %3, %4, %5 : tensor<33xi32>, tensor<33xi8>, tensor<33xf16>, tensor<33xf32>, tensor<33xi1>, tensor<33xi8>
}
func.func @clamped(%x: tensor<33xf32> {check.data = "special"}) -> (tensor<33xf32>, tensor<33xf32>) {
  %0 = tosa.clamp %x {min_val = -0.5 : f32, max_val = 1.5 : f32} : (tensor<33xf32>) -> tensor<33xf32>
  %1 = tosa.clamp %x {min_val = -0.5 : f32, max_val = 1.5 : f32, nan_mode = IGNORE} : (tensor<33xf32>) -> tensor<33xf32>
  return %0, %1 : tensor<33xf32>, tensor<33xf32>
}
func.func @extremes_of_special_numbers(%x: tensor<33xf32> {check.data = "special"}, %y: tensor<33xf32>) -> (tensor<33xf32>, tensor<33xf32>, tensor<33xf32>) {
  %0 = tosa.maximum %x, %y {nan_mode = IGNORE} : (tensor<33xf32>, tensor<33xf32>) -> tensor<33xf32>
  %1 = tosa.minimum %y, %x {nan_mode = IGNORE} : (tensor<33xf32>, tensor<33xf32>) -> tensor<33xf32>
  %2 = tosa.minimum %y, %x : (tensor<33xf32>, tensor<33xf32>) -> tensor<33xf32>
  return %0, %1, %2 : tensor<33xf32>, tensor<33xf32>, tensor<33xf32>
}
