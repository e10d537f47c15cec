// Rows that fit half of a multiprocessor's shared memory in short tiles alone were gone over one element of a thread at a
// time: a softmax of 1800 rows of 27709 took 162 us on an H200, and takes 106 with two blocks to a row.
// RUN: tw-compile %s --stop-after=tile --target=sm_90a -o - | FileCheck %s
// CHECK: tile.kernel {{.*}} grid = [3600, 1, 1]
// CHECK: tile.schedule = #tile.schedule<tile = [1, 1024], {{.*}}align_rows>
func.func @main(%x: tensor<1800x27709xf32>) -> tensor<1800x27709xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<1800x27709xf32> to tensor<1800x27709xf32>
  return %0 : tensor<1800x27709xf32>
}
