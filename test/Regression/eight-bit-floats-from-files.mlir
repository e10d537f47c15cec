// Found by making cases for a GPU of programs on 8-bit floats: .npy files call both kinds the same, and tw-run took every
// such file for the first kind, also what it had written itself.
// REQUIRES: emulator
// RUN: rm -rf %t && tw-compile %s -o %t.tw
// RUN: tw-run %t.tw --device=emulator --input x=random:3 --input z=random:4 --output %t
// RUN: tw-run %t.tw --device=emulator --input x=%t/y.npy --input z=%t/w.npy --expect y=%t/y.npy --expect w=%t/w.npy | FileCheck %s
// CHECK-DAG: as expected: y
// CHECK-DAG: as expected: w
func.func @main(%x: tensor<40xf8E5M2> {graph.name = "x"}, %z: tensor<40xf8E4M3FN> {graph.name = "z"}) -> (tensor<40xf8E5M2> {graph.name = "y"}, tensor<40xf8E4M3FN> {graph.name = "w"}) {
  %0 = arith.extf %x : tensor<40xf8E5M2> to tensor<40xf32>
  %1 = math.absf %0 : tensor<40xf32>
  %2 = arith.truncf %1 : tensor<40xf32> to tensor<40xf8E5M2>
  %3 = arith.extf %z : tensor<40xf8E4M3FN> to tensor<40xf32>
  %4 = math.absf %3 : tensor<40xf32>
  %5 = arith.truncf %4 : tensor<40xf32> to tensor<40xf8E4M3FN>
  return %2, %5 : tensor<40xf8E5M2>, tensor<40xf8E4M3FN>
}
