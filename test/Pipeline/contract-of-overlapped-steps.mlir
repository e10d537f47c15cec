// Attention from the graph to the cubin: one launch, whose steps overlap by default: two groups of products are in flight, of which
// ptxas serialises none, and terms are computed before the wait for the second one. Without spills and local memory, for narrow and
// wide heads, without a mask and under one that leaves steps out.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// DEFINE: %{compile} = tw-compile --precision=bf16 --target=sm_90a --emulation=off --kernel-cache=off --report=json
// DEFINE: %{assemble} = ptxas -arch=sm_90a -O3 -v
// RUN: sed 's/WIDTH/128/g; s/softmax %%x/softmax %%s/' %s > %t/wide.mlir
// RUN: sed 's/WIDTH/64/g; s/softmax %%x/softmax %%s/' %s > %t/narrow.mlir
// RUN: sed 's/WIDTH/128/g' %s > %t/causal.mlir
// RUN: %{compile} %t/wide.mlir -o %t/wide.tw --dump-stages=%t/wide --remarks=%t/wide.yaml | FileCheck %s
// RUN: %{compile} %t/narrow.mlir -o %t/narrow.tw --dump-stages=%t/narrow | FileCheck %s
// RUN: %{compile} %t/causal.mlir -o %t/causal.tw --dump-stages=%t/causal | FileCheck %s
// RUN: FileCheck %s --input-file=%t/wide/03-tile.mlir --check-prefix=TILE
// RUN: FileCheck %s --input-file=%t/narrow/03-tile.mlir --check-prefix=NARROW
// RUN: FileCheck %s --input-file=%t/causal/03-tile.mlir --check-prefix=CAUSAL
// RUN: sed 's/WIDTH/256/g' %s > %t/widest.mlir
// RUN: tw-compile --precision=bf16 --target=sm_90a %t/widest.mlir --emit=tile -o %t/widest.tile.mlir --remarks=%t/widest.yaml
// RUN: cat %t/wide.yaml %t/widest.yaml | FileCheck %s --check-prefix=REMARK
// RUN: cat %t/wide/06-ptx/*.ptx | FileCheck %s --check-prefix=PTX
// RUN: cat %t/causal/06-ptx/*.ptx | FileCheck %s --check-prefix=PTX
// RUN: %{assemble} %t/wide/06-ptx/*.ptx -o %t/wide.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --implicit-check-not=C75
// RUN: %{assemble} %t/narrow/06-ptx/*.ptx -o %t/narrow.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --implicit-check-not=C75
// RUN: %{assemble} %t/causal/06-ptx/*.ptx -o %t/causal.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --implicit-check-not=C75

// CHECK: "launches": 1
// CHECK: "spill_bytes": 0
// NARROW: tile = [1, 256, 64], reduce = 64, {{.*}} product = wgmma, roles = cooperative, {{.*}} overlap_steps>
// TILE: tile = [1, 128, 128], reduce = 128, {{.*}} product = wgmma, roles = cooperative, {{.*}} overlap_steps>
// CAUSAL: product = wgmma, roles = cooperative, {{.*}} skip_steps, overlap_steps>
// REMARK: Name: {{ *}}StepsOverlapped
// REMARK: 1x128x128
// REMARK: Name: {{ *}}StepsApart
// REMARK: registers: {{ *}}'232'
// REMARK: terms: {{ *}}'64'
// In the loop: both products, the first one's end, terms, the second one's end, rounded terms.
// PTX: wgmma.commit_group
// PTX: wgmma.wait_group.sync.aligned 0
// PTX: ex2.approx
// PTX: wgmma.commit_group
// PTX: wgmma.commit_group
// PTX: wgmma.wait_group.sync.aligned 1
// PTX: ex2.approx
// PTX: nanosleep
// PTX: wgmma.wait_group.sync.aligned 0
// PTXAS: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
func.func @attention(%q: tensor<64x1024xWIDTHxbf16>, %k: tensor<64x1024xWIDTHxbf16>, %v: tensor<64x1024xWIDTHxbf16>) -> tensor<64x1024xWIDTHxbf16> {
  %kt = graph.transpose %k permutation = [0, 2, 1] : tensor<64x1024xWIDTHxbf16> to tensor<64xWIDTHx1024xbf16>
  %s0 = graph.matmul %q, %kt : tensor<64x1024xWIDTHxbf16>, tensor<64xWIDTHx1024xbf16> to tensor<64x1024x1024xf32>
  %f = arith.constant dense<0.125> : tensor<64x1024x1024xf32>
  %s = arith.mulf %s0, %f : tensor<64x1024x1024xf32>
  %i = graph.iota dim = 1 : tensor<64x1024x1024xi32>
  %j = graph.iota dim = 2 : tensor<64x1024x1024xi32>
  %c = arith.cmpi sle, %j, %i : tensor<64x1024x1024xi32>
  %n = arith.constant dense<0xFF800000> : tensor<64x1024x1024xf32>
  %x = arith.select %c, %s, %n : tensor<64x1024x1024xi1>, tensor<64x1024x1024xf32>
  %p = graph.softmax %x dim = 2 : tensor<64x1024x1024xf32> to tensor<64x1024x1024xf32>
  %t = arith.truncf %p : tensor<64x1024x1024xf32> to tensor<64x1024x1024xbf16>
  %0 = graph.matmul %t, %v : tensor<64x1024x1024xbf16>, tensor<64x1024xWIDTHxbf16> to tensor<64x1024xWIDTHxbf16>
  return %0 : tensor<64x1024xWIDTHxbf16>
}
