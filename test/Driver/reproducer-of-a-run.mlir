// A run that fails on its device leaves a package without weights, its inputs and its flags; the bundle fails again the
// same way. A run that succeeds leaves nothing.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/bad.tw --start-from=ptx --target=sm_80
// RUN: not tw-run %t/bad.tw --device=emulator --input x=random:5 --reproducer=%t/bad.repro 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: rm %t/bad.tw
// RUN: not tw-run --run-reproducer=%t/bad.repro 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: FileCheck %s --check-prefix=BUNDLE --input-file=%t/bad.repro
// RUN: not tw-compile --run-reproducer=%t/bad.repro 2>&1 | FileCheck %s --check-prefix=TOOL

// FIRST: tw-run: {{.*}}out-of-bounds
// FIRST: to see it again: tw-run --run-reproducer={{.*}}bad.repro
// AGAIN: running '{{.*}}bad.repro' again
// AGAIN-NEXT: package: bad.tw
// AGAIN-NEXT: device: emulator
// AGAIN: tw-run: {{.*}}out-of-bounds
// BUNDLE: {}/model.tw
// BUNDLE: --input=x=random:5
// BUNDLE: part log
// BUNDLE-NEXT: {{.*}}out-of-bounds
// TOOL: is for tw-run

gpu.module @beyond {
  llvm.func @beyond(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32, shared = 0>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %from = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %from : !llvm.ptr<1> -> f32
    %to = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %to : f32, !llvm.ptr<1>
    llvm.return
  }
}
plan.program @main(%x: tensor<16xf32> {plan.name = "x"}) -> (tensor<16xf32> {plan.name = "y"}) {
  %0 = plan.launch @beyond(%x) : (tensor<16xf32>) -> tensor<16xf32>
  plan.return %0 : tensor<16xf32>
}
