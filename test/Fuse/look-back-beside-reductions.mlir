// A scan whose blocks look back at one another is no part of a kernel of reductions of its rows, whose blocks have whole rows.
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - --remarks=%t.yaml | FileCheck %s
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REMARK

// REMARK: the blocks of a scan that look back have pieces of its rows, others whole ones

// CHECK-LABEL: plan.program @beside_a_norm
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
// CHECK: scan sum %{{.*}} dim = 0 {graph.look_back}
func.func @beside_a_norm(%x: tensor<9061xf32>) -> (tensor<9061xf32>, tensor<9061xf32>) {
  %0 = graph.scan sum %x dim = 0 : tensor<9061xf32>
  %1 = graph.rms_norm %x dim = 0 epsilon = 1.0e-2 : tensor<9061xf32> to tensor<9061xf32>
  return %0, %1 : tensor<9061xf32>, tensor<9061xf32>
}
