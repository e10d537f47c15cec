// A package: equal bytes when built twice under different names and jobs, and a dump of what is in it.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t/one/p %t/two/p
// RUN: cp %s %t/one/p/program.mlir && cp %s %t/two/p/program.mlir
// RUN: cd %t/one && tw-compile p/program.mlir -o a.tw --target=sm_90a,sm_80 --jobs=1 --dump-stages=dumps
// RUN: cd %t/two && tw-compile %t/two/p/program.mlir -o %t/two/b.tw --target=sm_90a,sm_80 --jobs=4
// RUN: cmp %t/one/a.tw %t/two/b.tw
// RUN: FileCheck %s --input-file=%t/one/dumps/07-package.json
// RUN: ls %t/one/dumps/06-ptx | FileCheck %s --check-prefix=PTX
// RUN: tw-run %t/one/a.tw --list | FileCheck %s --check-prefix=LIST
// Without the emulation segment the package is smaller, and has no kernels for the emulator.
// RUN: tw-compile %s -o %t/bare.tw --emulation=off && not tw-run %t/bare.tw --device=emulator --input x=zeros

// CHECK: "program": "program"
// CHECK: "precision": "fp32"
// CHECK: "targets": "sm_90a,sm_80"
// Code for one chip alone is a cubin; other code is PTX too, for chips to come.
// CHECK: "images": [
// CHECK: "arch": "sm_80"
// CHECK-NEXT: "kind": "cubin"
// CHECK: "arch": "sm_80"
// CHECK-NEXT: "kind": "ptx"
// CHECK: "arch": "sm_90a"
// CHECK-NEXT: "kind": "cubin"
// CHECK-NOT: "ptx"
// CHECK: "entries": [
// CHECK: "name": "main"
// CHECK: "launches": [
// CHECK: "parameters": [
// CHECK-NEXT: "input 0",
// CHECK-NEXT: "output 0"
// PTX: .sm_80.ptx
// PTX: .sm_90a.ptx
// LIST: input  x f32 [64]
// LIST: output y f32 [64]
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %0 = arith.mulf %x, %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}
