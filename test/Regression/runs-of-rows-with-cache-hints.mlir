// Results that are stored as runs of memory had no place for cache hints: their kernels did not compile with --cache-hints=on.
// RUN: tw-compile %s --emit=schedule --cache-hints=on -o - | FileCheck %s
// CHECK: tile.send_run {{.*}}tile.cache = #tile.cache<l2 = evict_first>
func.func @main(%x: tensor<33419881xbf16>) -> tensor<33419886xbf16> {
  %0 = arith.extf %x : tensor<33419881xbf16> to tensor<33419881xf32>
  %1 = math.absf %0 : tensor<33419881xf32>
  %2 = graph.pad %1 low = [3] high = [2] value = 0.000000e+00 : f32 : tensor<33419881xf32> to tensor<33419886xf32>
  %3 = arith.truncf %2 : tensor<33419886xf32> to tensor<33419886xbf16>
  return %3 : tensor<33419886xbf16>
}
