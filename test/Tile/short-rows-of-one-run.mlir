// Elementwise kernels whose short rows would leave much of a tile empty go through memory as one run; what is broadcast is read
// at up to four digits of the place, several reads of the same divide it once.
// RUN: tw-compile %s --stop-after=tile --target=sm_90a -o - | FileCheck %s
// RUN: tw-check %s --quiet --rtol=1.6e-2 --atol=1e-5

// CHECK-LABEL: tile.kernel @extf_truncf grid = [938, 1, 1]
// CHECK-SAME: tile.schedule = #tile.schedule<tile = [2048]
func.func @forty(%x: tensor<40x8x6x25x40xbf16> {check.data = "random:-1:1"}, %s: tensor<6x40xbf16>) -> (tensor<40x8x6x25x40xbf16>, tensor<40x8x6x25x40xbf16>) {
  %0 = arith.extf %x : tensor<40x8x6x25x40xbf16> to tensor<40x8x6x25x40xf32>
  %1 = math.erf %0 : tensor<40x8x6x25x40xf32>
  %2 = arith.extf %s : tensor<6x40xbf16> to tensor<6x40xf32>
  %3 = graph.broadcast %2 dims = [2, 4] : tensor<6x40xf32> to tensor<40x8x6x25x40xf32>
  %4 = math.absf %3 : tensor<40x8x6x25x40xf32>
  %one = arith.constant dense<1.0> : tensor<40x8x6x25x40xf32>
  %5 = arith.addf %4, %one : tensor<40x8x6x25x40xf32>
  %6 = arith.divf %0, %5 : tensor<40x8x6x25x40xf32>
  %7 = arith.truncf %6 : tensor<40x8x6x25x40xf32> to tensor<40x8x6x25x40xbf16>
  %8 = arith.truncf %1 : tensor<40x8x6x25x40xf32> to tensor<40x8x6x25x40xbf16>
  return %7, %8 : tensor<40x8x6x25x40xbf16>, tensor<40x8x6x25x40xbf16>
}
// CHECK: tile.schedule = #tile.schedule<tile = [512]
func.func @four_digits(%x: tensor<24x19x11x11x7xf32>, %s: tensor<19x11x7xf32>) -> tensor<24x19x11x11x7xf32> {
  %0 = graph.broadcast %s dims = [1, 2, 4] : tensor<19x11x7xf32> to tensor<24x19x11x11x7xf32>
  %1 = arith.minimumf %x, %0 : tensor<24x19x11x11x7xf32>
  return %1 : tensor<24x19x11x11x7xf32>
}
// Rows that fill most of their places stay rows.
// CHECK: tile.schedule = #tile.schedule<tile = [{{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}, {{[0-9]+}}]
func.func @fifty_six(%x: tensor<40x8x6x25x56xbf16>, %s: tensor<6x56xbf16>) -> tensor<40x8x6x25x56xbf16> {
  %0 = graph.broadcast %s dims = [2, 4] : tensor<6x56xbf16> to tensor<40x8x6x25x56xbf16>
  %1 = arith.minimumf %x, %0 : tensor<40x8x6x25x56xbf16>
  return %1 : tensor<40x8x6x25x56xbf16>
}
