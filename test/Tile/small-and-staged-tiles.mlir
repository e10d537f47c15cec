// Rows of words that would fill few sectors of a warp's accesses go through shared memory, exact; loops that store what they
// load ahead have more warps; few elements are in no more blocks than the chip has multiprocessors for twice; short kernels that
// join parts have the tiles that the model gives.
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s

// CHECK-LABEL: tile.kernel @reduction_addf
// CHECK-SAME: tile = [32, 40], {{.*}} warps = 4
func.func @rows_of_words(%x: tensor<496752x38xf32>, %w: tensor<38xf32>) -> (tensor<496752x38xf32>, tensor<496752x38xf32>, tensor<496752x38xf32>) {
  %0 = graph.reduce min %x dims = [1] : tensor<496752x38xf32> to tensor<496752xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<496752xf32> to tensor<496752x38xf32>
  %2 = arith.subf %x, %1 : tensor<496752x38xf32>
  %3 = math.absf %2 : tensor<496752x38xf32>
  %4 = graph.broadcast %w dims = [1] : tensor<38xf32> to tensor<496752x38xf32>
  %5 = arith.addf %3, %4 : tensor<496752x38xf32>
  return %2, %3, %5 : tensor<496752x38xf32>, tensor<496752x38xf32>, tensor<496752x38xf32>
}

// CHECK-LABEL: tile.kernel @reduction_reduce
// CHECK-SAME: tile = [1, 4, 16, 24], {{.*}} warps = 4, {{.*}} stages = 4
func.func @stored_steps(%x: tensor<328x424x16x23xf32>) -> (tensor<328x424x16x23xf32>, tensor<16x328x424x23xf32>, tensor<328x23xf32>) {
  %0 = math.absf %x : tensor<328x424x16x23xf32>
  %1 = math.exp %x : tensor<328x424x16x23xf32>
  %2 = graph.transpose %1 permutation = [2, 0, 1, 3] : tensor<328x424x16x23xf32> to tensor<16x328x424x23xf32>
  %3 = graph.reduce sum %x dims = [1, 2] : tensor<328x424x16x23xf32> to tensor<328x23xf32>
  return %0, %2, %3 : tensor<328x424x16x23xf32>, tensor<16x328x424x23xf32>, tensor<328x23xf32>
}

// CHECK-LABEL: tile.kernel @exp grid = [240, 1, 1]
// CHECK-SAME: tile = [256]
func.func @few_elements(%x: tensor<61200xf32>) -> tensor<61200xf32> {
  %0 = math.exp %x : tensor<61200xf32>
  return %0 : tensor<61200xf32>
}

// Parts that are joined twice in two orders: a tile between them, not a sector of the one.
// CHECK-LABEL: tile.kernel @concat
// CHECK-SAME: tile = [16, 64]
func.func @joined_in_two_orders(%x: tensor<9674x56xbf16>) -> (tensor<56x19348xbf16>, tensor<56x19348xbf16>, tensor<19348x56xbf16>) {
  %0 = graph.concat %x, %x dim = 0 : tensor<9674x56xbf16>, tensor<9674x56xbf16> to tensor<19348x56xbf16>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<19348x56xbf16> to tensor<56x19348xbf16>
  %2 = arith.extf %1 : tensor<56x19348xbf16> to tensor<56x19348xf32>
  %3 = math.absf %2 : tensor<56x19348xf32>
  %4 = arith.truncf %3 : tensor<56x19348xf32> to tensor<56x19348xbf16>
  return %1, %4, %0 : tensor<56x19348xbf16>, tensor<56x19348xbf16>, tensor<19348x56xbf16>
}
