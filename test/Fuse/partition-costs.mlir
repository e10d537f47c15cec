// One kernel is refused, with both numbers, where it would cost more than two, and taken where it does not.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --start-from=fuse --emit=fuse -o %t/fuse.mlir --remarks=%t/remarks.yaml
// RUN: FileCheck %s --input-file=%t/fuse.mlir
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK

// Rows that fit a tile are read once, whatever is computed of them: one kernel.
// CHECK-LABEL: plan.program @short_rows
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @short_rows(%x: tensor<64x4096xf32>, %y: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
  %s = arith.addf %x, %y : tensor<64x4096xf32>
  %m = graph.reduce max %s dims = [1] : tensor<64x4096xf32> to tensor<64xf32>
  %mb = graph.broadcast %m dims = [0] : tensor<64xf32> to tensor<64x4096xf32>
  %d = arith.subf %s, %mb : tensor<64x4096xf32>
  %e = math.exp %d : tensor<64x4096xf32>
  %z = graph.reduce sum %e dims = [1] : tensor<64x4096xf32> to tensor<64xf32>
  %zb = graph.broadcast %z dims = [0] : tensor<64xf32> to tensor<64x4096xf32>
  %r = arith.divf %e, %zb : tensor<64x4096xf32>
  return %r : tensor<64x4096xf32>
}

// Longer rows take two passes, each of which would read all four tensors: the first one stores their sum.
// CHECK-LABEL: plan.program @long_rows
// CHECK: plan.launch @reduction_reduce{{[_0-9]*}}(%arg0, %arg1, %arg2, %arg3)
// CHECK-NEXT: plan.launch @reduction_divf{{[_0-9]*}}(%0#0, %0#1)
// CHECK-NEXT: plan.return
// REMARK-DAG: reason: {{ *}}{{'?}}one kernel would take {{[0-9.]+}} us for 9216000000 bytes and {{[0-9]+}} instructions, two take
func.func @long_rows(%x: tensor<512x500000xf32>, %y: tensor<512x500000xf32>, %v: tensor<512x500000xf32>, %w: tensor<512x500000xf32>) -> tensor<512x500000xf32> {
  %xy = arith.addf %x, %y : tensor<512x500000xf32>
  %zw = arith.addf %v, %w : tensor<512x500000xf32>
  %s = arith.addf %xy, %zw : tensor<512x500000xf32>
  %m = graph.reduce max %s dims = [1] : tensor<512x500000xf32> to tensor<512xf32>
  %mb = graph.broadcast %m dims = [0] : tensor<512xf32> to tensor<512x500000xf32>
  %d = arith.subf %s, %mb : tensor<512x500000xf32>
  %e = math.exp %d : tensor<512x500000xf32>
  %z = graph.reduce sum %e dims = [1] : tensor<512x500000xf32> to tensor<512xf32>
  %zb = graph.broadcast %z dims = [0] : tensor<512xf32> to tensor<512x500000xf32>
  %r = arith.divf %e, %zb : tensor<512x500000xf32>
  return %r : tensor<512x500000xf32>
}

// One tensor is read as often as its activation would be.
// CHECK-LABEL: plan.program @long_rows_of_one
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @long_rows_of_one(%x: tensor<300x50000xf32>) -> tensor<300xf32> {
  %s = math.tanh %x : tensor<300x50000xf32>
  %m = graph.reduce max %s dims = [1] : tensor<300x50000xf32> to tensor<300xf32>
  return %m : tensor<300xf32>
}

