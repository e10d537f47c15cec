// --cache-hints=on: they reach the PTX of what streams past the caches, 16 bytes at a time; by default no access says
// anything. An intermediate that the next kernel reads soon is stored and loaded without a policy for L2.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --emit=ptx --kernel-cache=off -o %t/on.ptx --cache-hints=on --remarks=%t/remarks.yaml && FileCheck %s --input-file=%t/on.ptx
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks.yaml
// RUN: tw-compile %s --emit=ptx --kernel-cache=off -o %t/off.ptx && FileCheck %s --check-prefix=OFF --input-file=%t/off.ptx
// RUN: not tw-compile %s -o %t/no.tw --cache-hints=maybe 2>&1 | FileCheck %s --check-prefix=FLAG

// CHECK: createpolicy.fractional.L2::evict_first.b64 [[POLICY:%rd[0-9]+]], 1.0;
// CHECK: ld.global.nc.L1::no_allocate.L2::cache_hint.v4.b32 {{.*}}, [[POLICY]];
// CHECK: st.global.L2::cache_hint.v4.b32 {{.*}}, [[POLICY]];
// OFF-NOT: L1::no_allocate
// OFF-NOT: L2::
// FLAG: --cache-hints=maybe

// REMARK: CacheHinted
// REMARK: {{l2: *}}the first to go
func.func @main(%x: tensor<16384x4096xbf16>) -> tensor<16384x4096xbf16> {
  %0 = math.exp %x : tensor<16384x4096xbf16>
  return %0 : tensor<16384x4096xbf16>
}
