// The matmul's loops run M, K, N; movement extracts the element it needs.
// RUN: tw-opt %s --convert-graph-to-linalg | FileCheck %s

// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: @matmul
func.func @matmul(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>) -> tensor<4x2xbf16> {
  // CHECK: linalg.fill
  // CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "reduction", "parallel"]}
  // CHECK: arith.extf
  // CHECK: arith.addf %{{.*}}, %{{.*}} : f32
  // CHECK: arith.truncf %{{.*}} : tensor<4x2xf32> to tensor<4x2xbf16>
  %0 = graph.matmul %a, %b : tensor<4x8xbf16>, tensor<8x2xbf16> to tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// CHECK-LABEL: @transpose
func.func @transpose(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // CHECK: %[[I:.*]] = linalg.index 0
  // CHECK: %[[J:.*]] = linalg.index 1
  // CHECK: tensor.extract %arg0[%[[J]], %[[I]]]
  %0 = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
