// A value that a kernel computes twice for two readers is stored once: the pieces of a scan of columns whose length nothing
// divides are read by the kernel of their totals and by that of the scan itself.
// RUN: tw-compile %s --look-back=off --emit=fuse -o - | FileCheck %s

// CHECK-LABEL: plan.program @scan
// CHECK: %[[PIECES:.*]] = plan.launch @{{.*}}(%arg0){{.*}} : (tensor<1000003x2xf32>) -> tensor<{{[0-9]+}}x2xf32>
// CHECK: %[[TOTALS:.*]] = plan.launch @{{.*}}(%[[PIECES]])
// CHECK: %[[BEFORE:.*]] = plan.launch @{{.*}}(%[[TOTALS]])
// CHECK: plan.launch @{{.*}}(%[[BEFORE]], %[[PIECES]])
func.func @scan(%x: tensor<1000003x2xf32>) -> tensor<1000003x2xf32> {
  %0 = math.tanh %x : tensor<1000003x2xf32>
  %1 = graph.scan sum %0 dim = 0 : tensor<1000003x2xf32>
  return %1 : tensor<1000003x2xf32>
}
