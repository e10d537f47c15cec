// What the model counts of columns that are gone over several times: once where a block keeps them in shared memory, once for
// what needs no reduction, though others do, and as often as they are gone over where nothing keeps them.
// RUN: tw-compile %s --start-from=fuse --stop-after=fuse --target=sm_90a -o - | FileCheck %s
// RUN: tw-compile %s --start-from=fuse --stop-after=schedule --target=sm_90a -o - | FileCheck %s --check-prefix=KEPT

// 1280 rows of 128 bytes side by side, which two blocks share.
// CHECK-LABEL: plan.program @kept
// CHECK: plan.launch @{{.*}}(%arg0) {{.*}} read = 104857600, written = 104857600>
func.func @kept(%x: tensor<1280x20480xf32>) -> tensor<1280x20480xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<1280x20480xf32> to tensor<1280x20480xf32>
  return %0 : tensor<1280x20480xf32>
}

// CHECK-LABEL: plan.program @stored_on_the_way
// CHECK: plan.launch @{{.*}}(%arg0) {{.*}} read = 524288000, written = 524369920>
func.func @stored_on_the_way(%x: tensor<6400x20480xf32>) -> (tensor<6400x20480xf32>, tensor<20480xf32>) {
  %0 = math.exp %x : tensor<6400x20480xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<6400x20480xf32> to tensor<20480xf32>
  return %0, %1 : tensor<6400x20480xf32>, tensor<20480xf32>
}

// What one block does not hold those of a cluster have parts of.
// CHECK-LABEL: plan.program @shared
// CHECK: plan.launch @{{.*}}(%arg0) {{.*}} read = 524288000, written = 524288000>
func.func @shared(%x: tensor<6400x20480xf32>) -> tensor<6400x20480xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<6400x20480xf32> to tensor<6400x20480xf32>
  return %0 : tensor<6400x20480xf32>
}

// CHECK-LABEL: plan.program @gone_over_twice
// CHECK: plan.launch @{{.*}}(%arg0) {{.*}} read = 2097152000, written = 1048576000>
func.func @gone_over_twice(%x: tensor<32000x8192xf32>) -> tensor<32000x8192xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<32000x8192xf32> to tensor<32000x8192xf32>
  return %0 : tensor<32000x8192xf32>
}

// KEPT: tile.kernel @{{.*}} grid = [1280, 1, 1]
// KEPT-SAME: tile.cluster = 2
// KEPT: tile.alloc {{.*}}<5, f32, "{shape=[128,32]
// KEPT: tile.copy_async
// KEPT-NOT: tile.copy_async
// KEPT-NOT: tile.load %
// KEPT: tile.return

// What columns side by side share is little, and needs no room of theirs: the second kernel reads the argument and the
// maximum of each row, once.
// CHECK-LABEL: plan.program @relative_to_row
// CHECK: plan.launch @{{.*}}(%arg0) {{.*}} read = 112803840, written = 2211840>
// CHECK: plan.launch @{{.*}}({{.*}}) {{.*}} read = 115015680, written = 112803840>
func.func @relative_to_row(%x: tensor<320x864x2x51xf32>) -> tensor<320x864x2x51xf32> {
  %0 = graph.reduce max %x dims = [3] : tensor<320x864x2x51xf32> to tensor<320x864x2xf32>
  %1 = graph.broadcast %0 dims = [0, 1, 2] : tensor<320x864x2xf32> to tensor<320x864x2x51xf32>
  %2 = arith.subf %x, %1 : tensor<320x864x2x51xf32>
  %3 = graph.softmax %2 dim = 1 : tensor<320x864x2x51xf32> to tensor<320x864x2x51xf32>
  return %3 : tensor<320x864x2x51xf32>
}
