// Results are written as .npy under their names and read back as arguments; steps of weights apply.
// RUN: rm -rf %t && tw-reference %s --arg=x=iota --output=%t/first
// RUN: tw-reference %s --arg=x=%t/first/y.npy | FileCheck %s
// RUN: %python -c "import sys; d = open(sys.argv[1], 'rb').read(); print(d[:6], len(d) %% 64, d[10:60])" %t/first/y.npy | FileCheck %s --check-prefix=HEADER
// RUN: tw-reference %s --compare-passes=graph-fold-weights --rtol=0 --atol=0

// HEADER: b'\x93NUMPY' 24 b"{'descr': '<f4', 'fortran_order': False, 'shape': "
func.func @main(%x: tensor<2x3xf32> {graph.name = "x"}) -> (tensor<2x3xf32> {graph.name = "y"}, tensor<2xi1>, tensor<4xbf16>) {
  // CHECK: y : tensor<2x3xf32> = 0 4 8 12 16 20
  %two = arith.constant dense<2.0> : tensor<2x3xf32>
  %0 = arith.mulf %x, %two : tensor<2x3xf32>
  // CHECK-NEXT: 1 : tensor<2xi1> = 1 0
  %1 = arith.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-NEXT: 2 : tensor<4xbf16> =
  %w = graph.weight <"w", tensor<2x2xf32>, "", [array<i64: 1, 0>]> : tensor<2x2xf32>
  %r = graph.reshape %w : tensor<2x2xf32> to tensor<4xf32>
  %n = arith.truncf %r : tensor<4xf32> to tensor<4xbf16>
  return %0, %1, %n : tensor<2x3xf32>, tensor<2xi1>, tensor<4xbf16>
}
