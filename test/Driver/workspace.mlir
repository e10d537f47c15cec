// A package whose launches share a workspace: the second may start early and waits for the first, each leaves the flags
// as it found them, and results are the same to the bit from run to run, launch to launch and for every order of blocks.
// REQUIRES: emulator
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --start-from=tile --target=sm_90a -o %t/model.tw --dump-stages=%t/stages
// RUN: FileCheck %s --input-file=%t/stages/07-package.json
// RUN: tw-run %t/model.tw --device=emulator --input a=random:1 --input b=random:2 --repeat 3 --output %t/first
// RUN: tw-run %t/model.tw --device=emulator --input a=random:1 --input b=random:2 --seed=7 --early --output %t/second
// RUN: cmp %t/first/c.npy %t/first/d.npy
// RUN: cmp %t/first/c.npy %t/second/c.npy
// RUN: cmp %t/first/c.npy %t/second/d.npy

// CHECK: "workspace_bytes": 4292608
// CHECK: "workspace+0"
// CHECK-NEXT: "workspace+4194304"
// CHECK: "after": []
// CHECK: "workspace+0"
// CHECK: "programmatic": [
// CHECK-NEXT: 0
graph.kernel anchor(matmul) @matmul(%a: tensor<192x512xbf16>, %b: tensor<512x64xbf16>) -> tensor<192x64xf32> attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 132, order = hilbert, stream_k = 2, store = bulk, pdl>} {
  %0 = graph.matmul %a, %b : tensor<192x512xbf16>, tensor<512x64xbf16> to tensor<192x64xf32>
  graph.return %0 : tensor<192x64xf32>
}
plan.program @main(%a: tensor<192x512xbf16> {plan.name = "a"}, %b: tensor<512x64xbf16> {plan.name = "b"}) -> (tensor<192x64xf32> {plan.name = "c"}, tensor<192x64xf32> {plan.name = "d"}) {
  %0 = plan.launch @matmul(%a, %b) : (tensor<192x512xbf16>, tensor<512x64xbf16>) -> tensor<192x64xf32>
  %1 = plan.launch @matmul(%a, %b) : (tensor<192x512xbf16>, tensor<512x64xbf16>) -> tensor<192x64xf32>
  plan.return %0, %1 : tensor<192x64xf32>, tensor<192x64xf32>
}
