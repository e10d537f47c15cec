// convert-tile-to-llvm, loads and stores of global memory: vectors as wide as layout and view allow, predicates only
// where a tile may reach beyond its view.
// RUN: tw-opt %s --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

#four = #tile.layout<"{shape=[128], register=[[1],[2]], lane=[[4],[8],[16],[32],[64]], warp=[]}">
#eight = #tile.layout<"{shape=[256], register=[[1],[2],[4]], lane=[[8],[16],[32],[64],[128]], warp=[]}">
!even = !tile.view<f32, "{offset=0, dims=[{extent=512, modes=[[512,1]]}]}">
!ragged = !tile.view<f32, "{offset=0, dims=[{extent=500, modes=[[500,1]]}]}">
!odd = !tile.view<f32, "{offset=0, dims=[{extent=511, modes=[[511,1]]}]}">
!shifted = !tile.view<f32, "{offset=1, dims=[{extent=512, modes=[[512,1]]}]}">
!half = !tile.view<bf16, "{offset=0, dims=[{extent=512, modes=[[512,1]]}]}">

// 128 bits, no predicate.
// CHECK-LABEL: llvm.func @whole
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK-NOT: llvm.load
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT: llvm.store
tile.kernel @whole grid = [4, 1, 1] warps = 1 (%x: !even, %y: !even) {
  %c128 = arith.constant 128 : index
  %b = tile.block_id 0
  %s = arith.muli %b, %c128 : index
  %0 = tile.load %x[%s] divisors = [128] in_bounds = [true] : !even -> tensor<128xf32, #four>
  tile.store %0, %y[%s] divisors = [128] in_bounds = [true] : tensor<128xf32, #four>, !even
  tile.return
}

// An extent of 500 is a whole number of vectors: one predicate for four elements.
// CHECK-LABEL: llvm.func @ragged
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c500
// CHECK: ptx.load %{{.*}}, %[[IN]], %{{.*}} : !llvm.ptr<1>, vector<4xf32>
// CHECK-NOT: ptx.load
// CHECK: ptx.store %{{.*}}, %{{.*}}, %[[IN]] : vector<4xf32>
tile.kernel @ragged grid = [4, 1, 1] warps = 1 (%x: !ragged, %y: !ragged) {
  %c128 = arith.constant 128 : index
  %b = tile.block_id 0
  %s = arith.muli %b, %c128 : index
  %0 = tile.load %x[%s] divisors = [128] in_bounds = [false] fill = 1.0 : f32 : !ragged -> tensor<128xf32, #four>
  tile.store %0, %y[%s] divisors = [128] in_bounds = [false] : tensor<128xf32, #four>, !ragged
  tile.return
}

// Declined: an extent of 511 may end inside a vector.
// CHECK-LABEL: llvm.func @odd
// CHECK-COUNT-4: ptx.load %{{.*}} : !llvm.ptr<1>, f32
tile.kernel @odd grid = [4, 1, 1] warps = 1 (%x: !odd) {
  %c128 = arith.constant 128 : index
  %b = tile.block_id 0
  %s = arith.muli %b, %c128 : index
  %0 = tile.load %x[%s] divisors = [128] in_bounds = [false] : !odd -> tensor<128xf32, #four>
  tile.store %0, %x[%s] divisors = [128] in_bounds = [false] : tensor<128xf32, #four>, !odd
  tile.return
}

// Declined: a view that starts one element late, and a tile that starts anywhere.
// CHECK-LABEL: llvm.func @unaligned
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-COUNT-4: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
tile.kernel @unaligned grid = [4, 1, 1] warps = 1 (%x: !shifted, %y: !even) {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !shifted -> tensor<128xf32, #four>
  %1 = tile.load %y[%b] divisors = [1] in_bounds = [true] : !even -> tensor<128xf32, #four>
  %2 = arith.addf %0, %1 : tensor<128xf32, #four>
  tile.store %2, %y[%c0] divisors = [0] in_bounds = [true] : tensor<128xf32, #four>, !even
  tile.return
}

// Eight bf16 are 128 bits.
// CHECK-LABEL: llvm.func @half
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<{{4xi32|8xbf16}}>
tile.kernel @half grid = [1, 1, 1] warps = 1 (%x: !half, %y: !half) {
  %c0 = arith.constant 0 : index
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !half -> tensor<256xbf16, #eight>
  tile.store %0, %y[%c0] divisors = [0] in_bounds = [true] : tensor<256xbf16, #eight>, !half
  tile.return
}

