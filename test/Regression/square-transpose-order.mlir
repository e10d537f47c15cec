// A square transpose that is computed: what it reads has the order that it needs, not the one that an equal shape
// suggests, whether computed in the same kernel or widened from 16 bits. Found by random programs in fp16.
// RUN: tw-opt %s --fuse-partition-kernels --print-kernel-indexing -o /dev/null 2>&1 | FileCheck %s

// CHECK: kernel @widened: anchor transpose
// CHECK-NEXT: #0 arith.extf : {offset=0, dims=[{extent=64, modes={{\[\[}}64,1]]}, {extent=64, modes={{\[\[}}64,64]]}]}
graph.kernel anchor(transpose) @widened(%x: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %0 = arith.extf %x : tensor<64x64xf16> to tensor<64x64xf32>
  %1 = graph.transpose %0 permutation = [1, 0] {graph.materialize} : tensor<64x64xf32> to tensor<64x64xf32>
  graph.return %1 : tensor<64x64xf32>
}

// CHECK: kernel @exp_transpose: anchor transpose
// CHECK-NEXT: #0 math.exp : {offset=0, dims=[{extent=64, modes={{\[\[}}64,1]]}, {extent=64, modes={{\[\[}}64,64]]}]}
func.func @computed(%x: tensor<64x64xf32> {graph.name = "x"}) -> (tensor<64x64xf32> {graph.name = "y"}) {
  %0 = math.exp %x : tensor<64x64xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<64x64xf32> to tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
