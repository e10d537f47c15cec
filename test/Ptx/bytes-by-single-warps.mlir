// Products of bytes on chips without warpgroups: the matrix instruction of single warps, whose operands come from shared
// memory as matrices where they lie along K; sums of 64 bits are none of it.
// RUN: tw-compile %s --target=sm_80 --emit=ptx -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// RUN: ptxas -arch=sm_80 -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS
// REQUIRES: ptxas

// CHECK: .entry matmul(
// CHECK: cp.async.cg.shared.global {{.*}}, 16
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// PTXAS-NOT: spill {{stores|loads}}, {{[1-9]}}
// PTXAS: 0 bytes spill stores, 0 bytes spill loads
func.func @main(%a: tensor<512x1024xi8>, %b: tensor<512x1024xi8>) -> tensor<512x512xi32> {
  %t = graph.transpose %b permutation = [1, 0] : tensor<512x1024xi8> to tensor<1024x512xi8>
  %0 = graph.matmul %a, %t : tensor<512x1024xi8>, tensor<1024x512xi8> to tensor<512x512xi32>
  return %0 : tensor<512x512xi32>
}
