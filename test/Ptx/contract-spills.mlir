// A contract without spills is broken by a kernel that has too few registers.
// REQUIRES: ptxas
// RUN: not tw-compile %s --start-from=ptx --target=sm_80 --emit=ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: test ! -e %t.ptx
// What ptxas says of a kernel that is refused is told, too.
// RUN: not tw-compile %s --start-from=ptx --target=sm_80 --emit=ptx -o %t.ptx --remarks=%t.yaml 2>/dev/null
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.yaml
// REMARK: Name: {{ *}}Resources

// CHECK: contract-spills.mlir:[[@LINE+3]]:{{[0-9]+}}: error: kernel @spilling takes {{[1-9][0-9]*}} bytes of spills on sm_80, its contract allows 0
gpu.module @spilling {
  // Thirty-two values wait across the barrier, in twenty-four registers.
  llvm.func @spilling(%x: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxnreg = 24 : i32,
      tile.contract = #tile.contract<spills = 0>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<32xf32>
    %v = llvm.load volatile %p : !llvm.ptr<1> -> vector<32xf32>
    nvvm.barrier0
    %s = llvm.fmul %v, %v : vector<32xf32>
    llvm.store volatile %s, %p : vector<32xf32>, !llvm.ptr<1>
    llvm.return
  }
}
