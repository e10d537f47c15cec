// plan-merge-launches: small kernels that do not need one another are one, whose blocks are divided among them.
// RUN: tw-opt %s --split-input-file --plan-merge-launches | FileCheck %s
// RUN: tw-opt %s --split-input-file --plan-merge-launches --plan-merge-launches | FileCheck %s

// Blocks of one warp whose threads never meet share a block of two; a block that has no warp for them is told by its
// number. Barriers of the smaller part would count its threads alone: here it has none.
// CHECK-LABEL: gpu.module @pairs_and_block
// CHECK-NEXT: llvm.mlir.global external @smem()
// CHECK-NEXT: llvm.func @pairs_and_block(%[[X:.*]]: !llvm.ptr<1> {llvm.readonly}, %[[Y:.*]]: !llvm.ptr<1> {llvm.readonly}, %[[A:.*]]: !llvm.ptr<1>, %[[B:.*]]: !llvm.ptr<1>)
// CHECK-SAME: nvvm.reqntid = array<i32: 64, 1, 1>
// CHECK-SAME: ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 64, shared = 256>
// CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[END:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[MINE:.*]] = llvm.icmp "ult" %[[BLOCK]], %[[END]]
// CHECK: llvm.cond_br %[[MINE]], ^[[PAIRS:.*]], ^[[NEXT:.*]]
// CHECK: ^[[PAIRS]]:
// CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[WHICH:.*]] = llvm.udiv %[[THREAD]], %[[C32:.*]]
// CHECK: %[[OWN:.*]] = llvm.add %{{.*}}, %[[WHICH]]
// CHECK: %[[LANE:.*]] = llvm.urem %[[THREAD]], %[[C32]]
// CHECK: %[[C5:.*]] = llvm.mlir.constant(5 : i32)
// CHECK: %[[WORKS:.*]] = llvm.icmp "ult" %[[OWN]], %[[C5]]
// CHECK: llvm.cond_br %[[WORKS]], ^{{.*}}, ^[[DONE:.*]]
// CHECK: llvm.add %[[OWN]], %[[LANE]]
// CHECK: llvm.getelementptr %[[A]]
// CHECK: llvm.return
// CHECK: ^[[NEXT]]:
// CHECK: llvm.sub %[[BLOCK]]
// CHECK-NOT: cond_br
// CHECK: llvm.mlir.addressof @smem
// CHECK: nvvm.barrier0
// CHECK: llvm.return
// CHECK: ^[[DONE]]:
// CHECK-NEXT: llvm.return
// CHECK-NOT: gpu.module
// CHECK: plan.program @main
// CHECK: %[[BOTH:.*]]:2 = plan.launch @pairs_and_block(%{{.*}}, %{{.*}}) {
// CHECK-SAME: plan.cost = #plan.cost<anchor = "several", unit = "fp32", flops = 45, read = 84, written = 84>
// CHECK-SAME: plan.parts = [#plan.part<kernel = "pairs", first = 0, blocks = 3, of = 5, threads = 32>, #plan.part<kernel = "block", first = 3, blocks = 1, of = 1, threads = 64>]
// CHECK-SAME: plan.sources = ["/a", "/b"]
// CHECK: plan.return %[[BOTH]]#1, %[[BOTH]]#0
gpu.module @pairs {
  llvm.func @pairs(%x: !llvm.ptr<1> {llvm.readonly}, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, ptx.launch = #ptx.launch<grid = [5, 1, 1], block = 32>} {
    %0 = nvvm.read.ptx.sreg.ctaid.x : i32
    %1 = nvvm.read.ptx.sreg.tid.x : i32
    %2 = llvm.add %0, %1 : i32
    %3 = llvm.getelementptr %y[%0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %2, %3 : i32, !llvm.ptr<1>
    llvm.return
  }
}
gpu.module @block {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @block(%x: !llvm.ptr<1> {llvm.readonly}, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>,
      ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 64, shared = 256>} {
    %0 = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %1 = nvvm.read.ptx.sreg.tid.x : i32
    %2 = llvm.getelementptr %0[%1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %1, %2 : i32, !llvm.ptr<3>
    nvvm.barrier0
    llvm.return
  }
}
plan.program @main(%x: tensor<5xf32> {plan.name = "x"}, %y: tensor<16xf32> {plan.name = "y"})
    -> (tensor<16xf32> {plan.name = "b"}, tensor<5xi32> {plan.name = "a"}) {
  %0 = plan.launch @pairs(%x) {plan.sources = ["/a"],
      plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 5, read = 20, written = 20>}
      : (tensor<5xf32>) -> tensor<5xi32>
  %1 = plan.launch @block(%y) {plan.sources = ["/b"],
      plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 40, read = 64, written = 64>}
      : (tensor<16xf32>) -> tensor<16xf32>
  plan.return %1, %0 : tensor<16xf32>, tensor<5xi32>
}

// -----

// A part with barriers and fewer threads: the warps beyond end, its barriers count the others. A part that waits for
// the kernels before makes the others wait too, whose loads must not move above that. Grids in several dimensions are numbered x first. The first launch, whose
// blocks are larger, stays alone; the merged one comes behind what it needs.
// CHECK-LABEL: gpu.module @first
// CHECK-LABEL: gpu.module @third_and_second
// CHECK-NEXT: llvm.func @third_and_second(%{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1> {llvm.align = 16 : i64})
// CHECK-SAME: ptx.launch = #ptx.launch<grid = [10, 1, 1], block = 128, shared = 64>
// CHECK: %[[N:.*]] = nvvm.read.ptx.sreg.ctaid.x
// CHECK: %[[THREE:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: %[[ROWS:.*]] = llvm.udiv %[[N]], %[[THREE]]
// CHECK: %[[COLUMN:.*]] = llvm.urem %[[N]], %[[THREE]]
// CHECK: %[[ROW:.*]] = llvm.urem %[[ROWS]], %[[TWO]]
// CHECK-COUNT-1: nvvm.griddepcontrol{{ +}}wait
// CHECK: llvm.mul %[[COLUMN]], %[[ROW]]
// CHECK: nvvm.barrier0
// CHECK: llvm.sub %[[N]]
// CHECK: %[[OTHERS:.*]] = llvm.icmp "ult" %{{.*}}, %{{.*}}
// CHECK-COUNT-1: nvvm.griddepcontrol{{ +}}wait
// CHECK: llvm.cond_br %[[OTHERS]]
// CHECK: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-NEXT: %[[COUNT:.*]] = llvm.mlir.constant(64 : i32)
// CHECK-NEXT: nvvm.barrier id = %[[ZERO]] number_of_threads = %[[COUNT]]
// CHECK: plan.program
// CHECK: %[[FIRST:.*]] = plan.launch @first(%arg0)
// CHECK: %[[BOTH:.*]]:2 = plan.launch @third_and_second(%arg0, %[[FIRST]])
// CHECK: plan.return %[[BOTH]]#1, %[[BOTH]]#0
gpu.module @first {
  llvm.func @first(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [70, 1, 1], block = 1024, shared = 512>} {
    nvvm.barrier0
    llvm.return
  }
}
gpu.module @second {
  llvm.func @second(%x: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %y: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 64, shared = 64>} {
    nvvm.barrier0
    llvm.return
  }
}
gpu.module @third {
  llvm.func @third(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [3, 2, 1], block = 128>} {
    nvvm.griddepcontrol wait
    %0 = nvvm.read.ptx.sreg.ctaid.x : i32
    %1 = nvvm.read.ptx.sreg.ctaid.y : i32
    %2 = llvm.mul %0, %1 : i32
    llvm.store %2, %y : i32, !llvm.ptr<1>
    nvvm.barrier0
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"})
    -> (tensor<8xf32> {plan.name = "a"}, tensor<8xf32> {plan.name = "b"}) {
  %0 = plan.launch @first(%x) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 8, read = 32, written = 32>}
      : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @third(%x) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 8, read = 32, written = 32>}
      : (tensor<8xf32>) -> tensor<8xf32>
  %2 = plan.launch @second(%0) {plan.cost = #plan.cost<anchor = "reduction", unit = "fp32", flops = 8, read = 32, written = 32>}
      : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %2, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Four launches of one kernel: two pairs of the same parts are one merged kernel where something needs all of the
// first pair.
// CHECK-LABEL: gpu.module @k_and_k
// CHECK-NOT: gpu.module
// CHECK: %[[FIRST:.*]]:2 = plan.launch @k_and_k(%arg0, %arg0)
// CHECK: %[[SECOND:.*]]:2 = plan.launch @k_and_k(%[[FIRST]]#0, %[[FIRST]]#1)
gpu.module @k {
  llvm.func @k(%x: !llvm.ptr<1>, %n: i32 {ptx.true_length = "seq"}, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.store %n, %y : i32, !llvm.ptr<1>
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"})
    -> (tensor<8xf32> {plan.name = "a"}, tensor<8xf32> {plan.name = "b"}) {
  %0 = plan.launch @k(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @k(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = plan.launch @k(%0) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = plan.launch @k(%1) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