// Of threads that hold copies of one element one stores it.
// CHECK-LABEL: llvm.func @replicated
// CHECK: %[[COPY:.*]] = arith.andi %{{.*}}, %c16
// CHECK: %[[OWNER:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: ptx.store %{{.*}}, %{{.*}}, %[[OWNER]]
#copies = #tile.layout<"{shape=[16], register=[], lane=[[1],[2],[4],[8],[0]], warp=[]}">
tile.kernel @replicated grid = [1, 1, 1] warps = 1 (%x: !even) {
  %c0 = arith.constant 0 : index
  %0 = tile.iota dim = 0 from %c0 : tensor<16xi32, #copies>
  %1 = arith.sitofp %0 : tensor<16xi32, #copies> to tensor<16xf32, #copies>
  tile.store %1, %x[%c0] divisors = [0] in_bounds = [true] : tensor<16xf32, #copies>, !even
  tile.return
}

// Hints of caches: still 128 bits at a time; what no one writes goes the read-only way, results have a policy.
// CHECK-LABEL: llvm.func @hinted
// CHECK-DAG: %[[TRUE:.*]] = llvm.mlir.constant(true) : i1
// CHECK-DAG: %[[FIRST:.*]] = ptx.cache_policy evict_first
// CHECK: ptx.load %{{.*}}, %[[TRUE]], %{{.*}} policy %[[FIRST]] cache(nc_no_allocate) : !llvm.ptr<1>, vector<4xf32>
// CHECK: ptx.store %{{.*}}, %{{.*}}, %[[TRUE]] policy %[[FIRST]] : vector<4xf32>, !llvm.ptr<1>
tile.kernel @hinted grid = [4, 1, 1] warps = 1 (%x: !even, %y: !even) {
  %c128 = arith.constant 128 : index
  %b = tile.block_id 0
  %s = arith.muli %b, %c128 : index
  %0 = tile.load %x[%s] divisors = [128] in_bounds = [true] {tile.cache = #tile.cache<l1 = no_allocate, l2 = evict_first>} : !even -> tensor<128xf32, #four>
  tile.store %0, %y[%s] divisors = [128] in_bounds = [true] {tile.cache = #tile.cache<l2 = evict_first>} : tensor<128xf32, #four>, !even
  tile.return
}

// What the kernel itself writes is not read-only, nor is the hint a reason to say so.
// CHECK-LABEL: llvm.func @hinted_in_place
// CHECK: ptx.load %{{.*}}, %{{.*}}, %{{.*}} cache(no_allocate) : !llvm.ptr<1>, vector<4xf32>
// CHECK: llvm.store
tile.kernel @hinted_in_place grid = [4, 1, 1] warps = 1 (%x: !even) {
  %c128 = arith.constant 128 : index
  %b = tile.block_id 0
  %s = arith.muli %b, %c128 : index
  %0 = tile.load %x[%s] divisors = [128] in_bounds = [true] {tile.cache = #tile.cache<l1 = no_allocate>} : !even -> tensor<128xf32, #four>
  tile.store %0, %x[%s] divisors = [128] in_bounds = [true] : tensor<128xf32, #four>, !even
  tile.return
}

// Beyond the view the fill value stands, as without a hint.
// CHECK-LABEL: llvm.func @hinted_ragged
// CHECK: %[[IN:.*]] = arith.cmpi ult, %{{.*}}, %c500
// CHECK: ptx.load %{{.*}}, %[[IN]], %{{.*}} policy %{{.*}} cache(nc) : !llvm.ptr<1>, vector<4xf32>
tile.kernel @hinted_ragged grid = [4, 1, 1] warps = 1 (%x: !ragged, %y: !ragged) {
  %c128 = arith.constant 128 : index
  %b = tile.block_id 0
  %s = arith.muli %b, %c128 : index
  %0 = tile.load %x[%s] divisors = [128] in_bounds = [false] fill = 1.0 : f32 {tile.cache = #tile.cache<l2 = evict_last>} : !ragged -> tensor<128xf32, #four>
  tile.store %0, %y[%s] divisors = [128] in_bounds = [false] : tensor<128xf32, #four>, !ragged
  tile.return
}
