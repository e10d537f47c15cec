// A block of one warp holds runs of registers along M, where neighbours lie a row apart in memory; they were copied to
// shared memory as one piece of 16 bytes, misaligned and wrong. Found by random schedules.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/a.tw --target=sm_80 --start-from=tile
// RUN: tw-run %t/a.tw --device=emulator --input a=random:1 --input b=random:2

graph.kernel anchor(matmul) @k(%a: tensor<100x100xf32>, %b: tensor<100x32xf32>) -> tensor<100x32xf32>
    attributes {tile.schedule = #tile.schedule<tile = [16, 64], reduce = 32, warps = 1, warp_grid = [1, 1], stages = 1>} {
  %0 = graph.matmul %a, %b : tensor<100x100xf32>, tensor<100x32xf32> to tensor<100x32xf32>
  graph.return %0 : tensor<100x32xf32>
}
plan.program @main(%a: tensor<100x100xf32> {plan.name = "a"}, %b: tensor<100x32xf32> {plan.name = "b"})
    -> (tensor<100x32xf32> {plan.name = "y"}) {
  %0 = plan.launch @k(%a, %b) : (tensor<100x100xf32>, tensor<100x32xf32>) -> tensor<100x32xf32>
  plan.return %0 : tensor<100x32xf32>
}
