// Tiles smaller than a block's threads were copied to shared memory by several threads each: a race by the emulator's
// rules. Found by random schedules. The kernel enters at the tile stage with such a schedule.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/a.tw --target=sm_80 --start-from=tile
// RUN: tw-run %t/a.tw --device=emulator --input a=random:1 --input b=random:2

graph.kernel anchor(matmul) @k(%a: tensor<32x64xf16>, %b: tensor<64x16xf16>) -> tensor<32x16xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 8], reduce = 16, warps = 8, warp_grid = [4, 2], stages = 3>} {
  %0 = graph.matmul %a, %b : tensor<32x64xf16>, tensor<64x16xf16> to tensor<32x16xf32>
  graph.return %0 : tensor<32x16xf32>
}
plan.program @main(%a: tensor<32x64xf16> {plan.name = "a"}, %b: tensor<64x16xf16> {plan.name = "b"})
    -> (tensor<32x16xf32> {plan.name = "y"}) {
  %0 = plan.launch @k(%a, %b) : (tensor<32x64xf16>, tensor<64x16xf16>) -> tensor<32x16xf32>
  plan.return %0 : tensor<32x16xf32>
}
