// Asynchronous copies that are used before they have been waited for: three planted faults of reading, three of
// overwriting or re-targeting, and the right program, whose values do not depend on when copies complete.
// RUN: not tw-emulate %s --kernel=no_wait --shared=512 --arg=f32:128:iota --arg=f32:128:zeros 2>&1 | FileCheck %s --check-prefix=NOWAIT
// RUN: not tw-emulate %s --kernel=wait_too_few --shared=1024 --arg=f32:256:iota --arg=f32:128:zeros 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not tw-emulate %s --kernel=no_commit --shared=512 --arg=f32:128:iota --arg=f32:128:zeros 2>&1 | FileCheck %s --check-prefix=COMMIT
// RUN: not tw-emulate %s --kernel=overwrite --shared=512 --arg=f32:128:iota 2>&1 | FileCheck %s --check-prefix=OVERWRITE
// RUN: not tw-emulate %s --kernel=two_copies --shared=512 --arg=f32:128:iota 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tw-emulate %s --kernel=others_data --block=64 --shared=1024 --arg=f32:256:iota --arg=f32:256:zeros 2>&1 | FileCheck %s --check-prefix=OTHERS
// RUN: tw-emulate %s --kernel=right --shared=512 --arg=f32:128:iota --arg=f32:128:zeros --print=1 | FileCheck %s --check-prefix=RIGHT
// RUN: tw-emulate %s --kernel=right --shared=512 --arg=f32:128:iota --arg=f32:128:zeros --print=1 --early | FileCheck %s --check-prefix=RIGHT
// Early completion changes values, never verdicts.
// RUN: not tw-emulate %s --kernel=no_wait --shared=512 --arg=f32:128:iota --arg=f32:128:zeros --early 2>&1 | FileCheck %s --check-prefix=NOWAIT

gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // NOWAIT: data in flight: shared load of 16 bytes at offset {{[0-9]+}} meets byte {{[0-9]+}} of a cp.async that thread {{[0-9]+}} issued at "stage" and has not waited for [source: "use"
  llvm.func @no_wait(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %q = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    nvvm.cp.async.shared.global %p, %q, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("stage")
    nvvm.cp.async.commit.group
    nvvm.barrier0
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32> loc("use")
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
  // Two groups are in flight, one may stay: it is the second one that is read.
  // FEW: data in flight: shared load of 16 bytes {{.*}} issued at "second" and has not waited for [source: "use"
  llvm.func @wait_too_few(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %u = llvm.add %t, %c32 : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %q = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %p2 = llvm.getelementptr %s[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %q2 = llvm.getelementptr %x[%u] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    nvvm.cp.async.shared.global %p, %q, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("first")
    nvvm.cp.async.commit.group
    nvvm.cp.async.shared.global %p2, %q2, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("second")
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32> loc("fine")
    %w = llvm.load %p2 : !llvm.ptr<3> -> vector<4xf32> loc("use")
    llvm.return
  }
  // What was never committed is in no group.
  // COMMIT: data in flight: {{.*}} [source: "use"
  llvm.func @no_commit(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %q = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    nvvm.cp.async.shared.global %p, %q, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.wait.group 0
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32> loc("use")
    llvm.return
  }
  // OVERWRITE: data in flight: shared store of 4 bytes at offset {{[0-9]+}} meets {{.*}} issued at "stage" and has not waited for [source: "clear"
  llvm.func @overwrite(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %q = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    nvvm.cp.async.shared.global %p, %q, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("stage")
    nvvm.cp.async.commit.group
    llvm.store %zero, %p : f32, !llvm.ptr<3> loc("clear")
    llvm.return
  }
  // TWICE: data in flight: shared cp.async store of 16 bytes {{.*}} issued at "first" and has not waited for [source: "again"
  llvm.func @two_copies(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %q = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    nvvm.cp.async.shared.global %p, %q, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("first")
    nvvm.cp.async.shared.global %p, %x, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("again")
    llvm.return
  }
  // Each thread waits for its own copy, then reads another warp's without a barrier between.
  // OTHERS: {{data in flight|race on shared memory|uninitialised shared memory}}: {{.*}} [source: {{"use"|"stage"}}
  llvm.func @others_data(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %u = llvm.xor %t, %c32 : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %n = llvm.getelementptr %s[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %q = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    nvvm.cp.async.shared.global %p, %q, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1> loc("stage")
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    %v = llvm.load %n : !llvm.ptr<3> -> vector<4xf32> loc("use")
    llvm.return
  }
  // The neighbour's data, after wait and barrier; the last 8 of 16 bytes are asked to be zeros.
  // RIGHT: 4 5 0 0 0 1 0 0 12 13 0 0 8 9 0 0
  llvm.func @right(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %eight = llvm.mlir.constant(8 : i32) : i32
    %u = llvm.xor %t, %one : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %n = llvm.getelementptr %s[%u] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %q = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    nvvm.cp.async.shared.global %p, %q, 16, cache = cg, %eight : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    nvvm.barrier0
    %v = llvm.load %n : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
