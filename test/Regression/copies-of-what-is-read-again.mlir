// What a block copies to shared memory again and again comes from the cache of its multiprocessor: a few lines that all blocks
// ask L2 for, at every step, once took ten times as long as all else that a kernel copies.
// RUN: tw-compile %s --target=sm_90a --emit=ptx -o - | FileCheck %s

// CHECK-LABEL: .entry reduction_reduce
// CHECK-DAG: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 16
// CHECK-DAG: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16
func.func @main(%x: tensor<8x40x104x24x24xbf16>, %s: tensor<104x24xbf16>) -> tensor<f32> {
  %0 = arith.extf %x : tensor<8x40x104x24x24xbf16> to tensor<8x40x104x24x24xf32>
  %1 = arith.extf %s : tensor<104x24xbf16> to tensor<104x24xf32>
  %2 = graph.broadcast %1 dims = [2, 4] : tensor<104x24xf32> to tensor<8x40x104x24x24xf32>
  %t = math.tanh %0 : tensor<8x40x104x24x24xf32>
  %3 = arith.mulf %2, %t : tensor<8x40x104x24x24xf32>
  %4 = graph.reduce sum %3 dims = [0, 1, 2, 3, 4] : tensor<8x40x104x24x24xf32> to tensor<f32>
  return %4 : tensor<f32>
}
