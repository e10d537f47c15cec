// A product whose fastest schedule by the model spills, for its epilogue computes in fp16: it is compiled under the schedules that
// the model rejected until one does not, and the warning of the first is not told.
// REQUIRES: ptxas
// RUN: tw-compile %s -o %t.tw --target=sm_90a --emulation=off --report=text --remarks=%t.yaml > %t.report 2> %t.err
// RUN: FileCheck %s < %t.yaml
// RUN: FileCheck %s --check-prefix=REPORT < %t.report
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.err
// RUN: grep -c "Name: *MmaChosen" %t.yaml | FileCheck %s --check-prefix=ONE
// RUN: grep -c "Name: *RingStages" %t.yaml | FileCheck %s --check-prefix=ONE
// RUN: grep -c "Name: *Resources" %t.yaml | FileCheck %s --check-prefix=ONE
// Remarks are of the kernel that stays, not of those that were tried; what the model said of the others is kept.
// ONE: {{^}}1{{$}}
// CHECK: Name: MmaChosen
// CHECK: tile: {{ *}}64x192
// CHECK: Name: ScheduleModelled
// CHECK: Name: ScheduleRejected
// CHECK: Name: ScheduleRejected
// CHECK: Name: Resources
// CHECK: spills: {{ *}}'0'
// CHECK: Name: ProductBackedOff
// CHECK: bytes spilled
// REPORT: matmul_{{[a-z]+}} {{.*}} model
// QUIET-NOT: spilled
func.func @main(%x: tensor<2048x1024xf16>, %w: tensor<1024x3072xf16>, %b: tensor<3072xf16>) -> tensor<2048x3072xf16> {
  %p = graph.matmul %x, %w : tensor<2048x1024xf16>, tensor<1024x3072xf16> to tensor<2048x3072xf16>
  %bb = graph.broadcast %b dims = [1] : tensor<3072xf16> to tensor<2048x3072xf16>
  %q = arith.addf %p, %bb : tensor<2048x3072xf16>
  %r = graph.gelu erf %q : tensor<2048x3072xf16>
  return %r : tensor<2048x3072xf16>
}
