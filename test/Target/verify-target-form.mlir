// A kernel in target form passes verify-target-form unchanged.
// RUN: tw-opt %s --verify-target-form | FileCheck %s

// CHECK-LABEL: @sound
gpu.module @kernels {
  llvm.func internal @helper(%x: f32) -> f32 { llvm.return %x : f32 }
  llvm.func @sound(%p: !llvm.ptr<1>, %inside: i1, %x: f32, %v: vector<4xf32>) attributes {nvvm.kernel} {
    %0 = ptx.load %p, %inside, %x : !llvm.ptr<1>, f32
    %1 = llvm.intr.fma(%0, %x, %x) : (f32, f32, f32) -> f32
    %2 = llvm.intr.sqrt(%1) : (f32) -> f32
    %3 = llvm.intr.vector.reduce.fmax(%v) : (vector<4xf32>) -> f32
    %4 = llvm.intr.sin(%2) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    %5 = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%4) : (f32) -> f32
    %6 = llvm.call @helper(%5) : (f32) -> f32
    nvvm.barrier0
    ptx.store %6, %p, %inside : f32, !llvm.ptr<1>
    llvm.return
  }
}

// Outside of kernels anything goes.
func.func @host(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}
