// With look-back a scan of few long rows stays whole, marked for the tile stage, and takes its elementwise neighbours along;
// short rows, many rows, and columns with more totals than there are words for are as without it.
// RUN: tw-opt %s --fuse-split-reductions=look-back | FileCheck %s
// RUN: tw-opt %s --fuse-split-reductions | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: func.func @long_row
// CHECK: graph.scan sum %{{.*}} dim = 1 {graph.look_back} : tensor<1x1000000xf32>
// CHECK-NOT: graph.reduce
// OFF-LABEL: func.func @long_row
// OFF: graph.reduce sum
func.func @long_row(%x: tensor<1x1000000xf32>) -> tensor<1x1000000xf32> {
  %e = math.exp %x : tensor<1x1000000xf32>
  %0 = graph.scan sum %e dim = 1 : tensor<1x1000000xf32>
  return %0 : tensor<1x1000000xf32>
}

// CHECK-LABEL: func.func @columns
// CHECK: graph.scan max %{{.*}} dim = 0 reverse {graph.look_back}
func.func @columns(%x: tensor<100000x16xbf16>) -> tensor<100000x16xbf16> {
  %0 = graph.scan max %x dim = 0 reverse : tensor<100000x16xbf16>
  return %0 : tensor<100000x16xbf16>
}

// CHECK-LABEL: func.func @short_row
// CHECK: graph.scan sum %{{.*}} dim = 0 : tensor<8000xf32>
func.func @short_row(%x: tensor<8000xf32>) -> tensor<8000xf32> {
  %0 = graph.scan sum %x dim = 0 : tensor<8000xf32>
  return %0 : tensor<8000xf32>
}

// CHECK-LABEL: func.func @many_rows
// CHECK: graph.scan sum %{{.*}} dim = 1 : tensor<4096x40000xf32>
func.func @many_rows(%x: tensor<4096x40000xf32>) -> tensor<4096x40000xf32> {
  %0 = graph.scan sum %x dim = 1 : tensor<4096x40000xf32>
  return %0 : tensor<4096x40000xf32>
}

// More rows than blocks, of which the last round would leave most multiprocessors idle: nothing is read twice.
// CHECK-LABEL: func.func @ragged_rows
// CHECK: graph.scan sum %{{.*}} dim = 1 {graph.look_back} : tensor<277x75266xf32>
// CHECK: graph.scan sum %{{.*}} dim = 1 : tensor<393x75266xf32>
// OFF-LABEL: func.func @ragged_rows
// OFF: graph.scan sum %{{.*}} dim = 1 : tensor<277x75266xf32>
func.func @ragged_rows(%x: tensor<277x75266xf32>, %y: tensor<393x75266xf32>) -> (tensor<277x75266xf32>, tensor<393x75266xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<277x75266xf32>
  %1 = graph.scan sum %y dim = 1 : tensor<393x75266xf32>
  return %0, %1 : tensor<277x75266xf32>, tensor<393x75266xf32>
}

// Two words for each total of 64 bits.
// CHECK-LABEL: func.func @too_many_totals
// CHECK-NOT: look_back
// CHECK: graph.reduce sum
func.func @too_many_totals(%x: tensor<4000000x32xf64>) -> tensor<4000000x32xf64> {
  %0 = graph.scan sum %x dim = 0 : tensor<4000000x32xf64>
  return %0 : tensor<4000000x32xf64>
}
// With rows alone columns are cut.
// RUN: tw-opt %s --fuse-split-reductions="look-back look-back-columns=false" | FileCheck %s --check-prefix=ROWS
// ROWS-LABEL: func.func @long_row
// ROWS: graph.scan sum %{{.*}} dim = 1 {graph.look_back}
// ROWS-LABEL: func.func @columns
// ROWS-NOT: look_back
// ROWS: graph.reduce max

// Where equal pieces would be those of a padded copy, columns stay whole too.
// CHECK-LABEL: func.func @prime_columns
// CHECK: graph.scan sum %{{.*}} dim = 0 {graph.look_back}
// ROWS-LABEL: func.func @prime_columns
// ROWS-NOT: graph.pad
// ROWS: graph.scan sum %{{.*}} dim = 0 {graph.look_back}
// OFF-LABEL: func.func @prime_columns
// OFF: graph.pad
func.func @prime_columns(%x: tensor<100003x16xf32>) -> tensor<100003x16xf32> {
  %0 = graph.scan sum %x dim = 0 : tensor<100003x16xf32>
  return %0 : tensor<100003x16xf32>
}
