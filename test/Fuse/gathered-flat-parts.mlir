// A gather from a slice of joined parts, one of which is a reshape of computed elements: each element is computed of the input's
// where the index lies there, and nothing is stored between.
// RUN: tw-compile %s --stop-after=fuse -o - | FileCheck %s
// CHECK: plan.launch
// CHECK-NOT: plan.launch
func.func @main(%x: tensor<5340x16x403xbf16>, %i: tensor<47176015xi64>) -> tensor<47176015xf32> {
  %0 = arith.extf %x : tensor<5340x16x403xbf16> to tensor<5340x16x403xf32>
  %1 = math.exp %0 : tensor<5340x16x403xf32>
  %2 = graph.reshape %1 : tensor<5340x16x403xf32> to tensor<34432320xf32>
  %zero = arith.constant dense<0.0> : tensor<34432320xf32>
  %3 = graph.concat %2, %zero dim = 0 : tensor<34432320xf32>, tensor<34432320xf32> to tensor<68864640xf32>
  %4 = graph.slice %3 offsets = [16140545] strides = [1] : tensor<68864640xf32> to tensor<47176017xf32>
  %5 = graph.gather %4[%i] dim = 0 : tensor<47176017xf32>, tensor<47176015xi64> to tensor<47176015xf32>
  return %5 : tensor<47176015xf32>
}
