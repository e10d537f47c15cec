// verify-target-form names every operation that NVPTX cannot select.
// RUN: tw-opt %s --split-input-file --verify-diagnostics --verify-target-form

gpu.module @earlier_stages {
  llvm.func @k(%x: f32) -> f32 {
    // expected-error @+1 {{'math.erf' is not in target form: only llvm, nvvm and ptx belong to the target stage}}
    %0 = math.erf %x : f32
    // expected-error @+1 {{'arith.addf' is not in target form: only llvm, nvvm and ptx belong to the target stage}}
    %1 = arith.addf %0, %x : f32
    llvm.return %1 : f32
  }
}

// -----

gpu.module @intrinsics {
  llvm.func @k(%x: f32, %d: f64, %v: vector<2xf32>) {
    // expected-error @+1 {{'llvm.intr.exp' is not in target form: NVPTX does not select it for f64}}
    %0 = llvm.intr.exp(%d) : (f64) -> f64
    // expected-error @+1 {{'llvm.intr.log2' is not in target form: NVPTX does not select it for f32}}
    %1 = llvm.intr.log2(%x) : (f32) -> f32
    // expected-error @+1 {{'llvm.intr.sin' is not in target form: NVPTX does not select it for f32}}
    %2 = llvm.intr.sin(%x) : (f32) -> f32
    // expected-error @+1 {{'llvm.intr.pow' is not in target form: NVPTX does not select it for vector<2xf32>}}
    %3 = llvm.intr.pow(%v, %v) : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    // expected-error @+1 {{'llvm.frem' is not in target form: NVPTX approximates the remainder of floats}}
    %4 = llvm.frem %x, %x : f32
    llvm.return
  }
}

// -----

gpu.module @calls {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @k(%x: f32, %f: !llvm.ptr) {
    // expected-error @+1 {{'llvm.call' is not in target form: '__nv_expf' has no body}}
    %0 = llvm.call @__nv_expf(%x) : (f32) -> f32
    // expected-error @+1 {{'llvm.call' is not in target form: indirect calls are not supported}}
    llvm.call %f() : !llvm.ptr, () -> ()
    // expected-error @+1 {{'llvm.call_intrinsic' is not in target form: intrinsic 'llvm.exp.f32' is not one of NVPTX's own}}
    %1 = llvm.call_intrinsic "llvm.exp.f32"(%x) : (f32) -> f32
    llvm.return
  }
}

// -----

gpu.module @assembly {
  llvm.func @k(%x: f32) {
    // expected-error @+1 {{'llvm.inline_asm' is not in target form: inline assembly is made by convert-ptx-to-llvm alone}}
    %0 = llvm.inline_asm "ex2.approx.f32 $0, $1;", "=f,f" %x : (f32) -> f32
    llvm.return
  }
}
