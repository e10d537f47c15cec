// Loaders that take slots in turn of the ring of an operand that warps convert: where two shared a stage, one that was ahead
// took an earlier use's release for its own, and copied into a slot in use. Found by random schedules.
// REQUIRES: emulator
// RUN: tw-check %s --quiet
// RUN: sed 's/raw_stages = 6/raw_stages = 4/' %s > %t.mlir
// RUN: not tw-check %t.mlir 2>&1 | FileCheck %s
// CHECK: the schedule's 3 loaders take slots in turn of the ring of an operand that warps convert here: raw_stages must be a multiple, got 4

func.func @main(%a: tensor<2x192x64xi8>, %b: tensor<2x64x64xi8>) -> tensor<2x192x64xi32> attributes {
    check.schedule = #tile.schedule<tile = [1, 64, 16], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 5, product = wgmma, roles = cooperative, loaders = 3, registers = [56, 152], raw_stages = 6, persistent = 1, store = bulk>} {
  %0 = graph.matmul %a, %b : tensor<2x192x64xi8>, tensor<2x64x64xi8> to tensor<2x192x64xi32>
  return %0 : tensor<2x192x64xi32>
}
