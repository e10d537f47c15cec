// Persistent blocks that keep rows in shared memory ask for the next row while they store the last one: rows of one block
// and of a cluster, more and fewer of them than blocks, several inputs, elements that a copy cannot fill.
// RUN: tw-check %s --rtol=2e-5 --atol=1e-6 --quiet
// RUN: tw-check %s --rtol=2e-5 --atol=1e-6 --quiet --early

func.func @one_block(%x: tensor<7x20480xf32> {check.data = "random:-20:20"}) -> tensor<7x20480xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1, persistent = 3>} {
  %0 = graph.softmax %x dim = 1 : tensor<7x20480xf32> to tensor<7x20480xf32>
  return %0 : tensor<7x20480xf32>
}
func.func @cluster(%x: tensor<133x32768xf32> {check.data = "random:-20:20"}) -> tensor<133x32768xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1, persistent = 4>} {
  %0 = graph.softmax %x dim = 1 : tensor<133x32768xf32> to tensor<133x32768xf32>
  return %0 : tensor<133x32768xf32>
}
func.func @norm_of_a_sum(%x: tensor<5x32768xbf16>, %r: tensor<5x32768xbf16>, %s: tensor<32768xf32>, %b: tensor<32768xf32>) -> tensor<5x32768xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1, persistent = 2>} {
  %xw = arith.extf %x : tensor<5x32768xbf16> to tensor<5x32768xf32>
  %rw = arith.extf %r : tensor<5x32768xbf16> to tensor<5x32768xf32>
  %h = arith.addf %xw, %rw : tensor<5x32768xf32>
  %y = graph.layer_norm %h scale(%s : tensor<32768xf32>) bias(%b : tensor<32768xf32>) dim = 1 epsilon = 1.0e-5 : tensor<5x32768xf32> to tensor<5x32768xf32>
  return %y : tensor<5x32768xf32>
}
func.func @odd_length(%x: tensor<3x17003xbf16> {check.data = "random:-20:20"}) -> tensor<3x17003xf32>
    attributes {check.schedule = #tile.schedule<tile = [1, 4096], reduce = 1, warps = 8, warp_grid = [1, 8], stages = 1, persistent = 2>} {
  %w = arith.extf %x : tensor<3x17003xbf16> to tensor<3x17003xf32>
  %0 = graph.softmax %w dim = 1 : tensor<3x17003xf32> to tensor<3x17003xf32>
  return %0 : tensor<3x17003xf32>
}
