// Shared-memory races: three planted faults, and the barriers that make the same accesses right.
// RUN: not tw-emulate %s --kernel=write_read --block=64 --shared=256 --arg=i32:64:zeros 2>&1 | FileCheck %s --check-prefix=WR
// RUN: not tw-emulate %s --kernel=read_write --block=64 --shared=256 --arg=i32:64:zeros 2>&1 | FileCheck %s --check-prefix=RW
// RUN: not tw-emulate %s --kernel=write_write --block=64 --shared=256 2>&1 | FileCheck %s --check-prefix=WW
// RUN: tw-emulate %s --kernel=ordered --block=64 --shared=256 --arg=i32:64:zeros --print=0 | FileCheck %s --check-prefix=ORDERED
// RUN: tw-emulate %s --kernel=warp_ordered --block=64 --shared=256 --arg=i32:64:zeros --print=0 | FileCheck %s --check-prefix=WARP
// RUN: not tw-emulate %s --kernel=warp_is_not_enough --block=64 --shared=256 --arg=i32:64:zeros 2>&1 | FileCheck %s --check-prefix=NOTENOUGH

gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // Reads the neighbour's value without a barrier.
  // WR: race on shared memory: {{load|store}} of 4 bytes at offset {{.*}}, and no barrier since byte {{.*}} by thread {{.*}} [source: {{"put"|"get"}}
  llvm.func @write_read(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %n = llvm.xor %t, %one : i32
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %q = llvm.getelementptr %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.store %zero, %p : i32, !llvm.ptr<3>
    nvvm.barrier0
    llvm.store %t, %p : i32, !llvm.ptr<3> loc("put")
    %v = llvm.load %q : !llvm.ptr<3> -> i32 loc("get")
    %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %o : i32, !llvm.ptr<1>
    llvm.return
  }
  // Overwrites what a thread of the other warp still reads.
  // RW: race on shared memory: {{load|store}} of 4 bytes at offset {{.*}}, and no barrier since byte {{[0-9]+}} was {{read|written}} by {{.*}} [source: {{"refill"|"get"}}
  llvm.func @read_write(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %half = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %n = llvm.xor %t, %half : i32
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %q = llvm.getelementptr %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %p : i32, !llvm.ptr<3>
    nvvm.barrier0
    %v = llvm.load %q : !llvm.ptr<3> -> i32 loc("get")
    llvm.store %half, %p : i32, !llvm.ptr<3> loc("refill")
    %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %o : i32, !llvm.ptr<1>
    llvm.return
  }
  // Every thread writes the same word, though the same value.
  // WW: race on shared memory: store of 4 bytes at offset 0, and no barrier since byte 0 was written by thread {{.*}} (llvm.store at "flag") [source: "flag"
  llvm.func @write_write() attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    llvm.store %one, %s : i32, !llvm.ptr<3> loc("flag")
    llvm.return
  }
  // ORDERED: 1 0 3 2 5 4
  llvm.func @ordered(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %n = llvm.xor %t, %one : i32
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %q = llvm.getelementptr %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %p : i32, !llvm.ptr<3>
    nvvm.barrier0
    %v = llvm.load %q : !llvm.ptr<3> -> i32
    nvvm.barrier0
    llvm.store %one, %p : i32, !llvm.ptr<3>
    %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %o : i32, !llvm.ptr<1>
    llvm.return
  }
  // A warp's own barrier orders its lanes.
  // WARP: 1 0 3 2 5 4
  llvm.func @warp_ordered(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %n = llvm.xor %t, %one : i32
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %q = llvm.getelementptr %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %p : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    %v = llvm.load %q : !llvm.ptr<3> -> i32
    nvvm.bar.warp.sync %all : i32
    llvm.store %one, %p : i32, !llvm.ptr<3>
    %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %o : i32, !llvm.ptr<1>
    llvm.return
  }
  // The neighbour is in the other warp, so the warp's barrier does not help.
  // NOTENOUGH: {{race on shared memory: (load|store) of 4 bytes|uninitialised shared memory}}
  llvm.func @warp_is_not_enough(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %half = llvm.mlir.constant(32 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %n = llvm.xor %t, %half : i32
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %q = llvm.getelementptr %s[%n] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %p : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    %v = llvm.load %q : !llvm.ptr<3> -> i32
    %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %o : i32, !llvm.ptr<1>
    llvm.return
  }
}
