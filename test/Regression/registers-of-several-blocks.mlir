// A kernel of which several blocks shall fit on a multiprocessor starts with fewer registers a thread: raising a role to
// 96 is an increase where three blocks of 256 threads share the file, and none where one has it all. Found by random
// schedules: the emulator took the threads of nvvm.reqntid for none.
// RUN: tw-emulate %s --kernel=three --block=256
// RUN: not tw-emulate %s --kernel=one --block=256 2>&1 | FileCheck %s
// CHECK: register budget: setmaxnreg.inc to 96 registers of a thread, which has 256
gpu.module @kernels {
  llvm.func @three() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>, nvvm.minctasm = 3 : i32} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %half = llvm.mlir.constant(128 : i32) : i32
    %first = llvm.icmp "ult" %t, %half : i32
    llvm.cond_br %first, ^load, ^compute
  ^load:
    nvvm.setmaxregister decrease 40
    llvm.return
  ^compute:
    nvvm.setmaxregister increase 96
    llvm.return
  }
  llvm.func @one() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>, nvvm.minctasm = 1 : i32} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %half = llvm.mlir.constant(128 : i32) : i32
    %first = llvm.icmp "ult" %t, %half : i32
    llvm.cond_br %first, ^load, ^compute
  ^load:
    nvvm.setmaxregister decrease 40
    llvm.return
  ^compute:
    nvvm.setmaxregister increase 96
    llvm.return
  }
}
