// A dump of the target stage with a named barrier did not parse: nvvm.barrier takes the location behind it for the
// attribute of a reduction. Found when the kernels of warp roles were entered again.
// RUN: tw-opt %s --graph-stage --fuse-stage | sed '/graph.kernel/s/ {$/ attributes {tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, copy = bulk, roles = pingpong, registers = [40, 232], persistent = 1, store = bulk>} {/; 1i// tilewright stage: fuse' > %t.fuse.mlir
// RUN: tw-compile %t.fuse.mlir --emit=target -o %t.target.mlir
// RUN: FileCheck %s < %t.target.mlir
// RUN: tw-opt %t.target.mlir -o %t.again.mlir
// CHECK: "nvvm.barrier"(%{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> () loc(
// CHECK: nvvm.barrier.arrive id = %{{.*}} number_of_threads = %{{.*}} loc(

func.func @main(%a: tensor<128x128xbf16> {graph.name = "a"}, %b: tensor<128x64xbf16> {graph.name = "b"})
    -> (tensor<128x64xbf16> {graph.name = "o"}) {
  %0 = graph.matmul %a, %b : tensor<128x128xbf16>, tensor<128x64xbf16> to tensor<128x64xf32>
  %t = arith.truncf %0 : tensor<128x64xf32> to tensor<128x64xbf16>
  return %t : tensor<128x64xbf16>
}
