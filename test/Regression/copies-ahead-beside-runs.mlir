// A ring of copies ahead has as many stages as fit beside what else is in shared memory: runs of odd rows, and what is turned within a
// step. Three stages of two tiles once were more than a block may have, and the program was not compiled.
// RUN: tw-compile %s --target=sm_90a --emit=schedule -o - | FileCheck %s
// RUN: tw-compile %s --target=sm_90a --emit=ptx -o %t.ptx

// CHECK: tile.kernel @reduction_erf
// CHECK-COUNT-2: tile.alloc {{.*}}<2, f32, "{shape=[1,16,512]
// CHECK: tile.wait_async 1
func.func @main(%x: tensor<280x5811x13xf32>) -> (tensor<280x13x5811xf32>, tensor<280x5811x13xf32>, tensor<280x5811x13xf32>, tensor<280x13x5811xf32>) {
  %one = arith.constant dense<1.0> : tensor<280x5811x13xf32>
  %a = math.absf %x : tensor<280x5811x13xf32>
  %b = arith.addf %a, %one : tensor<280x5811x13xf32>
  %c = arith.divf %x, %b : tensor<280x5811x13xf32>
  %d = math.log %b : tensor<280x5811x13xf32>
  %e = arith.mulf %d, %c : tensor<280x5811x13xf32>
  %f = math.tanh %e : tensor<280x5811x13xf32>
  %g = math.tanh %x : tensor<280x5811x13xf32>
  %h = arith.mulf %g, %x : tensor<280x5811x13xf32>
  %i = math.erf %h : tensor<280x5811x13xf32>
  %j = math.absf %h : tensor<280x5811x13xf32>
  %k = arith.addf %j, %one : tensor<280x5811x13xf32>
  %l = math.log %k : tensor<280x5811x13xf32>
  %t = graph.transpose %l permutation = [0, 2, 1] : tensor<280x5811x13xf32> to tensor<280x13x5811xf32>
  %u = math.tanh %t : tensor<280x13x5811xf32>
  %v = arith.mulf %u, %t : tensor<280x13x5811xf32>
  %w = math.erf %v : tensor<280x13x5811xf32>
  %s = graph.softmax %w dim = 2 : tensor<280x13x5811xf32> to tensor<280x13x5811xf32>
  return %s, %f, %i, %w : tensor<280x13x5811xf32>, tensor<280x5811x13xf32>, tensor<280x5811x13xf32>, tensor<280x13x5811xf32>
}
