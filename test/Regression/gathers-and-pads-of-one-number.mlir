// What is gathered from, or padded, and is one number everywhere was a tensor of the package, as large as its shape says.
// RUN: tw-check %s --quiet
// RUN: tw-compile %s --stop-after=fuse --target=sm_90a -o - | FileCheck %s

// CHECK-LABEL: plan.program @gathered(
// CHECK: plan.launch @{{.*}}(%{{arg[01]}}, %{{arg[01]}}) {
func.func @gathered(%x: tensor<700x33xf32>, %i: tensor<900xi64> {check.data = "random:-1500:1500"}) -> tensor<900x66xf32> {
  %c = arith.constant dense<-3.0> : tensor<700x33xf32>
  %0 = graph.concat %x, %c dim = 1 : tensor<700x33xf32>, tensor<700x33xf32> to tensor<700x66xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<700x66xf32>, tensor<900xi64> to tensor<900x66xf32>
  return %1 : tensor<900x66xf32>
}
// CHECK-LABEL: plan.program @gathered_by_rows(
// CHECK: plan.launch @{{.*}}(%arg1) {
func.func @gathered_by_rows(%x: tensor<40xf32>, %i: tensor<9x31xi32> {check.data = "random:-60:60"}) -> (tensor<9x31xf32>, tensor<9x31xf32>) {
  %c = arith.constant dense<2.5> : tensor<40xf32>
  %z = arith.constant dense<0.0> : tensor<40xf32>
  %0 = graph.gather %c[%i] dim = 0 : tensor<40xf32>, tensor<9x31xi32> to tensor<9x31xf32>
  %1 = graph.gather %z[%i] dim = 0 : tensor<40xf32>, tensor<9x31xi32> to tensor<9x31xf32>
  return %0, %1 : tensor<9x31xf32>, tensor<9x31xf32>
}
// CHECK-LABEL: plan.program @padded(
// CHECK: plan.launch @{{.*}}(%arg0) {
func.func @padded(%x: tensor<64x11x24xf32>) -> tensor<64x13x48xf32> {
  %c = arith.constant dense<-1.0> : tensor<64x11x24xf32>
  %s = graph.scan sum %x dim = 2 reverse : tensor<64x11x24xf32>
  %0 = graph.concat %s, %c dim = 2 : tensor<64x11x24xf32>, tensor<64x11x24xf32> to tensor<64x11x48xf32>
  %1 = graph.pad %0 low = [0, 2, 0] high = [0, 0, 0] value = 0.5 : f32 : tensor<64x11x48xf32> to tensor<64x13x48xf32>
  return %1 : tensor<64x13x48xf32>
}
