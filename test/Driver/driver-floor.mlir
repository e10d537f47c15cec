// A package says the oldest driver that takes the PTX version of its kernels: that of the oldest target. (The runtime
// refuses older ones: Unit/Runtime/RefusalTest.)
// REQUIRES: ptxas
// RUN: tw-compile %s -o %t.tw --target=sm_100a && tw-run %t.tw --list --json | FileCheck %s --check-prefix=SM100
// RUN: tw-compile %s -o %t.tw --target=sm_90a && tw-run %t.tw --list --json | FileCheck %s --check-prefix=SM90
// RUN: tw-compile %s -o %t.tw --target=sm_100a,sm_80 && tw-run %t.tw --list --json | FileCheck %s --check-prefix=SM80
// SM100: "driver_floor": 12090
// SM90: "driver_floor": 12070
// SM80: "driver_floor": 12000
func.func @main(%x: tensor<64xf32> {graph.name = "x"}) -> (tensor<64xf32> {graph.name = "y"}) {
  %0 = arith.addf %x, %x : tensor<64xf32>
  return %0 : tensor<64xf32>
}
