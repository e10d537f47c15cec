// Results that a reduction's kernel would store in parts of sectors are stored by a kernel of their own.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --start-from=fuse --emit=fuse --target=sm_90a -o %t/fuse.mlir --remarks=%t/remarks.yaml
// RUN: FileCheck %s --input-file=%t/fuse.mlir
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK

// A block has long rows of %x, and so one element of each row of the second result. (The constants are as large as the
// tensors, and lie nowhere: they were taken for what most of the kernel reads.)
// CHECK-LABEL: plan.program @across_the_rows
// CHECK: plan.launch @{{[a-z_0-9]+}}(%arg0) {{.*}}-> tensor<38x3xf32>
// CHECK: plan.launch @{{[a-z_0-9]+}}(%arg0) {{.*}}-> tensor<55848x38xf32>
func.func @across_the_rows(%x: tensor<38x55848xf32>) -> (tensor<38xf32>, tensor<55848x38xf32>) {
  %half = arith.constant dense<0.5> : tensor<55848x38xf32>
  %one = arith.constant dense<1.0> : tensor<55848x38xf32>
  %two = arith.constant dense<2.0> : tensor<55848x38xf32>
  %0 = graph.transpose %x permutation = [1, 0] : tensor<38x55848xf32> to tensor<55848x38xf32>
  %1 = arith.mulf %0, %half : tensor<55848x38xf32>
  %2 = arith.addf %1, %one : tensor<55848x38xf32>
  %3 = arith.mulf %2, %two : tensor<55848x38xf32>
  %4 = graph.transpose %3 permutation = [1, 0] : tensor<55848x38xf32> to tensor<38x55848xf32>
  %5 = graph.reduce sum %4 dims = [1] : tensor<38x55848xf32> to tensor<38xf32>
  return %5, %3 : tensor<38xf32>, tensor<55848x38xf32>
}

// Rows of four elements of 16 bits, reduced with what lies far behind them: no tile has whole sectors. Each step of the
// way one kernel would have been modelled to take less.
// CHECK-LABEL: plan.program @parts_of_sectors
// CHECK: %[[LEAST:.*]] = plan.launch @{{[a-z_0-9]+}}(%arg0) {{.*}}-> tensor<9x13xf32>
// CHECK: plan.launch @{{[a-z_0-9]+}}({{.*}}%[[LEAST]]{{.*}}-> tensor<240x9x16x13x4xbf16>
// REMARK: Name: {{ *}}TakenApart
func.func @parts_of_sectors(%x: tensor<240x9x16x13x4xbf16>) -> tensor<240x9x16x13x4xbf16> {
  %0 = arith.extf %x : tensor<240x9x16x13x4xbf16> to tensor<240x9x16x13x4xf32>
  %1 = graph.reduce min %0 dims = [0, 2, 4] : tensor<240x9x16x13x4xf32> to tensor<9x13xf32>
  %2 = graph.broadcast %1 dims = [1, 3] : tensor<9x13xf32> to tensor<240x9x16x13x4xf32>
  %3 = arith.addf %0, %2 : tensor<240x9x16x13x4xf32>
  %4 = arith.truncf %3 : tensor<240x9x16x13x4xf32> to tensor<240x9x16x13x4xbf16>
  return %4 : tensor<240x9x16x13x4xbf16>
}

// Whole rows of memory: one reading for both.
// CHECK-LABEL: plan.program @whole_sectors
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @whole_sectors(%x: tensor<240x9x16x52xbf16>) -> tensor<240x9x16x52xbf16> {
  %0 = arith.extf %x : tensor<240x9x16x52xbf16> to tensor<240x9x16x52xf32>
  %1 = graph.reduce min %0 dims = [2, 3] : tensor<240x9x16x52xf32> to tensor<240x9xf32>
  %2 = graph.broadcast %1 dims = [0, 1] : tensor<240x9xf32> to tensor<240x9x16x52xf32>
  %3 = arith.addf %0, %2 : tensor<240x9x16x52xf32>
  %4 = arith.truncf %3 : tensor<240x9x16x52xf32> to tensor<240x9x16x52xbf16>
  return %4 : tensor<240x9x16x52xbf16>
}

// The rest of a row that pieces leave is a few elements of the row's tensor: what is contiguous of it says nothing of the tile, and it
// joins the sums of the pieces in their kernel.
// CHECK-LABEL: plan.program @rest_of_a_row
// CHECK: %[[SUMS:.*]] = plan.launch @{{[a-z_0-9]+}}(%arg0) {{.*}} -> tensor<27xf32>
// CHECK-NEXT: plan.launch @{{[a-z_0-9]+}}({{.*}}%[[SUMS]]{{.*}} -> tensor<56822xf32>
// CHECK-NEXT: plan.return
func.func @rest_of_a_row(%x: tensor<56822xbf16>) -> tensor<56822xf32> {
  %0 = arith.extf %x : tensor<56822xbf16> to tensor<56822xf32>
  %1 = arith.mulf %0, %0 : tensor<56822xf32>
  %2 = graph.reduce sum %1 dims = [0] : tensor<56822xf32> to tensor<f32>
  %3 = graph.broadcast %2 dims = [] : tensor<f32> to tensor<56822xf32>
  %4 = arith.subf %0, %3 : tensor<56822xf32>
  return %4 : tensor<56822xf32>
}
