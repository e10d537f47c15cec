// A tensor-core matmul with two stages: C[32x32] = A[32x64] * B[32x64]^T in bf16, two warps of 16 rows each. Its values,
// under any schedule and completion, and the mutation test: with any one barrier, commit or wait removed, the
// emulator reports something.
// RUN: tw-emulate %s --block=64 --shared=4096 --arg=bf16:2048:ramp:ro --arg=bf16:2048:ramp:ro --arg=f32:1024:zeros --print=2 | FileCheck %s
// RUN: tw-emulate %s --block=64 --shared=4096 --arg=bf16:2048:ramp:ro --arg=bf16:2048:ramp:ro --arg=f32:1024:zeros --print=2 --seed=7 | FileCheck %s
// RUN: tw-emulate %s --block=64 --shared=4096 --arg=bf16:2048:ramp:ro --arg=bf16:2048:ramp:ro --arg=f32:1024:zeros --print=2 --early | FileCheck %s
// RUN: tw-emulate %s --block=64 --shared=4096 --arg=bf16:2048:ramp:ro --arg=bf16:2048:ramp:ro --arg=f32:1024:zeros --print=2 --no-check | FileCheck %s
// RUN: tw-emulate %s --block=64 --shared=4096 --arg=bf16:2048:ramp:ro --arg=bf16:2048:ramp:ro --arg=f32:1024:zeros --mutate-sync | FileCheck %s --check-prefix=MUTANTS

// The first and the last row.
// CHECK: 261 69 -60 -126 -129 -69 54 261 69 -60 -126 -129 -69 54 261 69
// CHECK-NEXT: -60 -126 -129 -69 54 261 69 -60 -126 -129 -69 54 261 69 -60 -126
// CHECK: -126 -63 63 252 63 -63 -126 -126 -63 63 252 63 -63 -126 -126 -63
// CHECK-NEXT: 63 252 63 -63 -126 -126 -63 63 252 63 -63 -126 -126 -63 63 252

// MUTANTS: reported nvvm.cp.async.commit.group at "first tile": data in flight
// MUTANTS: reported nvvm.cp.async.commit.group at "next tile": data in flight
// MUTANTS: reported nvvm.cp.async.wait.group at "this tile": data in flight
// MUTANTS: reported nvvm.barrier0 at "tile is there":
// MUTANTS: reported nvvm.barrier0 at "tile is used": race on shared memory
// MUTANTS: 5 of 5 mutants reported

