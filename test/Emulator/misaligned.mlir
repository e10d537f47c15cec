// Accesses that are not aligned to their width: three planted faults, and a narrow alignment that is stated.
// RUN: not tw-emulate %s --kernel=global_vector --arg=f32:64:iota 2>&1 | FileCheck %s --check-prefix=GLOBAL
// RUN: not tw-emulate %s --kernel=shared_vector --shared=64 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not tw-emulate %s --kernel=copy --shared=64 --arg=f32:64:iota 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: tw-emulate %s --kernel=stated --block=1 --arg=f32:64:iota --arg=f32:4:zeros --print=1 | FileCheck %s --check-prefix=STATED

gpu.module @global_vector {
  // GLOBAL: misaligned global load of 16 bytes at offset 4 of "argument 0": its address is 4 modulo 16 [source: "x",
  llvm.func @global_vector(%from: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %p = llvm.getelementptr %from[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> vector<4xf32> loc("x")
    llvm.return
  }
  // STATED: 1 2 3 4
  llvm.func @stated(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %p = llvm.getelementptr %from[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xf32>
    llvm.store %v, %to : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
gpu.module @shared_vector {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  // SHARED: misaligned shared store of 8 bytes: offset 4 is not a multiple of 8 [source: "y",
  llvm.func @shared_vector() attributes {nvvm.kernel} {
    %zero = llvm.mlir.zero : vector<4xbf16>
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[4] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    llvm.store %zero, %p : vector<4xbf16>, !llvm.ptr<3> loc("y")
    llvm.return
  }
  // COPY: misaligned global cp.async load of 16 bytes at offset 8 of "argument 0": its address is 8 modulo 16 [source: "z",
  llvm.func @copy(%from: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %from[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    nvvm.cp.async.shared.global %s, %p, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("z")
    llvm.return
  }
}
