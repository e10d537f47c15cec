// What rows are gathered from is in shared memory of the kernel that reduces them, too: one kernel, which reads and writes no byte
// twice. A reduction of columns would go over the table's rows as often as there are tiles of columns: it reads what is gathered.
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK: graph.kernel anchor(reduction) @{{.*}}(%{{.*}}: tensor<9000x2000xf32>
// CHECK: = gather
// CHECK: reduce max %{{.*}} dims = [1]
// CHECK: return
func.func @rows(%x: tensor<9000x2000xf32>, %i: tensor<2500xi64>) -> (tensor<9000x2500xf32>, tensor<9000xf32>) {
  %0 = graph.gather %x[%i] dim = 1 : tensor<9000x2000xf32>, tensor<2500xi64> to tensor<9000x2500xf32>
  %1 = math.tanh %0 : tensor<9000x2500xf32>
  %2 = graph.reduce max %1 dims = [1] : tensor<9000x2500xf32> to tensor<9000xf32>
  return %1, %2 : tensor<9000x2500xf32>, tensor<9000xf32>
}

// So is it where nothing of what is gathered is stored: what indices select of a row lies along these indices, not across.
// CHECK: graph.kernel anchor(reduction) @{{.*}}(%{{.*}}: tensor<59520x496xbf16>
// CHECK: = gather
// CHECK: reduce sum %{{.*}} dims = [1]
// CHECK: return
func.func @sums(%x: tensor<59520x496xbf16>, %i: tensor<495xi64>) -> tensor<59520xbf16> {
  %w = arith.extf %x : tensor<59520x496xbf16> to tensor<59520x496xf32>
  %0 = graph.gather %w[%i] dim = 1 : tensor<59520x496xf32>, tensor<495xi64> to tensor<59520x495xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<59520x495xf32> to tensor<59520xf32>
  %2 = arith.truncf %1 : tensor<59520xf32> to tensor<59520xbf16>
  return %2 : tensor<59520xbf16>
}
