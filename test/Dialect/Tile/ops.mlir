// Every op, type and attribute of the tile dialect survives text, its generic form and bytecode.
// RUN: tw-opt %s | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

#row = #tile.layout<"{shape=[4,64], register=[[0,1]], lane=[[0,2],[0,4],[0,8],[0,16],[0,32]], warp=[[1,0],[2,0]]}">
#line = #tile.layout<"{shape=[4,1], register=[], lane=[[0,0],[0,0],[0,0],[0,0],[0,0]], warp=[[1,0],[2,0]]}">
!x = !tile.view<f32, "{offset=0, dims=[{extent=16, modes=[[16,64]]}, {extent=64, modes=[[64,1]]}]}">
!turned = !tile.view<f32, "{offset=1, dims=[{extent=62, start=1, modes=[[64,1]]}, {extent=16, modes=[[16,64]]}]}">
!ring = !tile.shared<3, f32, "{shape=[4,64], order=[1,0], inner=[64,1], xor=[[6,2,2]]}">

// CHECK-LABEL: tile.kernel @global grid = [4, 2, 1] warps = 4
// CHECK-SAME: (%[[X:.*]]: !tile.view<f32, "{offset=0, dims=[{extent=16, modes={{\[\[}}16,64]]}, {extent=64, modes={{\[\[}}64,1]]}]}">, %[[I:.*]]: !tile.view
// CHECK-SAME: attributes {tile.contract = #tile.contract<registers = 128, spills = 0, blocks_per_sm = 2>, tile.schedule = #tile.schedule<tile = [4, 64], reduce = 1, warps = 4, warp_grid = [4, 1], stages = 1>}
tile.kernel @global grid = [4, 2, 1] warps = 4 (%x: !x, %y: !x) attributes {
    tile.contract = #tile.contract<registers = 128, spills = 0, blocks_per_sm = 2>,
    tile.schedule = #tile.schedule<tile = [4, 64], reduce = 1, warps = 4, warp_grid = [4, 1], stages = 1>} {
  // CHECK: tile.view %[[X]] : <f32, "{{.*}}"> to <f32, "{offset=1, dims=[{extent=62, start=1, modes={{\[\[}}64,1]]}, {extent=16, modes={{\[\[}}16,64]]}]}">
  %turned = tile.view %x : !x to !turned
  // CHECK: tile.block_id 1
  %block = tile.block_id 1
  %c0 = arith.constant 0 : index
  // CHECK: tile.load %[[X]][%{{.*}}, %{{.*}}] divisors = [4, 0] in_bounds = [true, false] fill = 1.000000e+00 : f32 : <f32, "{{.*}}"> -> tensor<4x64xf32, #tile.layout<"{shape=[4,64], register={{\[\[}}0,1]], lane={{\[\[}}0,2],[0,4],[0,8],[0,16],[0,32]], warp={{\[\[}}1,0],[2,0]]}">>
  %0 = tile.load %x[%block, %c0] divisors = [4, 0] in_bounds = [true, false] fill = 1.0 : f32 : !x -> tensor<4x64xf32, #row>
  // CHECK: %[[IOTA:.*]] = tile.iota dim = 0 from %{{.*}} : tensor<4x1xi32,
  %1 = tile.iota dim = 0 from %block : tensor<4x1xi32, #line>
  // CHECK: tile.gather %[[X]][%{{.*}}, %{{.*}}] plus %[[IOTA]] times 64 of 16 divisors = [0, 0] in_bounds = [true, true] : <f32, "{{.*}}">, tensor<4x1xi32, {{.*}}> -> tensor<4x64xf32,
  %2 = tile.gather %x[%c0, %c0] plus %1 times 64 of 16 divisors = [0, 0] in_bounds = [true, true] : !x, tensor<4x1xi32, #line> -> tensor<4x64xf32, #row>
  // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] divisors = [4, 0] in_bounds = [true, true] : tensor<4x64xf32, {{.*}}>, <f32,
  tile.store %2, %y[%block, %c0] divisors = [4, 0] in_bounds = [true, true] : tensor<4x64xf32, #row>, !x
  // CHECK: tile.return
  tile.return
}

