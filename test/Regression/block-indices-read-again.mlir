// A kernel for which ptxas, short of registers, read the index of its block anew and computed what follows from it out of a register
// that held something else by then: the rows of the last result were not stored. No kernel reads the index of its block twice.
// REQUIRES: ptxas
// RUN: tw-compile %s --target=sm_90a --emulation=off --kernel-cache=off -o %t.tw
// RUN: %python %S/Inputs/block_index_reads.py %t.tw | FileCheck %s
// RUN: tw-check --target=sm_90a %s
// CHECK-NOT: : {{[2-9]$}}
// CHECK: reduction_addf: 1
// CHECK-NOT: : {{[2-9]$}}
func.func @main(%arg0: tensor<116040x13xf32>, %arg1: tensor<f32>, %arg2: tensor<26xf32>, %arg3: tensor<116040xf32>, %arg4: tensor<116040xf32>) -> (tensor<116040x26xf32>, tensor<116040x13xf32>, tensor<13x116040xf32>) {
  %0 = graph.broadcast %arg1 dims = [] : tensor<f32> to tensor<116040x13xf32>
  %1 = math.tanh %arg0 : tensor<116040x13xf32>
  %2 = arith.mulf %0, %1 : tensor<116040x13xf32>
  %3 = arith.subf %2, %2 : tensor<116040x13xf32>
  %4 = graph.reduce sum %2 dims = [1] : tensor<116040x13xf32> to tensor<116040xf32>
  %cst = arith.constant dense<0.0769230798> : tensor<116040xf32>
  %5 = arith.mulf %4, %cst : tensor<116040xf32>
  %cst_0 = arith.constant dense<-2.000000e+00> : tensor<116040x13xf32>
  %6 = arith.addf %cst_0, %3 : tensor<116040x13xf32>
  %7 = graph.transpose %6 permutation = [1, 0] : tensor<116040x13xf32> to tensor<13x116040xf32>
  %8 = arith.addf %2, %6 : tensor<116040x13xf32>
  %9 = graph.broadcast %5 dims = [0] : tensor<116040xf32> to tensor<116040x13xf32>
  %10 = arith.addf %6, %9 : tensor<116040x13xf32>
  %11 = graph.concat %8, %10 dim = 1 : tensor<116040x13xf32>, tensor<116040x13xf32> to tensor<116040x26xf32>
  %12 = graph.broadcast %arg2 dims = [1] : tensor<26xf32> to tensor<116040x26xf32>
  %13 = arith.maximumf %11, %12 : tensor<116040x26xf32>
  %14 = math.absf %13 : tensor<116040x26xf32>
  %15 = math.absf %7 : tensor<13x116040xf32>
  %16 = graph.layer_norm %7 scale(%arg3 : tensor<116040xf32>) bias(%arg4 : tensor<116040xf32>) dim = 1 epsilon = 1.000000e-02 : tensor<13x116040xf32> to tensor<13x116040xf32>
  %17 = graph.transpose %15 permutation = [1, 0] : tensor<13x116040xf32> to tensor<116040x13xf32>
  return %14, %17, %16 : tensor<116040x26xf32>, tensor<116040x13xf32>, tensor<13x116040xf32>
}
