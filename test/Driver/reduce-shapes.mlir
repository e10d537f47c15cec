// tw-reduce makes dimensions as small as the test allows: a size alone, with the products that a reshape makes of it,
// and never smaller than what is still interesting.
// RUN: tw-reduce %s --test='grep -q graph.matmul' | FileCheck %s
// CHECK: graph.matmul %{{.*}}, %{{.*}} : tensor<1x1xf32>, tensor<1x1xf32> to tensor<1x1xf32>

// The least size that is wide enough, found by halves; other dimensions go to 1.
// RUN: tw-reduce %s --test=%S/Inputs/wide_rows | FileCheck %s --check-prefix=WIDE
// WIDE: graph.softmax %{{.*}} dim = 1 : tensor<1x21xf32> to tensor<1x21xf32>

// What a reshape makes of a dimension shrinks with it.
// RUN: tw-reduce %s --test=%S/Inputs/joined_dimensions | FileCheck %s --check-prefix=JOINED
// JOINED: graph.reshape %{{.*}} : tensor<2x5xf32> to tensor<10xf32>

// Constants keep their first elements.
// RUN: tw-reduce %s --test='grep -q "dense<.1.0.*, "' | FileCheck %s --check-prefix=CONSTANT
// CONSTANT: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>

func.func @main(%x: tensor<7x48xf32>, %w: tensor<96x48xf32>) -> (tensor<7x48xf32>, tensor<336xf32>, tensor<3xf32>) {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %t = graph.transpose %w permutation = [1, 0] : tensor<96x48xf32> to tensor<48x96xf32>
  %0 = graph.matmul %x, %t : tensor<7x48xf32>, tensor<48x96xf32> to tensor<7x96xf32>
  %1 = graph.softmax %x dim = 1 : tensor<7x48xf32> to tensor<7x48xf32>
  %2 = arith.addf %1, %x : tensor<7x48xf32>
  %3 = graph.reshape %x : tensor<7x48xf32> to tensor<336xf32>
  %4 = math.exp %c : tensor<3xf32>
  return %2, %3, %4 : tensor<7x48xf32>, tensor<336xf32>, tensor<3xf32>
}
