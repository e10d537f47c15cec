// A kernel becomes PTX and a cubin for every target; the source names of its operations are comments.
// REQUIRES: ptxas
// RUN: tw-assemble %s --arch=sm_80,sm_90a,sm_100a,sm_120a --print=resources --jobs=2 | FileCheck %s
// RUN: tw-assemble %s --arch=sm_80 --print=ptx --cubins=false | FileCheck %s --check-prefix=PTX
// RUN: tw-assemble %s --arch=sm_90a --print=mlir | FileCheck %s --check-prefix=MLIR

// CHECK: add sm_80: cubin yes, registers {{[1-9][0-9]*}}, spill stores 0, spill loads 0, stack 0, static shared 0
// CHECK: add sm_90a: cubin yes
// CHECK: add sm_100a: cubin yes
// CHECK: add sm_120a: cubin yes
// CHECK: staged sm_80: cubin yes, registers {{[1-9][0-9]*}}, spill stores 0, spill loads 0, stack 0, static shared 512

// PTX: // kernel: add
// PTX-NEXT: // source: encoder/add
// PTX-NEXT: // source: encoder/bias
// PTX: .target sm_80
// PTX: .entry add(
// PTX: .reqntid 128
// PTX: @%p{{[0-9]+}} ld.global.nc.v4.f32
// Products and sums stay apart: fused, they would differ from the emulator.
// PTX: mul.rn.f32
// PTX: add.rn.f32
// PTX-NOT: .loc

// MLIR: ptx.resources = #ptx.resources<registers = {{[1-9][0-9]*}}, spill_stores = 0,

gpu.module @first {
  llvm.func @add(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [8, 1, 1], block = 128>} {
    %zero = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
    %scale = llvm.mlir.constant(dense<1.5> : vector<4xf32>) : vector<4xf32>
    %limit = llvm.mlir.constant(1000 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %block, %c128 : i32
    %index = llvm.add %base, %thread : i32
    %inside = llvm.icmp "ult" %index, %limit : i32
    %wide = llvm.zext %index : i32 to i64
    %from = llvm.getelementptr %x[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<4xf32>
    %to = llvm.getelementptr %y[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<4xf32>
    %a = ptx.load %from, %inside, %zero cache(nc) : !llvm.ptr<1>, vector<4xf32>
    %b = llvm.fmul %a, %scale : vector<4xf32> loc("encoder/add")
    %c = llvm.fadd %b, %scale : vector<4xf32> loc(fused["encoder/bias", "encoder/add"])
    ptx.store %c, %to, %inside : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}

gpu.module @second {
  llvm.mlir.global internal @stage() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x f32>
  llvm.func @staged(%x: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128>} {
    %stage = llvm.mlir.addressof @stage : !llvm.ptr<3>
    %c127 = llvm.mlir.constant(127 : i32) : i32
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %mirror = llvm.sub %c127, %thread : i32
    %from = llvm.getelementptr %x[%thread] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %mine = llvm.getelementptr %stage[%thread] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %other = llvm.getelementptr %stage[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %a = llvm.load %from : !llvm.ptr<1> -> f32
    llvm.store %a, %mine : f32, !llvm.ptr<3>
    nvvm.barrier0
    %b = llvm.load %other : !llvm.ptr<3> -> f32
    %e = ptx.ex2 %b ftz : f32
    llvm.store %e, %from : f32, !llvm.ptr<1>
    llvm.return
  }
}
