// A kernel that spills under every schedule is cut into several where these are modelled to be faster: here a product
// and what divides three functions of it by their sum. A second run, with all kernels from the cache, gives the same
// bytes, and the kernels give the values of the whole.
// REQUIRES: ptxas, emulator
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --math=exact --target=sm_80 -o %t/model.tw --emulation=off --report=text --remarks=%t/remarks.yaml --kernel-cache=%t/cache | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks.yaml
// RUN: tw-compile %s --math=exact --target=sm_80 -o %t/again.tw --emulation=off --kernel-cache=%t/cache && cmp %t/model.tw %t/again.tw
// RUN: tw-compile %s --math=exact --target=sm_80 -o %t/values.tw --golden=1 --kernel-cache=%t/cache && tw-run %t/values.tw --device=emulator --self-test

// CHECK: matmul_maximumf_part0 matmul
// CHECK: matmul_maximumf_part1 elementwise
// CHECK: main: 2 launches

// Of the kernel that was cut nothing is said but that, and what is said of its parts is said once.
// RUN: grep -c "Name: *Resources" %t/remarks.yaml | FileCheck %s --check-prefix=TWO
// TWO: {{^}}2{{$}}
// REMARK: Function: {{ *}}matmul_maximumf_part0
// REMARK: Name: {{ *}}KernelSplit
// REMARK: kernels: {{ *}}'2'
// REMARK: left: {{ *}}'0'
func.func @main(%a: tensor<2048x512xbf16>, %b: tensor<512x2048xbf16>) -> tensor<2048x2048xf32> {
  %x = graph.matmul %a, %b : tensor<2048x512xbf16>, tensor<512x2048xbf16> to tensor<2048x2048xf32>
  %c0 = arith.constant dense<0.25> : tensor<2048x2048xf32>
  %c1 = arith.constant dense<0.5> : tensor<2048x2048xf32>
  %c2 = arith.constant dense<0.75> : tensor<2048x2048xf32>
  %m0 = arith.mulf %x, %c0 : tensor<2048x2048xf32>
  %m1 = arith.mulf %x, %c1 : tensor<2048x2048xf32>
  %m2 = arith.mulf %x, %c2 : tensor<2048x2048xf32>
  %e0 = math.exp %m0 : tensor<2048x2048xf32>
  %e1 = math.exp %m1 : tensor<2048x2048xf32>
  %e2 = math.exp %m2 : tensor<2048x2048xf32>
  %s0 = arith.addf %e0, %e1 : tensor<2048x2048xf32>
  %s1 = arith.addf %s0, %e2 : tensor<2048x2048xf32>
  %d0 = arith.divf %e0, %s1 : tensor<2048x2048xf32>
  %d1 = arith.divf %e1, %s1 : tensor<2048x2048xf32>
  %d2 = arith.divf %e2, %s1 : tensor<2048x2048xf32>
  %w0 = arith.maximumf %d0, %d1 : tensor<2048x2048xf32>
  %w1 = arith.maximumf %w0, %d2 : tensor<2048x2048xf32>
  return %w1 : tensor<2048x2048xf32>
}
