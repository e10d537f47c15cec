// Every operation that is not understood is an error of its own, with all reasons; what reads it is passed over.
// RUN: tw-opt %s --convert-upstream-to-graph --split-input-file --verify-diagnostics

#id = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i)>

func.func @maps(%a: tensor<4x4xf32>, %b: tensor<8xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error @+1 {{'linalg.generic' cannot be imported: operand #0 is read along a diagonal: one loop indexes two of its dimensions; operand #1 is indexed by d0 floordiv 2, which is no sum of loops times constants}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<4x4xf32>, tensor<8xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  // This only reads what is lost.
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

func.func @bodies(%a: tensor<4x4xf32>, %e: tensor<4xf32>, %t: tensor<9xf32>) -> (tensor<4xf32>, tensor<4x4xf32>) {
  // expected-error @+1 {{'linalg.generic' cannot be imported: result #0 is not accumulated by one sum, product, maximum, minimum, and, or, xor of what the body computes from its operands}}
  %0 = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %2 = arith.divf %acc, %x : f32
    %3 = arith.addf %2, %x : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  // expected-error @+1 {{'linalg.generic' cannot be imported: 'scf.if' in its body is not supported; 'math.sincos' in its body is not supported}}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %2 = arith.cmpf ogt, %x, %zero : f32
    %3 = scf.if %2 -> f32 {
      scf.yield %x : f32
    } else {
      scf.yield %zero : f32
    }
    %4, %5 = math.sincos %x : f32
    %6 = arith.addf %3, %4 : f32
    linalg.yield %6 : f32
  } -> tensor<4x4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4x4xf32>
}

// -----

// expected-error @+2 {{argument #1 of function @arguments cannot be imported: it is of type index, expected a tensor}}
// expected-error @+1 {{argument #2 of function @arguments cannot be imported: tensor<?xf32> is no tensor of static shape}}
func.func @arguments(%x: tensor<4x6xf32>, %i: index, %d: tensor<?xf32>) -> tensor<24xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  return %0 : tensor<24xf32>
}

// -----

func.func @others(%x: tensor<4x6xf32>, %y: tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<2x3x2x2xf32>) {
  // expected-error @+1 {{'tensor.insert_slice' cannot be imported: it inserts with stride 2, expected 1}}
  %0 = tensor.insert_slice %y into %x[0, 0] [2, 6] [2, 1] : tensor<2x6xf32> into tensor<4x6xf32>
  %e = tensor.empty() : tensor<2x3x2x2xf32>
  // expected-error @+1 {{'linalg.pack' cannot be imported: tensors have no tiled layouts; pack when a kernel is made, not before}}
  %1 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<4x6xf32> -> tensor<2x3x2x2xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<2x3x2x2xf32>
}

// -----

func.func private @callee(tensor<4xf32>) -> tensor<4xf32>
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'func.call' cannot be imported: calls are not supported: inline first}}
  %0 = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
