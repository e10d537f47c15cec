// A kernel takes the schedule of its tuning record; one whose schedule it cannot have is stale, which a remark says, and
// the model chooses. A malformed record is an error with its place.
// RUN: rm -rf %t && split-file %s %t
// RUN: tw-opt %t/kernel.mlir --convert-graph-to-tile="target=sm_90a records=%t/right" | FileCheck %s --check-prefix=RIGHT
// RUN: tw-opt %t/kernel.mlir --convert-graph-to-tile="target=sm_90a records=none" | FileCheck %s --check-prefix=MODEL
// RUN: tw-opt %t/kernel.mlir --convert-graph-to-tile="target=sm_80 records=%t/right" | FileCheck %s --check-prefix=OTHER
// RUN: tw-compile %t/kernel.mlir --start-from=tile --stop-after=tile --records=%t/stale --remarks=%t/remarks -o %t/stale.mlir
// RUN: FileCheck %s --check-prefix=MODEL --input-file=%t/stale.mlir
// RUN: FileCheck %s --check-prefix=STALE --input-file=%t/remarks
// RUN: not tw-opt %t/kernel.mlir --convert-graph-to-tile="target=sm_90a records=%t/cut" 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: not tw-opt %t/kernel.mlir --convert-graph-to-tile="target=sm_90a records=%t/number" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not tw-opt %t/kernel.mlir --convert-graph-to-tile="target=sm_90a records=%t/absent" 2>&1 | FileCheck %s --check-prefix=ABSENT

// RIGHT: tile.kernel @k grid = [6, 1, 1]
// RIGHT-SAME: tile.chosen = {by = "record", us = {{[0-9.e+]+}} : f64}
// RIGHT-SAME: tile.schedule = #tile.schedule<tile = [128, 64]
// MODEL: tile.kernel @k
// MODEL-SAME: tile.chosen = {by = "model"
// OTHER: tile.kernel @k
// OTHER-SAME: tile.chosen = {by = "model"
// STALE: RecordStale
// STALE: the schedule has 3 tile sizes, the kernel''s domain 2 dimensions
// CUT: {{.*}}cut:2:{{[0-9]+}}: expected 'schedule='
// NUMBER: {{.*}}number:3:{{[0-9]+}}: expected a number for us, got '3.x'
// ABSENT: cannot read '{{.*}}absent': No such file or directory

//--- kernel.mlir
// tilewright stage: fuse
graph.kernel anchor(matmul) @k(%a: tensor<256x128xbf16>, %b: tensor<128x192xbf16>) -> tensor<256x192xbf16> {
  %0 = graph.matmul %a, %b : tensor<256x128xbf16>, tensor<128x192xbf16> to tensor<256x192xf32>
  %1 = arith.truncf %0 : tensor<256x192xf32> to tensor<256x192xbf16>
  graph.return %1 : tensor<256x192xbf16>
}
//--- right
# tilewright tuning records, version 1
sm_90a matmul 256x192x128 bf16,bf16:bf16 content=aa0aaf6f68e62c95 us=2.9 spread=0.5 model=3 gpu="NVIDIA H200" driver=580.1 commit=c0ffee0 schedule=#tile.schedule<tile = [128, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma>
//--- stale
# tilewright tuning records, version 1
sm_90a matmul 256x192x128 bf16,bf16:bf16 content=aa0aaf6f68e62c95 us=2.9 spread=0.5 model=3 gpu="NVIDIA H200" driver=580.1 commit=c0ffee0 schedule=#tile.schedule<tile = [1, 128, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 3, product = wgmma>
//--- cut
# tilewright tuning records, version 1
sm_90a matmul 256x192x128 bf16,bf16:bf16 content=aa0aaf6f68e62c95 us=2.9 spread=0.5 model=3 gpu="NVIDIA H200" driver=580.1 commit=c0ffee0
//--- number
# tilewright tuning records, version 1
# a comment
sm_90a matmul 256x192x128 bf16,bf16:bf16 content=aa0aaf6f68e62c95 us=3.x spread=0.5
