// Each rule of the import stage's contract has a program that breaks it.
// RUN: tw-opt %s --split-input-file --verify-import-form --verify-diagnostics

// The rules hold: no diagnostic.
func.func @good(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.exp %x : tensor<4xf32> loc("/encoder/Exp")
  return %0 : tensor<4xf32>
}

// -----

// form_c1
func.func @other_op(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'linalg.exp' op is not an op of this stage: graph (without kernels), arith, math, func.func}}
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// form_c1
// expected-error@+1 {{'graph.kernel' op is not an op of this stage}}
graph.kernel anchor(elementwise) @kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  graph.return %x : tensor<4xf32>
}

// -----

// form_c2
// expected-error@+1 {{argument #0 is 'tensor<?xf32>', not a tensor of static shape}}
func.func @dynamic(%x: tensor<?xf32>) {
  return
}

// -----

// form_c2
func.func @scalar() {
  // expected-error@+1 {{result #0 is 'f32', not a tensor of static shape}}
  %0 = arith.constant 1.0 : f32
  return
}

// -----

// form_c3
// expected-error@+1 {{has 2 blocks, expected 1}}
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'cf.br' op is not an op of this stage}}
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}

// -----

// import_c1
func.func @no_name(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@unknown {{'math.exp' op has no location: neither a source name nor a place in a file}}
  %0 = math.exp %x : tensor<4xf32> loc(unknown)
  return %0 : tensor<4xf32>
}
