// Rows longer than a block's registers: kept in one block's shared memory, in a cluster's, or read again; masked
// elements, infinities, lengths that no tile divides, several inputs, and rows with results of one value. (Without
// their schedules the rows of the first ones would be held by clusters, as those of others are.)
// RUN: tw-check %s --rtol=2e-5 --atol=1e-6 --quiet
// RUN: tw-check %s --rtol=2e-5 --atol=1e-6 --quiet --target=sm_90a

func.func @softmax_one_block(%x: tensor<3x20480xf32> {check.data = "random:-20:20"}) -> tensor<3x20480xf32> 
    attributes {check.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %0 = graph.softmax %x dim = 1 : tensor<3x20480xf32> to tensor<3x20480xf32>
  return %0 : tensor<3x20480xf32>
}
func.func @softmax_odd_length(%x: tensor<2x17003xbf16> {check.data = "random:-20:20"}) -> tensor<2x17003xf32> 
    attributes {check.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %w = arith.extf %x : tensor<2x17003xbf16> to tensor<2x17003xf32>
  %0 = graph.softmax %w dim = 1 : tensor<2x17003xf32> to tensor<2x17003xf32>
  return %0 : tensor<2x17003xf32>
}
func.func @softmax_cluster(%x: tensor<3x131072xbf16> {check.data = "random:-20:20"}) -> (tensor<3x131072xf32>, tensor<3xf32>) {
  %w = arith.extf %x : tensor<3x131072xbf16> to tensor<3x131072xf32>
  %0 = graph.softmax %w dim = 1 : tensor<3x131072xf32> to tensor<3x131072xf32>
  %1 = graph.reduce max %w dims = [1] : tensor<3x131072xf32> to tensor<3xf32>
  return %0, %1 : tensor<3x131072xf32>, tensor<3xf32>
}
func.func @masked_cluster(%x: tensor<2x98304xf32>, %m: tensor<2x98304xi1>) -> tensor<2x98304xf32> {
  %inf = arith.constant dense<0xFF800000> : tensor<2x98304xf32>
  %0 = arith.select %m, %x, %inf : tensor<2x98304xi1>, tensor<2x98304xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<2x98304xf32> to tensor<2x98304xf32>
  return %1 : tensor<2x98304xf32>
}
func.func @all_masked_cluster(%x: tensor<2x131072xf32> {check.data = "splat:-inf"}) -> tensor<2x131072xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<2x131072xf32> to tensor<2x131072xf32>
  return %0 : tensor<2x131072xf32>
}
func.func @norm_of_a_sum(%x: tensor<2x32768xbf16>, %r: tensor<2x32768xbf16>, %s: tensor<32768xf32>, %b: tensor<32768xf32>) -> tensor<2x32768xf32> 
    attributes {check.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %xw = arith.extf %x : tensor<2x32768xbf16> to tensor<2x32768xf32>
  %rw = arith.extf %r : tensor<2x32768xbf16> to tensor<2x32768xf32>
  %h = arith.addf %xw, %rw : tensor<2x32768xf32>
  %y = graph.layer_norm %h scale(%s : tensor<32768xf32>) bias(%b : tensor<32768xf32>) dim = 1 epsilon = 1.0e-5 : tensor<2x32768xf32> to tensor<2x32768xf32>
  return %y : tensor<2x32768xf32>
}
func.func @largest_of_a_normalised_row(%x: tensor<2x65536xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %n = arith.constant dense<1.52587890625e-05> : tensor<2xf32>
  %s = graph.reduce sum %x dims = [1] : tensor<2x65536xf32> to tensor<2xf32>
  %mean = arith.mulf %s, %n : tensor<2xf32>
  %b = graph.broadcast %mean dims = [0] : tensor<2xf32> to tensor<2x65536xf32>
  %d = arith.subf %x, %b : tensor<2x65536xf32>
  %a = math.absf %d : tensor<2x65536xf32>
  %m = graph.reduce max %a dims = [1] : tensor<2x65536xf32> to tensor<2xf32>
  return %mean, %m : tensor<2xf32>, tensor<2xf32>
}
func.func @rows_of_two_blocks(%x: tensor<133x32768xf32> {check.data = "random:-20:20"}) -> (tensor<133x32768xf32>, tensor<133xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<133x32768xf32> to tensor<133x32768xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<133x32768xf32> to tensor<133xf32>
  return %0, %1 : tensor<133x32768xf32>, tensor<133xf32>
}
// The second block of a row has nothing but masked elements, and of the third row both have.
func.func @masked_block(%x: tensor<133x32768xf32> {check.data = "random:-20:20"}) -> (tensor<133x32768xf32>, tensor<133xf32>) {
  %c = graph.iota dim = 1 : tensor<133x32768xi32>
  %r = graph.iota dim = 0 : tensor<133x32768xi32>
  %half = arith.constant dense<16000> : tensor<133x32768xi32>
  %third = arith.constant dense<2> : tensor<133x32768xi32>
  %inf = arith.constant dense<0xFF800000> : tensor<133x32768xf32>
  %left = arith.cmpi slt, %c, %half : tensor<133x32768xi32>
  %other = arith.cmpi ne, %r, %third : tensor<133x32768xi32>
  %m = arith.andi %left, %other : tensor<133x32768xi1>
  %0 = arith.select %m, %x, %inf : tensor<133x32768xi1>, tensor<133x32768xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<133x32768xf32> to tensor<133x32768xf32>
  %2 = graph.reduce max %0 dims = [1] : tensor<133x32768xf32> to tensor<133xf32>
  return %1, %2 : tensor<133x32768xf32>, tensor<133xf32>
}
// What indices select of the row that is kept.
func.func @selected_of_a_kept_row(%x: tensor<133x30001xf32>, %i: tensor<30001xi64> {check.data = "random:0:30001"}) -> tensor<133x30001xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<133x30001xf32> to tensor<133x30001xf32>
  %g = graph.gather %x[%i] dim = 1 : tensor<133x30001xf32>, tensor<30001xi64> to tensor<133x30001xf32>
  %1 = arith.addf %0, %g : tensor<133x30001xf32>
  return %1 : tensor<133x30001xf32>
}
// Rows that indices select, beside rows that are kept.
func.func @selected_rows_beside_kept_ones(%x: tensor<3x30000xbf16>, %t: tensor<5x30000xbf16>, %i: tensor<3xi64> {check.data = "random:0:5"}) -> tensor<3x30000xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1>} {
  %w = arith.extf %x : tensor<3x30000xbf16> to tensor<3x30000xf32>
  %g = graph.gather %t[%i] dim = 0 : tensor<5x30000xbf16>, tensor<3xi64> to tensor<3x30000xbf16>
  %v = arith.extf %g : tensor<3x30000xbf16> to tensor<3x30000xf32>
  %s = arith.addf %w, %v : tensor<3x30000xf32>
  %0 = graph.softmax %s dim = 1 : tensor<3x30000xf32> to tensor<3x30000xf32>
  return %0 : tensor<3x30000xf32>
}
