// Accesses of every second, fourth or eighth element that have all of them together: pairs that lie side by side, rows of
// an odd number of them, four and eight channels, parts that are reduced, scanned and stored apart, and rows that begin
// anywhere, where nothing is joined.
// RUN: tw-check %s --rtol=8e-3 --atol=1e-3 --quiet
// RUN: tw-check %s --target=sm_90a --rtol=8e-3 --atol=1e-3 --quiet
// REQUIRES: emulator

func.func @rotated_pairs(%x: tensor<64x4x32x2xbf16>, %c: tensor<64x32xf32>, %s: tensor<64x32xf32>) -> tensor<64x4x32x2xbf16> {
  %xf = arith.extf %x : tensor<64x4x32x2xbf16> to tensor<64x4x32x2xf32>
  %a = graph.slice %xf offsets = [0, 0, 0, 0] strides = [1, 1, 1, 1] : tensor<64x4x32x2xf32> to tensor<64x4x32x1xf32>
  %b = graph.slice %xf offsets = [0, 0, 0, 1] strides = [1, 1, 1, 1] : tensor<64x4x32x2xf32> to tensor<64x4x32x1xf32>
  %c1 = graph.broadcast %c dims = [0, 2] : tensor<64x32xf32> to tensor<64x4x32x1xf32>
  %s1 = graph.broadcast %s dims = [0, 2] : tensor<64x32xf32> to tensor<64x4x32x1xf32>
  %0 = arith.mulf %a, %c1 : tensor<64x4x32x1xf32>
  %1 = arith.mulf %b, %s1 : tensor<64x4x32x1xf32>
  %2 = arith.subf %0, %1 : tensor<64x4x32x1xf32>
  %3 = arith.mulf %a, %s1 : tensor<64x4x32x1xf32>
  %4 = arith.mulf %b, %c1 : tensor<64x4x32x1xf32>
  %5 = arith.addf %3, %4 : tensor<64x4x32x1xf32>
  %6 = graph.concat %2, %5 dim = 3 : tensor<64x4x32x1xf32>, tensor<64x4x32x1xf32> to tensor<64x4x32x2xf32>
  %7 = arith.truncf %6 : tensor<64x4x32x2xf32> to tensor<64x4x32x2xbf16>
  return %7 : tensor<64x4x32x2xbf16>
}
func.func @odd_number_of_pairs(%x: tensor<96x2x126xf16>) -> tensor<96x2x126xf16> {
  %a = graph.slice %x offsets = [0, 0, 0] strides = [1, 1, 2] : tensor<96x2x126xf16> to tensor<96x2x63xf16>
  %b = graph.slice %x offsets = [0, 0, 1] strides = [1, 1, 2] : tensor<96x2x126xf16> to tensor<96x2x63xf16>
  %n = arith.negf %b : tensor<96x2x63xf16>
  %0 = graph.reshape %n : tensor<96x2x63xf16> to tensor<96x2x63x1xf16>
  %1 = graph.reshape %a : tensor<96x2x63xf16> to tensor<96x2x63x1xf16>
  %2 = graph.concat %0, %1 dim = 3 : tensor<96x2x63x1xf16>, tensor<96x2x63x1xf16> to tensor<96x2x63x2xf16>
  %3 = graph.reshape %2 : tensor<96x2x63x2xf16> to tensor<96x2x126xf16>
  return %3 : tensor<96x2x126xf16>
}
func.func @gates_beside_what_they_gate(%x: tensor<100x520xbf16>) -> tensor<100x260xbf16> {
  %xf = arith.extf %x : tensor<100x520xbf16> to tensor<100x520xf32>
  %g = graph.slice %xf offsets = [0, 0] strides = [1, 2] : tensor<100x520xf32> to tensor<100x260xf32>
  %u = graph.slice %xf offsets = [0, 1] strides = [1, 2] : tensor<100x520xf32> to tensor<100x260xf32>
  %0 = graph.gelu tanh %g : tensor<100x260xf32>
  %1 = arith.mulf %0, %u : tensor<100x260xf32>
  %2 = arith.truncf %1 : tensor<100x260xf32> to tensor<100x260xbf16>
  return %2 : tensor<100x260xbf16>
}
func.func @four_channels(%x: tensor<77x64x4xf32>) -> (tensor<77x64xf32>, tensor<77x64x4xf32>) {
  %r = graph.slice %x offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<77x64x4xf32> to tensor<77x64x1xf32>
  %g = graph.slice %x offsets = [0, 0, 1] strides = [1, 1, 1] : tensor<77x64x4xf32> to tensor<77x64x1xf32>
  %b = graph.slice %x offsets = [0, 0, 2] strides = [1, 1, 1] : tensor<77x64x4xf32> to tensor<77x64x1xf32>
  %a = graph.slice %x offsets = [0, 0, 3] strides = [1, 1, 1] : tensor<77x64x4xf32> to tensor<77x64x1xf32>
  %0 = arith.addf %r, %g : tensor<77x64x1xf32>
  %1 = arith.mulf %0, %b : tensor<77x64x1xf32>
  %2 = arith.subf %1, %a : tensor<77x64x1xf32>
  %3 = graph.reshape %2 : tensor<77x64x1xf32> to tensor<77x64xf32>
  %4 = math.absf %r : tensor<77x64x1xf32>
  %5 = graph.concat %a, %0, %4, %1 dim = 2 : tensor<77x64x1xf32>, tensor<77x64x1xf32>, tensor<77x64x1xf32>, tensor<77x64x1xf32> to tensor<77x64x4xf32>
  return %3, %5 : tensor<77x64xf32>, tensor<77x64x4xf32>
}
func.func @eight_channels(%x: tensor<33x1024xbf16>) -> tensor<33x128xbf16> {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 8] : tensor<33x1024xbf16> to tensor<33x128xbf16>
  %1 = graph.slice %x offsets = [0, 1] strides = [1, 8] : tensor<33x1024xbf16> to tensor<33x128xbf16>
  %2 = graph.slice %x offsets = [0, 2] strides = [1, 8] : tensor<33x1024xbf16> to tensor<33x128xbf16>
  %3 = graph.slice %x offsets = [0, 3] strides = [1, 8] : tensor<33x1024xbf16> to tensor<33x128xbf16>
  %4 = graph.slice %x offsets = [0, 4] strides = [1, 8] : tensor<33x1024xbf16> to tensor<33x128xbf16>
  %5 = graph.slice %x offsets = [0, 5] strides = [1, 8] : tensor<33x1024xbf16> to tensor<33x128xbf16>
  %6 = graph.slice %x offsets = [0, 6] strides = [1, 8] : tensor<33x1024xbf16> to tensor<33x128xbf16>
  %7 = graph.slice %x offsets = [0, 7] strides = [1, 8] : tensor<33x1024xbf16> to tensor<33x128xbf16>
  %a = arith.subf %0, %1 : tensor<33x128xbf16>
  %b = arith.mulf %a, %2 : tensor<33x128xbf16>
  %c = arith.subf %b, %3 : tensor<33x128xbf16>
  %d = arith.mulf %c, %4 : tensor<33x128xbf16>
  %e = arith.subf %d, %5 : tensor<33x128xbf16>
  %f = arith.mulf %e, %6 : tensor<33x128xbf16>
  %g = arith.subf %f, %7 : tensor<33x128xbf16>
  return %g : tensor<33x128xbf16>
}
func.func @norms_of_parts(%x: tensor<40x512xf32>) -> (tensor<40x512xf32>, tensor<40xf32>) {
  %a = graph.slice %x offsets = [0, 0] strides = [1, 2] : tensor<40x512xf32> to tensor<40x256xf32>
  %b = graph.slice %x offsets = [0, 1] strides = [1, 2] : tensor<40x512xf32> to tensor<40x256xf32>
  %0 = graph.softmax %a dim = 1 : tensor<40x256xf32> to tensor<40x256xf32>
  %1 = arith.mulf %0, %b : tensor<40x256xf32>
  %2 = graph.reduce max %1 dims = [1] : tensor<40x256xf32> to tensor<40xf32>
  %3 = graph.reshape %0 : tensor<40x256xf32> to tensor<40x256x1xf32>
  %4 = graph.reshape %1 : tensor<40x256xf32> to tensor<40x256x1xf32>
  %5 = graph.concat %3, %4 dim = 2 : tensor<40x256x1xf32>, tensor<40x256x1xf32> to tensor<40x256x2xf32>
  %6 = graph.reshape %5 : tensor<40x256x2xf32> to tensor<40x512xf32>
  return %6, %2 : tensor<40x512xf32>, tensor<40xf32>
}
func.func @long_rows_of_pairs(%x: tensor<3x131072xbf16>) -> tensor<3x65536xf32> {
  %xf = arith.extf %x : tensor<3x131072xbf16> to tensor<3x131072xf32>
  %a = graph.slice %xf offsets = [0, 0] strides = [1, 2] : tensor<3x131072xf32> to tensor<3x65536xf32>
  %b = graph.slice %xf offsets = [0, 1] strides = [1, 2] : tensor<3x131072xf32> to tensor<3x65536xf32>
  %0 = arith.mulf %a, %b : tensor<3x65536xf32>
  %1 = graph.layer_norm %0 dim = 1 epsilon = 1.0e-5 : tensor<3x65536xf32> to tensor<3x65536xf32>
  return %1 : tensor<3x65536xf32>
}
func.func @scanned_parts(%x: tensor<130x256xf32>) -> (tensor<130x128xf32>, tensor<130x128xf32>) {
  %a = graph.slice %x offsets = [0, 0] strides = [1, 2] : tensor<130x256xf32> to tensor<130x128xf32>
  %b = graph.slice %x offsets = [0, 1] strides = [1, 2] : tensor<130x256xf32> to tensor<130x128xf32>
  %0 = graph.scan sum %a dim = 1 : tensor<130x128xf32>
  %1 = graph.scan max %b dim = 0 : tensor<130x128xf32>
  return %0, %1 : tensor<130x128xf32>, tensor<130x128xf32>
}
func.func @rows_that_begin_anywhere(%x: tensor<90x127xf32>) -> tensor<90x63xf32> {
  %a = graph.slice %x offsets = [0, 0] strides = [1, 2] : tensor<90x127xf32> to tensor<90x63xf32>
  %b = graph.slice %x offsets = [0, 1] strides = [1, 2] : tensor<90x127xf32> to tensor<90x63xf32>
  %0 = arith.subf %a, %b : tensor<90x63xf32>
  return %0 : tensor<90x63xf32>
}
func.func @pairs_of_pairs(%x: tensor<64x256xf32>) -> tensor<64x64x2x2xf32> {
  %a = graph.slice %x offsets = [0, 0] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %b = graph.slice %x offsets = [0, 2] strides = [1, 4] : tensor<64x256xf32> to tensor<64x64xf32>
  %c = graph.slice %x offsets = [0, 1] strides = [1, 2] : tensor<64x256xf32> to tensor<64x128xf32>
  %m = arith.mulf %a, %b : tensor<64x64xf32>
  %n = arith.subf %a, %b : tensor<64x64xf32>
  %0 = graph.reshape %m : tensor<64x64xf32> to tensor<64x64x1x1xf32>
  %1 = graph.reshape %n : tensor<64x64xf32> to tensor<64x64x1x1xf32>
  %2 = graph.concat %0, %1 dim = 3 : tensor<64x64x1x1xf32>, tensor<64x64x1x1xf32> to tensor<64x64x1x2xf32>
  %3 = graph.reshape %c : tensor<64x128xf32> to tensor<64x64x1x2xf32>
  %4 = graph.concat %2, %3 dim = 2 : tensor<64x64x1x2xf32>, tensor<64x64x1x2xf32> to tensor<64x64x2x2xf32>
  return %4 : tensor<64x64x2x2xf32>
}
