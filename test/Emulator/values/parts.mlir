// Concats, slices with steps of either sign, pads and crops.
// RUN: tw-check %s --rtol=1e-6 --atol=1e-6 --quiet

func.func @concat_dim_0(%a: tensor<4x5x6xf32>, %b: tensor<1x5x6xf32>, %c: tensor<9x5x6xf32>) -> tensor<14x5x6xf32> {
  %0 = graph.concat %a, %b, %c dim = 0 : tensor<4x5x6xf32>, tensor<1x5x6xf32>, tensor<9x5x6xf32> to tensor<14x5x6xf32>
  return %0 : tensor<14x5x6xf32>
}
func.func @concat_dim_1(%a: tensor<4x5x6xf32>, %b: tensor<4x1x6xf32>, %c: tensor<4x9x6xf32>) -> tensor<4x15x6xf32> {
  %0 = graph.concat %a, %b, %c dim = 1 : tensor<4x5x6xf32>, tensor<4x1x6xf32>, tensor<4x9x6xf32> to tensor<4x15x6xf32>
  return %0 : tensor<4x15x6xf32>
}
func.func @concat_dim_2(%a: tensor<4x5x6xf32>, %b: tensor<4x5x1xf32>, %c: tensor<4x5x9xf32>) -> tensor<4x5x16xf32> {
  %0 = graph.concat %a, %b, %c dim = 2 : tensor<4x5x6xf32>, tensor<4x5x1xf32>, tensor<4x5x9xf32> to tensor<4x5x16xf32>
  return %0 : tensor<4x5x16xf32>
}
func.func @concat_i1(%a: tensor<3x33xi1>, %b: tensor<3x31xi1>) -> tensor<3x64xi1> {
  %0 = graph.concat %a, %b dim = 1 : tensor<3x33xi1>, tensor<3x31xi1> to tensor<3x64xi1>
  return %0 : tensor<3x64xi1>
}
func.func @concat_i8(%a: tensor<3x33xi8>, %b: tensor<3x31xi8>) -> tensor<3x64xi8> {
  %0 = graph.concat %a, %b dim = 1 : tensor<3x33xi8>, tensor<3x31xi8> to tensor<3x64xi8>
  return %0 : tensor<3x64xi8>
}
func.func @concat_f16(%a: tensor<3x33xf16>, %b: tensor<3x31xf16>) -> tensor<3x64xf16> {
  %0 = graph.concat %a, %b dim = 1 : tensor<3x33xf16>, tensor<3x31xf16> to tensor<3x64xf16>
  return %0 : tensor<3x64xf16>
}
func.func @concat_i64(%a: tensor<3x33xi64>, %b: tensor<3x31xi64>) -> tensor<3x64xi64> {
  %0 = graph.concat %a, %b dim = 1 : tensor<3x33xi64>, tensor<3x31xi64> to tensor<3x64xi64>
  return %0 : tensor<3x64xi64>
}
func.func @concat_computed(%a: tensor<7x12xf32>) -> tensor<7x24xf32> {
  %u = math.tanh %a : tensor<7x12xf32>
  %v = arith.negf %a : tensor<7x12xf32>
  %0 = graph.concat %u, %v dim = 1 : tensor<7x12xf32>, tensor<7x12xf32> to tensor<7x24xf32>
  %1 = math.absf %0 : tensor<7x24xf32>
  return %1 : tensor<7x24xf32>
}
func.func @concat_with_constant(%a: tensor<7x12xf32>) -> tensor<7x14xf32> {
  %c = arith.constant dense<3.0> : tensor<7x2xf32>
  %0 = graph.concat %c, %a dim = 1 : tensor<7x2xf32>, tensor<7x12xf32> to tensor<7x14xf32>
  return %0 : tensor<7x14xf32>
}
func.func @slice_rows(%x: tensor<40x33xf32>) -> tensor<20x33xf32> {
  %0 = graph.slice %x offsets = [5, 0] strides = [1, 1] : tensor<40x33xf32> to tensor<20x33xf32>
  return %0 : tensor<20x33xf32>
}
func.func @slice_columns(%x: tensor<40x33xf32>) -> tensor<40x20xf32> {
  %0 = graph.slice %x offsets = [0, 7] strides = [1, 1] : tensor<40x33xf32> to tensor<40x20xf32>
  return %0 : tensor<40x20xf32>
}
func.func @slice_steps(%x: tensor<40x33xf32>) -> tensor<13x7xf32> {
  %0 = graph.slice %x offsets = [1, 2] strides = [3, 5] : tensor<40x33xf32> to tensor<13x7xf32>
  return %0 : tensor<13x7xf32>
}
func.func @reverse(%x: tensor<40x33xf32>) -> tensor<40x33xf32> {
  %0 = graph.slice %x offsets = [39, 32] strides = [-1, -1] : tensor<40x33xf32> to tensor<40x33xf32>
  return %0 : tensor<40x33xf32>
}
func.func @reverse_rows(%x: tensor<40x33xf32>) -> tensor<40x33xf32> {
  %0 = graph.slice %x offsets = [39, 0] strides = [-1, 1] : tensor<40x33xf32> to tensor<40x33xf32>
  return %0 : tensor<40x33xf32>
}
func.func @backward_steps(%x: tensor<40x33xf32>) -> tensor<13x8xf32> {
  %0 = graph.slice %x offsets = [38, 30] strides = [-3, -4] : tensor<40x33xf32> to tensor<13x8xf32>
  return %0 : tensor<13x8xf32>
}
func.func @one_of_each(%x: tensor<4x5x6xf32>) -> tensor<1x1x1xf32> {
  %0 = graph.slice %x offsets = [3, 4, 5] strides = [1, 1, 1] : tensor<4x5x6xf32> to tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}
