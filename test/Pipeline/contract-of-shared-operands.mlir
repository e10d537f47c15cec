// Gate and up of a decoder's block from the graph to the cubin: one launch, whose products are those of warpgroups, in
// flight (ptxas serialises none of them), without spills and local memory; from weights stored either way, and few rows.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: sed 's/ROWS/4096/g' %s > %t/many.mlir && sed 's/ROWS/16/g' %s > %t/few.mlir
// RUN: tw-compile %t/many.mlir --precision=bf16 --target=sm_90a --emulation=off --kernel-cache=off -o %t/many.tw --dump-stages=%t/many --report=json | FileCheck %s
// RUN: FileCheck %s --input-file=%t/many/02-fuse.mlir --check-prefix=FUSED
// RUN: FileCheck %s --input-file=%t/many/03-tile.mlir --check-prefix=TILE
// RUN: ptxas -arch=sm_90a -O3 -v %t/many/06-ptx/*.ptx -o %t/many.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --implicit-check-not=C75
// RUN: tw-compile %t/few.mlir --precision=bf16 --target=sm_90a --emulation=off --kernel-cache=off -o %t/few.tw --dump-stages=%t/few --report=json | FileCheck %s
// RUN: ptxas -arch=sm_90a -O3 -v %t/few/06-ptx/*.ptx -o %t/few.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS --implicit-check-not=C75
// RUN: FileCheck %s --input-file=%t/few/03-tile.mlir --check-prefix=FEW

// CHECK: "launches": 1
// CHECK: "spill_bytes": 0
// FUSED: plan.launch
// FUSED-NOT: plan.launch
// FUSED: graph.kernel anchor(matmul)
// TILE: tile = [128, 128], {{.*}} product = wgmma, roles = cooperative
// FEW: product = wgmma, {{.*}} swap_operands
// PTXAS: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads

func.func @main(%x: tensor<ROWSx4096xbf16>, %g: tensor<14336x4096xbf16>, %u: tensor<4096x14336xbf16>) -> tensor<ROWSx14336xbf16> {
  %t = graph.transpose %g permutation = [1, 0] : tensor<14336x4096xbf16> to tensor<4096x14336xbf16>
  %0 = graph.matmul %x, %t : tensor<ROWSx4096xbf16>, tensor<4096x14336xbf16> to tensor<ROWSx14336xf32>
  %1 = graph.matmul %x, %u : tensor<ROWSx4096xbf16>, tensor<4096x14336xbf16> to tensor<ROWSx14336xf32>
  %2 = arith.negf %0 : tensor<ROWSx14336xf32>
  %3 = math.exp %2 : tensor<ROWSx14336xf32>
  %one = arith.constant dense<1.0> : tensor<ROWSx14336xf32>
  %4 = arith.addf %3, %one : tensor<ROWSx14336xf32>
  %5 = arith.divf %0, %4 : tensor<ROWSx14336xf32>
  %6 = arith.mulf %5, %1 : tensor<ROWSx14336xf32>
  %7 = arith.truncf %6 : tensor<ROWSx14336xf32> to tensor<ROWSx14336xbf16>
  return %7 : tensor<ROWSx14336xbf16>
}
