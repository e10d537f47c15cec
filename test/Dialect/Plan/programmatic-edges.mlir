// Only kernels that wait are launched early, and only after kernels whose blocks all run at once, unless they load much in
// front of their wait that no kernel writes.
// RUN: tw-opt %s --plan-programmatic-edges | FileCheck %s
// RUN: tw-opt %s --plan-programmatic-edges --plan-programmatic-edges --verify-plan-form | FileCheck %s
// RUN: tw-opt %s --plan-programmatic-edges=target=sm_80 | FileCheck %s --check-prefix=SMALLER
// RUN: not tw-opt %s --plan-programmatic-edges=target=sm_7 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown target 'sm_7'

gpu.module @waits {
  llvm.func @waits(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    nvvm.griddepcontrol wait
    llvm.return
  }
}
gpu.module @triggers {
  llvm.func @triggers(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    nvvm.griddepcontrol launch_dependents
    llvm.return
  }
}
gpu.module @many_blocks {
  llvm.func @many_blocks(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [8016, 1, 1], block = 64>} {
    nvvm.griddepcontrol launch_dependents
    llvm.return
  }
}
// CHECK-LABEL: plan.program @main
plan.program @main() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  %z = plan.output "z" tensor<8xf32> as !plan.buffer<32>
  %arena = plan.arena : !plan.buffer<512>
  %a = plan.view %arena[0] : !plan.buffer<512> to !plan.buffer<32>
  %b = plan.view %arena[256] : !plan.buffer<512> to !plan.buffer<32>
  // CHECK: %[[FILL:.*]] = plan.fill
  %fill = plan.fill %a with 0.0 : f32 : !plan.buffer<32>
  // CHECK: %[[E0:.*]] = plan.launch @waits({{.*}}) into({{.*}}) after(%[[FILL]]) :
  %e0 = plan.launch @waits(%a) into(%b : !plan.buffer<32>) after(%fill) : (!plan.buffer<32>) -> !plan.event
  // CHECK: %[[E1:.*]] = plan.launch @triggers({{.*}}) into({{.*}}) after(%[[E0]]) :
  %e1 = plan.launch @triggers(%b) into(%a : !plan.buffer<32>) after(%e0) : (!plan.buffer<32>) -> !plan.event
  // A variant that waits is enough.
  // CHECK: %[[E2:.*]] = plan.launch @triggers({{.*}}) into({{.*}}) programmatic(%[[E1]]) {plan.variants = [@waits]}
  %e2 = plan.launch @triggers(%a) into(%y : !plan.buffer<32>) after(%e1) {plan.variants = [@waits]}
      : (!plan.buffer<32>) -> !plan.event
  // Of two edges the one from the nearest predecessor.
  // CHECK: plan.launch @waits({{.*}}) into({{.*}}) after(%[[E0]]) programmatic(%[[E1]]) :
  %e3 = plan.launch @waits(%x) into(%z : !plan.buffer<32>) after(%e0, %e1) : (!plan.buffer<32>) -> !plan.event
  plan.return
}

// CHECK-LABEL: plan.program @behind_many_blocks
plan.program @behind_many_blocks() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  %arena = plan.arena : !plan.buffer<256>
  %a = plan.view %arena[0] : !plan.buffer<256> to !plan.buffer<32>
  // CHECK: %[[MANY:.*]] = plan.launch @many_blocks
  %e0 = plan.launch @many_blocks(%x) into(%a : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  // CHECK: plan.launch @waits({{.*}}) into({{.*}}) after(%[[MANY]]) :
  %e1 = plan.launch @waits(%a) into(%y : !plan.buffer<32>) after(%e0) : (!plan.buffer<32>) -> !plan.event
  plan.return
}

// How many blocks run at once is the chip's: 132 multiprocessors hold 4224 of 64 threads, 108 hold 3456.
gpu.module @some_blocks {
  llvm.func @some_blocks(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [4000, 1, 1], block = 64>} {
    nvvm.griddepcontrol launch_dependents
    llvm.return
  }
}
// CHECK-LABEL: plan.program @behind_some_blocks
// SMALLER-LABEL: plan.program @behind_some_blocks
plan.program @behind_some_blocks() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  %arena = plan.arena : !plan.buffer<256>
  %a = plan.view %arena[0] : !plan.buffer<256> to !plan.buffer<32>
  // CHECK: %[[SOME:.*]] = plan.launch @some_blocks
  // SMALLER: %[[SOME:.*]] = plan.launch @some_blocks
  %e0 = plan.launch @some_blocks(%x) into(%a : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  // CHECK: plan.launch @waits({{.*}}) into({{.*}}) programmatic(%[[SOME]]) :
  // SMALLER: plan.launch @waits({{.*}}) into({{.*}}) after(%[[SOME]]) :
  %e1 = plan.launch @waits(%a) into(%y : !plan.buffer<32>) after(%e0) : (!plan.buffer<32>) -> !plan.event
  plan.return
}

// A product's matrix is loaded before the wait for its row: not so where the rows are as large, nor where the load is behind
// the wait.
gpu.module @fetches {
  llvm.func @fetches(%x: !llvm.ptr<1>, %w: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = llvm.load %w : !llvm.ptr<1> -> vector<4xi32>
    nvvm.griddepcontrol wait
    llvm.return
  }
}
gpu.module @fetches_late {
  llvm.func @fetches_late(%x: !llvm.ptr<1>, %w: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    nvvm.griddepcontrol wait
    %0 = llvm.load %w : !llvm.ptr<1> -> vector<4xi32>
    llvm.return
  }
}
// CHECK-LABEL: plan.program @with_work_before_the_wait
plan.program @with_work_before_the_wait() {
  %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
  %w = plan.input "w" tensor<8x8xf32> as !plan.buffer<256>
  %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
  %z = plan.output "z" tensor<8xf32> as !plan.buffer<32>
  %v = plan.output "v" tensor<8xf32> as !plan.buffer<32>
  %arena = plan.arena : !plan.buffer<256>
  %a = plan.view %arena[0] : !plan.buffer<256> to !plan.buffer<32>
  // CHECK: %[[MANY:.*]] = plan.launch @many_blocks
  %e0 = plan.launch @many_blocks(%x) into(%a : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
  // CHECK: plan.launch @fetches({{.*}}) into({{.*}}) programmatic(%[[MANY]]) :
  %e1 = plan.launch @fetches(%a, %w) into(%y : !plan.buffer<32>) after(%e0) : (!plan.buffer<32>, !plan.buffer<256>) -> !plan.event
  // CHECK: plan.launch @fetches({{.*}}) into({{.*}}) after(%[[MANY]]) :
  %e2 = plan.launch @fetches(%a, %x) into(%z : !plan.buffer<32>) after(%e0) : (!plan.buffer<32>, !plan.buffer<32>) -> !plan.event
  // CHECK: plan.launch @fetches_late({{.*}}) into({{.*}}) after(%[[MANY]]) :
  %e3 = plan.launch @fetches_late(%a, %w) into(%v : !plan.buffer<32>) after(%e0) : (!plan.buffer<32>, !plan.buffer<256>) -> !plan.event
  plan.return
}
