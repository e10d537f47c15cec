// The tuner listed schedules for a domain without the places ahead that the compiler gives it: tiles that held the rows there went
// over them in loops.
// REQUIRES: ptxas
// RUN: rm -rf %t && tw-tune prepare %s -o %t --schedules=1 --jobs=2
// RUN: cat %t/*/task | FileCheck %s --check-prefix=TASK
// RUN: tw-compile %s --target=sm_90a --stop-after=tile -o - | FileCheck %s

// TASK: candidate 00 {{[0-9.]+}} own
// TASK-NEXT: candidate 01 {{[0-9.]+}} #tile.schedule<tile = [1, 1152]
// CHECK: #tile.schedule<tile = [1, 1152]
// CHECK: extent=1027, start=-4
func.func @main(%x: tensor<4096x1020xf32>) -> (tensor<4096x1024xf32>, tensor<4096x1020xf32>, tensor<4096x1020xf32>) {
  %0 = graph.pad %x low = [0, 1] high = [0, 3] value = 0.5 : f32 : tensor<4096x1020xf32> to tensor<4096x1024xf32>
  %1 = math.absf %x : tensor<4096x1020xf32>
  %2 = graph.softmax %x dim = 1 : tensor<4096x1020xf32> to tensor<4096x1020xf32>
  return %0, %1, %2 : tensor<4096x1024xf32>, tensor<4096x1020xf32>, tensor<4096x1020xf32>
}
