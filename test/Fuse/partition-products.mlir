// fuse-partition-kernels: products that share an operand are one kernel where something combines them, or where loading it
// once gains enough; others stay apart.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --start-from=fuse --emit=fuse --target=sm_90a -o %t/fuse.mlir --remarks=%t/remarks.yaml
// RUN: FileCheck %s --input-file=%t/fuse.mlir --implicit-check-not=plan.launch
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK

// Gate and up, of any size: the sums of one element meet in a thread.
// CHECK-LABEL: plan.program @combined
// CHECK: plan.launch @matmul_mulf
func.func @combined(%x: tensor<64x128xbf16>, %g: tensor<128x192xbf16>, %u: tensor<128x192xbf16>) -> tensor<64x192xf32> {
  %0 = graph.matmul %x, %g : tensor<64x128xbf16>, tensor<128x192xbf16> to tensor<64x192xf32>
  %1 = graph.matmul %x, %u : tensor<64x128xbf16>, tensor<128x192xbf16> to tensor<64x192xf32>
  %2 = math.tanh %0 : tensor<64x192xf32>
  %3 = arith.mulf %2, %1 : tensor<64x192xf32>
  return %3 : tensor<64x192xf32>
}

// CHECK-LABEL: plan.program @combined_large
// CHECK: plan.launch
func.func @combined_large(%x: tensor<4096x4096xbf16>, %g: tensor<4096x14336xbf16>, %u: tensor<4096x14336xbf16>,
                          %b: tensor<14336xf32>, %c: tensor<14336xf32>) -> tensor<4096x14336xbf16> {
  %0 = graph.matmul %x, %g : tensor<4096x4096xbf16>, tensor<4096x14336xbf16> to tensor<4096x14336xf32>
  %1 = graph.matmul %x, %u : tensor<4096x4096xbf16>, tensor<4096x14336xbf16> to tensor<4096x14336xf32>
  %2 = graph.broadcast %b dims = [1] : tensor<14336xf32> to tensor<4096x14336xf32>
  %3 = graph.broadcast %c dims = [1] : tensor<14336xf32> to tensor<4096x14336xf32>
  %4 = arith.addf %0, %2 : tensor<4096x14336xf32>
  %5 = arith.addf %1, %3 : tensor<4096x14336xf32>
  %6 = graph.gelu tanh %4 : tensor<4096x14336xf32>
  %7 = arith.mulf %6, %5 : tensor<4096x14336xf32>
  %8 = arith.truncf %7 : tensor<4096x14336xf32> to tensor<4096x14336xbf16>
  return %8 : tensor<4096x14336xbf16>
}

// The right operand can be the shared one.
// CHECK-LABEL: plan.program @shared_right
// CHECK: plan.launch
func.func @shared_right(%a: tensor<64x128xbf16>, %b: tensor<64x128xbf16>, %w: tensor<128x192xbf16>) -> tensor<64x192xf32> {
  %0 = graph.matmul %a, %w : tensor<64x128xbf16>, tensor<128x192xbf16> to tensor<64x192xf32>
  %1 = graph.matmul %b, %w : tensor<64x128xbf16>, tensor<128x192xbf16> to tensor<64x192xf32>
  %2 = arith.subf %0, %1 : tensor<64x192xf32>
  return %2 : tensor<64x192xf32>
}

// No operand in common: their sums could meet, but nothing is loaded once for both.
// CHECK-LABEL: plan.program @nothing_shared
// CHECK-COUNT-2: plan.launch
// REMARK-DAG: reason: {{ *}}'graph.matmul: a second matmul, which shares no operand with the first'
func.func @nothing_shared(%a: tensor<64x128xbf16>, %b: tensor<64x128xbf16>, %v: tensor<128x192xbf16>, %w: tensor<128x192xbf16>) -> tensor<64x192xf32> {
  %0 = graph.matmul %a, %v : tensor<64x128xbf16>, tensor<128x192xbf16> to tensor<64x192xf32>
  %1 = graph.matmul %b, %w : tensor<64x128xbf16>, tensor<128x192xbf16> to tensor<64x192xf32>
  %2 = arith.subf %0, %1 : tensor<64x192xf32>
  return %2 : tensor<64x192xf32>
}

