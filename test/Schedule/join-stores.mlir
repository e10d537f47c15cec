// tile-join-stores: parts of a few elements that lie side by side are stored as one, in either order, four as two and then one; what
// is read or waited for between them, lies elsewhere or fills a thread's access alone stays as it is.
// RUN: tw-opt %s --pass-pipeline="builtin.module(tile.kernel(tile-join-stores))" | FileCheck %s

#pairs = #tile.layout<"{shape=[32,2], register=[[0,1]], lane=[[1,0],[2,0],[4,0],[8,0],[16,0]], warp=[]}">
#fours = #tile.layout<"{shape=[32,4], register=[[0,1],[0,2]], lane=[[1,0],[2,0],[4,0],[8,0],[16,0]], warp=[]}">
!all = !tile.view<f32, "{offset=0, dims=[{extent=320, modes=[[320,4]]}, {extent=4, modes=[[4,1]]}]}">
!left = !tile.view<f32, "{offset=0, dims=[{extent=320, modes=[[320,4]]}, {extent=2, modes=[[2,1]]}]}">
!right = !tile.view<f32, "{offset=2, dims=[{extent=320, modes=[[320,4]]}, {extent=2, modes=[[2,1]]}]}">
!halves = !tile.view<bf16, "{offset=0, dims=[{extent=320, modes=[[320,8]]}, {extent=8, modes=[[8,1]]}]}">
!h0 = !tile.view<bf16, "{offset=0, dims=[{extent=320, modes=[[320,8]]}, {extent=2, modes=[[2,1]]}]}">
!h1 = !tile.view<bf16, "{offset=2, dims=[{extent=320, modes=[[320,8]]}, {extent=2, modes=[[2,1]]}]}">
!h2 = !tile.view<bf16, "{offset=4, dims=[{extent=320, modes=[[320,8]]}, {extent=2, modes=[[2,1]]}]}">
!h3 = !tile.view<bf16, "{offset=6, dims=[{extent=320, modes=[[320,8]]}, {extent=2, modes=[[2,1]]}]}">
!wide = !tile.view<f32, "{offset=0, dims=[{extent=320, modes=[[320,8]]}, {extent=8, modes=[[8,1]]}]}">
!w0 = !tile.view<f32, "{offset=0, dims=[{extent=320, modes=[[320,8]]}, {extent=4, modes=[[4,1]]}]}">
!w1 = !tile.view<f32, "{offset=4, dims=[{extent=320, modes=[[320,8]]}, {extent=4, modes=[[4,1]]}]}">

// CHECK-LABEL: tile.kernel @right_first
// CHECK-SAME: (%[[ALL:[a-z0-9]+]]: {{.*}}, %{{.*}}: {{.*}}) {
// CHECK: %[[L:.*]] = arith.constant dense<1.0
// CHECK: %[[R:.*]] = arith.constant dense<2.0
// CHECK-NOT: tile.store
// CHECK: %[[V:.*]] = tile.view %[[ALL]] : {{.*}} to {{.*}}extent=4,
// CHECK: %[[J:.*]] = tile.join %[[L]], %[[R]] dim = 1 : tensor<32x2xf32, {{.*}}> to tensor<32x4xf32, #tile.layout<"{shape={{\[32,4\], register=\[\[0,1\],\[0,2\]\], lane=}}
// CHECK: tile.store %[[J]], %[[V]]
// CHECK-NOT: tile.store
tile.kernel @right_first grid = [10, 1, 1] warps = 1 (%y: !all, %z: !all) {
  %c0 = arith.constant 0 : index
  %block = tile.block_id 0
  %c32 = arith.constant 32 : index
  %i = arith.muli %block, %c32 : index
  %l = arith.constant dense<1.0> : tensor<32x2xf32, #pairs>
  %r = arith.constant dense<2.0> : tensor<32x2xf32, #pairs>
  %left = tile.view %y : !all to !left
  %right = tile.view %y : !all to !right
  tile.store %r, %right[%i, %c0] divisors = [32, 0] in_bounds = [true, true] : tensor<32x2xf32, #pairs>, !right
  tile.store %l, %left[%i, %c0] divisors = [32, 0] in_bounds = [true, true] : tensor<32x2xf32, #pairs>, !left
  tile.return
}

// CHECK-LABEL: tile.kernel @four
// CHECK-COUNT-3: tile.join
// CHECK: tile.store {{.*}} : tensor<32x8xbf16,
// CHECK-NOT: tile.store
tile.kernel @four grid = [10, 1, 1] warps = 1 (%y: !halves) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<32x2xbf16, #pairs>
  %0 = tile.view %y : !halves to !h0
  %1 = tile.view %y : !halves to !h1
  %2 = tile.view %y : !halves to !h2
  %3 = tile.view %y : !halves to !h3
  tile.store %t, %0[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xbf16, #pairs>, !h0
  tile.store %t, %1[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xbf16, #pairs>, !h1
  tile.store %t, %2[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xbf16, #pairs>, !h2
  tile.store %t, %3[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xbf16, #pairs>, !h3
  tile.return
}

// Rows that are others.
// CHECK-LABEL: tile.kernel @elsewhere
// CHECK-NOT: tile.join
tile.kernel @elsewhere grid = [10, 1, 1] warps = 1 (%y: !all) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %l = arith.constant dense<1.0> : tensor<32x2xf32, #pairs>
  %left = tile.view %y : !all to !left
  %right = tile.view %y : !all to !right
  tile.store %l, %left[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xf32, #pairs>, !left
  tile.store %l, %right[%c32, %c0] divisors = [32, 0] in_bounds = [true, true] : tensor<32x2xf32, #pairs>, !right
  tile.return
}

// The first part is read, or threads meet, before the second one is stored.
// CHECK-LABEL: tile.kernel @between
// CHECK-NOT: tile.join
tile.kernel @between grid = [10, 1, 1] warps = 1 (%y: !all, %z: !all) {
  %c0 = arith.constant 0 : index
  %l = arith.constant dense<1.0> : tensor<32x2xf32, #pairs>
  %left = tile.view %y : !all to !left
  %right = tile.view %y : !all to !right
  tile.store %l, %left[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xf32, #pairs>, !left
  %r = tile.load %left[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !left -> tensor<32x2xf32, #pairs>
  tile.store %r, %right[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xf32, #pairs>, !right
  %other = tile.view %z : !all to !left
  %beside = tile.view %z : !all to !right
  tile.store %l, %other[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xf32, #pairs>, !left
  tile.barrier
  tile.store %l, %beside[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x2xf32, #pairs>, !right
  tile.return
}

// 16 bytes each are as wide as an access can be.
// CHECK-LABEL: tile.kernel @wide
// CHECK-NOT: tile.join
tile.kernel @wide grid = [10, 1, 1] warps = 1 (%y: !wide) {
  %c0 = arith.constant 0 : index
  %t = arith.constant dense<1.0> : tensor<32x4xf32, #fours>
  %0 = tile.view %y : !wide to !w0
  %1 = tile.view %y : !wide to !w1
  tile.store %t, %0[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x4xf32, #fours>, !w0
  tile.store %t, %1[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : tensor<32x4xf32, #fours>, !w1
  tile.return
}
