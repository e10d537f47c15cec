// Kernels written by hand enter at the ptx stage: tensor maps over the launch's buffers, clusters, a launch that
// starts before the end of another, and a kernel of its own for each kind of chip.
// REQUIRES: ptxas
// RUN: rm -rf %t && tw-compile %s -o %t.tw --start-from=ptx --target=sm_90a,sm_80 --dump-stages=%t
// RUN: FileCheck %s --input-file=%t/07-package.json
// RUN: ls %t/06-ptx | FileCheck %s --check-prefix=PTX

// PTX-NOT: rows.sm_80
// PTX-NOT: rows_on_ampere.sm_90a
// PTX: rows.sm_90a.ptx
// PTX: rows_on_ampere.sm_80.ptx

gpu.module @rows {
  llvm.func @rows(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
                       ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16, dims = [64, 126], strides = [128],
                                                        box = [64, 32], offset = 256, swizzle = 128, l2 = 256>},
      %out: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
                       ptx.tensor_map = #ptx.tensor_map<of = 1, element = bf16, dims = [64, 128], strides = [128],
                                                        box = [64, 32], swizzle = 128>}) attributes {
        nvvm.kernel, ptx.archs = ["sm_90a"],
        ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 128, shared = 8192, cluster = [2, 1, 1]>} {
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.griddepcontrol wait
    nvvm.griddepcontrol launch_dependents
    llvm.return
  }
}
gpu.module @rows_on_ampere {
  llvm.func @rows_on_ampere(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.archs = ["sm_80"], ptx.launch = #ptx.launch<grid = [8, 1, 1], block = 64, shared = 1024>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<128x64xbf16> {plan.name = "x"}) -> (tensor<128x64xbf16> {plan.name = "y"}) {
  %0 = plan.launch @rows(%x) {plan.variants = [@rows_on_ampere]} : (tensor<128x64xbf16>) -> tensor<128x64xbf16>
  %1 = plan.launch @rows(%0) {plan.variants = [@rows_on_ampere]} : (tensor<128x64xbf16>) -> tensor<128x64xbf16>
  plan.return %1 : tensor<128x64xbf16>
}

// CHECK: "launches": [
// CHECK: "kernel": "rows"
// CHECK: "kernel": "rows",
// CHECK-NEXT: "grid": [
// CHECK-NEXT: 4,
// CHECK: "cluster": [
// CHECK-NEXT: 2,
// CHECK: "shared_bytes": 8192
// CHECK-NEXT: "parameters": [
// CHECK-NEXT: "arena+0",
// CHECK-NEXT: "output 0",
// CHECK-NEXT: "tensor map over arena+256",
// CHECK-NEXT: "tensor map over output 0"
// CHECK: "after": [],
// CHECK-NEXT: "programmatic": [
// CHECK-NEXT: 0
// CHECK: "variants": [
// CHECK: "kernel": "rows_on_ampere"
// CHECK-NEXT: "grid": [
// CHECK-NEXT: 8,
// CHECK: "block": [
// CHECK-NEXT: 64,
// CHECK: "shared_bytes": 1024
// CHECK-NEXT: "parameters": [
// CHECK-NEXT: "arena+0",
// CHECK-NEXT: "output 0"
// CHECK-NEXT: ],
// A kernel that does not wait is launched after the others' end.
// CHECK-NEXT: "after": [
// CHECK-NEXT: 0
