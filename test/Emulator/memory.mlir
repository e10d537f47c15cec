// Memory as kernels use it: predicated access, module constants, private and generic pointers, pointers as integers,
// atomics of global and shared memory, static beside dynamic shared memory, helper functions, barrier reductions.
// RUN: tw-emulate %s --kernel=predicated --arg=f32:8:iota:ro --arg=f32:8:zeros --arg=i32=5 --print=1 | FileCheck %s --check-prefix=PREDICATED
// RUN: tw-emulate %s --kernel=table --block=4 --arg=f32:4:zeros --print=0 | FileCheck %s --check-prefix=TABLE
// RUN: tw-emulate %s --kernel=private --block=4 --arg=i32:4:zeros --print=0 | FileCheck %s --check-prefix=PRIVATE
// RUN: tw-emulate %s --kernel=generic --block=4 --shared=16 --arg=i32:4:zeros --print=0 | FileCheck %s --check-prefix=GENERIC
// RUN: tw-emulate %s --kernel=atomics --block=96 --grid=10 --shared=4 --arg=i32:2:zeros --print=0 | FileCheck %s --check-prefix=ATOMICS
// RUN: tw-emulate %s --kernel=copied --block=1 --shared=64 --arg=i32:16:iota:ro --arg=i32:16:ones --print=1 | FileCheck %s --check-prefix=COPIED
// RUN: not tw-emulate %s --kernel=copied --block=1 --shared=64 --arg=i32:15:iota:ro --arg=i32:16:ones 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: tw-emulate %s --kernel=counted --block=64 --arg=i32:3:zeros --print=0 | FileCheck %s --check-prefix=COUNTED

gpu.module @kernels {
  llvm.mlir.global internal @fixed() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal constant @squares(dense<[0.0, 1.0, 4.0, 9.0]> : tensor<4xf32>) {addr_space = 4 : i32} : !llvm.array<4 x f32>

  // The first %n elements, seven elsewhere; nothing is touched behind the end of the buffers.
  // PREDICATED: 0 1 2 3 4 7 7 7
  llvm.func @predicated(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    %seven = llvm.mlir.constant(7.0 : f32) : f32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "ult" %t, %n : i32
    %out = llvm.icmp "ult" %t, %c8 : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = ptx.load %p, %in, %seven : !llvm.ptr<1>, f32
    ptx.store %v, %q, %out : f32, !llvm.ptr<1>
    llvm.return
  }
  // TABLE: 0 1 4 9
  llvm.func @table(%y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %squares = llvm.mlir.addressof @squares : !llvm.ptr<4>
    %p = llvm.getelementptr %squares[%t] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, f32
    %v = llvm.load %p : !llvm.ptr<4> -> f32
    %q = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %q : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @write(%p: !llvm.ptr, %v: i32) {
    llvm.store %v, %p : i32, !llvm.ptr
    llvm.return
  }
  // A stack slot, written by a helper through a generic pointer.
  // PRIVATE: 0 1 2 3
  llvm.func @private(%y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %slot = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
    llvm.call @write(%slot, %t) : (!llvm.ptr, i32) -> ()
    %v = llvm.load %slot : !llvm.ptr -> i32
    %q = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %q : i32, !llvm.ptr<1>
    llvm.return
  }
  // Shared memory through a generic pointer and a 32-bit address; dynamic memory begins at 1024, after @fixed.
  // GENERIC: 1024 1028 1032 1036
  llvm.func @generic(%y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %f = llvm.mlir.addressof @fixed : !llvm.ptr<3>
    %g = llvm.getelementptr %f[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %g : i32, !llvm.ptr<3>
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %address = llvm.ptrtoint %p : !llvm.ptr<3> to i32
    %cast = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr
    llvm.call @write(%cast, %address) : (!llvm.ptr, i32) -> ()
    %again = llvm.inttoptr %address : i32 to !llvm.ptr<3>
    %v = llvm.load %again : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %q : i32, !llvm.ptr<1>
    llvm.return
  }
  // Ten blocks of 96 threads count in shared memory, then in global memory; the second word holds the largest thread.
  // ATOMICS: 960 95
  llvm.func @atomics(%y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %first = llvm.icmp "eq" %t, %zero : i32
    ptx.store %zero, %s, %first : i32, !llvm.ptr<3>
    nvvm.barrier0
    %a = llvm.atomicrmw add %s, %one monotonic : !llvm.ptr<3>, i32
    nvvm.barrier0
    %m = llvm.getelementptr %y[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %b = llvm.atomicrmw umax %m, %t syncscope("device") monotonic : !llvm.ptr<1>, i32
    llvm.cond_br %first, ^add, ^done
  ^add:
    %n = llvm.load %s : !llvm.ptr<3> -> i32
    %c = llvm.atomicrmw add %y, %n syncscope("device") monotonic : !llvm.ptr<1>, i32
    llvm.br ^done
  ^done:
    llvm.return
  }
  // Global to shared to global, but for the last two words, which become 0x01010101.
  // COPIED: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 16843009 16843009
  // SHORT: out-of-bounds global load of 8 bytes at offset 56, 4 bytes past the end of "argument 0" (60 bytes)
  llvm.func @copied(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %n = llvm.mlir.constant(64 : i32) : i32
    %m = llvm.mlir.constant(8 : i64) : i64
    %one = llvm.mlir.constant(1 : i8) : i8
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %end = llvm.getelementptr %s[56] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    %x1 = llvm.getelementptr %x[56] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    "llvm.intr.memcpy"(%end, %x1, %m) <{isVolatile = false}> : (!llvm.ptr<3>, !llvm.ptr<1>, i64) -> ()
    "llvm.intr.memcpy"(%s, %x, %n) <{isVolatile = false}> : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
    "llvm.intr.memset"(%end, %one, %m) <{isVolatile = false}> : (!llvm.ptr<3>, i8, i64) -> ()
    "llvm.intr.memcpy"(%y, %s, %n) <{isVolatile = false}> : (!llvm.ptr<1>, !llvm.ptr<3>, i32) -> ()
    llvm.return
  }
  // Threads with an odd number: how many, whether all, whether any.
  // COUNTED: 32 0 1
  llvm.func @counted(%y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %odd = llvm.and %t, %one : i32
    %n = nvvm.barrier #nvvm.reduction<popc> %odd -> i32
    %all = nvvm.barrier #nvvm.reduction<and> %odd -> i32
    %any = nvvm.barrier #nvvm.reduction<or> %odd -> i32
    %first = llvm.icmp "eq" %t, %zero : i32
    %p1 = llvm.getelementptr %y[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p2 = llvm.getelementptr %y[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    ptx.store %n, %y, %first : i32, !llvm.ptr<1>
    ptx.store %all, %p1, %first : i32, !llvm.ptr<1>
    ptx.store %any, %p2, %first : i32, !llvm.ptr<1>
    llvm.return
  }
}
