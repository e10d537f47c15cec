// Rows of whole vectors in a kernel whose domain has one place more for each, of a padded result: they are loaded and stored by
// vectors, and the padded rows, which begin anywhere, go through shared memory.
// RUN: tw-compile %s --emit=ptx --emulation=off -o - | FileCheck %s

// CHECK: ld.global.v4.f32
// CHECK-NOT: ld.global.f32
// CHECK: st.global.v4.f32
func.func @main(%x: tensor<232x207432xf32>) -> (tensor<232x207433xf32>, tensor<232x207432xf32>) {
  %0 = graph.pad %x low = [0, 0] high = [0, 1] value = 0.0 : f32 : tensor<232x207432xf32> to tensor<232x207433xf32>
  %1 = math.absf %0 : tensor<232x207433xf32>
  %2 = math.tanh %x : tensor<232x207432xf32>
  return %1, %2 : tensor<232x207433xf32>, tensor<232x207432xf32>
}
