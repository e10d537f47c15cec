// Arg-reductions along every dimension of every type: first and last of equal elements, NaN and infinities, rows
// that fit a tile and rows that do not, and elementwise neighbours.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @rows(%x: tensor<33x67xf32>) -> (tensor<33xi64>, tensor<33xi64>, tensor<33xi64>, tensor<33xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<33x67xf32> to tensor<33xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<33x67xf32> to tensor<33xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<33x67xf32> to tensor<33xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<33x67xf32> to tensor<33xi64>
  return %0, %1, %2, %3 : tensor<33xi64>, tensor<33xi64>, tensor<33xi64>, tensor<33xi64>
}
func.func @columns(%x: tensor<67x33xf32>) -> (tensor<33xi32>, tensor<33xi32>, tensor<33xi32>, tensor<33xi32>) {
  %0 = graph.arg_reduce max %x dim = 0 : tensor<67x33xf32> to tensor<33xi32>
  %1 = graph.arg_reduce min %x dim = 0 : tensor<67x33xf32> to tensor<33xi32>
  %2 = graph.arg_reduce max %x dim = 0 last : tensor<67x33xf32> to tensor<33xi32>
  %3 = graph.arg_reduce min %x dim = 0 last : tensor<67x33xf32> to tensor<33xi32>
  return %0, %1, %2, %3 : tensor<33xi32>, tensor<33xi32>, tensor<33xi32>, tensor<33xi32>
}
func.func @middle(%x: tensor<3x17x5xf32>) -> (tensor<3x5xi64>, tensor<3x5xi64>, tensor<3x5xi64>, tensor<3x5xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<3x17x5xf32> to tensor<3x5xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<3x17x5xf32> to tensor<3x5xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<3x17x5xf32> to tensor<3x5xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<3x17x5xf32> to tensor<3x5xi64>
  return %0, %1, %2, %3 : tensor<3x5xi64>, tensor<3x5xi64>, tensor<3x5xi64>, tensor<3x5xi64>
}
func.func @one_row(%x: tensor<300xf32>) -> (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) {
  %0 = graph.arg_reduce max %x dim = 0 : tensor<300xf32> to tensor<i64>
  %1 = graph.arg_reduce min %x dim = 0 : tensor<300xf32> to tensor<i64>
  %2 = graph.arg_reduce max %x dim = 0 last : tensor<300xf32> to tensor<i64>
  %3 = graph.arg_reduce min %x dim = 0 last : tensor<300xf32> to tensor<i64>
  return %0, %1, %2, %3 : tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>
}
func.func @one_element(%x: tensor<5x1xf32>) -> (tensor<5xi64>, tensor<5xi64>, tensor<5xi64>, tensor<5xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<5x1xf32> to tensor<5xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<5x1xf32> to tensor<5xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<5x1xf32> to tensor<5xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<5x1xf32> to tensor<5xi64>
  return %0, %1, %2, %3 : tensor<5xi64>, tensor<5xi64>, tensor<5xi64>, tensor<5xi64>
}
func.func @special_rows(%x: tensor<20x41xf32> {check.data = "special"}) -> (tensor<20xi64>, tensor<20xi64>, tensor<20xi64>, tensor<20xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<20x41xf32> to tensor<20xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<20x41xf32> to tensor<20xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<20x41xf32> to tensor<20xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<20x41xf32> to tensor<20xi64>
  return %0, %1, %2, %3 : tensor<20xi64>, tensor<20xi64>, tensor<20xi64>, tensor<20xi64>
}
func.func @special_columns(%x: tensor<41x20xf32> {check.data = "special"}) -> (tensor<20xi64>, tensor<20xi64>, tensor<20xi64>, tensor<20xi64>) {
  %0 = graph.arg_reduce max %x dim = 0 : tensor<41x20xf32> to tensor<20xi64>
  %1 = graph.arg_reduce min %x dim = 0 : tensor<41x20xf32> to tensor<20xi64>
  %2 = graph.arg_reduce max %x dim = 0 last : tensor<41x20xf32> to tensor<20xi64>
  %3 = graph.arg_reduce min %x dim = 0 last : tensor<41x20xf32> to tensor<20xi64>
  return %0, %1, %2, %3 : tensor<20xi64>, tensor<20xi64>, tensor<20xi64>, tensor<20xi64>
}
func.func @equal_elements(%x: tensor<6x100xf32> {check.data = "splat:-3"}) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<6x100xf32> to tensor<6xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<6x100xf32> to tensor<6xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<6x100xf32> to tensor<6xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<6x100xf32> to tensor<6xi64>
  return %0, %1, %2, %3 : tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>
}
func.func @lowest(%x: tensor<6x100xf32> {check.data = "splat:-inf"}) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<6x100xf32> to tensor<6xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<6x100xf32> to tensor<6xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<6x100xf32> to tensor<6xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<6x100xf32> to tensor<6xi64>
  return %0, %1, %2, %3 : tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>
}
func.func @highest(%x: tensor<6x100xf32> {check.data = "splat:inf"}) -> (tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<6x100xf32> to tensor<6xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<6x100xf32> to tensor<6xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<6x100xf32> to tensor<6xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<6x100xf32> to tensor<6xi64>
  return %0, %1, %2, %3 : tensor<6xi64>, tensor<6xi64>, tensor<6xi64>, tensor<6xi64>
}
func.func @long_row(%x: tensor<2x40000xf32> {check.data = "random:0:1"}) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<2x40000xf32> to tensor<2xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<2x40000xf32> to tensor<2xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<2x40000xf32> to tensor<2xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<2x40000xf32> to tensor<2xi64>
  return %0, %1, %2, %3 : tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>
}
func.func @long_row_special(%x: tensor<1x40007xf32> {check.data = "special"}) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<1x40007xf32> to tensor<1xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<1x40007xf32> to tensor<1xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<1x40007xf32> to tensor<1xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<1x40007xf32> to tensor<1xi64>
  return %0, %1, %2, %3 : tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>
}
func.func @of_f64(%x: tensor<9x70xf64> {check.data = "special"}) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<9x70xf64> to tensor<9xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<9x70xf64> to tensor<9xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<9x70xf64> to tensor<9xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<9x70xf64> to tensor<9xi64>
  return %0, %1, %2, %3 : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>
}
func.func @of_f16(%x: tensor<9x70xf16> {check.data = "special"}) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<9x70xf16> to tensor<9xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<9x70xf16> to tensor<9xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<9x70xf16> to tensor<9xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<9x70xf16> to tensor<9xi64>
  return %0, %1, %2, %3 : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>
}
func.func @of_bf16(%x: tensor<9x70xbf16> {check.data = "special"}) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<9x70xbf16> to tensor<9xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<9x70xbf16> to tensor<9xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<9x70xbf16> to tensor<9xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<9x70xbf16> to tensor<9xi64>
  return %0, %1, %2, %3 : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>
}
func.func @of_i64(%x: tensor<9x70xi64>) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<9x70xi64> to tensor<9xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<9x70xi64> to tensor<9xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<9x70xi64> to tensor<9xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<9x70xi64> to tensor<9xi64>
  return %0, %1, %2, %3 : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>
}
func.func @of_i32(%x: tensor<9x70xi32> {check.data = "random:-9:9"}) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<9x70xi32> to tensor<9xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<9x70xi32> to tensor<9xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<9x70xi32> to tensor<9xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<9x70xi32> to tensor<9xi64>
  return %0, %1, %2, %3 : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>
}
func.func @of_i8(%x: tensor<9x70xi8>) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<9x70xi8> to tensor<9xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<9x70xi8> to tensor<9xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<9x70xi8> to tensor<9xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<9x70xi8> to tensor<9xi64>
  return %0, %1, %2, %3 : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>
}
func.func @of_i1(%x: tensor<9x70xi1>) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<9x70xi1> to tensor<9xi64>
  %1 = graph.arg_reduce min %x dim = 1 : tensor<9x70xi1> to tensor<9xi64>
  %2 = graph.arg_reduce max %x dim = 1 last : tensor<9x70xi1> to tensor<9xi64>
  %3 = graph.arg_reduce min %x dim = 1 last : tensor<9x70xi1> to tensor<9xi64>
  return %0, %1, %2, %3 : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>
}
func.func @between(%x: tensor<12x200xf32>, %t: tensor<200x8xf32>) -> (tensor<12x8xf32>, tensor<12xf32>) {
  %0 = math.absf %x : tensor<12x200xf32>
  %1 = graph.arg_reduce max %0 dim = 1 : tensor<12x200xf32> to tensor<12xi64>
  %2 = graph.gather %t[%1] dim = 0 : tensor<200x8xf32>, tensor<12xi64> to tensor<12x8xf32>
  %3 = graph.reduce max %0 dims = [1] : tensor<12x200xf32> to tensor<12xf32>
  return %2, %3 : tensor<12x8xf32>, tensor<12xf32>
}
