// Prologues: what computes an operand of a product, element by element, from one tensor joins the product's kernel, where the
// model says that this saves more than computing it again in every block takes.
// RUN: tw-opt %s --split-input-file --fuse-partition-kernels=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --split-input-file --fuse-partition-kernels=target=sm_90a --print-kernel-indexing -o /dev/null 2>&1 | FileCheck %s --check-prefix=INDEX

// Bytes are widened where few rows read them.
// CHECK-LABEL: plan.program @weights_of_bytes
// CHECK: plan.launch @matmul(%arg1, %arg0) {{.*}}(tensor<4096x4096xi8>, tensor<16x4096xbf16>)
// CHECK-NOT: plan.launch
// INDEX: #0 graph.matmul
// INDEX-NEXT: argument 1 : {{.*}}
// INDEX-NEXT: argument 0 : {{.*}}, arith.sitofp, arith.subf
func.func @weights_of_bytes(%x: tensor<16x4096xbf16>, %w: tensor<4096x4096xi8>) -> tensor<16x4096xf32> {
  %c = arith.constant dense<3.0> : tensor<4096x4096xbf16>
  %0 = arith.sitofp %w : tensor<4096x4096xi8> to tensor<4096x4096xbf16>
  %1 = arith.subf %0, %c : tensor<4096x4096xbf16>
  %2 = graph.transpose %1 permutation = [1, 0] : tensor<4096x4096xbf16> to tensor<4096x4096xbf16>
  %3 = graph.matmul %x, %2 : tensor<16x4096xbf16>, tensor<4096x4096xbf16> to tensor<16x4096xf32>
  return %3 : tensor<16x4096xf32>
}

// -----

// Of many rows every block would widen them again.
// CHECK-LABEL: plan.program @many_rows
// CHECK: plan.launch @sitofp(
// CHECK: plan.launch @matmul(
func.func @many_rows(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xi8>) -> tensor<4096x4096xf32> {
  %0 = arith.sitofp %w : tensor<4096x4096xi8> to tensor<4096x4096xbf16>
  %1 = graph.matmul %x, %0 : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

// -----

// Two products of one kernel share what is computed.
// CHECK-LABEL: plan.program @shared
// CHECK: plan.launch @matmul_addf(%arg0, %arg1, %arg2)
// CHECK-NOT: plan.launch
func.func @shared(%x: tensor<16x512xf32>, %v: tensor<512x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<16x512xf32> {
  %0 = arith.truncf %x : tensor<16x512xf32> to tensor<16x512xbf16>
  %1 = graph.matmul %0, %v : tensor<16x512xbf16>, tensor<512x512xbf16> to tensor<16x512xf32>
  %2 = graph.matmul %0, %w : tensor<16x512xbf16>, tensor<512x512xbf16> to tensor<16x512xf32>
  %3 = arith.addf %1, %2 : tensor<16x512xf32>
  return %3 : tensor<16x512xf32>
}

// -----

// What rounds a product's result stays behind it: fewer bytes lie between the two.
// CHECK-LABEL: plan.program @narrowed_result
// CHECK: plan.launch @matmul_truncf({{.*}} -> tensor<64x64xbf16>
// CHECK: plan.launch @matmul{{.*}} -> tensor<64x64xf32>
func.func @narrowed_result(%x: tensor<64x64xbf16>, %v: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %0 = graph.matmul %x, %v : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  %1 = arith.truncf %0 : tensor<64x64xf32> to tensor<64x64xbf16>
  %2 = graph.matmul %1, %w : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// A value that others read is stored for them.
// CHECK-LABEL: plan.program @read_twice
// CHECK: plan.launch @truncf(
// CHECK: plan.launch @matmul(
func.func @read_twice(%x: tensor<16x512xf32>, %w: tensor<512x512xbf16>) -> (tensor<16x512xf32>, tensor<16x512xbf16>) {
  %0 = arith.truncf %x : tensor<16x512xf32> to tensor<16x512xbf16>
  %1 = graph.matmul %0, %w : tensor<16x512xbf16>, tensor<512x512xbf16> to tensor<16x512xf32>
  return %1, %0 : tensor<16x512xf32>, tensor<16x512xbf16>
}

// -----

// Zeros beyond the end of K must add nothing: not where they become infinite, nor where those of both operands become numbers.
// CHECK-LABEL: plan.program @infinite_beyond_the_end
// CHECK: plan.launch @divf(
// CHECK: plan.launch @matmul(
func.func @infinite_beyond_the_end(%x: tensor<16x500xf32>, %w: tensor<500x512xf32>) -> tensor<16x512xf32> {
  %c = arith.constant dense<1.0> : tensor<16x500xf32>
  %0 = arith.divf %c, %x : tensor<16x500xf32>
  %1 = graph.matmul %0, %w : tensor<16x500xf32>, tensor<500x512xf32> to tensor<16x512xf32>
  return %1 : tensor<16x512xf32>
}

// -----

// CHECK-LABEL: plan.program @numbers_of_both
// CHECK: plan.launch @addf
// CHECK: plan.launch @matmul(
func.func @numbers_of_both(%x: tensor<16x500xf32>, %w: tensor<500x512xf32>) -> tensor<16x512xf32> {
  %c = arith.constant dense<1.0> : tensor<16x500xf32>
  %d = arith.constant dense<1.0> : tensor<500x512xf32>
  %0 = arith.addf %x, %c : tensor<16x500xf32>
  %1 = arith.addf %w, %d : tensor<500x512xf32>
  %2 = graph.matmul %0, %1 : tensor<16x500xf32>, tensor<500x512xf32> to tensor<16x512xf32>
  return %2 : tensor<16x512xf32>
}

// -----

// An operand of two tensors is computed before.
// CHECK-LABEL: plan.program @of_two_tensors
// CHECK: plan.launch @addf(
// CHECK: plan.launch @matmul(
func.func @of_two_tensors(%x: tensor<16x512xf32>, %y: tensor<16x512xf32>, %w: tensor<512x512xf32>) -> tensor<16x512xf32> {
  %0 = arith.addf %x, %y : tensor<16x512xf32>
  %1 = graph.matmul %0, %w : tensor<16x512xf32>, tensor<512x512xf32> to tensor<16x512xf32>
  return %1 : tensor<16x512xf32>
}
