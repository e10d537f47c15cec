// Gathers along any dimension, with negative indices and indices that are out of range, from every type.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @rows(%t: tensor<50x33xf32>, %i: tensor<7xi64> {check.data = "random:-50:50"}) -> tensor<7x33xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<50x33xf32>, tensor<7xi64> to tensor<7x33xf32>
  return %0 : tensor<7x33xf32>
}
func.func @columns(%t: tensor<50x33xf32>, %i: tensor<7xi64> {check.data = "random:-33:33"}) -> tensor<50x7xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<50x33xf32>, tensor<7xi64> to tensor<50x7xf32>
  return %0 : tensor<50x7xf32>
}
func.func @middle(%t: tensor<5x9x12xf32>, %i: tensor<4xi64> {check.data = "random:-9:9"}) -> tensor<5x4x12xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<5x9x12xf32>, tensor<4xi64> to tensor<5x4x12xf32>
  return %0 : tensor<5x4x12xf32>
}
func.func @scalar_index(%t: tensor<50x33xf32>, %i: tensor<i64> {check.data = "random:-50:50"}) -> tensor<33xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<50x33xf32>, tensor<i64> to tensor<33xf32>
  return %0 : tensor<33xf32>
}
func.func @matrix_of_rows(%t: tensor<50x16xf32>, %i: tensor<3x5xi64> {check.data = "random:-50:50"}) -> tensor<3x5x16xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<50x16xf32>, tensor<3x5xi64> to tensor<3x5x16xf32>
  return %0 : tensor<3x5x16xf32>
}
func.func @i32(%t: tensor<50x33xf32>, %i: tensor<7xi32> {check.data = "random:-50:50"}) -> tensor<7x33xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<50x33xf32>, tensor<7xi32> to tensor<7x33xf32>
  return %0 : tensor<7x33xf32>
}
func.func @out_of_range(%t: tensor<5x33xf32>, %i: tensor<40xi64> {check.data = "random:-12:12"}) -> tensor<40x33xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<5x33xf32>, tensor<40xi64> to tensor<40x33xf32>
  return %0 : tensor<40x33xf32>
}
func.func @out_of_range_columns(%t: tensor<6x5xf32>, %i: tensor<40xi64> {check.data = "random:-12:12"}) -> tensor<6x40xf32> {
  %0 = graph.gather %t[%i] dim = 1 : tensor<6x5xf32>, tensor<40xi64> to tensor<6x40xf32>
  return %0 : tensor<6x40xf32>
}
func.func @of_i1(%t: tensor<20x24xi1>, %i: tensor<9xi64> {check.data = "random:-20:20"}) -> tensor<9x24xi1> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<20x24xi1>, tensor<9xi64> to tensor<9x24xi1>
  return %0 : tensor<9x24xi1>
}
func.func @of_i8(%t: tensor<20x24xi8>, %i: tensor<9xi64> {check.data = "random:-20:20"}) -> tensor<9x24xi8> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<20x24xi8>, tensor<9xi64> to tensor<9x24xi8>
  return %0 : tensor<9x24xi8>
}
func.func @of_f16(%t: tensor<20x24xf16>, %i: tensor<9xi64> {check.data = "random:-20:20"}) -> tensor<9x24xf16> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<20x24xf16>, tensor<9xi64> to tensor<9x24xf16>
  return %0 : tensor<9x24xf16>
}
func.func @of_bf16(%t: tensor<20x24xbf16>, %i: tensor<9xi64> {check.data = "random:-20:20"}) -> tensor<9x24xbf16> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<20x24xbf16>, tensor<9xi64> to tensor<9x24xbf16>
  return %0 : tensor<9x24xbf16>
}
func.func @of_f64(%t: tensor<20x24xf64>, %i: tensor<9xi64> {check.data = "random:-20:20"}) -> tensor<9x24xf64> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<20x24xf64>, tensor<9xi64> to tensor<9x24xf64>
  return %0 : tensor<9x24xf64>
}
func.func @of_i64(%t: tensor<20x24xi64>, %i: tensor<9xi64> {check.data = "random:-20:20"}) -> tensor<9x24xi64> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<20x24xi64>, tensor<9xi64> to tensor<9x24xi64>
  return %0 : tensor<9x24xi64>
}
func.func @one_row(%t: tensor<1x8xf32>, %i: tensor<3xi64> {check.data = "zeros"}) -> tensor<3x8xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<1x8xf32>, tensor<3xi64> to tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}
func.func @vector(%t: tensor<77xf32>, %i: tensor<5x3xi64> {check.data = "random:-77:77"}) -> tensor<5x3xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<77xf32>, tensor<5x3xi64> to tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
func.func @wide_rows(%t: tensor<30x384xf32>, %i: tensor<2x16xi64> {check.data = "random:-30:30"}) -> tensor<2x16x384xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<30x384xf32>, tensor<2x16xi64> to tensor<2x16x384xf32>
  return %0 : tensor<2x16x384xf32>
}
func.func @and_add(%t: tensor<50x32xf32>, %i: tensor<2x8xi64> {check.data = "random:0:50"}, %p: tensor<8x32xf32>) -> tensor<2x8x32xf32> {
  %0 = graph.gather %t[%i] dim = 0 : tensor<50x32xf32>, tensor<2x8xi64> to tensor<2x8x32xf32>
  %1 = graph.broadcast %p dims = [1, 2] : tensor<8x32xf32> to tensor<2x8x32xf32>
  %2 = arith.addf %0, %1 : tensor<2x8x32xf32>
  return %2 : tensor<2x8x32xf32>
}
func.func @of_computed(%t: tensor<50x32xf32>, %i: tensor<6xi64>) -> tensor<6x32xf32> {
  %c = arith.constant dense<3> : tensor<6xi64>
  %j = arith.addi %i, %c : tensor<6xi64>
  %u = math.absf %t : tensor<50x32xf32>
  %0 = graph.gather %u[%j] dim = 0 : tensor<50x32xf32>, tensor<6xi64> to tensor<6x32xf32>
  return %0 : tensor<6x32xf32>
}
func.func @of_a_constant(%i: tensor<6xi64> {check.data = "random:-8:8"}) -> tensor<6x8xf32> {
  %t = arith.constant dense<2.5> : tensor<5x8xf32>
  %0 = graph.gather %t[%i] dim = 0 : tensor<5x8xf32>, tensor<6xi64> to tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}
// The table under another shape is the same memory.
func.func @of_a_reshaped_table(%t: tensor<10x6xf32>, %i: tensor<4x5xi64> {check.data = "random:0:60"}) -> tensor<4x5xf32> {
  %0 = graph.reshape %t : tensor<10x6xf32> to tensor<60xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<60xf32>, tensor<4x5xi64> to tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
}
func.func @of_a_reshaped_result(%x: tensor<10x6xf32>, %i: tensor<4x5xi64> {check.data = "random:0:60"}) -> tensor<4x5xf32> {
  %t = graph.scan max %x dim = 1 : tensor<10x6xf32>
  %0 = graph.reshape %t : tensor<10x6xf32> to tensor<60xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<60xf32>, tensor<4x5xi64> to tensor<4x5xf32>
  %2 = arith.addf %1, %1 : tensor<4x5xf32>
  return %2 : tensor<4x5xf32>
}
