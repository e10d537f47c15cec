// By default the kernel that goes backward through a tensor says of it, and of what it writes, that these lines leave the L2
// cache first; the one before it, which others are to find, says nothing.
// RUN: tw-compile %s --emit=ptx --target=sm_90a --kernel-cache=off -o - | FileCheck %s
// RUN: tw-compile %s --emit=ptx --target=sm_90a --kernel-cache=off --cache-hints=off -o - | FileCheck %s --check-prefix=OFF
// CHECK-LABEL: .entry reduction_reduce(
// CHECK-NOT: L2::
// CHECK-LABEL: .entry subf_mulf(
// CHECK: createpolicy.fractional.L2::evict_first.b64 [[POLICY:%rd[0-9]+]], 1.0;
// CHECK: ld.global.nc.L2::cache_hint.v4.{{.*}}, [[POLICY]];
// CHECK: st.global.L2::cache_hint.v4.{{.*}}, [[POLICY]];
// CHECK-NOT: L1::no_allocate
// OFF-NOT: L2::
func.func @main(%x: tensor<9437184xf32>) -> tensor<9437184xf32> {
  %0 = graph.layer_norm %x dim = 0 epsilon = 1.0e-5 : tensor<9437184xf32> to tensor<9437184xf32>
  return %0 : tensor<9437184xf32>
}
