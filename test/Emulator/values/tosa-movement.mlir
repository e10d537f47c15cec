// tosa's operators that move data, reduce, multiply matrices and scale fixed-point numbers, against upstream's lowering.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-5 --quiet

func.func @moves(%x: tensor<3x4x5xf32>) -> (tensor<5x3x4xf32>, tensor<12x5xf32>, tensor<3x4x5xf32>, tensor<2x2x5xf32>, tensor<6x4x10xf32>, tensor<3x8x5xf32>, tensor<4x6x8xf32>) {
  %shape = tosa.const_shape {values = dense<[12, 5]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %start = tosa.const_shape {values = dense<[1, 2, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %size = tosa.const_shape {values = dense<[2, 2, 5]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %times = tosa.const_shape {values = dense<[2, 1, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %around = tosa.const_shape {values = dense<[1, 0, 0, 2, 3, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %value = "tosa.const"() <{values = dense<1.5> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.transpose %x {perms = array<i32: 2, 0, 1>} : (tensor<3x4x5xf32>) -> tensor<5x3x4xf32>
  %1 = tosa.reshape %x, %shape : (tensor<3x4x5xf32>, !tosa.shape<2>) -> tensor<12x5xf32>
  %2 = tosa.reverse %x {axis = 1 : i32} : (tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %3 = tosa.slice %x, %start, %size : (tensor<3x4x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x2x5xf32>
  %4 = tosa.tile %x, %times : (tensor<3x4x5xf32>, !tosa.shape<3>) -> tensor<6x4x10xf32>
  %5 = tosa.concat %x, %2 {axis = 1 : i32} : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> tensor<3x8x5xf32>
  %6 = tosa.pad %x, %around, %value : (tensor<3x4x5xf32>, !tosa.shape<6>, tensor<1xf32>) -> tensor<4x6x8xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<5x3x4xf32>, tensor<12x5xf32>, tensor<3x4x5xf32>, tensor<2x2x5xf32>, tensor<6x4x10xf32>, tensor<3x8x5xf32>, tensor<4x6x8xf32>
}
func.func @rows_of_batches(%x: tensor<2x9x5xf32>, %i: tensor<2x4xi32> {check.data = "random:0:9"}) -> tensor<2x4x5xf32> {
  %0 = tosa.gather %x, %i : (tensor<2x9x5xf32>, tensor<2x4xi32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}
func.func @scattered(%x: tensor<2x9x5xf32>, %u: tensor<2x3x5xf32>) -> tensor<2x9x5xf32> attributes {check.reference_of_graph} {
  %i = "tosa.const"() <{values = dense<[[0, 8, 3], [5, 1, 2]]> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
  %0 = tosa.scatter %x, %i, %u : (tensor<2x9x5xf32>, tensor<2x3xi32>, tensor<2x3x5xf32>) -> tensor<2x9x5xf32>
  return %0 : tensor<2x9x5xf32>
}
func.func @reductions(%x: tensor<6x37x5xf32>) -> (tensor<6x1x5xf32>, tensor<6x37x1xf32>, tensor<1x37x5xf32>, tensor<6x37x1xf32>, tensor<6x5xi32>) {
  %0 = tosa.reduce_sum %x {axis = 1 : i32} : (tensor<6x37x5xf32>) -> tensor<6x1x5xf32>
  %1 = tosa.reduce_max %x {axis = 2 : i32} : (tensor<6x37x5xf32>) -> tensor<6x37x1xf32>
  %2 = tosa.reduce_min %x {axis = 0 : i32} : (tensor<6x37x5xf32>) -> tensor<1x37x5xf32>
  %3 = tosa.reduce_product %x {axis = 2 : i32} : (tensor<6x37x5xf32>) -> tensor<6x37x1xf32>
  %4 = tosa.argmax %x {axis = 1 : i32} : (tensor<6x37x5xf32>) -> tensor<6x5xi32>
  return %0, %1, %2, %3, %4 : tensor<6x1x5xf32>, tensor<6x37x1xf32>, tensor<1x37x5xf32>, tensor<6x37x1xf32>, tensor<6x5xi32>
}
func.func @extremes_without_nan(%x: tensor<4x33xf32> {check.data = "special"}) -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %0 = tosa.reduce_max %x {axis = 1 : i32, nan_mode = IGNORE} : (tensor<4x33xf32>) -> tensor<4x1xf32>
  %1 = tosa.reduce_min %x {axis = 1 : i32, nan_mode = IGNORE} : (tensor<4x33xf32>) -> tensor<4x1xf32>
  %2 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<4x33xf32>) -> tensor<4x1xf32>
  return %0, %1, %2 : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}
func.func @truth(%x: tensor<7x3xi32> {check.data = "random:-1:2"}, %y: tensor<7x3xi32> {check.data = "random:-1:2"}) -> (tensor<7x1xi1>, tensor<1x3xi1>) {
  %0 = tosa.equal %x, %y : (tensor<7x3xi32>, tensor<7x3xi32>) -> tensor<7x3xi1>
  %1 = tosa.reduce_all %0 {axis = 1 : i32} : (tensor<7x3xi1>) -> tensor<7x1xi1>
  %2 = tosa.reduce_any %0 {axis = 0 : i32} : (tensor<7x3xi1>) -> tensor<1x3xi1>
  return %1, %2 : tensor<7x1xi1>, tensor<1x3xi1>
}
func.func @products(%a: tensor<2x17x9xf32>, %b: tensor<2x9x11xf32>) -> tensor<2x17x11xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %zero, %zero : (tensor<2x17x9xf32>, tensor<2x9x11xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x17x11xf32>
  return %0 : tensor<2x17x11xf32>
}
func.func @products_of_bytes(%a: tensor<1x17x9xi8> {check.data = "random:-128:127"}, %b: tensor<1x9x11xi8> {check.data = "random:-128:127"}) -> (tensor<1x17x11xi32>, tensor<1x17x11xi32>) {
  %zero = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %za = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zb = "tosa.const"() <{values = dense<-7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.matmul %a, %b, %zero, %zero : (tensor<1x17x9xi8>, tensor<1x9x11xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x17x11xi32>
  %1 = tosa.matmul %a, %b, %za, %zb : (tensor<1x17x9xi8>, tensor<1x9x11xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x17x11xi32>
  return %0, %1 : tensor<1x17x11xi32>, tensor<1x17x11xi32>
}
func.func @rescaled(%x: tensor<5x3xi32> {check.data = "random:-100000:100000"}, %y: tensor<5x3xi8> {check.data = "random:-128:127"}) -> (tensor<5x3xi8>, tensor<5x3xi8>, tensor<5x3xi32>) {
  %m = "tosa.const"() <{values = dense<1431655765> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<40> : tensor<1xi8>}> : () -> tensor<1xi8>
  %ms = "tosa.const"() <{values = dense<[1073741824, 1518500250, 2147483647]> : tensor<3xi32>}> : () -> tensor<3xi32>
  %ss = "tosa.const"() <{values = dense<[33, 36, 40]> : tensor<3xi8>}> : () -> tensor<3xi8>
  %z32 = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %z8 = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %x, %m, %s, %z32, %z8 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<5x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<5x3xi8>
  %1 = tosa.rescale %x, %ms, %ss, %z32, %z8 {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<5x3xi32>, tensor<3xi32>, tensor<3xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<5x3xi8>
  %2 = tosa.rescale %y, %m, %s, %z8, %z32 {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, input_unsigned = false, output_unsigned = false} : (tensor<5x3xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<5x3xi32>
  return %0, %1, %2 : tensor<5x3xi8>, tensor<5x3xi8>, tensor<5x3xi32>
}
func.func @tables(%x: tensor<29xi8> {check.data = "random:-128:127"}, %table: tensor<256xi8> {check.data = "random:-128:127"}, %y: tensor<29xi16> {check.data = "random:-32768:32767"}, %wide: tensor<513xi16> {check.data = "random:-9000:9000"}) -> (tensor<29xi8>, tensor<29xi32>) {
  %0 = tosa.table %x, %table : (tensor<29xi8>, tensor<256xi8>) -> tensor<29xi8>
  %1 = tosa.table %y, %wide : (tensor<29xi16>, tensor<513xi16>) -> tensor<29xi32>
  return %0, %1 : tensor<29xi8>, tensor<29xi32>
}
