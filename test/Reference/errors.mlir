// What the reference refuses, and how it says so.
// RUN: not tw-reference %s --entry=nothing 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not tw-reference %s --arg=0=ones 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not tw-reference %s --arg=y=zeros 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not tw-reference %s --arg=x=%t.missing.npy 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not tw-reference %s --entry=bits --precision=f64 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not tw-reference %s --precision=f16 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: not tw-reference %s --weights=some 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: not tw-reference %s --compare-passes=graph-raise-everything 2>&1 | FileCheck %s --check-prefix=PASSES

// ENTRY: no function 'nothing'
// DATA: 'ones' is none of zeros, splat:V, iota, random[:SEED[:LOW:HIGH]], FILE.npy
// NAME: --arg=y=zeros names no argument
// FILE: missing.npy: No such file or directory
// PRECISION: unknown precision 'f16'; one of native, f64
// WEIGHTS: --weights=some is none of auto, files, random[:SEED]
// PASSES: 'graph-raise-everything' does not refer to a registered pass or pass pipeline
func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

func.func @bits(%x: tensor<4xf32>) -> tensor<4xi32> {
  // BITS: 'arith.bitcast' op reads the bits of a float, which have no meaning in fp64
  %0 = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
  return %0 : tensor<4xi32>
}
