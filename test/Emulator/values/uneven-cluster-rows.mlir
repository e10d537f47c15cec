// Rows that no block's shared memory holds and that no whole number of tiles makes up: the blocks of a cluster have as many
// tiles each, but for the last one.
// RUN: tw-check %s --target=sm_90a --rtol=2e-5 --atol=1e-6 --quiet
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s

// CHECK: tile.kernel @{{.*}}tile.cluster = 2
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c30720
func.func @chosen(%x: tensor<70x60001xbf16> {check.data = "random:-20:20"}) -> tensor<70x60001xf32> {
  %w = arith.extf %x : tensor<70x60001xbf16> to tensor<70x60001xf32>
  %0 = graph.softmax %w dim = 1 : tensor<70x60001xf32> to tensor<70x60001xf32>
  return %0 : tensor<70x60001xf32>
}

// CHECK: tile.kernel @{{.*}}tile.cluster = 2
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c20480
func.func @norm(%x: tensor<67x40005xf32>) -> tensor<67x40005xf32> {
  %0 = graph.layer_norm %x dim = 1 epsilon = 1.0e-5 : tensor<67x40005xf32> to tensor<67x40005xf32>
  return %0 : tensor<67x40005xf32>
}

// CHECK: tile.kernel @{{.*}}tile.cluster = 4
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c15360
func.func @greatest(%x: tensor<67x57346xf32> {check.data = "random:-9:-1"}) -> (tensor<67x57346xf32>, tensor<67xf32>) {
  %0 = graph.reduce max %x dims = [1] : tensor<67x57346xf32> to tensor<67xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<67xf32> to tensor<67x57346xf32>
  %2 = arith.subf %x, %1 : tensor<67x57346xf32>
  return %2, %0 : tensor<67x57346xf32>, tensor<67xf32>
}