func.func @slice_i8(%x: tensor<40x33xi8>) -> tensor<19x16xi8> {
  %0 = graph.slice %x offsets = [1, 1] strides = [2, 2] : tensor<40x33xi8> to tensor<19x16xi8>
  return %0 : tensor<19x16xi8>
}
func.func @slice_of_slice(%x: tensor<100xf32>) -> tensor<15xf32> {
  %0 = graph.slice %x offsets = [90] strides = [-3] : tensor<100xf32> to tensor<30xf32>
  %1 = graph.slice %0 offsets = [29] strides = [-2] : tensor<30xf32> to tensor<15xf32>
  %2 = math.absf %1 : tensor<15xf32>
  return %2 : tensor<15xf32>
}
func.func @shifted_difference(%x: tensor<1000xf32>) -> tensor<999xf32> {
  %0 = graph.slice %x offsets = [1] strides = [1] : tensor<1000xf32> to tensor<999xf32>
  %1 = graph.slice %x offsets = [0] strides = [1] : tensor<1000xf32> to tensor<999xf32>
  %2 = arith.subf %0, %1 : tensor<999xf32>
  return %2 : tensor<999xf32>
}
func.func @part_and_whole(%x: tensor<257xf32>) -> (tensor<167xf32>, tensor<257xf32>) {
  %0 = math.absf %x : tensor<257xf32>
  %1 = graph.slice %0 offsets = [196] strides = [-1] : tensor<257xf32> to tensor<167xf32>
  %2 = math.tanh %1 : tensor<167xf32>
  return %2, %0 : tensor<167xf32>, tensor<257xf32>
}
func.func @pad_both(%x: tensor<17x33xf32>) -> tensor<21x39xf32> {
  %0 = graph.pad %x low = [1, 2] high = [3, 4] value = 7.5 : f32 : tensor<17x33xf32> to tensor<21x39xf32>
  return %0 : tensor<21x39xf32>
}
func.func @crop(%x: tensor<17x33xf32>) -> tensor<13x27xf32> {
  %0 = graph.pad %x low = [-1, -2] high = [-3, -4] value = 7.5 : f32 : tensor<17x33xf32> to tensor<13x27xf32>
  return %0 : tensor<13x27xf32>
}
func.func @pad_and_crop(%x: tensor<17x33xf32>) -> tensor<19x31xf32> {
  %0 = graph.pad %x low = [-1, 2] high = [3, -4] value = 7.5 : f32 : tensor<17x33xf32> to tensor<19x31xf32>
  return %0 : tensor<19x31xf32>
}
func.func @pad_i8(%x: tensor<17x33xi8>) -> tensor<20x35xi8> {
  %0 = graph.pad %x low = [0, 2] high = [3, 0] value = -1 : i8 : tensor<17x33xi8> to tensor<20x35xi8>
  return %0 : tensor<20x35xi8>
}
func.func @pad_f16(%x: tensor<17x33xf16>) -> tensor<20x35xf16> {
  %0 = graph.pad %x low = [0, 2] high = [3, 0] value = 0.5 : f16 : tensor<17x33xf16> to tensor<20x35xf16>
  return %0 : tensor<20x35xf16>
}
func.func @pad_far(%x: tensor<3xf32>) -> tensor<303xf32> {
  %0 = graph.pad %x low = [100] high = [200] value = 1.0 : f32 : tensor<3xf32> to tensor<303xf32>
  return %0 : tensor<303xf32>
}
func.func @crop_all(%x: tensor<3xf32>) -> tensor<8xf32> {
  %0 = graph.pad %x low = [-5] high = [10] value = 1.0 : f32 : tensor<3xf32> to tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @pad_infinite(%x: tensor<5x6xf32>) -> tensor<5x8xf32> {
  %0 = graph.pad %x low = [0, 1] high = [0, 1] value = 0xFF800000 : f32 : tensor<5x6xf32> to tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}
func.func @pad_of_constant() -> tensor<8x4xf32> {
  %c = arith.constant dense<3.0> : tensor<7x2xf32>
  %0 = graph.pad %c low = [1, 0] high = [0, 2] value = 1.0 : f32 : tensor<7x2xf32> to tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func @pad_then_compute(%x: tensor<17x33xf32>) -> tensor<19x34xf32> {
  %e = math.exp %x : tensor<17x33xf32>
  %0 = graph.pad %e low = [0, 1] high = [2, 0] value = 1.0 : f32 : tensor<17x33xf32> to tensor<19x34xf32>
  %1 = math.log %0 : tensor<19x34xf32>
  return %1 : tensor<19x34xf32>
}
