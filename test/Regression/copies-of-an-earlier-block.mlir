// A block that ends with a cp.async in flight left its marks to the next block on the same CPU thread, whose first store
// there was reported. Found when several faulty kernels ran in one process.
// RUN: tw-emulate %s --grid=3 --shared=512 --cpu-threads=1 --arg=f32:128:iota --arg=f32:128:zeros --print=1 | FileCheck %s
// CHECK: 0 1 2 3 4 5 6 7

gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @leaves_a_copy(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %f = llvm.sitofp %t : i32 to f32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %q = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %first = llvm.mul %b, %n : i32
    %at = llvm.add %first, %t : i32
    %o = llvm.getelementptr %y[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %f, %p : f32, !llvm.ptr<3>
    %v = llvm.load %p : !llvm.ptr<3> -> f32
    llvm.store %v, %o : f32, !llvm.ptr<1>
    nvvm.cp.async.shared.global %p, %q, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    llvm.return
  }
}
