// What cannot be assembled is an error at the kernel, and the kernels after it still assemble.
// REQUIRES: ptxas
// RUN: not tw-assemble %s --arch=sm_80,sm_90a --print=statistics 2>&1 | FileCheck %s

// An instruction that NVPTX cannot select makes LLVM abort; the worker is replaced.
// CHECK-DAG: [[@LINE+2]]:{{[0-9]+}}: error: kernel 'aborts' for sm_80: the worker was stopped by signal 6 (Aborted): LLVM ERROR: Cannot select: {{.*}}fsin
gpu.module @aborting {
  llvm.func @aborts(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %a = llvm.load %x : !llvm.ptr<1> -> f32
    %b = llvm.intr.sin(%a) : (f32) -> f32
    llvm.store %b, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

// So does an intrinsic that would need a library; LLVM then exits.
// CHECK-DAG: [[@LINE+2]]:{{[0-9]+}}: error: kernel 'exits' for sm_80: the worker left with status 1: error: no libcall available for fexp
gpu.module @exiting {
  llvm.func @exits(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %a = llvm.load %x : !llvm.ptr<1> -> f64
    %b = llvm.intr.exp(%a) : (f64) -> f64
    llvm.store %b, %x : f64, !llvm.ptr<1>
    llvm.return
  }
}

// An op of an earlier stage is named.
// CHECK-DAG: [[@LINE+2]]:{{[0-9]+}}: error: kernel 'untranslated' for sm_90a: {{.*}}math.erf
gpu.module @leftover {
  llvm.func @untranslated(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %a = llvm.load %x : !llvm.ptr<1> -> f32
    %b = math.erf %a : f32
    llvm.store %b, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-DAG: [[@LINE+3]]:{{[0-9]+}}: error: kernel 'calls' for sm_80: unresolved call of 'helper'
gpu.module @calling {
  llvm.func @helper(f32) -> f32
  llvm.func @calls(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %a = llvm.load %x : !llvm.ptr<1> -> f32
    %b = llvm.call @helper(%a) : (f32) -> f32
    llvm.store %b, %x : f32, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-DAG: [[@LINE+3]]:{{[0-9]+}}: error: kernel 'crowded' for sm_80: ptxas: Entry function 'crowded' uses too much shared data
gpu.module @crowding {
  llvm.mlir.global internal @stage() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16384 x f32>
  llvm.func @crowded(%x: !llvm.ptr<1>, %i: i32) attributes {nvvm.kernel} {
    %stage = llvm.mlir.addressof @stage : !llvm.ptr<3>
    %at = llvm.getelementptr %stage[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %from = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %a = llvm.load %from : !llvm.ptr<1> -> f32
    llvm.store %a, %at : f32, !llvm.ptr<3>
    nvvm.barrier0
    %b = llvm.load %stage : !llvm.ptr<3> -> f32
    llvm.store %b, %from : f32, !llvm.ptr<1>
    llvm.return
  }
}

// Limits that no compiler checks.
// CHECK-DAG: [[@LINE+2]]:{{[0-9]+}}: error: kernel 'greedy' for sm_80: needs 200000 bytes of shared memory, the limit is 166912
gpu.module @launching {
  llvm.func @greedy() attributes {nvvm.kernel,
      ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128, shared = 200000>} { llvm.return }
}

// CHECK-DAG: [[@LINE+2]]:{{[0-9]+}}: error: kernel 'clustered' for sm_80: needs clusters of 2 blocks, the target has none
gpu.module @clustering {
  llvm.func @clustered() attributes {nvvm.kernel,
      ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 128, cluster = [2, 1, 1]>} { llvm.return }
}

// CHECK-DAG: [[@LINE+1]]:{{[0-9]+}}: error: gpu.module holds 0 kernels (llvm.func with nvvm.kernel), 1 expected
gpu.module @empty {}

// Two kernels lose their worker, once for each target.
// CHECK-DAG: workers started 5, lost 4
