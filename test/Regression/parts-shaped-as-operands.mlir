// Parts of a sum that have the shape of an operand's tile took that one's layout, along K, and were read element by
// element from shared memory: twice the time of the whole product. Found by measuring on an H200.
// RUN: tw-opt %s --tile-stage --schedule-stage --target-stage | FileCheck %s

// CHECK-LABEL: llvm.func @mm
// CHECK: nvvm.mapa
// CHECK: ptx.store_async {{.*}} : vector<2xf32>
// CHECK: llvm.load %{{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr<3> -> f32
graph.kernel anchor(matmul) @mm(%a: tensor<128x256xbf16>, %b: tensor<128x256xbf16>) -> tensor<128x128xbf16> attributes {
    tile.schedule = #tile.schedule<tile = [128, 128], reduce = 64, warps = 8, warp_grid = [8, 1], stages = 2, product = wgmma, roles = cooperative, registers = [40, 232], split_k = 2>} {
  %t = graph.transpose %b permutation = [1, 0] : tensor<128x256xbf16> to tensor<256x128xbf16>
  %0 = graph.matmul %a, %t : tensor<128x256xbf16>, tensor<256x128xbf16> to tensor<128x128xf32>
  %1 = arith.truncf %0 : tensor<128x128xf32> to tensor<128x128xbf16>
  graph.return %1 : tensor<128x128xbf16>
}
