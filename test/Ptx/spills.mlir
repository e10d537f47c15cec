// Spilled registers are a located warning and a message with the code `spill`.
// REQUIRES: ptxas
// RUN: tw-assemble %s --arch=sm_80 --print=resources 2>&1 | FileCheck %s

// CHECK: :[[@LINE+5]]:{{[0-9]+}}: warning: kernel 'spilling' for sm_80: ptxas: registers are spilled: {{[1-9][0-9]*}} bytes stored
// CHECK: spilling sm_80: cubin yes, registers 24, spill stores {{[1-9]}}
// CHECK-NEXT: [spill] registers are spilled
gpu.module @spills {
  // Thirty-two values wait across the barrier, in twenty-four registers.
  llvm.func @spilling(%x: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxnreg = 24 : i32} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<32xf32>
    %v = llvm.load volatile %p : !llvm.ptr<1> -> vector<32xf32>
    nvvm.barrier0
    %s = llvm.fmul %v, %v : vector<32xf32>
    llvm.store volatile %s, %p : vector<32xf32>, !llvm.ptr<1>
    llvm.return
  }
}
