// Counting the stages of a ring on took two registers that a product with its left operand in registers does not have: it
// spilled them.
// REQUIRES: ptxas
// RUN: tw-compile %s -o %t.tw --report=text | FileCheck %s
// CHECK: kernel {{.*}} regs spills
// CHECK: matmul_addf {{ *}}matmul {{.*}} 128 {{ *}}0 {{ *}}
func.func @main(%x: tensor<128x4096xf32>, %w: tensor<32768x4096xf32>, %v: tensor<32768xf32>) -> tensor<128x32768xf32> {
  %t = graph.transpose %w permutation = [1, 0] : tensor<32768x4096xf32> to tensor<4096x32768xf32>
  %p = graph.matmul %x, %t : tensor<128x4096xf32>, tensor<4096x32768xf32> to tensor<128x32768xf32>
  %b = graph.broadcast %v dims = [1] : tensor<32768xf32> to tensor<128x32768xf32>
  %y = arith.addf %p, %b : tensor<128x32768xf32>
  return %y : tensor<128x32768xf32>
}
