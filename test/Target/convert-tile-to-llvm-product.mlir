// convert-tile-to-llvm, products: cp.async, ldmatrix and mma.sync, counted.
// RUN: tw-opt %s --tile-stage --schedule-stage --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

// One warp, 16x16x16 a step: A is one ldmatrix.x4, B one transposed, and two m16n8k16.
// CHECK-LABEL: llvm.func @bf16
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK: nvvm.cp.async.commit.group
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier0
// CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 4 : i32
// CHECK: nvvm.ldmatrix %{{.*}} {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<col>, num = 4 : i32
// CHECK-NOT: nvvm.ldmatrix
// CHECK-COUNT-2: nvvm.mma.sync {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield
graph.kernel anchor(matmul) @bf16(%a: tensor<16x64xbf16>, %b: tensor<64x16xbf16>) -> tensor<16x16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 2>} {
  %0 = graph.matmul %a, %b : tensor<16x64xbf16>, tensor<64x16xbf16> to tensor<16x16xf32>
  graph.return %0 : tensor<16x16xf32>
}

// tf32: m16n8k8, operands rounded.
// CHECK-LABEL: llvm.func @tf32
// CHECK: ptx.cvt_rna_tf32
// CHECK-COUNT-4: nvvm.mma.sync {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 8>
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield
graph.kernel anchor(matmul) @tf32(%a: tensor<16x64xf32>, %b: tensor<64x16xf32>) -> tensor<16x16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 2>} {
  %0 = graph.matmul %a, %b precision = tf32 : tensor<16x64xf32>, tensor<64x16xf32> to tensor<16x16xf32>
  graph.return %0 : tensor<16x16xf32>
}

// fp32 has no matrix instruction.
// CHECK-LABEL: llvm.func @fp32
// CHECK-NOT: nvvm.mma.sync
// CHECK: math.fma
// CHECK-NOT: nvvm.mma.sync
// CHECK: llvm.return
graph.kernel anchor(matmul) @fp32(%a: tensor<16x64xf32>, %b: tensor<64x16xf32>) -> tensor<16x16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 16], reduce = 16, warps = 1, warp_grid = [1, 1], stages = 2>} {
  %0 = graph.matmul %a, %b : tensor<16x64xf32>, tensor<64x16xf32> to tensor<16x16xf32>
  graph.return %0 : tensor<16x16xf32>
}
