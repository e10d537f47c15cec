// Updates scattered along a dimension, with batches: several for one place, negative indices and indices that are
// out of range; every kind and type. Sums are formed before they meet the element.
// RUN: tw-check %s --rtol=2e-6 --atol=2e-6 --quiet

func.func @line(%x: tensor<50xf32>, %i: tensor<20xi64> {check.data = "random:-52:52"}, %u: tensor<20xf32>) -> (tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<20xf32>, tensor<20xi64> into tensor<50xf32>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<20xf32>, tensor<20xi64> into tensor<50xf32>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<20xf32>, tensor<20xi64> into tensor<50xf32>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<20xf32>, tensor<20xi64> into tensor<50xf32>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<20xf32>, tensor<20xi64> into tensor<50xf32>
  return %0, %1, %2, %3, %4 : tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>, tensor<50xf32>
}
func.func @rows_of_a_matrix(%x: tensor<50x33xf32>, %i: tensor<7xi64> {check.data = "random:-52:52"}, %u: tensor<7x33xf32>) -> (tensor<50x33xf32>, tensor<50x33xf32>, tensor<50x33xf32>, tensor<50x33xf32>, tensor<50x33xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<7x33xf32>, tensor<7xi64> into tensor<50x33xf32>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<7x33xf32>, tensor<7xi64> into tensor<50x33xf32>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<7x33xf32>, tensor<7xi64> into tensor<50x33xf32>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<7x33xf32>, tensor<7xi64> into tensor<50x33xf32>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<7x33xf32>, tensor<7xi64> into tensor<50x33xf32>
  return %0, %1, %2, %3, %4 : tensor<50x33xf32>, tensor<50x33xf32>, tensor<50x33xf32>, tensor<50x33xf32>, tensor<50x33xf32>
}
func.func @batches(%x: tensor<4x30xf32>, %i: tensor<4x12xi64> {check.data = "random:-32:32"}, %u: tensor<4x12xf32>) -> (tensor<4x30xf32>, tensor<4x30xf32>, tensor<4x30xf32>, tensor<4x30xf32>, tensor<4x30xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 1 : tensor<4x12xf32>, tensor<4x12xi64> into tensor<4x30xf32>
  %1 = graph.scatter add %u into %x[%i] batch = 1 : tensor<4x12xf32>, tensor<4x12xi64> into tensor<4x30xf32>
  %2 = graph.scatter mul %u into %x[%i] batch = 1 : tensor<4x12xf32>, tensor<4x12xi64> into tensor<4x30xf32>
  %3 = graph.scatter max %u into %x[%i] batch = 1 : tensor<4x12xf32>, tensor<4x12xi64> into tensor<4x30xf32>
  %4 = graph.scatter min %u into %x[%i] batch = 1 : tensor<4x12xf32>, tensor<4x12xi64> into tensor<4x30xf32>
  return %0, %1, %2, %3, %4 : tensor<4x30xf32>, tensor<4x30xf32>, tensor<4x30xf32>, tensor<4x30xf32>, tensor<4x30xf32>
}
func.func @batches_of_rows(%x: tensor<2x3x9x8xf32>, %i: tensor<2x3x5xi64> {check.data = "random:-11:11"}, %u: tensor<2x3x5x8xf32>) -> (tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 2 : tensor<2x3x5x8xf32>, tensor<2x3x5xi64> into tensor<2x3x9x8xf32>
  %1 = graph.scatter add %u into %x[%i] batch = 2 : tensor<2x3x5x8xf32>, tensor<2x3x5xi64> into tensor<2x3x9x8xf32>
  %2 = graph.scatter mul %u into %x[%i] batch = 2 : tensor<2x3x5x8xf32>, tensor<2x3x5xi64> into tensor<2x3x9x8xf32>
  %3 = graph.scatter max %u into %x[%i] batch = 2 : tensor<2x3x5x8xf32>, tensor<2x3x5xi64> into tensor<2x3x9x8xf32>
  %4 = graph.scatter min %u into %x[%i] batch = 2 : tensor<2x3x5x8xf32>, tensor<2x3x5xi64> into tensor<2x3x9x8xf32>
  return %0, %1, %2, %3, %4 : tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>
}
func.func @many_for_one_place(%x: tensor<3x4xf32>, %i: tensor<100xi64> {check.data = "random:-5:5"}, %u: tensor<100x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<100x4xf32>, tensor<100xi64> into tensor<3x4xf32>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<100x4xf32>, tensor<100xi64> into tensor<3x4xf32>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<100x4xf32>, tensor<100xi64> into tensor<3x4xf32>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<100x4xf32>, tensor<100xi64> into tensor<3x4xf32>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<100x4xf32>, tensor<100xi64> into tensor<3x4xf32>
  return %0, %1, %2, %3, %4 : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}
