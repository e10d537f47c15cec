// tile-stage-stores: pieces of all warps' rows by one span, in two buffers that take turns; rows that no tensor map
// describes threads store from there, a run of a row at a time.
// RUN: tw-opt %s --pass-pipeline='builtin.module(convert-graph-to-tile,tile.kernel(canonicalize,cse,tile-assign-layouts,tile-stage-stores,canonicalize,cse))' | FileCheck %s

// Two row groups by two spans: the buffers alternate, and one store may be under way when a buffer is filled.
// CHECK-LABEL: tile.kernel @four_pieces
// CHECK: tile.alloc : <2, bf16, "{shape=[64,64],
// CHECK-COUNT-4: tile.wait_stores 1
// CHECK-NOT: tile.store %
// CHECK: tile.wait_stores 0
// CHECK-NEXT: tile.return
graph.kernel anchor(matmul) @four_pieces(%a: tensor<128x64xbf16>, %b: tensor<64x128xbf16>) -> tensor<128x128xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<128x64xbf16>, tensor<64x128xbf16> to tensor<128x128xf32>
  %1 = arith.truncf %0 : tensor<128x128xf32> to tensor<128x128xbf16>
  graph.return %1 : tensor<128x128xbf16>
}

// An odd number of pieces: the first buffer of a tile is the one that the tile before it used last.
// CHECK-LABEL: tile.kernel @three_pieces
// CHECK: tile.wait_stores 0
// CHECK: tile.slice {{.*}} at [0, 0]
// CHECK: tile.wait_stores 1
// CHECK: tile.slice {{.*}} at [0, 64]
// CHECK: tile.wait_stores 1
// CHECK: tile.slice {{.*}} at [0, 128]
// CHECK: tile.wait_stores 0
graph.kernel anchor(matmul) @three_pieces(%a: tensor<64x64xbf16>, %b: tensor<64x192xbf16>) -> tensor<64x192xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [64, 192], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x192xbf16> to tensor<64x192xf32>
  %1 = arith.truncf %0 : tensor<64x192xf32> to tensor<64x192xbf16>
  graph.return %1 : tensor<64x192xbf16>
}

// One piece: one buffer, and no slice.
// CHECK-LABEL: tile.kernel @one_piece
// CHECK: tile.alloc : <1, bf16,
// CHECK: tile.wait_stores 0
// CHECK-NOT: tile.slice
// CHECK: tile.store_bulk
graph.kernel anchor(matmul) @one_piece(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  %1 = arith.truncf %0 : tensor<64x64xf32> to tensor<64x64xbf16>
  graph.return %1 : tensor<64x64xbf16>
}

// Rows of 122 bytes: lanes beside one another have neighbours of a row.
// CHECK-LABEL: tile.kernel @even_rows
// CHECK-NOT: tile.store_bulk
// CHECK-NOT: tile.wait_stores
// CHECK: tile.barrier
// CHECK-NEXT: tile.store_shared
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: %[[ROW:.*]] = tile.load_shared {{.*}}lane={{\[\[}}0,2],[0,4],[0,8],[0,16],[0,32]],
// CHECK-NEXT: tile.store %[[ROW]]
graph.kernel anchor(matmul) @even_rows(%a: tensor<64x64xbf16>, %b: tensor<64x62xbf16>) -> tensor<64x62xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x62xbf16> to tensor<64x62xf32>
  %1 = arith.truncf %0 : tensor<64x62xf32> to tensor<64x62xbf16>
  graph.return %1 : tensor<64x62xbf16>
}

// Odd elements, two pieces: the buffers alternate, and each piece is waited for once.
// CHECK-LABEL: tile.kernel @odd_rows
// CHECK-NOT: tile.store_bulk
// CHECK: tile.slice {{.*}} at [0, 0]
// CHECK-NEXT: tile.store_shared
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load_shared
// CHECK-NEXT: tile.store %
// CHECK: tile.slice {{.*}} at [0, 64]
// CHECK-NEXT: tile.store_shared
// CHECK-NEXT: tile.barrier
// CHECK-NEXT: tile.load_shared
// CHECK-NEXT: tile.store %
graph.kernel anchor(matmul) @odd_rows(%a: tensor<64x64xbf16>, %b: tensor<64x121xbf16>) -> tensor<64x121xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [64, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<64x64xbf16>, tensor<64x121xbf16> to tensor<64x121xf32>
  %1 = arith.truncf %0 : tensor<64x121xf32> to tensor<64x121xbf16>
  graph.return %1 : tensor<64x121xbf16>
}
