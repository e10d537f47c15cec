// Layer norms as exporters decompose them: the mean as sum / n or sum * (1 / n), products or powers, and any association.
// RUN: tw-opt %s --graph-raise-layer-norm | FileCheck %s
// RUN: tw-reference %s --entry=all --compare-passes=graph-raise-layer-norm --rtol=1e-4 --atol=1e-5

// TorchScript: ReduceMean, Sub, Pow 2, ReduceMean, Add, Sqrt, Div, Mul, Add.
// CHECK-LABEL: @torchscript
func.func @torchscript(%x: tensor<2x4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x4x8xf32> {
  // CHECK-NEXT: %[[N:.*]] = graph.layer_norm %arg0 scale(%arg1 : tensor<8xf32>) bias(%arg2 : tensor<8xf32>) dim = 2 epsilon = 9.9999997473787516E-6
  // CHECK-NEXT: return %[[N]]
  %n = arith.constant dense<8.0> : tensor<2x4x1xf32>
  %eps = arith.constant dense<1.0e-05> : tensor<2x4x1xf32>
  %two = arith.constant dense<2.0> : tensor<2x4x8xf32>
  %s = graph.reduce sum %x dims = [2] : tensor<2x4x8xf32> to tensor<2x4xf32>
  %sr = graph.reshape %s : tensor<2x4xf32> to tensor<2x4x1xf32>
  %m = arith.divf %sr, %n : tensor<2x4x1xf32>
  %mb = graph.broadcast %m dims = [0, 1, 2] : tensor<2x4x1xf32> to tensor<2x4x8xf32>
  %c = arith.subf %x, %mb : tensor<2x4x8xf32>
  %q = math.powf %c, %two : tensor<2x4x8xf32>
  %t = graph.reduce sum %q dims = [2] : tensor<2x4x8xf32> to tensor<2x4xf32>
  %tr = graph.reshape %t : tensor<2x4xf32> to tensor<2x4x1xf32>
  %v = arith.divf %tr, %n : tensor<2x4x1xf32>
  %ve = arith.addf %v, %eps : tensor<2x4x1xf32>
  %d = math.sqrt %ve : tensor<2x4x1xf32>
  %db = graph.broadcast %d dims = [0, 1, 2] : tensor<2x4x1xf32> to tensor<2x4x8xf32>
  %y = arith.divf %c, %db : tensor<2x4x8xf32>
  %gb = graph.broadcast %g dims = [2] : tensor<8xf32> to tensor<2x4x8xf32>
  %yg = arith.mulf %y, %gb : tensor<2x4x8xf32>
  %bb = graph.broadcast %b dims = [2] : tensor<8xf32> to tensor<2x4x8xf32>
  %yb = arith.addf %yg, %bb : tensor<2x4x8xf32>
  return %yb : tensor<2x4x8xf32>
}

// Keras through tf2onnx: x * (r * g) + (b - mean * (r * g)), r = 1 / sqrt(..); x is a residual sum.
// CHECK-LABEL: @keras
func.func @keras(%p: tensor<4x8xf32>, %r: tensor<4x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[X:.*]] = arith.addf %arg0, %arg1
  // CHECK-NEXT: graph.layer_norm %[[X]] scale(%arg2 : tensor<8xf32>) bias(%arg3 : tensor<8xf32>) dim = 1
  // CHECK-NEXT: return
  %inv = arith.constant dense<0.125> : tensor<4x1xf32>
  %one = arith.constant dense<1.0> : tensor<4x1xf32>
  %eps = arith.constant dense<1.0e-12> : tensor<4x1xf32>
  %x = arith.addf %p, %r : tensor<4x8xf32>
  %s = graph.reduce sum %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %sr = graph.reshape %s : tensor<4xf32> to tensor<4x1xf32>
  %m = arith.mulf %sr, %inv : tensor<4x1xf32>
  %mb = graph.broadcast %m dims = [0, 1] : tensor<4x1xf32> to tensor<4x8xf32>
  %c = arith.subf %x, %mb : tensor<4x8xf32>
  %q = arith.mulf %c, %c : tensor<4x8xf32>
  %t = graph.reduce sum %q dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %tr = graph.reshape %t : tensor<4xf32> to tensor<4x1xf32>
  %v = arith.mulf %tr, %inv : tensor<4x1xf32>
  %ve = arith.addf %v, %eps : tensor<4x1xf32>
  %d = math.sqrt %ve : tensor<4x1xf32>
  %i = arith.divf %one, %d : tensor<4x1xf32>
  %ib = graph.broadcast %i dims = [0, 1] : tensor<4x1xf32> to tensor<4x8xf32>
  %gb = graph.broadcast %g dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %k = arith.mulf %ib, %gb : tensor<4x8xf32>
  %xk = arith.mulf %x, %k : tensor<4x8xf32>
  %mk = arith.mulf %mb, %k : tensor<4x8xf32>
  %bb = graph.broadcast %b dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %rest = arith.subf %bb, %mk : tensor<4x8xf32>
  %y = arith.addf %xk, %rest : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// The dynamo exporter's decomposition: rsqrt, scale before bias, over two dimensions, parameters of that rank.
// CHECK-LABEL: @two_dimensions
func.func @two_dimensions(%x: tensor<3x4x8xf32>, %g: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<3x4x8xf32> {
  // CHECK-DAG: %[[B:.*]] = graph.broadcast %arg2 dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  // CHECK: graph.layer_norm %arg0 scale(%arg1 : tensor<4x8xf32>) bias(%[[B]] : tensor<4x8xf32>) dim = 1
  // CHECK-NEXT: return
  %n = arith.constant dense<32.0> : tensor<3xf32>
  %eps = arith.constant dense<1.0e-05> : tensor<3xf32>
  %s = graph.reduce sum %x dims = [1, 2] : tensor<3x4x8xf32> to tensor<3xf32>
  %m = arith.divf %s, %n : tensor<3xf32>
  %mb = graph.broadcast %m dims = [0] : tensor<3xf32> to tensor<3x4x8xf32>
  %c = arith.subf %x, %mb : tensor<3x4x8xf32>
  %q = arith.mulf %c, %c : tensor<3x4x8xf32>
  %t = graph.reduce sum %q dims = [1, 2] : tensor<3x4x8xf32> to tensor<3xf32>
  %v = arith.divf %t, %n : tensor<3xf32>
  %ve = arith.addf %v, %eps : tensor<3xf32>
  %i = math.rsqrt %ve : tensor<3xf32>
  %ib = graph.broadcast %i dims = [0] : tensor<3xf32> to tensor<3x4x8xf32>
  %y = arith.mulf %c, %ib : tensor<3x4x8xf32>
  %gb = graph.broadcast %g dims = [1, 2] : tensor<4x8xf32> to tensor<3x4x8xf32>
  %yg = arith.mulf %gb, %y : tensor<3x4x8xf32>
  %bb = graph.broadcast %b dims = [2] : tensor<8xf32> to tensor<3x4x8xf32>
  %yb = arith.addf %bb, %yg : tensor<3x4x8xf32>
  return %yb : tensor<3x4x8xf32>
}

// The bias is taken in, the residual that is added after it is not.
// CHECK-LABEL: @residual_stays
func.func @residual_stays(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %r: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK: %[[N:.*]] = graph.layer_norm %arg0 bias(%arg1 : tensor<8xf32>) dim = 1
  // CHECK-NEXT: arith.addf %[[N]], %arg2
  %n = arith.constant dense<8.0> : tensor<4xf32>
  %eps = arith.constant dense<1.0e-05> : tensor<4xf32>
  %s = graph.reduce sum %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %m = arith.divf %s, %n : tensor<4xf32>
  %mb = graph.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %c = arith.subf %x, %mb : tensor<4x8xf32>
  %q = arith.mulf %c, %c : tensor<4x8xf32>
  %t = graph.reduce sum %q dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %v = arith.divf %t, %n : tensor<4xf32>
  %ve = arith.addf %v, %eps : tensor<4xf32>
  %i = math.rsqrt %ve : tensor<4xf32>
  %ib = graph.broadcast %i dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %y = arith.mulf %c, %ib : tensor<4x8xf32>
  %bb = graph.broadcast %b dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %yb = arith.addf %y, %bb : tensor<4x8xf32>
  %yr = arith.addf %yb, %r : tensor<4x8xf32>
  return %yr : tensor<4x8xf32>
}

// Declined: the unbiased variance divides by n - 1.
// CHECK-LABEL: @unbiased
func.func @unbiased(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: graph.layer_norm
  // CHECK: return
  %n = arith.constant dense<8.0> : tensor<4xf32>
  %n1 = arith.constant dense<7.0> : tensor<4xf32>
  %eps = arith.constant dense<1.0e-05> : tensor<4xf32>
  %s = graph.reduce sum %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %m = arith.divf %s, %n : tensor<4xf32>
  %mb = graph.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %c = arith.subf %x, %mb : tensor<4x8xf32>
  %q = arith.mulf %c, %c : tensor<4x8xf32>
  %t = graph.reduce sum %q dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %v = arith.divf %t, %n1 : tensor<4xf32>
  %ve = arith.addf %v, %eps : tensor<4xf32>
  %i = math.rsqrt %ve : tensor<4xf32>
  %ib = graph.broadcast %i dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %y = arith.mulf %c, %ib : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// Declined: statistics over the first dimension, as a batch norm has them.
// CHECK-LABEL: @leading_dimension
func.func @leading_dimension(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // CHECK-NOT: graph.layer_norm
  // CHECK: return
  %n = arith.constant dense<8.0> : tensor<8xf32>
  %eps = arith.constant dense<1.0e-05> : tensor<8xf32>
  %s = graph.reduce sum %x dims = [0] : tensor<8x8xf32> to tensor<8xf32>
  %m = arith.divf %s, %n : tensor<8xf32>
  %mb = graph.broadcast %m dims = [1] : tensor<8xf32> to tensor<8x8xf32>
  %c = arith.subf %x, %mb : tensor<8x8xf32>
  %q = arith.mulf %c, %c : tensor<8x8xf32>
  %t = graph.reduce sum %q dims = [0] : tensor<8x8xf32> to tensor<8xf32>
  %v = arith.divf %t, %n : tensor<8xf32>
  %ve = arith.addf %v, %eps : tensor<8xf32>
  %i = math.rsqrt %ve : tensor<8xf32>
  %ib = graph.broadcast %i dims = [1] : tensor<8xf32> to tensor<8x8xf32>
  %y = arith.mulf %c, %ib : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
