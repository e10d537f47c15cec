// Windows over a loop without elements take no slice, and steps that overflow do not come back into the tensor.
// RUN: tw-opt %s --convert-upstream-to-graph --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: @loops0
// CHECK: arith.constant dense<0.000000e+00> : tensor<8x0xf32>
// CHECK: graph.matmul
func.func @loops0(%x: tensor<8xf32>, %w: tensor<0xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w : tensor<8xf32>, tensor<0xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @slice_wrap() -> tensor<5xf32> {
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %s = arith.constant 4611686018427387904 : index
  // expected-error @+1 {{'tensor.extract_slice' cannot be imported: it takes 5 elements of dimension 0 in steps of 4611686018427387904}}
  %0 = tensor.extract_slice %x[0] [5] [%s] : tensor<6xf32> to tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// expected-error @+1 {{is too large to address}}
func.func @large(%x: tensor<4194304x4194304x1xf32>, %y: tensor<1x1x4194304xf32>) -> tensor<4194304x4194304x4194304xf32> {
  %0 = tosa.add %x, %y : (tensor<4194304x4194304x1xf32>, tensor<1x1x4194304xf32>) -> tensor<4194304x4194304x4194304xf32>
  return %0 : tensor<4194304x4194304x4194304xf32>
}