func.func @one_update(%x: tensor<40x16xf32>, %i: tensor<1xi64> {check.data = "random:-42:42"}, %u: tensor<1x16xf32>) -> (tensor<40x16xf32>, tensor<40x16xf32>, tensor<40x16xf32>, tensor<40x16xf32>, tensor<40x16xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<1x16xf32>, tensor<1xi64> into tensor<40x16xf32>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<1x16xf32>, tensor<1xi64> into tensor<40x16xf32>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<1x16xf32>, tensor<1xi64> into tensor<40x16xf32>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<1x16xf32>, tensor<1xi64> into tensor<40x16xf32>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<1x16xf32>, tensor<1xi64> into tensor<40x16xf32>
  return %0, %1, %2, %3, %4 : tensor<40x16xf32>, tensor<40x16xf32>, tensor<40x16xf32>, tensor<40x16xf32>, tensor<40x16xf32>
}
func.func @one_place(%x: tensor<1x8xf32>, %i: tensor<5xi64> {check.data = "random:-3:3"}, %u: tensor<5x8xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<5x8xf32>, tensor<5xi64> into tensor<1x8xf32>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<5x8xf32>, tensor<5xi64> into tensor<1x8xf32>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<5x8xf32>, tensor<5xi64> into tensor<1x8xf32>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<5x8xf32>, tensor<5xi64> into tensor<1x8xf32>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<5x8xf32>, tensor<5xi64> into tensor<1x8xf32>
  return %0, %1, %2, %3, %4 : tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>
}
func.func @i32_indices(%x: tensor<20x3xf32>, %i: tensor<9xi32> {check.data = "random:-22:22"}, %u: tensor<9x3xf32>) -> (tensor<20x3xf32>, tensor<20x3xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<9x3xf32>, tensor<9xi32> into tensor<20x3xf32>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<9x3xf32>, tensor<9xi32> into tensor<20x3xf32>
  return %0, %1 : tensor<20x3xf32>, tensor<20x3xf32>
}
func.func @special(%x: tensor<20xf32> {check.data = "special"}, %i: tensor<30xi64> {check.data = "random:-22:22"}, %u: tensor<30xf32> {check.data = "special"}) -> (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<30xf32>, tensor<30xi64> into tensor<20xf32>
  %1 = graph.scatter max %u into %x[%i] batch = 0 : tensor<30xf32>, tensor<30xi64> into tensor<20xf32>
  %2 = graph.scatter min %u into %x[%i] batch = 0 : tensor<30xf32>, tensor<30xi64> into tensor<20xf32>
  return %0, %1, %2 : tensor<20xf32>, tensor<20xf32>, tensor<20xf32>
}
func.func @of_f64(%x: tensor<20x3xf64>, %i: tensor<9xi64> {check.data = "random:-22:22"}, %u: tensor<9x3xf64>) -> (tensor<20x3xf64>, tensor<20x3xf64>, tensor<20x3xf64>, tensor<20x3xf64>, tensor<20x3xf64>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<9x3xf64>, tensor<9xi64> into tensor<20x3xf64>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<9x3xf64>, tensor<9xi64> into tensor<20x3xf64>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<9x3xf64>, tensor<9xi64> into tensor<20x3xf64>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<9x3xf64>, tensor<9xi64> into tensor<20x3xf64>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<9x3xf64>, tensor<9xi64> into tensor<20x3xf64>
  return %0, %1, %2, %3, %4 : tensor<20x3xf64>, tensor<20x3xf64>, tensor<20x3xf64>, tensor<20x3xf64>, tensor<20x3xf64>
}
func.func @of_i64(%x: tensor<20x3xi64>, %i: tensor<9xi64> {check.data = "random:-22:22"}, %u: tensor<9x3xi64>) -> (tensor<20x3xi64>, tensor<20x3xi64>, tensor<20x3xi64>, tensor<20x3xi64>, tensor<20x3xi64>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<9x3xi64>, tensor<9xi64> into tensor<20x3xi64>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<9x3xi64>, tensor<9xi64> into tensor<20x3xi64>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<9x3xi64>, tensor<9xi64> into tensor<20x3xi64>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<9x3xi64>, tensor<9xi64> into tensor<20x3xi64>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<9x3xi64>, tensor<9xi64> into tensor<20x3xi64>
  return %0, %1, %2, %3, %4 : tensor<20x3xi64>, tensor<20x3xi64>, tensor<20x3xi64>, tensor<20x3xi64>, tensor<20x3xi64>
}
func.func @of_i32(%x: tensor<20x3xi32>, %i: tensor<9xi64> {check.data = "random:-22:22"}, %u: tensor<9x3xi32>) -> (tensor<20x3xi32>, tensor<20x3xi32>, tensor<20x3xi32>, tensor<20x3xi32>, tensor<20x3xi32>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<9x3xi32>, tensor<9xi64> into tensor<20x3xi32>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<9x3xi32>, tensor<9xi64> into tensor<20x3xi32>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<9x3xi32>, tensor<9xi64> into tensor<20x3xi32>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<9x3xi32>, tensor<9xi64> into tensor<20x3xi32>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<9x3xi32>, tensor<9xi64> into tensor<20x3xi32>
  return %0, %1, %2, %3, %4 : tensor<20x3xi32>, tensor<20x3xi32>, tensor<20x3xi32>, tensor<20x3xi32>, tensor<20x3xi32>
}
func.func @of_i8(%x: tensor<20x3xi8>, %i: tensor<9xi64> {check.data = "random:-22:22"}, %u: tensor<9x3xi8>) -> (tensor<20x3xi8>, tensor<20x3xi8>, tensor<20x3xi8>, tensor<20x3xi8>, tensor<20x3xi8>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<9x3xi8>, tensor<9xi64> into tensor<20x3xi8>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<9x3xi8>, tensor<9xi64> into tensor<20x3xi8>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<9x3xi8>, tensor<9xi64> into tensor<20x3xi8>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<9x3xi8>, tensor<9xi64> into tensor<20x3xi8>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<9x3xi8>, tensor<9xi64> into tensor<20x3xi8>
  return %0, %1, %2, %3, %4 : tensor<20x3xi8>, tensor<20x3xi8>, tensor<20x3xi8>, tensor<20x3xi8>, tensor<20x3xi8>
}
func.func @of_i1(%x: tensor<20x3xi1>, %i: tensor<9xi64> {check.data = "random:-22:22"}, %u: tensor<9x3xi1>) -> tensor<20x3xi1> {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<9x3xi1>, tensor<9xi64> into tensor<20x3xi1>
  return %0 : tensor<20x3xi1>
}
// More pairs of updates and elements than one kernel compares: merged along the chains of each place.
func.func @long_slices(%x: tensor<40x65536xf32>, %i: tensor<30xi64> {check.data = "random:-12:10"}, %u: tensor<30x65536xf32>) -> tensor<40x65536xf32> {
  %0 = graph.scatter add %u into %x[%i] batch = 0 : tensor<30x65536xf32>, tensor<30xi64> into tensor<40x65536xf32>
  return %0 : tensor<40x65536xf32>
}
