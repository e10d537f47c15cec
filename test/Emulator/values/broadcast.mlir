// Every way an operand is broadcast: scalars, rows, columns, dimensions in the middle, ranks 0 to 5, odd sizes.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @scalar_to_1(%x: tensor<37xf32>, %y: tensor<f32>) -> tensor<37xf32> {
  %0 = graph.broadcast %y dims = [] : tensor<f32> to tensor<37xf32>
  %1 = arith.subf %x, %0 : tensor<37xf32>
  return %1 : tensor<37xf32>
}
func.func @scalar_to_5(%x: tensor<2x3x1x5x7xf32>, %y: tensor<f32>) -> tensor<2x3x1x5x7xf32> {
  %0 = graph.broadcast %y dims = [] : tensor<f32> to tensor<2x3x1x5x7xf32>
  %1 = arith.subf %x, %0 : tensor<2x3x1x5x7xf32>
  return %1 : tensor<2x3x1x5x7xf32>
}
func.func @row(%x: tensor<33x67xf32>, %y: tensor<67xf32>) -> tensor<33x67xf32> {
  %0 = graph.broadcast %y dims = [1] : tensor<67xf32> to tensor<33x67xf32>
  %1 = arith.subf %x, %0 : tensor<33x67xf32>
  return %1 : tensor<33x67xf32>
}
func.func @column(%x: tensor<33x67xf32>, %y: tensor<33xf32>) -> tensor<33x67xf32> {
  %0 = graph.broadcast %y dims = [0] : tensor<33xf32> to tensor<33x67xf32>
  %1 = arith.subf %x, %0 : tensor<33x67xf32>
  return %1 : tensor<33x67xf32>
}
func.func @unit_row(%x: tensor<33x67xf32>, %y: tensor<1x67xf32>) -> tensor<33x67xf32> {
  %0 = graph.broadcast %y dims = [0, 1] : tensor<1x67xf32> to tensor<33x67xf32>
  %1 = arith.subf %x, %0 : tensor<33x67xf32>
  return %1 : tensor<33x67xf32>
}
func.func @unit_column(%x: tensor<33x67xf32>, %y: tensor<33x1xf32>) -> tensor<33x67xf32> {
  %0 = graph.broadcast %y dims = [0, 1] : tensor<33x1xf32> to tensor<33x67xf32>
  %1 = arith.subf %x, %0 : tensor<33x67xf32>
  return %1 : tensor<33x67xf32>
}
func.func @middle(%x: tensor<3x5x7xf32>, %y: tensor<5xf32>) -> tensor<3x5x7xf32> {
  %0 = graph.broadcast %y dims = [1] : tensor<5xf32> to tensor<3x5x7xf32>
  %1 = arith.subf %x, %0 : tensor<3x5x7xf32>
  return %1 : tensor<3x5x7xf32>
}
func.func @outer_and_inner(%x: tensor<3x5x7xf32>, %y: tensor<3x7xf32>) -> tensor<3x5x7xf32> {
  %0 = graph.broadcast %y dims = [0, 2] : tensor<3x7xf32> to tensor<3x5x7xf32>
  %1 = arith.subf %x, %0 : tensor<3x5x7xf32>
  return %1 : tensor<3x5x7xf32>
}
func.func @outer_units(%x: tensor<3x5x7xf32>, %y: tensor<3x1x7xf32>) -> tensor<3x5x7xf32> {
  %0 = graph.broadcast %y dims = [0, 1, 2] : tensor<3x1x7xf32> to tensor<3x5x7xf32>
  %1 = arith.subf %x, %0 : tensor<3x5x7xf32>
  return %1 : tensor<3x5x7xf32>
}
func.func @inner_of_four(%x: tensor<3x5x6x8xf32>, %y: tensor<6x8xf32>) -> tensor<3x5x6x8xf32> {
  %0 = graph.broadcast %y dims = [2, 3] : tensor<6x8xf32> to tensor<3x5x6x8xf32>
  %1 = arith.subf %x, %0 : tensor<3x5x6x8xf32>
  return %1 : tensor<3x5x6x8xf32>
}
func.func @second_of_four(%x: tensor<3x5x6x8xf32>, %y: tensor<5xf32>) -> tensor<3x5x6x8xf32> {
  %0 = graph.broadcast %y dims = [1] : tensor<5xf32> to tensor<3x5x6x8xf32>
  %1 = arith.subf %x, %0 : tensor<3x5x6x8xf32>
  return %1 : tensor<3x5x6x8xf32>
}
func.func @first_and_third(%x: tensor<3x5x6x8xf32>, %y: tensor<3x6xf32>) -> tensor<3x5x6x8xf32> {
  %0 = graph.broadcast %y dims = [0, 2] : tensor<3x6xf32> to tensor<3x5x6x8xf32>
  %1 = arith.subf %x, %0 : tensor<3x5x6x8xf32>
  return %1 : tensor<3x5x6x8xf32>
}
func.func @rank_5(%x: tensor<2x3x4x5x6xf32>, %y: tensor<2x4x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %0 = graph.broadcast %y dims = [0, 2, 4] : tensor<2x4x6xf32> to tensor<2x3x4x5x6xf32>
  %1 = arith.subf %x, %0 : tensor<2x3x4x5x6xf32>
  return %1 : tensor<2x3x4x5x6xf32>
}
func.func @ones(%x: tensor<1x1x1xf32>, %y: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  %0 = graph.broadcast %y dims = [0, 1, 2] : tensor<1x1x1xf32> to tensor<1x1x1xf32>
  %1 = arith.subf %x, %0 : tensor<1x1x1xf32>
  return %1 : tensor<1x1x1xf32>
}
func.func @one_element(%x: tensor<1xf32>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %0 = graph.broadcast %y dims = [0] : tensor<1xf32> to tensor<1xf32>
  %1 = arith.subf %x, %0 : tensor<1xf32>
  return %1 : tensor<1xf32>
}
func.func @wide(%x: tensor<3x4096xf32>, %y: tensor<4096xf32>) -> tensor<3x4096xf32> {
  %0 = graph.broadcast %y dims = [1] : tensor<4096xf32> to tensor<3x4096xf32>
  %1 = arith.subf %x, %0 : tensor<3x4096xf32>
  return %1 : tensor<3x4096xf32>
}
func.func @tall(%x: tensor<4099x2xf32>, %y: tensor<4099x1xf32>) -> tensor<4099x2xf32> {
  %0 = graph.broadcast %y dims = [0, 1] : tensor<4099x1xf32> to tensor<4099x2xf32>
  %1 = arith.subf %x, %0 : tensor<4099x2xf32>
  return %1 : tensor<4099x2xf32>
}
func.func @scalars(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = arith.addf %x, %y : tensor<f32>
  return %0 : tensor<f32>
}
func.func @row_times_column(%x: tensor<41xf32>, %y: tensor<29xf32>) -> tensor<41x29xf32> {
  %0 = graph.broadcast %x dims = [0] : tensor<41xf32> to tensor<41x29xf32>
  %1 = graph.broadcast %y dims = [1] : tensor<29xf32> to tensor<41x29xf32>
  %2 = arith.mulf %0, %1 : tensor<41x29xf32>
  return %2 : tensor<41x29xf32>
}
func.func @large(%x: tensor<70001xf32>, %y: tensor<70001xf32>) -> tensor<70001xf32> {
  %0 = arith.addf %x, %y : tensor<70001xf32>
  return %0 : tensor<70001xf32>
}
// Digits of the spread tensor's index that the reshape cuts across.
func.func @spread_then_reshaped(%x: tensor<8x7x5x6x3xf32>, %y: tensor<8x7x5x6xf32>) -> tensor<7x2x12x30xf32> {
  %0 = graph.broadcast %y dims = [0, 1, 2, 3] : tensor<8x7x5x6xf32> to tensor<8x7x5x6x3xf32>
  %1 = arith.mulf %x, %0 : tensor<8x7x5x6x3xf32>
  %2 = graph.reshape %1 : tensor<8x7x5x6x3xf32> to tensor<7x2x12x30xf32>
  %3 = graph.reduce max %2 dims = [3] : tensor<7x2x12x30xf32> to tensor<7x2x12xf32>
  %4 = graph.broadcast %3 dims = [0, 1, 2] : tensor<7x2x12xf32> to tensor<7x2x12x30xf32>
  %5 = arith.subf %2, %4 : tensor<7x2x12x30xf32>
  return %5 : tensor<7x2x12x30xf32>
}
