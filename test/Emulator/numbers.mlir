// Numbers: conversions round to nearest even, subnormal bf16 survives, products fuse where the program says so,
// approximations are those of the ptx dialect.
// RUN: tw-emulate %s --kernel=round --block=1 --arg=bf16:4:zeros --arg=bf16:4:zeros --print=0 --print=1 | FileCheck %s --check-prefix=ROUND
// RUN: tw-emulate %s --kernel=pack --block=1 --arg=i32:3:zeros --print=0 | FileCheck %s --check-prefix=PACK
// RUN: tw-emulate %s --kernel=approximate --block=1 --arg=f32:8:zeros --print=0 | FileCheck %s --check-prefix=APPROX
// RUN: tw-emulate %s --kernel=halves --block=1 --arg=f16:4:zeros --arg=bf16:4:zeros --print=0 --print=1 | FileCheck %s --check-prefix=HALVES
// RUN: tw-emulate %s --kernel=fused --block=1 --arg=f32:2:zeros --print=0 | FileCheck %s --check-prefix=FUSED
// RUN: tw-emulate %s --kernel=intrinsics --block=1 --arg=f32:4:zeros --print=0 | FileCheck %s --check-prefix=INTRINSICS

gpu.module @kernels {
  // 1 + 2^-8 is a tie and goes to the even 1, 1 + 3 * 2^-8 to 1 + 2^-6; a scalar and a vector conversion.
  // ROUND: 1 1.015625 5.87747175e-39 -3
  // ROUND: 1 1.015625 5.87747175e-39 -3
  llvm.func @round(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %v = llvm.mlir.constant(dense<[1.00390625, 1.01171875, 5.87747175e-39, -3.0]> : vector<4xf32>) : vector<4xf32>
    %r = llvm.fptrunc %v : vector<4xf32> to vector<4xbf16>
    llvm.store %r, %x : vector<4xbf16>, !llvm.ptr<1>
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    llvm.br ^loop(%t : i32)
  ^loop(%i: i32):
    %s = llvm.extractelement %v[%i : i32] : vector<4xf32>
    %rs = llvm.fptrunc %s : f32 to bf16
    %p = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
    llvm.store %rs, %p : bf16, !llvm.ptr<1>
    %j = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ule" %j, %c3 : i32
    llvm.cond_br %more, ^loop(%j : i32), ^done
  ^done:
    llvm.return
  }
  // bf16 of 1 (0x3f80) above 2 (0x4000); f16 of 1 (0x3c00) above -2 (0xc000); tf32 of 1 + 2^-11, away from zero.
  // PACK: 1065369600 1006682112 1065361408
  llvm.func @pack(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %two = llvm.mlir.constant(2.0 : f32) : f32
    %minus = llvm.mlir.constant(-2.0 : f32) : f32
    %near = llvm.mlir.constant(1.00048828125 : f32) : f32
    %b = nvvm.convert.f32x2.to.bf16x2 %one, %two {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %h = nvvm.convert.f32x2.to.f16x2 %one, %minus {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
    %t = ptx.cvt_rna_tf32 %near : f32 -> i32
    %p1 = llvm.getelementptr %x[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p2 = llvm.getelementptr %x[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %b, %x : vector<2xbf16>, !llvm.ptr<1>
    llvm.store %h, %p1 : vector<2xf16>, !llvm.ptr<1>
    llvm.store %t, %p2 : i32, !llvm.ptr<1>
    llvm.return
  }
  // APPROX: 8 -3 0.25 0.5 2 0 1 0
  llvm.func @approximate(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %three = llvm.mlir.constant(3.0 : f32) : f32
    %four = llvm.mlir.constant(4.0 : f32) : f32
    %eighth = llvm.mlir.constant(0.125 : f32) : f32
    %tiny = llvm.mlir.constant(1.0e-40 : f32) : f32
    %v0 = ptx.ex2 %three : f32
    %v1 = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%eighth) : (f32) -> f32
    %v2 = ptx.rcp %four : f32
    %v3 = ptx.rsqrt %four : f32
    %v4 = ptx.sqrt_approx %four : f32
    %v5 = ptx.sin %zero : f32
    %v6 = ptx.cos %zero : f32
    %v7 = ptx.sqrt_approx %tiny ftz : f32
    %p1 = llvm.getelementptr %x[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %p2 = llvm.getelementptr %x[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %p3 = llvm.getelementptr %x[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %p4 = llvm.getelementptr %x[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %p5 = llvm.getelementptr %x[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %p6 = llvm.getelementptr %x[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %p7 = llvm.getelementptr %x[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %v0, %x : f32, !llvm.ptr<1>
    llvm.store %v1, %p1 : f32, !llvm.ptr<1>
    llvm.store %v2, %p2 : f32, !llvm.ptr<1>
    llvm.store %v3, %p3 : f32, !llvm.ptr<1>
    llvm.store %v4, %p4 : f32, !llvm.ptr<1>
    llvm.store %v5, %p5 : f32, !llvm.ptr<1>
    llvm.store %v6, %p6 : f32, !llvm.ptr<1>
    llvm.store %v7, %p7 : f32, !llvm.ptr<1>
    llvm.return
  }
  // Sixteen-bit arithmetic rounds after each operation; approximations work on scalars and pairs.
  // HALVES: 2050 0.5 4 0.25
  // HALVES: 258 0 2 0.5
  llvm.func @halves(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %h = llvm.mlir.constant(2048.0 : f16) : f16
    %h2 = llvm.mlir.constant(2.0 : f16) : f16
    %hs = llvm.fadd %h, %h2 : f16
    %hm = llvm.mlir.constant(-1.0 : f16) : f16
    %he = ptx.ex2 %hm : f16
    %pair = llvm.mlir.constant(dense<[2.0, -2.0]> : vector<2xf16>) : vector<2xf16>
    %pe = ptx.ex2 %pair : vector<2xf16>
    %b = llvm.mlir.constant(256.0 : bf16) : bf16
    %b2 = llvm.mlir.constant(2.0 : bf16) : bf16
    %bs = llvm.fadd %b, %b2 : bf16
    %b0 = llvm.mlir.constant(0.0 : bf16) : bf16
    %bt = ptx.tanh %b0 : bf16
    %bpair = llvm.mlir.constant(dense<[1.0, -1.0]> : vector<2xbf16>) : vector<2xbf16>
    %be = ptx.ex2 %bpair ftz : vector<2xbf16>
    %x1 = llvm.getelementptr %x[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
    %x2 = llvm.getelementptr %x[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f16
    %y1 = llvm.getelementptr %y[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
    %y2 = llvm.getelementptr %y[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
    llvm.store %hs, %x : f16, !llvm.ptr<1>
    llvm.store %he, %x1 : f16, !llvm.ptr<1>
    llvm.store %pe, %x2 : vector<2xf16>, !llvm.ptr<1>
    llvm.store %bs, %y : bf16, !llvm.ptr<1>
    llvm.store %bt, %y1 : bf16, !llvm.ptr<1>
    llvm.store %be, %y2 : vector<2xbf16>, !llvm.ptr<1>
    llvm.return
  }
  // (1 + 2^-12)^2 - (1 + 2^-11): 2^-24 when fused, 0 when the product is rounded first.
  // FUSED: 5.96046448e-08 0
  llvm.func @fused(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %z = llvm.sitofp %t : i32 to f32
    %a0 = llvm.mlir.constant(1.000244140625 : f32) : f32
    %a = llvm.fadd %a0, %z : f32
    %c = llvm.mlir.constant(-1.00048828125 : f32) : f32
    %f = llvm.intr.fma(%a, %a, %c) : (f32, f32, f32) -> f32
    %m = llvm.fmul %a, %a : f32
    %s = llvm.fadd %m, %c : f32
    %p1 = llvm.getelementptr %x[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %f, %x : f32, !llvm.ptr<1>
    llvm.store %s, %p1 : f32, !llvm.ptr<1>
    llvm.return
  }
  // INTRINSICS: 3 2 nan 2
  llvm.func @intrinsics(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %z = llvm.sitofp %t : i32 to f32
    %nine = llvm.mlir.constant(9.0 : f32) : f32
    %a = llvm.fadd %nine, %z : f32
    %half = llvm.mlir.constant(2.5 : f32) : f32
    %h = llvm.fadd %half, %z : f32
    %nan = llvm.mlir.constant(0x7FC00000 : f32) : f32
    %root = llvm.intr.sqrt(%a) : (f32) -> f32
    %floor = llvm.intr.floor(%h) : (f32) -> f32
    %max = llvm.intr.maximum(%a, %nan) : (f32, f32) -> f32
    %even = llvm.intr.roundeven(%h) : (f32) -> f32
    %p1 = llvm.getelementptr %x[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %p2 = llvm.getelementptr %x[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %p3 = llvm.getelementptr %x[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    llvm.store %root, %x : f32, !llvm.ptr<1>
    llvm.store %floor, %p1 : f32, !llvm.ptr<1>
    llvm.store %max, %p2 : f32, !llvm.ptr<1>
    llvm.store %even, %p3 : f32, !llvm.ptr<1>
    llvm.return
  }
}