// A row of four powers, computed again for each of 65536 rows, costs more than storing it.
// CHECK-LABEL: plan.program @recomputed
// CHECK: plan.launch @powf_powf(
// CHECK-NEXT: plan.launch @addf{{[_0-9]*}}(
// CHECK-NEXT: plan.return
// REMARK-DAG: reason: {{ *}}{{'?}}one kernel would take {{[0-9.]+}} us for {{[0-9]+}} bytes and {{[0-9]+}} instructions, two take {{[0-9.]+}} us
func.func @recomputed(%x: tensor<65536x2048xf32>, %y: tensor<2048xf32>) -> tensor<65536x2048xf32> {
  %0 = math.powf %y, %y : tensor<2048xf32>
  %1 = math.powf %0, %y : tensor<2048xf32>
  %2 = math.powf %1, %y : tensor<2048xf32>
  %3 = math.powf %2, %y : tensor<2048xf32>
  %b = graph.broadcast %3 dims = [1] : tensor<2048xf32> to tensor<65536x2048xf32>
  %r = arith.addf %x, %b : tensor<65536x2048xf32>
  return %r : tensor<65536x2048xf32>
}

// One exponential of it hides behind the memory.
// CHECK-LABEL: plan.program @recomputed_cheaply
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @recomputed_cheaply(%x: tensor<65536x2048xf32>, %y: tensor<2048xf32>) -> tensor<65536x2048xf32> {
  %0 = math.exp %y : tensor<2048xf32>
  %b = graph.broadcast %0 dims = [1] : tensor<2048xf32> to tensor<65536x2048xf32>
  %r = arith.addf %x, %b : tensor<65536x2048xf32>
  return %r : tensor<65536x2048xf32>
}

// What an op reads of two kernels becomes one kernel.
// CHECK-LABEL: plan.program @two_producers
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @two_producers(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = math.exp %x : tensor<4096xf32>
  %1 = math.exp %y : tensor<4096xf32>
  %r = arith.addf %0, %1 : tensor<4096xf32>
  return %r : tensor<4096xf32>
}

// Rows of which a block holds one: what lies across would be stored an element at a time, eight times the bytes.
// Another kernel stores it by tiles. Of short rows a block holds as many as a sector takes.
// CHECK-LABEL: plan.program @long_rows_turned
// CHECK: plan.launch
// CHECK: plan.launch
// CHECK: plan.return
func.func @long_rows_turned(%x: tensor<2000x16000xf32>) -> (tensor<2000x16000xf32>, tensor<16000x2000xf32>) {
  %m = graph.reduce max %x dims = [1] : tensor<2000x16000xf32> to tensor<2000xf32>
  %mb = graph.broadcast %m dims = [0] : tensor<2000xf32> to tensor<2000x16000xf32>
  %d = arith.subf %x, %mb : tensor<2000x16000xf32>
  %t = graph.transpose %d permutation = [1, 0] : tensor<2000x16000xf32> to tensor<16000x2000xf32>
  return %d, %t : tensor<2000x16000xf32>, tensor<16000x2000xf32>
}
// CHECK-LABEL: plan.program @short_rows_turned
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @short_rows_turned(%x: tensor<200000x160xf32>) -> (tensor<200000x160xf32>, tensor<160x200000xf32>) {
  %m = graph.reduce max %x dims = [1] : tensor<200000x160xf32> to tensor<200000xf32>
  %mb = graph.broadcast %m dims = [0] : tensor<200000xf32> to tensor<200000x160xf32>
  %d = arith.subf %x, %mb : tensor<200000x160xf32>
  %t = graph.transpose %d permutation = [1, 0] : tensor<200000x160xf32> to tensor<160x200000xf32>
  return %d, %t : tensor<200000x160xf32>, tensor<160x200000xf32>
}

// What is computed of a concatenation lies on the domain of its parts: one kernel reads them for everything.
// CHECK-LABEL: plan.program @joined_parts
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
// REMARK-DAG: Name: {{ *}}Distributed
func.func @joined_parts(%x: tensor<4096x512xf32>) -> (tensor<4096x1024xf32>, tensor<4096x512xf32>) {
  %0 = math.tanh %x : tensor<4096x512xf32>
  %1 = graph.concat %0, %x dim = 1 : tensor<4096x512xf32>, tensor<4096x512xf32> to tensor<4096x1024xf32>
  %2 = math.absf %1 : tensor<4096x1024xf32>
  return %2, %0 : tensor<4096x1024xf32>, tensor<4096x512xf32>
}
