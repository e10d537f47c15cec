// Few blocks of a kernel that starts while another one runs are kept apart by shared memory: not where it waits for all others,
// moves little, is a product, or has all the blocks that have room.
// RUN: tw-opt %s --plan-spread-blocks | FileCheck %s
// RUN: not tw-opt %s --plan-spread-blocks=target=sm_7 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown target 'sm_7'

// CHECK-LABEL: llvm.func @many
// CHECK-SAME: block = 128>
gpu.module @many {
  llvm.func @many(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [9216, 1, 1], block = 128>,
      ptx.resources = #ptx.resources<registers = 32, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    llvm.return
  }
}
// One each: (115840 + 1024) * 2 bytes are more than the 233472 of a multiprocessor.
// CHECK-LABEL: llvm.func @one_each
// CHECK-SAME: block = 512, shared = 115840>
gpu.module @one_each {
  llvm.func @one_each(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [96, 1, 1], block = 512>,
      ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    llvm.return
  }
}
// CHECK-LABEL: llvm.func @two_each
// CHECK-SAME: block = 256, shared = 76928>
gpu.module @two_each {
  llvm.func @two_each(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [240, 1, 1], block = 256>,
      ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    llvm.return
  }
}
// Clusters leave some multiprocessors: two blocks each of what would be one.
// CHECK-LABEL: llvm.func @clusters
// CHECK-SAME: block = 256, shared = 76928, cluster = [4, 1, 1]>
gpu.module @clusters {
  llvm.func @clusters(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel,
      ptx.launch = #ptx.launch<grid = [128, 1, 1], block = 256, cluster = [4, 1, 1]>,
      ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    llvm.return
  }
}
// CHECK-LABEL: llvm.func @behind
// CHECK-SAME: block = 512>
gpu.module @behind {
  llvm.func @behind(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [96, 1, 1], block = 512>,
      ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    llvm.return
  }
}
// CHECK-LABEL: llvm.func @little
// CHECK-SAME: block = 512>
gpu.module @little {
  llvm.func @little(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [96, 1, 1], block = 512>,
      ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    llvm.return
  }
}
// CHECK-LABEL: llvm.func @product
// CHECK-SAME: block = 512>
gpu.module @product {
  llvm.func @product(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [96, 1, 1], block = 512>,
      ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    llvm.return
  }
}
// CHECK-LABEL: llvm.func @large
// CHECK-SAME: block = 1024>
gpu.module @large {
  llvm.func @large(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [96, 1, 1], block = 1024>,
      ptx.resources = #ptx.resources<registers = 64, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
    llvm.return
  }
}
plan.program @beside() {
  %x = plan.input "x" tensor<4718592xf32> as !plan.buffer<18874368>
  %y = plan.output "y" tensor<4718592xf32> as !plan.buffer<18874368>
  %z = plan.output "z" tensor<4718592xf32> as !plan.buffer<18874368>
  %0 = plan.launch @many(%x) into(%y : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  %1 = plan.launch @one_each(%x) into(%z : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  %2 = plan.launch @two_each(%x) into(%z : !plan.buffer<18874368>) after(%1) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  plan.return
}
plan.program @of_clusters() {
  %x = plan.input "x" tensor<4718592xf32> as !plan.buffer<18874368>
  %y = plan.output "y" tensor<4718592xf32> as !plan.buffer<18874368>
  %z = plan.output "z" tensor<4718592xf32> as !plan.buffer<18874368>
  %0 = plan.launch @many(%x) into(%y : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  %1 = plan.launch @clusters(%x) into(%z : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  plan.return
}
plan.program @in_order() {
  %x = plan.input "x" tensor<4718592xf32> as !plan.buffer<18874368>
  %y = plan.output "y" tensor<4718592xf32> as !plan.buffer<18874368>
  %z = plan.output "z" tensor<4718592xf32> as !plan.buffer<18874368>
  %0 = plan.launch @many(%x) into(%y : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  %1 = plan.launch @behind(%x) into(%z : !plan.buffer<18874368>) after(%0) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  plan.return
}
plan.program @others() {
  %x = plan.input "x" tensor<4718592xf32> as !plan.buffer<18874368>
  %y = plan.output "y" tensor<4718592xf32> as !plan.buffer<18874368>
  %z = plan.output "z" tensor<4718592xf32> as !plan.buffer<18874368>
  %0 = plan.launch @many(%x) into(%y : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  %1 = plan.launch @little(%x) into(%z : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 1048576,
      written = 1048576>} : (!plan.buffer<18874368>) -> !plan.event
  %2 = plan.launch @product(%x) into(%z : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "matmul", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  %3 = plan.launch @large(%x) into(%z : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 1, read = 18874368,
      written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
  plan.return
}
