// The ptx stage holds every kernel against its contract, for every target: kept ones compile; a breach is an error
// at the kernel with its name, the target, the limit and the value, and nothing is written.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: sed 's/LIMITS/registers = 64, spills = 0, shared = 65536, blocks_per_sm = 2/' %s > %t/kept.mlir
// RUN: tw-compile %t/kept.mlir --start-from=tile --target=sm_80,sm_90a -o %t/kept.tw
// RUN: test -s %t/kept.tw

// The contract travels from the kernel's tensor program to its function.
// RUN: tw-compile %t/kept.mlir --start-from=tile --emit=tile | FileCheck %s --check-prefix=CARRIED
// RUN: tw-compile %t/kept.mlir --start-from=tile --emit=target | FileCheck %s --check-prefix=CARRIED
// CARRIED: tile.contract = #tile.contract<registers = 64, spills = 0, shared = 65536, blocks_per_sm = 2>

// RUN: sed 's/LIMITS/registers = 8/' %s > %t/registers.mlir
// RUN: not tw-compile %t/registers.mlir --start-from=tile --target=sm_80,sm_90a -o %t/breach.tw 2>&1 | FileCheck %s --check-prefix=REGISTERS
// REGISTERS: registers.mlir:[[#]]:{{[0-9]+}}: error: kernel @twice takes {{[0-9]+}} registers on sm_80, its contract allows 8
// REGISTERS: registers.mlir:[[#]]:{{[0-9]+}}: error: kernel @twice takes {{[0-9]+}} registers on sm_90a, its contract allows 8
// REGISTERS: stage ptx failed

// RUN: sed 's/LIMITS/shared = 64/' %s > %t/shared.mlir
// RUN: not tw-compile %t/shared.mlir --start-from=tile -o %t/breach.tw 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: error: kernel @sum takes {{[0-9]+}} bytes of shared memory on sm_90a, its contract allows 64

// RUN: sed 's/LIMITS/blocks_per_sm = 40/' %s > %t/blocks.mlir
// RUN: not tw-compile %t/blocks.mlir --start-from=tile -o %t/breach.tw 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: kernel @twice has {{[0-9]+}} blocks per SM on sm_90a (limited by {{threads|registers|blocks}}), its contract asks for 40

// A contract cannot be kept without an assembler to hold it against.
// RUN: not tw-compile %t/kept.mlir --start-from=tile --ptxas=/nowhere/ptxas -o %t/breach.tw 2>&1 | FileCheck %s --check-prefix=PTXAS
// PTXAS: error: {{.*}}ptxas

// RUN: test ! -e %t/breach.tw
plan.program @main(%x: tensor<1024xf32> {plan.name = "x"}) -> (tensor<1024xf32> {plan.name = "y"}, tensor<f32> {plan.name = "s"}) {
  %0 = plan.launch @twice(%x) : (tensor<1024xf32>) -> tensor<1024xf32>
  %1 = plan.launch @sum(%x) : (tensor<1024xf32>) -> tensor<f32>
  plan.return %0, %1 : tensor<1024xf32>, tensor<f32>
}
graph.kernel anchor(elementwise) @twice(%x: tensor<1024xf32>) -> tensor<1024xf32>
    attributes {tile.contract = #tile.contract<LIMITS>} {
  %0 = arith.addf %x, %x : tensor<1024xf32>
  graph.return %0 : tensor<1024xf32>
}
graph.kernel anchor(reduction) @sum(%x: tensor<1024xf32>) -> tensor<f32>
    attributes {tile.contract = #tile.contract<LIMITS>,
                tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 32, warp_grid = [1, 32], stages = 1>} {
  %0 = graph.reduce sum %x dims = [0] : tensor<1024xf32> to tensor<f32>
  graph.return %0 : tensor<f32>
}
