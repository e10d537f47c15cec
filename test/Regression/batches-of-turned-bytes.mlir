// Operands in batches that a role of warps turns: the layout of the conversion once left out the batch, and the
// compiler died of an assertion.
// REQUIRES: emulator
// RUN: tw-compile %s -o %t.tw --target=sm_90a --golden=1
// RUN: tw-run %t.tw --device=emulator --self-test | FileCheck %s
// CHECK: as expected: c
func.func @main(%a: tensor<2x256x96xi8> {graph.name = "a"}, %b: tensor<2x256x96xi8> {graph.name = "b"}) -> (tensor<2x96x96xi32> {graph.name = "c"}) {
  %0 = graph.transpose %a permutation = [0, 2, 1] : tensor<2x256x96xi8> to tensor<2x96x256xi8>
  %1 = graph.matmul %0, %b : tensor<2x96x256xi8>, tensor<2x256x96xi8> to tensor<2x96x96xi32>
  return %1 : tensor<2x96x96xi32>
}
