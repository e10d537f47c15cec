// A norm of a whole tensor, whose dimensions an operand of one of them keeps apart: no part of the longer one fits threads of as many
// elements as blocks that share a row have otherwise, and one block went over all of it three times, in a loop, with its exponential
// and hyperbolic tangent (launch-825041 of the random programs on an H200: 20.8 us, 5.0 by a cluster).
// RUN: tw-compile %s --target=sm_90a --stop-after=tile -o - | FileCheck %s
// RUN: tw-check %s --target=sm_90a --quiet

// CHECK: tile.kernel {{.*}} grid = [8, 1, 1] {{.*}}split_k = 8
// CHECK-NOT: scf.for
func.func @main(%x: tensor<40x528xf32>, %s: tensor<528xf32>, %b: tensor<40x528xf32>) -> (tensor<40x528xf32>, tensor<40x528xf32>, tensor<40x528xf32>) {
  %0 = graph.broadcast %s dims = [1] : tensor<528xf32> to tensor<40x528xf32>
  %1 = arith.minimumf %0, %x : tensor<40x528xf32>
  %2 = arith.subf %x, %1 : tensor<40x528xf32>
  %3 = math.tanh %1 : tensor<40x528xf32>
  %4 = math.exp %3 : tensor<40x528xf32>
  %5 = graph.layer_norm %4 bias(%b : tensor<40x528xf32>) dim = 0 epsilon = 1.0e-02 : tensor<40x528xf32> to tensor<40x528xf32>
  %6 = graph.gelu erf %1 : tensor<40x528xf32>
  %7 = arith.negf %6 : tensor<40x528xf32>
  return %7, %5, %2 : tensor<40x528xf32>, tensor<40x528xf32>, tensor<40x528xf32>
}