// Tiles have no layout before tile-assign-layouts.
// CHECK-LABEL: tile.kernel @tiles grid = [1, 1, 1] warps = 1 ()
tile.kernel @tiles grid = [1, 1, 1] warps = 1 () {
  %c1 = arith.constant 1.0 : f32
  // CHECK: %[[S:.*]] = tile.splat %{{.*}} : f32 to tensor<16x8xf32>
  %0 = tile.splat %c1 : f32 to tensor<16x8xf32>
  // CHECK: %[[R:.*]]:2 = tile.reduce %[[S]], %[[S]] dim = 1 scratch = 64 {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
  // CHECK: tile.yield %{{.*}}, %{{.*}} : f32, f32
  // CHECK: } : tensor<16x8xf32>, tensor<16x8xf32> to tensor<16x1xf32>, tensor<16x1xf32>
  %1:2 = tile.reduce %0, %0 dim = 1 scratch = 64 {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %max = arith.maximumf %a, %c : f32
    %sum = arith.addf %b, %d : f32
    tile.yield %max, %sum : f32, f32
  } : tensor<16x8xf32>, tensor<16x8xf32> to tensor<16x1xf32>, tensor<16x1xf32>
  // CHECK: tile.broadcast %[[R]]#0 : tensor<16x1xf32> to tensor<16x8xf32>
  %2 = tile.broadcast %1#0 : tensor<16x1xf32> to tensor<16x8xf32>
  %equal = arith.cmpf oeq, %2, %2 : tensor<16x8xf32>
  // CHECK: tile.join %{{.*}}, %{{.*}} dim = 0 : tensor<16x8xf32> to tensor<32x8xf32>
  %both = tile.join %2, %0 dim = 0 : tensor<16x8xf32> to tensor<32x8xf32>
  // CHECK: %[[EVEN:.*]], %[[ODD:.*]] = tile.deinterleave %{{.*}} dim = 0 : tensor<32x8xf32> to tensor<16x8xf32>
  %even, %odd = tile.deinterleave %both dim = 0 : tensor<32x8xf32> to tensor<16x8xf32>
  // CHECK: tile.interleave %[[EVEN]], %[[ODD]] dim = 1 : tensor<16x8xf32> to tensor<16x16xf32>
  %turns = tile.interleave %even, %odd dim = 1 : tensor<16x8xf32> to tensor<16x16xf32>
  // CHECK: tile.interleave %[[EVEN]], %[[ODD]] dim = 1 by = 4 : tensor<16x8xf32> to tensor<16x16xf32>
  %groups = tile.interleave %even, %odd dim = 1 by = 4 : tensor<16x8xf32> to tensor<16x16xf32>
  // CHECK: tile.deinterleave %{{.*}} dim = 1 by = 2 : tensor<16x16xf32> to tensor<16x8xf32>
  %low, %high = tile.deinterleave %groups dim = 1 by = 2 : tensor<16x16xf32> to tensor<16x8xf32>
  // CHECK: tile.any %{{.*}} : tensor<16x8xi1>
  %some = tile.any %equal : tensor<16x8xi1>
  %3 = arith.constant dense<1.0> : tensor<16x4xf32>
  %4 = arith.constant dense<1.0> : tensor<4x8xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} tf32 = true : tensor<16x4xf32>, tensor<4x8xf32> to tensor<16x8xf32>
  %5 = tile.dot %3, %4, %2 tf32 = true : tensor<16x4xf32>, tensor<4x8xf32> to tensor<16x8xf32>
  // CHECK: tile.convert_layout %{{.*}} : tensor<16x8xf32> to tensor<16x8xf32, #tile.layout<"{shape=[16,8], register={{.*}}
  %6 = tile.convert_layout %5 : tensor<16x8xf32> to tensor<16x8xf32, #tile.layout<"{shape=[16,8], register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[]}">>
  tile.return
}

// CHECK-LABEL: tile.kernel @shared
tile.kernel @shared grid = [1, 1, 1] warps = 4 (%x: !x) attributes {tile.shared_bytes = 3072} {
  %c0 = arith.constant 0 : index
  // CHECK: %[[RING:.*]] = tile.alloc offset = 128 : <3, f32, "{shape=[4,64], order=[1,0], inner=[64,1], xor={{\[\[}}6,2,2]]}">
  %0 = tile.alloc offset = 128 : !ring
  // CHECK: %[[NEW:.*]] = tile.alloc : <1, f32, "{shape=[4,64], order=[1,0], inner=[64,1]}">
  %1 = tile.alloc : !tile.shared<1, f32, "{shape=[4,64], order=[1,0], inner=[64,1]}">
  // CHECK: tile.copy_async %{{.*}}[%{{.*}}, %{{.*}}], %[[RING]][%{{.*}}] layout = <"{shape=[4,64], {{.*}}"> divisors = [0, 0] in_bounds = [true, true] : <f32, "{{.*}}">, <3, f32,
  tile.copy_async %x[%c0, %c0], %0[%c0] layout = #row divisors = [0, 0] in_bounds = [true, true] : !x, !ring
  // CHECK-NEXT: tile.commit_async
  tile.commit_async
  // CHECK-NEXT: tile.wait_async 2
  tile.wait_async 2
  // CHECK-NEXT: tile.barrier
  tile.barrier
  // CHECK-NEXT: %[[T:.*]] = tile.load_shared %[[RING]][%{{.*}}] : <3, f32, "{{.*}}"> -> tensor<4x64xf32,
  %2 = tile.load_shared %0[%c0] : !ring -> tensor<4x64xf32, #row>
  // CHECK-NEXT: tile.load_shared %[[RING]][%{{.*}}] at[%{{.*}}, %{{.*}}] : <3, f32, "{{.*}}"> -> tensor<4x1xf32,
  %3 = tile.load_shared %0[%c0] at [%c0, %c0] : !ring -> tensor<4x1xf32, #line>
  // CHECK-NEXT: tile.store_shared %[[T]], %[[NEW]][%{{.*}}] : tensor<4x64xf32, {{.*}}>, <1, f32,
  tile.store_shared %2, %1[%c0] : tensor<4x64xf32, #row>, !tile.shared<1, f32, "{shape=[4,64], order=[1,0], inner=[64,1]}">
  tile.return
}