// One as the other's transpose: no thread has the same element of both.
// CHECK-LABEL: plan.program @transposed
// CHECK-COUNT-2: plan.launch
func.func @transposed(%a: tensor<64x128xbf16>, %v: tensor<128x64xbf16>, %w: tensor<128x64xbf16>) -> tensor<64x64xf32> {
  %0 = graph.matmul %a, %v : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %1 = graph.matmul %a, %w : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %t = graph.transpose %1 permutation = [1, 0] : tensor<64x64xf32> to tensor<64x64xf32>
  %2 = arith.subf %0, %t : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// Nothing combines them, and one of them alone leaves most of the chip idle.
// CHECK-LABEL: plan.program @loose_small
// CHECK-COUNT-2: plan.launch
// REMARK-DAG: reason: {{ *}}nothing combines the products, and apart from each other they have 12 blocks for 132 multiprocessors
func.func @loose_small(%x: tensor<128x384xbf16>, %v: tensor<384x384xbf16>, %w: tensor<384x384xbf16>) -> (tensor<128x384xbf16>, tensor<128x384xbf16>) {
  %0 = graph.matmul %x, %v : tensor<128x384xbf16>, tensor<384x384xbf16> to tensor<128x384xbf16>
  %1 = graph.matmul %x, %w : tensor<128x384xbf16>, tensor<384x384xbf16> to tensor<128x384xbf16>
  return %0, %1 : tensor<128x384xbf16>, tensor<128x384xbf16>
}

// Many rows of a short K: the shared operand is most of what is read.
// CHECK-LABEL: plan.program @loose_long
// CHECK: plan.launch
func.func @loose_long(%x: tensor<32768x384xbf16>, %v: tensor<384x128xbf16>, %w: tensor<384x128xbf16>) -> (tensor<32768x128xbf16>, tensor<32768x128xbf16>) {
  %0 = graph.matmul %x, %v : tensor<32768x384xbf16>, tensor<384x128xbf16> to tensor<32768x128xbf16>
  %1 = graph.matmul %x, %w : tensor<32768x384xbf16>, tensor<384x128xbf16> to tensor<32768x128xbf16>
  return %0, %1 : tensor<32768x128xbf16>, tensor<32768x128xbf16>
}

// Large and bound by multiplications: one kernel would gain less than the model can tell.
// CHECK-LABEL: plan.program @loose_large
// CHECK-COUNT-2: plan.launch
func.func @loose_large(%x: tensor<4096x4096xbf16>, %v: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>) -> (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) {
  %0 = graph.matmul %x, %v : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> to tensor<4096x4096xbf16>
  %1 = graph.matmul %x, %w : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> to tensor<4096x4096xbf16>
  return %0, %1 : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>
}

// Five products are more than the accumulators of a kernel are worth.
// CHECK-LABEL: plan.program @five
// CHECK-COUNT-2: plan.launch
func.func @five(%x: tensor<64x128xbf16>, %a: tensor<128x64xbf16>, %b: tensor<128x64xbf16>, %c: tensor<128x64xbf16>,
                %d: tensor<128x64xbf16>, %e: tensor<128x64xbf16>) -> tensor<64x64xf32> {
  %0 = graph.matmul %x, %a : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %1 = graph.matmul %x, %b : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %2 = graph.matmul %x, %c : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %3 = graph.matmul %x, %d : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %4 = graph.matmul %x, %e : tensor<64x128xbf16>, tensor<128x64xbf16> to tensor<64x64xf32>
  %5 = arith.addf %0, %1 : tensor<64x64xf32>
  %6 = arith.mulf %5, %2 : tensor<64x64xf32>
  %7 = arith.addf %6, %3 : tensor<64x64xf32>
  %8 = arith.mulf %7, %4 : tensor<64x64xf32>
  return %8 : tensor<64x64xf32>
}
