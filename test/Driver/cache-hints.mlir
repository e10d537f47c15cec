// What streams past the caches says so in PTX, 16 bytes at a time; with --cache-hints=off no access says anything.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --emit=ptx --kernel-cache=off -o %t/on.ptx --remarks=%t/remarks.yaml && FileCheck %s --input-file=%t/on.ptx
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks.yaml
// RUN: tw-compile %s --emit=ptx --kernel-cache=off -o %t/off.ptx --cache-hints=off && FileCheck %s --check-prefix=OFF --input-file=%t/off.ptx
// RUN: not tw-compile %s -o %t/no.tw --cache-hints=maybe 2>&1 | FileCheck %s --check-prefix=FLAG

// CHECK: createpolicy.fractional.L2::evict_first.b64 [[POLICY:%rd[0-9]+]], 1.0;
// CHECK: ld.global.nc.L1::no_allocate.L2::cache_hint.v4.b32 {{.*}}, [[POLICY]];
// CHECK: st.global.L2::cache_hint.v4.b32 {{.*}}, [[POLICY]];
// OFF-NOT: L1::no_allocate
// OFF-NOT: L2::
// FLAG: --cache-hints=maybe

// REMARK: CacheHinted
func.func @main(%x: tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = math.exp %x : tensor<16384x4096xbf16>
  return %0 : tensor<16384x4096xbf16>
}
