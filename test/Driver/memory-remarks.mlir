// Why a tile is not the rules', and which accesses touch more sectors than their elements fill.
// RUN: tw-compile %s --stop-after=target --kernel-cache=off --emulation=off --remarks=%t -o /dev/null
// RUN: FileCheck %s --input-file=%t

// CHECK: Name: {{ *}}TileFitted
// CHECK: Function: {{ *}}reduction_tanh
// CHECK: other: {{ *}}8x1x128x21

// One element of every row of 64.
// CHECK: Name: {{ *}}ScatteredAccess
// CHECK: sectors: {{ *}}'{{[0-9]+}}'
// CHECK: least: {{ *}}'{{[0-9]+}}'
func.func @main(%x: tensor<7x624x72x72xf32>, %y: tensor<65536x64xf32>) -> (tensor<7x624x72x72xf32>, tensor<624x72x72x7xf32>, tensor<65536xf32>) {
  %0 = graph.scan sum %x dim = 2 : tensor<7x624x72x72xf32>
  %1 = graph.transpose %0 permutation = [1, 2, 3, 0] : tensor<7x624x72x72xf32> to tensor<624x72x72x7xf32>
  %2 = math.tanh %1 : tensor<624x72x72x7xf32>
  %3 = graph.slice %y offsets = [0, 3] strides = [1, 1] : tensor<65536x64xf32> to tensor<65536x1xf32>
  %4 = graph.reshape %3 : tensor<65536x1xf32> to tensor<65536xf32>
  %5 = math.exp %4 : tensor<65536xf32>
  return %0, %2, %5 : tensor<7x624x72x72xf32>, tensor<624x72x72x7xf32>, tensor<65536xf32>
}
