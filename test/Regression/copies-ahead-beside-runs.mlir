// A ring of copies ahead has as many stages as fit beside what else is in shared memory: runs of odd rows, and what is turned within a
// step. Three stages of two tiles once were more than a block may have, and the program was not compiled.
// RUN: split-file %s %t
// RUN: tw-compile %t/program.mlir --target=sm_90a --emit=ptx -o %t/program.ptx
// RUN: tw-opt %t/kernel.mlir --tile-stage --schedule-stage | FileCheck %s
// RUN: tw-opt %t/kernel.mlir --tile-stage --schedule-stage --target-stage -o %t/target.mlir

// CHECK: tile.kernel @reduction_erf
// CHECK-COUNT-2: tile.alloc {{.*}}<2, f32, "{shape=[1,16,512]
// CHECK: tile.wait_async 1

// The program reads one tensor, of which a step has one tile.
//--- program.mlir
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

// One of its kernels with a second tensor.
//--- kernel.mlir
graph.kernel anchor(reduction) @reduction_erf(%x: tensor<280x5811x13xf32>, %y: tensor<280x5811x13xf32>) -> (tensor<280x13x5811xf32>, tensor<280x13xf32>, tensor<280x5811x13xf32>, tensor<280x5811x13xf32>) attributes {
    tile.schedule = #tile.schedule<tile = [1, 16, 512], reduce = 1, warps = 16, warp_grid = [1, 16], stages = 3>} {
  %0 = math.tanh %x : tensor<280x5811x13xf32>
  %1 = arith.mulf %0, %x : tensor<280x5811x13xf32>
  %2 = math.absf %1 : tensor<280x5811x13xf32>
  %cst = arith.constant dense<1.000000e+00> : tensor<280x5811x13xf32>
  %3 = arith.addf %2, %cst : tensor<280x5811x13xf32>
  %4 = math.log %3 : tensor<280x5811x13xf32>
  %5 = graph.transpose %4 permutation = [0, 2, 1] : tensor<280x5811x13xf32> to tensor<280x13x5811xf32>
  %6 = math.tanh %5 : tensor<280x13x5811xf32>
  %7 = arith.mulf %6, %5 : tensor<280x13x5811xf32>
  %8 = math.erf %7 : tensor<280x13x5811xf32>
  %9 = graph.reduce max %8 dims = [2] : tensor<280x13x5811xf32> to tensor<280x13xf32>
  %10 = math.absf %x : tensor<280x5811x13xf32>
  %11 = arith.addf %10, %cst : tensor<280x5811x13xf32>
  %12 = math.log %11 : tensor<280x5811x13xf32>
  %13 = arith.mulf %12, %y : tensor<280x5811x13xf32>
  %14 = math.tanh %13 : tensor<280x5811x13xf32>
  %15 = math.erf %1 : tensor<280x5811x13xf32>
  graph.return %8, %9, %14, %15 : tensor<280x13x5811xf32>, tensor<280x13xf32>, tensor<280x5811x13xf32>, tensor<280x5811x13xf32>
}
