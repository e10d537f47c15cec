// A dump that was edited is held against the contract of the stage that it comes from, before the next one trusts it: dumps of
// tiles always, others with --verify-stages.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --emit=target --verify-stages --dump-stages=%t -o /dev/null

// RUN: sed 's/plan.cost = #plan.cost<[^>]*>, //' %t/02-fuse.mlir > %t/fuse.mlir
// RUN: not tw-compile %t/fuse.mlir --emit=target --verify-stages -o /dev/null 2>&1 | FileCheck %s --check-prefix=FUSE
// FUSE: 'plan.launch' op of @{{.*}} has no 'plan.cost'

// RUN: sed 's/tile.return/tile.barrier tile.return/' %t/03-tile.mlir > %t/tile.mlir
// RUN: not tw-compile %t/tile.mlir --emit=target -o /dev/null 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: 'tile.barrier' op has no place in the tile form

// RUN: sed 's/scratch = [0-9]*//' %t/04-schedule.mlir > %t/schedule.mlir
// RUN: not tw-compile %t/schedule.mlir --emit=target -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: 'tile.reduce' op needs {{[0-9]+}} bytes of shared memory across warps and has no place

// Untouched dumps pass.
// RUN: tw-compile %t/02-fuse.mlir --emit=target --verify-stages -o /dev/null
// RUN: tw-compile %t/03-tile.mlir --emit=target --verify-stages -o /dev/null
// RUN: tw-compile %t/04-schedule.mlir --emit=target --verify-stages -o /dev/null
func.func @main(%x: tensor<8x4096xf32> {graph.name = "x"}) -> (tensor<8xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<8x4096xf32> loc("/exp")
  %1 = graph.reduce sum %0 dims = [1] : tensor<8x4096xf32> to tensor<8xf32> loc("/sum")
  return %1 : tensor<8xf32> loc("/return")
}
