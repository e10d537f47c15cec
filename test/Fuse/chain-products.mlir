// Attention's products and what lies between them are one kernel: the division goes behind the second product. Not where
// the terms are read elsewhere, the operands have 32 bits, or rows are few.
// RUN: tw-opt %s --fuse-stage | FileCheck %s
// RUN: tw-opt %s --pass-pipeline='builtin.module(graph-decompose-attention,graph-decompose-named,fuse-chain-products)' -o /dev/null 2>&1 --mlir-print-ir-after=fuse-chain-products | FileCheck %s --check-prefix=MARKED

// CHECK-LABEL: plan.program @attention(
// CHECK: plan.launch @[[KERNEL:[a-z_0-9]+]](%arg0, %arg1, %arg3, %arg2)
// CHECK-NEXT: plan.return
// CHECK: graph.kernel anchor(matmul) @[[KERNEL]](
// CHECK: matmul {{.*}} to tensor<8x256x256xf32>
// CHECK: reduce max
// CHECK: math.exp
// CHECK: matmul {{.*}} to tensor<8x256x64xf32>
// CHECK: reduce sum
// CHECK: divf
// CHECK: truncf {{.*}} to tensor<8x256x64xbf16>
// MARKED-LABEL: func.func @attention(
// MARKED: graph.reduce max
// MARKED: %[[E:.+]] = math.exp
// MARKED: graph.reduce sum %[[E]]
// MARKED: %[[T:.+]] = arith.truncf %[[E]]
// MARKED: graph.matmul %[[T]], %arg2 {graph.chain}
// MARKED: arith.divf
func.func @attention(%q: tensor<8x256x64xbf16>, %k: tensor<8x256x64xbf16>, %v: tensor<8x256x64xbf16>, %m: tensor<8x256x256xbf16>) -> tensor<8x256x64xbf16> {
  %0 = graph.attention %q, %k, %v mask (%m : tensor<8x256x256xbf16>) scale = 0.125 : tensor<8x256x64xbf16>, tensor<8x256x64xbf16>, tensor<8x256x64xbf16> to tensor<8x256x64xbf16>
  return %0 : tensor<8x256x64xbf16>
}

// A mask of where elements stand is computed by the kernel.
// CHECK-LABEL: plan.program @causal(
// CHECK: plan.launch @{{[a-z_0-9]+}}(%arg0, %arg1, %arg2)
// CHECK-NEXT: plan.return
func.func @causal(%q: tensor<2x300x64xbf16>, %kt: tensor<2x64x300xbf16>, %v: tensor<2x300x64xbf16>) -> tensor<2x300x64xf32> {
  %s = graph.matmul %q, %kt : tensor<2x300x64xbf16>, tensor<2x64x300xbf16> to tensor<2x300x300xf32>
  %i = graph.iota dim = 1 : tensor<2x300x300xi32>
  %j = graph.iota dim = 2 : tensor<2x300x300xi32>
  %c = arith.cmpi sle, %j, %i : tensor<2x300x300xi32>
  %n = arith.constant dense<0xFF800000> : tensor<2x300x300xf32>
  %x = arith.select %c, %s, %n : tensor<2x300x300xi1>, tensor<2x300x300xf32>
  %p = graph.softmax %x dim = 2 : tensor<2x300x300xf32> to tensor<2x300x300xf32>
  %t = arith.truncf %p : tensor<2x300x300xf32> to tensor<2x300x300xbf16>
  %0 = graph.matmul %t, %v : tensor<2x300x300xbf16>, tensor<2x300x64xbf16> to tensor<2x300x64xf32>
  return %0 : tensor<2x300x64xf32>
}

// CHECK-LABEL: plan.program @read_elsewhere(
// CHECK-COUNT-3: plan.launch
// MARKED-LABEL: func.func @read_elsewhere(
// MARKED-NOT: graph.chain
func.func @read_elsewhere(%q: tensor<256x64xbf16>, %kt: tensor<64x256xbf16>, %v: tensor<256x64xbf16>) -> (tensor<256x256xbf16>, tensor<256x64xf32>) {
  %s = graph.matmul %q, %kt : tensor<256x64xbf16>, tensor<64x256xbf16> to tensor<256x256xf32>
  %p = graph.softmax %s dim = 1 : tensor<256x256xf32> to tensor<256x256xf32>
  %t = arith.truncf %p : tensor<256x256xf32> to tensor<256x256xbf16>
  %0 = graph.matmul %t, %v : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
  return %t, %0 : tensor<256x256xbf16>, tensor<256x64xf32>
}

// CHECK-LABEL: plan.program @wide_operands(
// CHECK-COUNT-3: plan.launch
// MARKED-LABEL: func.func @wide_operands(
// MARKED-NOT: graph.chain
func.func @wide_operands(%q: tensor<8x256x64xf32>, %k: tensor<8x256x64xf32>, %v: tensor<8x256x64xf32>) -> tensor<8x256x64xf32> {
  %0 = graph.attention %q, %k, %v scale = 0.125 : tensor<8x256x64xf32>, tensor<8x256x64xf32>, tensor<8x256x64xf32> to tensor<8x256x64xf32>
  return %0 : tensor<8x256x64xf32>
}

// CHECK-LABEL: plan.program @few_rows(
// CHECK-COUNT-3: plan.launch
// MARKED-LABEL: func.func @few_rows(
// MARKED-NOT: graph.chain
func.func @few_rows(%q: tensor<32x1x64xbf16>, %k: tensor<32x4096x64xbf16>, %v: tensor<32x4096x64xbf16>) -> tensor<32x1x64xbf16> {
  %0 = graph.attention %q, %k, %v scale = 0.125 : tensor<32x1x64xbf16>, tensor<32x4096x64xbf16>, tensor<32x4096x64xbf16> to tensor<32x1x64xbf16>
  return %0 : tensor<32x1x64xbf16>
}
