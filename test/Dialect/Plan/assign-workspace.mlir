// plan-assign-workspace: launches of kernels with ptx.workspace parameters write one workspace, as large as the largest of
// them needs, in order; a launch that waits for the one before already gets no other event, programs without such kernels
// no workspace.
// RUN: tw-opt %s --plan-assign-workspace --verify-plan-form | FileCheck %s

gpu.module @small {
  llvm.func @small(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %flags: !llvm.ptr<1> {ptx.workspace = array<i64: 0, 512>}) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @large {
  llvm.func @large(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %flags: !llvm.ptr<1> {ptx.workspace = array<i64: 0, 512>},
                   %parts: !llvm.ptr<1> {ptx.workspace = array<i64: 4096, 8192>}) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @none {
  llvm.func @none(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 32>} {
    llvm.return
  }
}

// CHECK-LABEL: plan.program @main
// CHECK: %[[WORKSPACE:.*]] = plan.workspace : !plan.buffer<12288>
// CHECK: %[[FIRST:.*]] = plan.launch @small(%{{.*}}) into(%{{.*}}, %[[WORKSPACE]] : !plan.buffer<32>, !plan.buffer<12288>) :
// CHECK: plan.launch @none(%{{.*}}) into(%{{.*}} : !plan.buffer<32>) :
// CHECK: %[[THIRD:.*]] = plan.launch @large(%{{.*}}) into(%{{.*}}, %[[WORKSPACE]] : {{.*}}) after(%[[FIRST]])
// CHECK: plan.launch @small(%{{.*}}) into(%{{.*}}, %[[WORKSPACE]] : {{.*}}) after(%[[THIRD]]) :
plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %a = plan.output "a" tensor<8xf32> as !plan.buffer<32>
  %b = plan.output "b" tensor<8xf32> as !plan.buffer<32>
  %c = plan.output "c" tensor<8xf32> as !plan.buffer<32>
  %d = plan.output "d" tensor<8xf32> as !plan.buffer<32>
  %0 = plan.launch @small(%x) into(%a : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  %1 = plan.launch @none(%x) into(%b : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  %2 = plan.launch @large(%x) into(%c : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  %3 = plan.launch @small(%c) into(%d : !plan.buffer<32>) after(%2) : (!plan.buffer<32>) -> !plan.event
  plan.return
}

// CHECK-LABEL: plan.program @without
// CHECK-NOT: plan.workspace
plan.program @without() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %a = plan.output "a" tensor<8xf32> as !plan.buffer<32>
  %0 = plan.launch @none(%x) into(%a : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  plan.return
}
