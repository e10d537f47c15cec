// The reference's arithmetic against numbers worked out by hand (or by Python's math module).
// RUN: tw-reference %s --default-arg=iota | FileCheck %s
// RUN: tw-reference %s --default-arg=iota --precision=f64 | sed s/f64/f32/ | FileCheck %s

// CHECK: 0 : tensor<2x2x2xf32> = 10 13 28 40 172 193 244 274
// CHECK: 1 : tensor<2xf32> = 3 12
// CHECK: 2 : tensor<3xf32> = 3 5 7
// CHECK: 3 : tensor<f32> = 0
// CHECK: 4 : tensor<2xf32> = 2 5
// CHECK: 5 : tensor<2x3xf32> = 0.09003{{[0-9]*}} 0.24472{{[0-9]*}} 0.66524{{[0-9]*}} 0.09003{{[0-9]*}} 0.24472{{[0-9]*}} 0.66524{{[0-9]*}}
// CHECK: 6 : tensor<2x3xf32> = 0.04742{{[0-9]*}} 0.04742{{[0-9]*}} 0.04742{{[0-9]*}} 0.95257{{[0-9]*}} 0.95257{{[0-9]*}} 0.95257{{[0-9]*}}
func.func @main(%a: tensor<2x2x3xf32>, %b: tensor<2x3x2xf32>, %x: tensor<2x3xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>) {
  %0 = graph.matmul %a, %b : tensor<2x2x3xf32>, tensor<2x3x2xf32> to tensor<2x2x2xf32>
  %1 = graph.reduce sum %x dims = [1] : tensor<2x3xf32> to tensor<2xf32>
  %2 = graph.reduce sum %x dims = [0] : tensor<2x3xf32> to tensor<3xf32>
  %3 = graph.reduce prod %x dims = [0, 1] : tensor<2x3xf32> to tensor<f32>
  %4 = graph.reduce max %x dims = [1] : tensor<2x3xf32> to tensor<2xf32>
  %5 = graph.softmax %x dim = 1 : tensor<2x3xf32> to tensor<2x3xf32>
  %6 = graph.softmax %x dim = 0 : tensor<2x3xf32> to tensor<2x3xf32>
  // CHECK: 7 : tensor<2x3xf32> = 0 0 2 0 0 2
  %o = arith.constant dense<[-1.0, 0.0, 1.0]> : tensor<3xf32>
  %7 = graph.layer_norm %x scale(%o : tensor<3xf32>) bias(%o : tensor<3xf32>) dim = 1 epsilon = 0.3333333333333333 : tensor<2x3xf32> to tensor<2x3xf32>
  // CHECK: 8 : tensor<2x3xf32> = 0 0.77459{{[0-9]*}} 1.54919{{[0-9]*}} 0.73484{{[0-9]*}} 0.97979{{[0-9]*}} 1.22474{{[0-9]*}}
  %8 = graph.rms_norm %x dim = 1 epsilon = 0.0 : tensor<2x3xf32> to tensor<2x3xf32>
  // CHECK: 9 : tensor<2x3xf32> = 0 0.84134{{[0-9]*}} 1.9545{{[0-9]*}} 2.99595{{[0-9]*}} 3.99987{{[0-9]*}} 4.99999{{[0-9]*}}
  %9 = graph.gelu erf %x : tensor<2x3xf32>
  // CHECK: 10 : tensor<2x3xf32> = 0 0.84119{{[0-9]*}} 1.95459{{[0-9]*}} 2.99636{{[0-9]*}} 3.99993{{[0-9]*}} 5
  %10 = graph.gelu tanh %x : tensor<2x3xf32>
  // CHECK: 11 : tensor<2x3xi1> = 0 0 1 1 1 1
  %two = arith.constant dense<2.0> : tensor<2x3xf32>
  %11 = arith.cmpf oge, %x, %two : tensor<2x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<2x2x2xf32>, tensor<2xf32>, tensor<3xf32>, tensor<f32>, tensor<2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>
}
