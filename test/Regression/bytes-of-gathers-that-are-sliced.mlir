// Of what indices select, and a slice then takes a part of, all was counted as read: the few rows that are left over where columns
// are reduced in pieces cost as much as the pieces.
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s
// CHECK: plan.launch @reduction_{{.*}}read = 182809040,
// CHECK: plan.launch @reduction_{{.*}}read = 159152,
func.func @main(%x: tensor<20744x60x38xf32>, %i: tensor<58xi64>) -> tensor<58x38xf32> {
  %0 = graph.gather %x[%i] dim = 1 : tensor<20744x60x38xf32>, tensor<58xi64> to tensor<20744x58x38xf32>
  %1 = graph.reduce min %0 dims = [0] : tensor<20744x58x38xf32> to tensor<58x38xf32>
  return %1 : tensor<58x38xf32>
}
