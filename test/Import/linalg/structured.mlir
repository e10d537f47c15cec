// How structured operations are read: contractions as matmuls, reductions, and elementwise bodies on views.
// RUN: tw-opt %s --convert-upstream-to-graph | FileCheck %s

#row = affine_map<(m, n, k) -> (m, k)>
#turned = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i)>
#swap = affine_map<(i, j) -> (j, i)>

// Zeros that products are added to leave no trace.
// CHECK-LABEL: @named_matmul
// CHECK-NEXT: %[[R:.*]] = graph.matmul %arg0, %arg1 : tensor<4x8xf32>, tensor<8x2xf32> to tensor<4x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @named_matmul(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%i : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Other initial values are added; 16-bit operands stay narrow, and a turned operand is turned back.
// CHECK-LABEL: @generic_matmul
// CHECK-NEXT: %[[T:.*]] = graph.transpose %arg1 permutation = [1, 0] : tensor<2x8xbf16> to tensor<8x2xbf16>
// CHECK-NEXT: %[[P:.*]] = graph.matmul %arg0, %[[T]] : tensor<4x8xbf16>, tensor<8x2xbf16> to tensor<4x2xf32>
// CHECK-NEXT: arith.addf %arg2, %[[P]]
func.func @generic_matmul(%a: tensor<4x8xbf16>, %b: tensor<2x8xbf16>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %0 = linalg.generic {indexing_maps = [#row, #turned, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xbf16>, tensor<2x8xbf16>) outs(%c : tensor<4x2xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.extf %y : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Loops of one operand alone are rows or columns, loops of both are batches: several of each.
// CHECK-LABEL: @contraction
// CHECK: %[[Q:.*]] = graph.transpose %arg0 permutation = [0, 2, 1, 3]
// CHECK: %[[K:.*]] = graph.transpose %arg1 permutation = [0, 2, 3, 1]
// CHECK: graph.matmul %[[Q]], %[[K]] : tensor<2x3x5x4xf32>, tensor<2x3x4x7xf32> to tensor<2x3x5x7xf32>
func.func @contraction(%q: tensor<2x5x3x4xf32>, %k: tensor<2x7x3x4xf32>) -> tensor<2x3x5x7xf32> {
  %i = arith.constant dense<0.0> : tensor<2x3x5x7xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(b, h, s, t, d) -> (b, s, h, d)>, affine_map<(b, h, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>] ins(%q, %k : tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>) outs(%i : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  return %0 : tensor<2x3x5x7xf32>
}

// What depends on one operand is computed on it alone, before it is broadcast.
// CHECK-LABEL: @elementwise
// CHECK-NEXT: %[[T:.*]] = graph.transpose %arg0 permutation = [1, 0]
// CHECK-NEXT: %[[S:.*]] = math.exp %arg1 : tensor<3xf32>
// CHECK-NEXT: %[[B:.*]] = graph.broadcast %[[S]] dims = [1] : tensor<3xf32> to tensor<2x3xf32>
// CHECK-NEXT: arith.mulf %[[T]], %[[B]]
func.func @elementwise(%x: tensor<3x2xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [#swap, affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<3x2xf32>, tensor<3xf32>) outs(%e : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = math.exp %b : f32
    %2 = arith.mulf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @reductions
// CHECK: %[[SQ:.*]] = arith.mulf %arg0, %arg0
// CHECK: %[[SUM:.*]] = graph.reduce sum %[[SQ]] dims = [1] : tensor<4x8xf32> to tensor<4xf32>
// CHECK: arith.addf %arg1, %[[SUM]]
// CHECK: graph.reduce max %arg0 dims = [1]
func.func @reductions(%x: tensor<4x8xf32>, %from: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %least = arith.constant dense<0xFF800000> : tensor<4xf32>
  %0, %1 = linalg.generic {indexing_maps = [#id, #first, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%from, %least : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %m: f32):
    %2 = arith.mulf %a, %a : f32
    %3 = arith.addf %s, %2 : f32
    %4 = arith.maximumf %m, %a : f32
    linalg.yield %3, %4 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A load from a table whose last index is a loop of its own takes whole rows.
// CHECK-LABEL: @rows
// CHECK: graph.gather %arg0[%arg1] dim = 0 : tensor<50x6xf32>, tensor<7xi64> to tensor<7x6xf32>
func.func @rows(%table: tensor<50x6xf32>, %ids: tensor<7xi64>) -> tensor<7x6xf32> {
  %e = tensor.empty() : tensor<7x6xf32>
  %0 = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<7xi64>) outs(%e : tensor<7x6xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %d = linalg.index 1 : index
    %1 = tensor.extract %table[%i, %d] : tensor<50x6xf32>
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}

// Windows are stacks of slices.
// CHECK-LABEL: @window
// CHECK: graph.slice %arg0 offsets = [0] strides = [2] : tensor<9xf32> to tensor<4xf32>
// CHECK: graph.slice %arg0 offsets = [1] strides = [2] : tensor<9xf32> to tensor<4xf32>
// CHECK: graph.slice %arg0 offsets = [2] strides = [2] : tensor<9xf32> to tensor<4xf32>
// CHECK: graph.concat
// CHECK: graph.reduce max
func.func @window(%x: tensor<9xf32>, %w: tensor<3xf32>) -> tensor<4xf32> {
  %least = arith.constant dense<0xFF800000> : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j)>, affine_map<(i, j) -> (j)>, #first], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<9xf32>, tensor<3xf32>) outs(%least : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %m: f32):
    %1 = arith.maximumf %m, %a : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
