// A scan and a sum over different dimensions are one kernel where a tile of up to 16384 elements holds all that they run over, with a
// sector of what lies side by side; or of so many as is asked for (the form `small-mixed`).
// RUN: tw-opt %s --fuse-partition-kernels | FileCheck %s
// RUN: tw-opt %s --fuse-partition-kernels=most-mixed=4096 | FileCheck %s --check-prefix=SMALL
// RUN: tw-compile %s --target=sm_90a --form=small-mixed --stop-after=fuse -o - | FileCheck %s --check-prefix=SMALL
// RUN: tw-compile %s --target=sm_90a --form=small-mixed --stop-after=fuse --remarks=%t.yaml -o %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.yaml

// CHECK-LABEL: plan.program @scan_and_sum
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
// SMALL-LABEL: plan.program @scan_and_sum
// SMALL-COUNT-2: plan.launch
// SMALL-NOT: plan.launch
// REMARK: would need a tile of 8192 elements, the limit is 4096
func.func @scan_and_sum(%x: tensor<12x48x16x48x40xf32>) -> tensor<12x48x16x48x40xf32> {
  %0 = graph.scan sum %x dim = 2 : tensor<12x48x16x48x40xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<12x48x16x48x40xf32> to tensor<12x16x48x40xf32>
  %2 = graph.broadcast %1 dims = [0, 2, 3, 4] : tensor<12x16x48x40xf32> to tensor<12x48x16x48x40xf32>
  %3 = arith.subf %0, %2 : tensor<12x48x16x48x40xf32>
  return %3 : tensor<12x48x16x48x40xf32>
}
