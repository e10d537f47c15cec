// The k largest and smallest elements of rows of every type, ties by the lower index, NaN above all numbers; rows that
// one kernel sorts and rows of several levels of groups.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @rows(%x: tensor<5x37xf32>) -> (tensor<5x4xi64>, tensor<5x4xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<5x37xf32> to tensor<5x4xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<5x37xf32> to tensor<5x4xi64>
  return %0, %1 : tensor<5x4xi64>, tensor<5x4xi64>
}
func.func @all_of_a_row(%x: tensor<3x64xf32>) -> (tensor<3x64xi64>, tensor<3x64xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x64xf32> to tensor<3x64xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x64xf32> to tensor<3x64xi64>
  return %0, %1 : tensor<3x64xi64>, tensor<3x64xi64>
}
func.func @first_only(%x: tensor<6x100xf32>) -> (tensor<6x1xi32>, tensor<6x1xi32>) {
  %0 = graph.top_k %x dim = 1 : tensor<6x100xf32> to tensor<6x1xi32>
  %1 = graph.top_k %x dim = 1 smallest : tensor<6x100xf32> to tensor<6x1xi32>
  return %0, %1 : tensor<6x1xi32>, tensor<6x1xi32>
}
func.func @columns(%x: tensor<37x5xf32>) -> (tensor<4x5xi64>, tensor<4x5xi64>) {
  %0 = graph.top_k %x dim = 0 : tensor<37x5xf32> to tensor<4x5xi64>
  %1 = graph.top_k %x dim = 0 smallest : tensor<37x5xf32> to tensor<4x5xi64>
  return %0, %1 : tensor<4x5xi64>, tensor<4x5xi64>
}
func.func @middle(%x: tensor<3x20x5xf32>) -> (tensor<3x6x5xi64>, tensor<3x6x5xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x20x5xf32> to tensor<3x6x5xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x20x5xf32> to tensor<3x6x5xi64>
  return %0, %1 : tensor<3x6x5xi64>, tensor<3x6x5xi64>
}
func.func @ties(%x: tensor<4x200xf32> {check.data = "random:0:3"}) -> (tensor<4x70xi64>, tensor<4x70xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<4x200xf32> to tensor<4x70xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<4x200xf32> to tensor<4x70xi64>
  return %0, %1 : tensor<4x70xi64>, tensor<4x70xi64>
}
func.func @special(%x: tensor<4x120xf32> {check.data = "special"}) -> (tensor<4x50xi64>, tensor<4x50xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<4x120xf32> to tensor<4x50xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<4x120xf32> to tensor<4x50xi64>
  return %0, %1 : tensor<4x50xi64>, tensor<4x50xi64>
}
func.func @one_element(%x: tensor<3x1xf32>) -> (tensor<3x1xi64>, tensor<3x1xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x1xf32> to tensor<3x1xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x1xf32> to tensor<3x1xi64>
  return %0, %1 : tensor<3x1xi64>, tensor<3x1xi64>
}
func.func @line(%x: tensor<1000xf32>) -> (tensor<17xi64>, tensor<17xi64>) {
  %0 = graph.top_k %x dim = 0 : tensor<1000xf32> to tensor<17xi64>
  %1 = graph.top_k %x dim = 0 smallest : tensor<1000xf32> to tensor<17xi64>
  return %0, %1 : tensor<17xi64>, tensor<17xi64>
}
func.func @rows_of_warps(%x: tensor<2x3000xf32>) -> (tensor<2x100xi64>, tensor<2x100xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<2x3000xf32> to tensor<2x100xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<2x3000xf32> to tensor<2x100xi64>
  return %0, %1 : tensor<2x100xi64>, tensor<2x100xi64>
}
func.func @groups(%x: tensor<2x5003xf32>) -> (tensor<2x20xi64>, tensor<2x20xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<2x5003xf32> to tensor<2x20xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<2x5003xf32> to tensor<2x20xi64>
  return %0, %1 : tensor<2x20xi64>, tensor<2x20xi64>
}
func.func @groups_with_ties(%x: tensor<1x4999xf32> {check.data = "random:0:9"}) -> (tensor<1x60xi64>, tensor<1x60xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<1x4999xf32> to tensor<1x60xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<1x4999xf32> to tensor<1x60xi64>
  return %0, %1 : tensor<1x60xi64>, tensor<1x60xi64>
}
func.func @groups_special(%x: tensor<1x4200xf32> {check.data = "special"}) -> (tensor<1x40xi64>, tensor<1x40xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<1x4200xf32> to tensor<1x40xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<1x4200xf32> to tensor<1x40xi64>
  return %0, %1 : tensor<1x40xi64>, tensor<1x40xi64>
}
func.func @two_levels(%x: tensor<1x9000xf32>) -> (tensor<1x1000xi64>, tensor<1x1000xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<1x9000xf32> to tensor<1x1000xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<1x9000xf32> to tensor<1x1000xi64>
  return %0, %1 : tensor<1x1000xi64>, tensor<1x1000xi64>
}
func.func @of_f64(%x: tensor<3x120xf64> {check.data = "special"}) -> (tensor<3x10xi64>, tensor<3x10xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x120xf64> to tensor<3x10xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x120xf64> to tensor<3x10xi64>
  return %0, %1 : tensor<3x10xi64>, tensor<3x10xi64>
}
func.func @of_f16(%x: tensor<3x120xf16> {check.data = "special"}) -> (tensor<3x10xi64>, tensor<3x10xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x120xf16> to tensor<3x10xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x120xf16> to tensor<3x10xi64>
  return %0, %1 : tensor<3x10xi64>, tensor<3x10xi64>
}
func.func @of_bf16(%x: tensor<3x120xbf16>) -> (tensor<3x10xi64>, tensor<3x10xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x120xbf16> to tensor<3x10xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x120xbf16> to tensor<3x10xi64>
  return %0, %1 : tensor<3x10xi64>, tensor<3x10xi64>
}
func.func @of_i64(%x: tensor<3x120xi64>) -> (tensor<3x10xi64>, tensor<3x10xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x120xi64> to tensor<3x10xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x120xi64> to tensor<3x10xi64>
  return %0, %1 : tensor<3x10xi64>, tensor<3x10xi64>
}
func.func @of_i8(%x: tensor<3x120xi8> {check.data = "random:-99:99"}) -> (tensor<3x10xi64>, tensor<3x10xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x120xi8> to tensor<3x10xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x120xi8> to tensor<3x10xi64>
  return %0, %1 : tensor<3x10xi64>, tensor<3x10xi64>
}
func.func @of_i1(%x: tensor<3x40xi1>) -> (tensor<3x10xi64>, tensor<3x10xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x40xi1> to tensor<3x10xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x40xi1> to tensor<3x10xi64>
  return %0, %1 : tensor<3x10xi64>, tensor<3x10xi64>
}
func.func @with_values(%x: tensor<4x60xf32>) -> (tensor<4x5xf32>, tensor<4x5xi64>) {
  %0 = math.absf %x : tensor<4x60xf32>
  %1 = graph.top_k %0 dim = 1 : tensor<4x60xf32> to tensor<4x5xi64>
  %2 = graph.iota dim = 0 : tensor<4x5xi64>
  %c = arith.constant dense<60> : tensor<4x5xi64>
  %3 = arith.muli %2, %c : tensor<4x5xi64>
  %4 = arith.addi %3, %1 : tensor<4x5xi64>
  %5 = graph.reshape %0 : tensor<4x60xf32> to tensor<240xf32>
  %6 = graph.gather %5[%4] dim = 0 : tensor<240xf32>, tensor<4x5xi64> to tensor<4x5xf32>
  return %6, %1 : tensor<4x5xf32>, tensor<4x5xi64>
}
func.func @sorted_ids(%d: tensor<4x60xi32> {check.data = "iota"}, %k: tensor<4x60xi64> {check.data = "random:0:9"}) -> tensor<4x60xi32> {
  %0 = graph.sort %d by %k dim = 1 : tensor<4x60xi32>, tensor<4x60xi64>
  return %0 : tensor<4x60xi32>
}
// As many as are found one after the other, the last of them in a row of no more that differ; keys of 64 bits are sorted.
func.func @sixteen_rounds(%x: tensor<3x2000xf32>) -> (tensor<3x16xi64>, tensor<3x16xi32>) {
  %0 = graph.top_k %x dim = 1 : tensor<3x2000xf32> to tensor<3x16xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<3x2000xf32> to tensor<3x16xi32>
  return %0, %1 : tensor<3x16xi64>, tensor<3x16xi32>
}
func.func @rounds_of_ties(%x: tensor<70x128xbf16> {check.data = "random:0:2"}) -> (tensor<70x8xi64>, tensor<70x8xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<70x128xbf16> to tensor<70x8xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<70x128xbf16> to tensor<70x8xi64>
  return %0, %1 : tensor<70x8xi64>, tensor<70x8xi64>
}
func.func @rounds_of_special(%x: tensor<9x100xf32> {check.data = "special"}) -> (tensor<9x8xi64>, tensor<9x8xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<9x100xf32> to tensor<9x8xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<9x100xf32> to tensor<9x8xi64>
  return %0, %1 : tensor<9x8xi64>, tensor<9x8xi64>
}
func.func @few_of_wide_keys(%x: tensor<5x300xf64>, %y: tensor<5x300xi64>) -> (tensor<5x4xi64>, tensor<5x4xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<5x300xf64> to tensor<5x4xi64>
  %1 = graph.top_k %y dim = 1 smallest : tensor<5x300xi64> to tensor<5x4xi64>
  return %0, %1 : tensor<5x4xi64>, tensor<5x4xi64>
}
func.func @few_of_groups(%x: tensor<2x9001xf32>) -> (tensor<2x3xi64>, tensor<2x3xi64>) {
  %0 = graph.top_k %x dim = 1 : tensor<2x9001xf32> to tensor<2x3xi64>
  %1 = graph.top_k %x dim = 1 smallest : tensor<2x9001xf32> to tensor<2x3xi64>
  return %0, %1 : tensor<2x3xi64>, tensor<2x3xi64>
}
