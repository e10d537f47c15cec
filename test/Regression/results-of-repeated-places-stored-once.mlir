// A result that is spread, and stored beside what it is spread over, was stored by several blocks where the
// domain is one run.
// RUN: rm -rf %t && split-file %s %t
// RUN: tw-compile %t/leading.mlir --start-from=tile --stop-after=tile --target=sm_90a -o - \
// RUN:   | FileCheck %s --check-prefix=LEADING
// RUN: tw-compile %t/leading.mlir --start-from=tile --target=sm_90a -o %t/leading.tw
// RUN: tw-run %t/leading.tw --device=emulator --input x=random:1
// RUN: tw-compile %t/trailing.mlir --stop-after=tile --target=sm_90a -o - | FileCheck %s --check-prefix=TRAILING
// RUN: tw-check %t/trailing.mlir --quiet --rtol=1e-5

//--- leading.mlir
// The first of three repetitions stores it.
// LEADING: tile.store {{.*}}{extent=10200, modes=[{{\[}}3400,1]]}]}
// LEADING: tile.store {{.*}}{extent=10200, modes=[{{\[}}10200,1]]}]}
graph.kernel anchor(elementwise) @spread(%x: tensor<3400xf16>) -> (tensor<3400xf32>, tensor<10200xf32>) {
  %0 = arith.extf %x : tensor<3400xf16> to tensor<3400xf32>
  %1 = graph.broadcast %0 dims = [1] : tensor<3400xf32> to tensor<3x3400xf32>
  %2 = graph.reshape %1 : tensor<3x3400xf32> to tensor<10200xf32>
  %3 = math.absf %2 : tensor<10200xf32>
  graph.return %0, %3 : tensor<3400xf32>, tensor<10200xf32>
}
plan.program @main(%x: tensor<3400xf16> {plan.name = "x"})
    -> (tensor<3400xf32> {plan.name = "y"}, tensor<10200xf32> {plan.name = "z"}) {
  %0:2 = plan.launch @spread(%x) : (tensor<3400xf16>) -> (tensor<3400xf32>, tensor<10200xf32>)
  plan.return %0#0, %0#1 : tensor<3400xf32>, tensor<10200xf32>
}
//--- trailing.mlir
// Places side by side that have the same element are no run.
// TRAILING: tile.store {{.*}}{extent=8192, modes=[{{\[}}8192,1]]}, {extent=17, modes=[{{\[}}17,0]]}]}
func.func @trailing(%x: tensor<8192xf32>, %y: tensor<8192x17xf32>) -> (tensor<8192xf32>, tensor<8192x17xf32>) {
  %0 = math.absf %x : tensor<8192xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<8192xf32> to tensor<8192x17xf32>
  %2 = arith.addf %1, %y : tensor<8192x17xf32>
  return %0, %2 : tensor<8192xf32>, tensor<8192x17xf32>
}
