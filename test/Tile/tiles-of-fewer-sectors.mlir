// A tile that touches fewer sectors than the rules' is taken where it is modelled to be a little faster.
// RUN: tw-compile %s --stop-after=tile --target=sm_90a --remarks=%t.yaml -o - | FileCheck %s
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REMARK
// CHECK: tile.schedule = #tile.schedule<tile = [1, 1, 64, 4, 16]
// REMARK: Name: TileFitted

func.func @main(%x: tensor<40x41x14x9x184xf32>) -> (tensor<40x41x14x9x184xf32>, tensor<9x41x184x40x14xf32>) {
  %zero = arith.constant dense<0.0> : tensor<40x41x14x9x184xf32>
  %one = arith.constant dense<1.0> : tensor<40x41x14x9x184xf32>
  %0 = arith.maximumf %x, %zero : tensor<40x41x14x9x184xf32>
  %1 = math.absf %x : tensor<40x41x14x9x184xf32>
  %2 = arith.addf %1, %one : tensor<40x41x14x9x184xf32>
  %3 = math.log %2 : tensor<40x41x14x9x184xf32>
  %4 = graph.transpose %3 permutation = [3, 1, 4, 0, 2] : tensor<40x41x14x9x184xf32> to tensor<9x41x184x40x14xf32>
  %5 = math.tanh %0 : tensor<40x41x14x9x184xf32>
  %6 = arith.mulf %5, %0 : tensor<40x41x14x9x184xf32>
  return %6, %4 : tensor<40x41x14x9x184xf32>, tensor<9x41x184x40x14xf32>
}
