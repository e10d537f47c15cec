// Tiles of whole rows of odd lengths go between memory and shared memory as one run, 16 bytes at a time: rows that begin
// anywhere, last tiles with fewer rows, results of other types, slices whose rows do not follow one another.
// RUN: tw-check %s --rtol=1e-2 --atol=1e-2 --quiet --target=sm_90a
// RUN: tw-check %s --rtol=1e-2 --atol=1e-2 --quiet --target=sm_80

func.func @norms(%x: tensor<12803x43xbf16>, %w: tensor<43xbf16>) -> (tensor<12803x43xbf16>, tensor<12803x43xbf16>, tensor<12803xf32>) {
  %0 = arith.extf %x : tensor<12803x43xbf16> to tensor<12803x43xf32>
  %1 = arith.extf %w : tensor<43xbf16> to tensor<43xf32>
  %2 = graph.rms_norm %0 scale(%1 : tensor<43xf32>) dim = 1 epsilon = 1.0e-02 : tensor<12803x43xf32> to tensor<12803x43xf32>
  %3 = arith.truncf %2 : tensor<12803x43xf32> to tensor<12803x43xbf16>
  %4 = math.tanh %0 : tensor<12803x43xf32>
  %5 = arith.truncf %4 : tensor<12803x43xf32> to tensor<12803x43xbf16>
  %6 = graph.reduce max %0 dims = [1] : tensor<12803x43xf32> to tensor<12803xf32>
  return %3, %5, %6 : tensor<12803x43xbf16>, tensor<12803x43xbf16>, tensor<12803xf32>
}
func.func @half(%x: tensor<4777x167xf16>) -> tensor<4777x167xf16> {
  %0 = graph.softmax %x dim = 1 : tensor<4777x167xf16> to tensor<4777x167xf16>
  return %0 : tensor<4777x167xf16>
}
func.func @floats(%x: tensor<9001x37xf32>, %y: tensor<9001x37xf32>) -> (tensor<9001x37xf32>, tensor<9001x37xbf16>) {
  %0 = arith.addf %x, %y : tensor<9001x37xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<9001x37xf32> to tensor<9001x37xf32>
  %2 = arith.truncf %0 : tensor<9001x37xf32> to tensor<9001x37xbf16>
  %3 = arith.truncf %1 : tensor<9001x37xf32> to tensor<9001x37xbf16>
  return %1, %3 : tensor<9001x37xf32>, tensor<9001x37xbf16>
}
func.func @long(%x: tensor<601x1023xbf16>) -> tensor<601x1023xbf16> {
  %0 = graph.softmax %x dim = 1 : tensor<601x1023xbf16> to tensor<601x1023xbf16>
  return %0 : tensor<601x1023xbf16>
}
func.func @bytes(%x: tensor<25001x45xi8>) -> (tensor<25001x45xi8>, tensor<25001xi8>) {
  %0 = graph.reduce max %x dims = [1] : tensor<25001x45xi8> to tensor<25001xi8>
  %1 = graph.broadcast %0 dims = [0] : tensor<25001xi8> to tensor<25001x45xi8>
  %2 = arith.subi %x, %1 : tensor<25001x45xi8>
  return %2, %0 : tensor<25001x45xi8>, tensor<25001xi8>
}
// Between kept dimensions, and of two dimensions that are gone over.
func.func @within(%x: tensor<400x31x53xbf16>) -> (tensor<400x31x53xbf16>, tensor<400x31x53xbf16>) {
  %0 = arith.extf %x : tensor<400x31x53xbf16> to tensor<400x31x53xf32>
  %1 = graph.softmax %0 dim = 2 : tensor<400x31x53xf32> to tensor<400x31x53xf32>
  %2 = arith.truncf %1 : tensor<400x31x53xf32> to tensor<400x31x53xbf16>
  %3 = arith.negf %x : tensor<400x31x53xbf16>
  return %2, %3 : tensor<400x31x53xbf16>, tensor<400x31x53xbf16>
}
func.func @planes(%x: tensor<9400x7x9xbf16>) -> tensor<9400x7x9xbf16> {
  %0 = graph.reduce max %x dims = [1, 2] : tensor<9400x7x9xbf16> to tensor<9400xbf16>
  %1 = graph.broadcast %0 dims = [0] : tensor<9400xbf16> to tensor<9400x7x9xbf16>
  %2 = arith.subf %x, %1 : tensor<9400x7x9xbf16>
  return %2 : tensor<9400x7x9xbf16>
}
// Rows from the third on: the run begins within a vector.
func.func @from_the_third(%x: tensor<14003x41xbf16>) -> tensor<14000x41xbf16> {
  %0 = graph.slice %x offsets = [3, 0] strides = [1, 1] : tensor<14003x41xbf16> to tensor<14000x41xbf16>
  %1 = graph.softmax %0 dim = 1 : tensor<14000x41xbf16> to tensor<14000x41xbf16>
  return %1 : tensor<14000x41xbf16>
}
func.func @without_ends(%x: tensor<12500x47xbf16>) -> tensor<12500x45xbf16> {
  %0 = graph.slice %x offsets = [0, 1] strides = [1, 1] : tensor<12500x47xbf16> to tensor<12500x45xbf16>
  %1 = graph.softmax %0 dim = 1 : tensor<12500x45xbf16> to tensor<12500x45xbf16>
  return %1 : tensor<12500x45xbf16>
}
// Long rows in parts, the second half of one of the results a number.
func.func @halves(%x: tensor<40x33001xf32>) -> (tensor<40x66002xf32>, tensor<40x33001xf32>) {
  %c = arith.constant dense<3.0> : tensor<40x33001xf32>
  %0 = math.absf %x : tensor<40x33001xf32>
  %1 = graph.concat %0, %c dim = 1 : tensor<40x33001xf32>, tensor<40x33001xf32> to tensor<40x66002xf32>
  %2 = graph.reduce min %0 dims = [1] : tensor<40x33001xf32> to tensor<40xf32>
  %3 = graph.broadcast %2 dims = [0] : tensor<40xf32> to tensor<40x33001xf32>
  %4 = arith.subf %0, %3 : tensor<40x33001xf32>
  return %1, %4 : tensor<40x66002xf32>, tensor<40x33001xf32>
}