gpu.module @matmul {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // Each thread copies 16 bytes of A and 16 of B: tile `k` (16 columns) into stage `k % 2` (A 1024 bytes, B 1024).
  llvm.func @copy(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %k: i32) {
    %one = llvm.mlir.constant(1 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c2048 = llvm.mlir.constant(2048 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %row = llvm.lshr %t, %one : i32
    %half = llvm.and %t, %one : i32
    %row_at = llvm.mul %row, %c64 : i32
    %k_at = llvm.mul %k, %c16 : i32
    %half_at = llvm.mul %half, %c8 : i32
    %x = llvm.add %row_at, %k_at : i32
    %from = llvm.add %x, %half_at : i32
    %from_a = llvm.getelementptr %a[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
    %from_b = llvm.getelementptr %b[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
    %stage = llvm.and %k, %one : i32
    %stage_at = llvm.mul %stage, %c2048 : i32
    %chunk = llvm.mul %t, %c16 : i32
    %to = llvm.add %stage_at, %chunk : i32
    %to_b_at = llvm.add %to, %c1024 : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %to_a = llvm.getelementptr %s[%to] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %to_b = llvm.getelementptr %s[%to_b_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    nvvm.cp.async.shared.global %to_a, %from_a, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("copy A")
    nvvm.cp.async.shared.global %to_b, %from_b, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("copy B")
    llvm.return
  }

  llvm.func @matmul(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c15 = llvm.mlir.constant(15 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c512 = llvm.mlir.constant(512 : i32) : i32
    %c1024 = llvm.mlir.constant(1024 : i32) : i32
    %c2048 = llvm.mlir.constant(2048 : i32) : i32
    %f0 = llvm.mlir.constant(0.0 : f32) : f32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %warp = llvm.lshr %t, %c5 : i32
    // A fragment rows: 16 * warp + lane % 16, columns 8 * (lane / 16); rows are 32 bytes.
    %a_row = llvm.and %lane, %c15 : i32
    %a_col = llvm.lshr %lane, %c4 : i32
    %a1 = llvm.mul %a_row, %c32 : i32
    %a2 = llvm.mul %a_col, %c16 : i32
    %a3 = llvm.mul %warp, %c512 : i32
    %a4 = llvm.add %a1, %a2 : i32
    %a_at = llvm.add %a3, %a4 : i32
    // B fragment rows: lane % 8 + 8 * (lane / 16), columns 8 * (lane / 8 % 2).
    %b_low = llvm.and %lane, %c7 : i32
    %b_high = llvm.mul %a_col, %c8 : i32
    %b_row = llvm.add %b_low, %b_high : i32
    %b_x = llvm.lshr %lane, %c3 : i32
    %b_col = llvm.and %b_x, %one : i32
    %b1 = llvm.mul %b_row, %c32 : i32
    %b2 = llvm.mul %b_col, %c16 : i32
    %b3 = llvm.add %b1, %b2 : i32
    %b_at = llvm.add %b3, %c1024 : i32
    llvm.call @copy(%a, %b, %zero) : (!llvm.ptr<1>, !llvm.ptr<1>, i32) -> ()
    nvvm.cp.async.commit.group loc("first tile")
    llvm.br ^loop(%zero, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0 : i32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)
  ^loop(%k: i32, %acc0: f32, %acc1: f32, %acc2: f32, %acc3: f32, %acc4: f32, %acc5: f32, %acc6: f32, %acc7: f32, %acc8: f32, %acc9: f32, %acc10: f32, %acc11: f32, %acc12: f32, %acc13: f32, %acc14: f32, %acc15: f32):
    %next = llvm.add %k, %one : i32
    %more = llvm.icmp "ult" %next, %c4 : i32
    llvm.cond_br %more, ^fetch, ^wait
  ^fetch:
    llvm.call @copy(%a, %b, %next) : (!llvm.ptr<1>, !llvm.ptr<1>, i32) -> ()
    llvm.br ^wait
  ^wait:
    nvvm.cp.async.commit.group loc("next tile")
    nvvm.cp.async.wait.group 1 loc("this tile")
    nvvm.barrier0 loc("tile is there")
    %stage = llvm.and %k, %one : i32
    %stage_at = llvm.mul %stage, %c2048 : i32
    %pa_at = llvm.add %stage_at, %a_at : i32
    %pb_at = llvm.add %stage_at, %b_at : i32
    %pb2_at = llvm.add %pb_at, %c512 : i32
    %pa = llvm.getelementptr %s[%pa_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %pb = llvm.getelementptr %s[%pb_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %pb2 = llvm.getelementptr %s[%pb2_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %fa = nvvm.ldmatrix %pa {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %fa0 = llvm.extractvalue %fa[0] : !llvm.struct<(i32, i32, i32, i32)>
    %fa1 = llvm.extractvalue %fa[1] : !llvm.struct<(i32, i32, i32, i32)>
    %fa2 = llvm.extractvalue %fa[2] : !llvm.struct<(i32, i32, i32, i32)>
    %fa3 = llvm.extractvalue %fa[3] : !llvm.struct<(i32, i32, i32, i32)>
    %fb = nvvm.ldmatrix %pb {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %fb0 = llvm.extractvalue %fb[0] : !llvm.struct<(i32, i32, i32, i32)>
    %fb1 = llvm.extractvalue %fb[1] : !llvm.struct<(i32, i32, i32, i32)>
    %fb2 = llvm.extractvalue %fb[2] : !llvm.struct<(i32, i32, i32, i32)>
    %fb3 = llvm.extractvalue %fb[3] : !llvm.struct<(i32, i32, i32, i32)>
    %fc = nvvm.ldmatrix %pb2 {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %fc0 = llvm.extractvalue %fc[0] : !llvm.struct<(i32, i32, i32, i32)>
    %fc1 = llvm.extractvalue %fc[1] : !llvm.struct<(i32, i32, i32, i32)>
    %fc2 = llvm.extractvalue %fc[2] : !llvm.struct<(i32, i32, i32, i32)>
    %fc3 = llvm.extractvalue %fc[3] : !llvm.struct<(i32, i32, i32, i32)>
    %m0 = nvvm.mma.sync A[%fa0, %fa1, %fa2, %fa3] B[%fb0, %fb1] C[%acc0, %acc1, %acc2, %acc3] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %d0 = llvm.extractvalue %m0[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d1 = llvm.extractvalue %m0[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d2 = llvm.extractvalue %m0[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d3 = llvm.extractvalue %m0[3] : !llvm.struct<(f32, f32, f32, f32)>
    %m1 = nvvm.mma.sync A[%fa0, %fa1, %fa2, %fa3] B[%fb2, %fb3] C[%acc4, %acc5, %acc6, %acc7] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %d4 = llvm.extractvalue %m1[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d5 = llvm.extractvalue %m1[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d6 = llvm.extractvalue %m1[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d7 = llvm.extractvalue %m1[3] : !llvm.struct<(f32, f32, f32, f32)>
    %m2 = nvvm.mma.sync A[%fa0, %fa1, %fa2, %fa3] B[%fc0, %fc1] C[%acc8, %acc9, %acc10, %acc11] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %d8 = llvm.extractvalue %m2[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d9 = llvm.extractvalue %m2[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d10 = llvm.extractvalue %m2[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d11 = llvm.extractvalue %m2[3] : !llvm.struct<(f32, f32, f32, f32)>
    %m3 = nvvm.mma.sync A[%fa0, %fa1, %fa2, %fa3] B[%fc2, %fc3] C[%acc12, %acc13, %acc14, %acc15] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
    %d12 = llvm.extractvalue %m3[0] : !llvm.struct<(f32, f32, f32, f32)>
    %d13 = llvm.extractvalue %m3[1] : !llvm.struct<(f32, f32, f32, f32)>
    %d14 = llvm.extractvalue %m3[2] : !llvm.struct<(f32, f32, f32, f32)>
    %d15 = llvm.extractvalue %m3[3] : !llvm.struct<(f32, f32, f32, f32)>
    nvvm.barrier0 loc("tile is used")
    llvm.cond_br %more, ^loop(%next, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15 : i32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32), ^done
  ^done:
    // Rows 16 * warp + lane / 4 and 8 below, columns 8 * j + 2 * (lane % 4).
    %g = llvm.lshr %lane, %c2 : i32
    %q = llvm.and %lane, %c3 : i32
    %q2 = llvm.mul %q, %c2 : i32
    %w16 = llvm.mul %warp, %c16 : i32
    %r = llvm.add %w16, %g : i32
    %r32 = llvm.mul %r, %c32 : i32
    %at = llvm.add %r32, %q2 : i32
    %pc = llvm.getelementptr %c[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %u = llvm.mlir.undef : vector<2xf32>
    %x00 = llvm.insertelement %d0, %u[%zero : i32] : vector<2xf32>
    %y00 = llvm.insertelement %d1, %x00[%one : i32] : vector<2xf32>
    %p00 = llvm.getelementptr %pc[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %y00, %p00 : vector<2xf32>, !llvm.ptr<1>
    %x01 = llvm.insertelement %d2, %u[%zero : i32] : vector<2xf32>
    %y01 = llvm.insertelement %d3, %x01[%one : i32] : vector<2xf32>
    %p01 = llvm.getelementptr %pc[256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %y01, %p01 : vector<2xf32>, !llvm.ptr<1>
    %x10 = llvm.insertelement %d4, %u[%zero : i32] : vector<2xf32>
    %y10 = llvm.insertelement %d5, %x10[%one : i32] : vector<2xf32>
    %p10 = llvm.getelementptr %pc[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %y10, %p10 : vector<2xf32>, !llvm.ptr<1>
    %x11 = llvm.insertelement %d6, %u[%zero : i32] : vector<2xf32>
    %y11 = llvm.insertelement %d7, %x11[%one : i32] : vector<2xf32>
    %p11 = llvm.getelementptr %pc[264] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %y11, %p11 : vector<2xf32>, !llvm.ptr<1>
    %x20 = llvm.insertelement %d8, %u[%zero : i32] : vector<2xf32>
    %y20 = llvm.insertelement %d9, %x20[%one : i32] : vector<2xf32>
    %p20 = llvm.getelementptr %pc[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %y20, %p20 : vector<2xf32>, !llvm.ptr<1>
    %x21 = llvm.insertelement %d10, %u[%zero : i32] : vector<2xf32>
    %y21 = llvm.insertelement %d11, %x21[%one : i32] : vector<2xf32>
    %p21 = llvm.getelementptr %pc[272] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %y21, %p21 : vector<2xf32>, !llvm.ptr<1>
    %x30 = llvm.insertelement %d12, %u[%zero : i32] : vector<2xf32>
    %y30 = llvm.insertelement %d13, %x30[%one : i32] : vector<2xf32>
    %p30 = llvm.getelementptr %pc[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %y30, %p30 : vector<2xf32>, !llvm.ptr<1>
    %x31 = llvm.insertelement %d14, %u[%zero : i32] : vector<2xf32>
    %y31 = llvm.insertelement %d15, %x31[%one : i32] : vector<2xf32>
    %p31 = llvm.getelementptr %pc[280] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %y31, %p31 : vector<2xf32>, !llvm.ptr<1>
    llvm.return
  }
}
