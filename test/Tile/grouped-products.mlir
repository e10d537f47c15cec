// Rows by groups: as many tiles of rows as there could be, each of which finds its group, its matrix, and where its rows end;
// blocks without rows leave, rows of no group become zero. By groups of tiles and transposed the rows' tiles are numbered as others are.
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile | tw-opt --pass-pipeline='builtin.module(tile.kernel(tile-assign-layouts,tile-async-products,tile-stage-stores,tile-specialise-roles))' | FileCheck %s --check-prefix=ROLES

// (100 + 4 * 63) / 64 tiles of rows, two of columns.
// CHECK-LABEL: tile.kernel @plain grid = [10, 1, 1]
// CHECK: %[[COLUMN:.*]] = arith.remui %{{.*}}, %{{.*}} : index
// CHECK: %[[GROUP:.*]], %[[FIRST:.*]], %[[END:.*]], %[[WITHIN:.*]] = tile.find_group %{{.*}}[%{{.*}}] rows = 64 of 100
// CHECK: %[[EMPTY:.*]] = arith.cmpi eq, %[[FIRST]], %[[END]] : index
// CHECK: tile.leave %[[EMPTY]]
// CHECK: tile.load %{{.*}}[%{{.*}}, %[[FIRST]], %{{.*}}] divisors = [1, 1, 64] in_bounds = [true, false, true]
// CHECK: tile.load %{{.*}}[%[[GROUP]], %{{.*}}, %{{.*}}] divisors = [1, 64, 64] in_bounds = [true, true, true]
// CHECK: %[[OF_GROUP:.*]] = tile.splat %[[WITHIN]]
// CHECK: arith.select %[[OF_GROUP]]
// CHECK: tile.store %{{.*}} before %[[END]] along 1 divisors = [0, 1, 64] in_bounds = [true, true, true]

// Both roles find the rows, and leave. Results go through shared memory, and from there as rows.
// ROLES-LABEL: tile.kernel @plain
// ROLES: tile.role @load
// ROLES: tile.find_group
// ROLES: tile.leave
// ROLES: tile.acquire
// ROLES: tile.role @multiply
// ROLES: tile.find_group
// ROLES: tile.leave
// ROLES: tile.wait
// ROLES: tile.store_shared
// ROLES: tile.load_shared
// ROLES-NEXT: tile.store %{{.*}} before %{{.*}} along 1
// ROLES-NOT: tile.store_bulk
graph.kernel anchor(matmul) @plain(%x: tensor<100x128xbf16>, %w: tensor<3x128x128xbf16>, %ends: tensor<3xi32>) -> tensor<100x128xf32> attributes {
    tile.schedule = #tile.schedule<tile = [1, 64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], store = bulk>} {
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<100x128xbf16>, tensor<3x128x128xbf16> to tensor<100x128xf32>
  graph.return %0 : tensor<100x128xf32>
}

// (100 + 4 * 31) / 32 tiles of rows, one of 128 columns; four of columns at a time come first.
// CHECK-LABEL: tile.kernel @transposed grid = [14, 1, 1]
// CHECK: tile.find_group %{{.*}}[%{{.*}}] rows = 32 of 100
// CHECK: tile.store %{{.*}} before %{{.*}} along 2
// ROLES-LABEL: tile.kernel @transposed
// ROLES: tile.load_shared
// ROLES-NEXT: tile.store %{{.*}} before %{{.*}} along 2
graph.kernel anchor(matmul) @transposed(%x: tensor<100x128xbf16>, %w: tensor<3x128x128xbf16>, %ends: tensor<3xi32>) -> tensor<100x128xf32> attributes {
    tile.schedule = #tile.schedule<tile = [1, 64, 32], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<4>, store = bulk, swap_operands>} {
  %0 = graph.matmul %x, %w groups(%ends : tensor<3xi32>) : tensor<100x128xbf16>, tensor<3x128x128xbf16> to tensor<100x128xf32>
  graph.return %0 : tensor<100x128xf32>
}

// No more tiles than rows.
// CHECK-LABEL: tile.kernel @few_rows grid = [5, 1, 1]
graph.kernel anchor(matmul) @few_rows(%x: tensor<5x64xbf16>, %w: tensor<100x64x32xbf16>, %ends: tensor<100xi32>) -> tensor<5x32xf32> attributes {
    tile.schedule = #tile.schedule<tile = [1, 32, 32], reduce = 16, warps = 4, warp_grid = [2, 2], stages = 2>} {
  %0 = graph.matmul %x, %w groups(%ends : tensor<100xi32>) : tensor<5x64xbf16>, tensor<100x64x32xbf16> to tensor<5x32xf32>
  graph.return %0 : tensor<5x32xf32>
}
