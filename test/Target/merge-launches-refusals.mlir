// plan-merge-launches leaves launches alone that need one another, that count on their launch as a whole, or that would
// run slower together; the remark says why.
// RUN: tw-opt %s --split-input-file --plan-merge-launches --remarks-filter=".*" --remark-format=emitRemark -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t --check-prefix=ALONE --implicit-check-not=plan.parts

// One needs the other, through a reshape.
// ALONE: plan.return
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = graph.reshape %0 : tensor<8xf32> to tensor<2x4xf32>
  %2 = graph.reshape %1 : tensor<2x4xf32> to tensor<8xf32>
  %3 = plan.launch @b(%2) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %3 : tensor<8xf32>
}

// -----

// What counts on its launch as a whole.
// CHECK: kernel=a, other=b, reason="of that one, its blocks form clusters
// ALONE: plan.return
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32, cluster = [2, 1, 1]>} {
    llvm.return
  }
}
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK: kernel=a, other=b, reason="of that one, it holds nvvm.setmaxregister
// ALONE: plan.return
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128>} {
    nvvm.setmaxregister decrease 40
    llvm.return
  }
}
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A block that ends before its end counts for no one who waits for it.
// CHECK: kernel=a, other=b, reason="of that one, it holds nvvm.exit
// ALONE: plan.return
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128>} {
    nvvm.exit
    llvm.return
  }
}
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK: kernel=a, other=b, reason="of that one, it holds nvvm.barrier
// ALONE: plan.return
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128>} {
    %0 = llvm.mlir.constant(1 : i32) : i32
    %1 = llvm.mlir.constant(64 : i32) : i32
    "nvvm.barrier"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()
    llvm.return
  }
}
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Limits that its user set.
// CHECK: kernel=a, other=b, reason="of that one, it has limits of its own (tile.contract)
// ALONE: plan.return
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, tile.contract = #tile.contract<registers = 32>, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Code for some of the chips.
// CHECK: kernel=a, other=b, reason="of that one, it has limits of its own (ptx.archs)
// ALONE: plan.return
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.archs = ["sm_90a"], ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Threads of the one would have the registers of the other.
// CHECK: kernel=a, other=b, reason="threads of 32 a block would have the registers of 1024 a block
// ALONE: plan.return
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 1024>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// More blocks than run at once, and a sixth.
// CHECK: kernel=a, other=b, reason="5001 blocks of 32 threads and 0 bytes of shared memory would not run at once, 4224 do
// ALONE: plan.return
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [5000, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Shared memory counts for all of them.
// CHECK: kernel=a, other=b, reason="201 blocks of 32 threads and 200000 bytes of shared memory would not run at once, 132 do
// ALONE: plan.return
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [200, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32, shared = 200000>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A kernel that takes its time.
// CHECK: kernel=a, other=b, reason="it works 3.20 us, longer than the 1.50 us that a kernel takes to start
// ALONE: plan.return
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [400, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 25600000, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What follows a short kernel would wait for a longer one: a chain of three beside a kernel of one block.
// CHECK: kernel=a, other=b, reason="what needs one of them would wait 0.
// ALONE: plan.return
gpu.module @a {
  llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [200, 1, 1], block = 32>} {
    llvm.return
  }
}
gpu.module @b {
  llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
      nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "r0"}, tensor<8xf32> {plan.name = "r1"}) {
  %0 = plan.launch @a(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = plan.launch @a(%0) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %2 = plan.launch @a(%1) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  %3 = plan.launch @b(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 130000, written = 32>} : (tensor<8xf32>) -> tensor<8xf32>
  plan.return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
