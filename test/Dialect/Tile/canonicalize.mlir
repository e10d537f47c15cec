// The tile dialect's one folder: a conversion to the layout that the tile already has is the tile.
// RUN: tw-opt %s --canonicalize | FileCheck %s

#row = #tile.layout<"{shape=[64], register=[[1]], lane=[[2],[4],[8],[16],[32]], warp=[]}">
#other = #tile.layout<"{shape=[64], register=[[32]], lane=[[1],[2],[4],[8],[16]], warp=[]}">
!x = !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">

// CHECK-LABEL: tile.kernel @same
// CHECK: %[[T:.*]] = tile.load
// CHECK-NEXT: tile.store %[[T]]
tile.kernel @same grid = [1, 1, 1] warps = 1 (%x: !x) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<64xf32, #row>
  %1 = tile.convert_layout %0 : tensor<64xf32, #row> to tensor<64xf32, #row>
  tile.store %1, %x[%c0] divisors = [0] in_bounds = [true] : tensor<64xf32, #row>, !x
  tile.return
}

// CHECK-LABEL: tile.kernel @different
// CHECK: tile.convert_layout
tile.kernel @different grid = [1, 1, 1] warps = 1 (%x: !x) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<64xf32, #row>
  %1 = tile.convert_layout %0 : tensor<64xf32, #row> to tensor<64xf32, #other>
  tile.store %1, %x[%c0] divisors = [0] in_bounds = [true] : tensor<64xf32, #other>, !x
  tile.return
}
