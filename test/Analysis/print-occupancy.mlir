// How full kernels keep a chip: with unlimited registers before ptxas, with the real ones after it.
// RUN: tw-opt %s --print-occupancy -o /dev/null 2>&1 | FileCheck %s
// RUN: tw-opt %s --print-occupancy=target=sm_80 -o /dev/null 2>&1 | FileCheck %s --check-prefix=SM80
// RUN: not tw-opt %s --print-occupancy=target=sm_1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown target 'sm_1'

// 4 loads of 16 bytes before the barrier and 2 behind it: 64 bytes of each of 256 threads.
// CHECK: kernel @straight on sm_90a: 1056 blocks of 256 threads, registers unknown, 32 bytes of shared memory
// CHECK-NEXT: 8 blocks a multiprocessor, 1.00 of its warps, limited by threads
// CHECK-NEXT: 16384 bytes in flight a block, 131072 a multiprocessor; its share of the memory needs 25455: 100 %
// CHECK-NEXT: 1.00 waves, the last leaves 0 % idle
// SM80: kernel @straight on sm_80
// SM80: its share of the memory needs 11328
gpu.module @straight {
  llvm.func @straight(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, ptx.launch = #ptx.launch<grid = [1056, 1, 1], block = 256, shared = 32>} {
    %0 = llvm.load %x : !llvm.ptr<1> -> vector<4xi32>
    %1 = llvm.load %x : !llvm.ptr<1> -> vector<4xi32>
    %2 = llvm.load %x : !llvm.ptr<1> -> vector<4xi32>
    %3 = llvm.load %x : !llvm.ptr<1> -> vector<4xi32>
    nvvm.barrier0
    %4 = llvm.load %x : !llvm.ptr<1> -> vector<4xi32>
    %5 = llvm.load %x : !llvm.ptr<1> -> vector<4xi32>
    llvm.return
  }
}

// With 128 registers a quarter of the warps are resident. A turn of the loop loads 8 bytes: that is too little.
// CHECK: kernel @loop on sm_90a: 600 blocks of 256 threads, 128 registers, 0 bytes of shared memory
// CHECK-NEXT: 2 blocks a multiprocessor, 0.25 of its warps, limited by registers
// CHECK-NEXT: 2048 bytes in flight a block, 4096 a multiprocessor; its share of the memory needs 25455: 16 %
// CHECK-NEXT: 2.27 waves, the last leaves 24 % idle
gpu.module @loop {
  llvm.func @loop(%x: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel, ptx.launch = #ptx.launch<grid = [600, 1, 1], block = 256>,
      ptx.resources = #ptx.resources<registers = 128, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^turn(%zero : i32)
  ^turn(%i: i32):
    %0 = llvm.load %x : !llvm.ptr<1> -> vector<2xi32>
    %next = llvm.add %i, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^turn(%next : i32), ^end
  ^end:
    llvm.return
  }
}

// A block of more shared memory than there is.
// CHECK: kernel @large
// CHECK-NEXT: does not fit a multiprocessor
gpu.module @large {
  llvm.func @large(%x: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32, shared = 300000>} {
    llvm.return
  }
}
