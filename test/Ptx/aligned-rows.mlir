// Rows of odd lengths are loaded and stored 16 bytes at a time, but for vectors at their ends: such as stay in shared memory, those of
// words, and those that one block holds. Of eight rows the last one ends with a vector: no other path is needed.
// RUN: tw-compile %s --target=sm_90a --emit=ptx -o - | FileCheck %s

// CHECK-LABEL: .entry reduction_truncf(
// CHECK-NOT: cp.async.ca
// CHECK: cp.async.cg.shared.global {{.*}}, 16
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
func.func @kept(%x: tensor<1024x50257xbf16>) -> tensor<1024x50257xbf16> {
  %0 = graph.softmax %x dim = 1 : tensor<1024x50257xbf16> to tensor<1024x50257xbf16>
  return %0 : tensor<1024x50257xbf16>
}
// CHECK-LABEL: .entry reduction_divf(
// CHECK-NOT: cp.async.ca
// CHECK: cp.async.cg.shared.global {{.*}}, 16
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
func.func @words(%x: tensor<1024x30001xf32>) -> tensor<1024x30001xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<1024x30001xf32> to tensor<1024x30001xf32>
  return %0 : tensor<1024x30001xf32>
}
// CHECK-LABEL: .entry reduction_truncf_0(
// CHECK-NOT: ld.global.b16
// CHECK: ld.global{{.*}}.v{{[24]}}.b32
// CHECK-NOT: ld.global.b16
// CHECK: st.global.v{{[24]}}.b32
func.func @held(%x: tensor<8192x2049xbf16>) -> tensor<8192x2049xbf16> {
  %0 = graph.softmax %x dim = 1 : tensor<8192x2049xbf16> to tensor<8192x2049xbf16>
  return %0 : tensor<8192x2049xbf16>
}
