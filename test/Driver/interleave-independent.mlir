// Kernels that read the same tensor, too large for the L2 cache, and do not need one another: one launch whose blocks go through it in
// the same order, without tickets or waits, where ptxas' registers allow it and the bytes pay. The report says what of it passes
// through the memory; asked to, there are two. Few blocks that go through much each have no order: they stay apart, and so do
// kernels that would take longer with the registers and shared memory of the larger one.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: split-file %s %t
// RUN: tw-compile %t/same.mlir -o %t/on.tw --emulation=off --report=text --remarks=%t/remarks.yaml | FileCheck %s
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK
// RUN: tw-compile %t/same.mlir -o %t/off.tw --emulation=off --interleave-launches=off --report=text | FileCheck %s --check-prefix=OFF
// RUN: tw-compile %t/same.mlir -o %t/on.tw --emulation=off --dump-stages=%t/stages
// RUN: FileCheck %s --input-file=%t/stages/06-ptx/transpose_then_reduction_erf.sm_90a.ptx --check-prefix=PTX
// RUN: tw-compile %t/few.mlir -o %t/few.tw --emulation=off --form=plain --report=text --remarks=%t/few.yaml | FileCheck %s --check-prefix=APART
// RUN: FileCheck %s --input-file=%t/few.yaml --check-prefix=FEW
// RUN: tw-compile %t/slow.mlir -o %t/slow.tw --emulation=off --form=small-mixed --report=text --remarks=%t/slow.yaml | FileCheck %s --check-prefix=APART
// RUN: FileCheck %s --input-file=%t/slow.yaml --check-prefix=SLOW

// CHECK: transpose_then_reduction_erf several 1
// CHECK: interleaved in {{[0-9]+}} slices from transpose ({{[0-9]+}} blocks), reduction_erf ({{[0-9]+}} blocks)
// CHECK: main: 1 launches
// CHECK: bytes through memory where 214123520 are the least (1.0
// REMARK: Name: LaunchesInterleaved
// REMARK: none waits for another
// OFF-NOT: interleaved
// OFF: main: 2 launches
// OFF: bytes through memory where 214123520 are the least (1.50)
// PTX: .entry transpose_then_reduction_erf
// PTX-NOT: atom.
// PTX-NOT: ld.acquire
// APART-NOT: interleaved
// FEW: Name: InterleaveRefused
// FEW: run at once, which leaves no order in which they begin
// SLOW: Name: InterleaveUndone
// SLOW: its parts in launches of their own take

//--- same.mlir
func.func @main(%x: tensor<104x16x10x1608xf32>) -> (tensor<16x1608x104x10xf32>, tensor<104x16x10xf32>) {
  %0 = graph.transpose %x permutation = [1, 3, 0, 2] : tensor<104x16x10x1608xf32> to tensor<16x1608x104x10xf32>
  %1 = graph.reduce sum %x dims = [3] : tensor<104x16x10x1608xf32> to tensor<104x16x10xf32>
  %2 = math.erf %1 : tensor<104x16x10xf32>
  return %0, %2 : tensor<16x1608x104x10xf32>, tensor<104x16x10xf32>
}

//--- few.mlir
func.func @main(%x: tensor<4096x6000xf32>) -> (tensor<6000x4096xf32>, tensor<f32>) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<4096x6000xf32> to tensor<6000x4096xf32>
  %1 = graph.reduce sum %x dims = [0, 1] : tensor<4096x6000xf32> to tensor<f32>
  return %0, %1 : tensor<6000x4096xf32>, tensor<f32>
}

//--- slow.mlir
func.func @main(%x: tensor<22x120x120x120xf32>, %w: tensor<120x120xf32>, %y: tensor<22x120x120xf32>)
    -> (tensor<22x120x120x120xf32>, tensor<22x120x120x120xf32>, tensor<22x120x120x120xf32>) {
  %0 = graph.layer_norm %x scale(%w : tensor<120x120xf32>) dim = 2 epsilon = 1.000000e-02 : tensor<22x120x120x120xf32> to tensor<22x120x120x120xf32>
  %1 = graph.scan max %x dim = 2 : tensor<22x120x120x120xf32>
  %2 = graph.broadcast %y dims = [0, 1, 2] : tensor<22x120x120xf32> to tensor<22x120x120x120xf32>
  %3 = arith.minimumf %0, %2 : tensor<22x120x120x120xf32>
  %4 = math.tanh %3 : tensor<22x120x120x120xf32>
  %5 = arith.constant dense<0.0> : tensor<22x120x120x120xf32>
  %6 = arith.maximumf %x, %5 : tensor<22x120x120x120xf32>
  return %6, %4, %1 : tensor<22x120x120x120xf32>, tensor<22x120x120x120xf32>, tensor<22x120x120x120xf32>
}
