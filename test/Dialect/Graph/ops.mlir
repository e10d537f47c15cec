// Every op of the graph dialect survives text, its generic form and bytecode.
// RUN: tw-opt %s | FileCheck %s
// RUN: tw-opt %s --mlir-print-op-generic | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

// CHECK-LABEL: func.func @sources
func.func @sources() -> (tensor<32x64xbf16>, tensor<2x3xi64>) {
  // CHECK: graph.weight <"encoder.w", tensor<64x32xf32>, "", [bf16, array<i64: 1, 0>, #graph.reshape<[2048]>, #graph.reshape<[32, 64]>]> : tensor<32x64xbf16>
  %w = graph.weight <"encoder.w", tensor<64x32xf32>, "", [bf16, array<i64: 1, 0>, #graph.reshape<[2048]>, #graph.reshape<[32, 64]>]> : tensor<32x64xbf16>
  // CHECK: graph.iota dim = 1 : tensor<2x3xi64>
  %i = graph.iota dim = 1 : tensor<2x3xi64>
  return %w, %i : tensor<32x64xbf16>, tensor<2x3xi64>
}

// CHECK-LABEL: func.func @movement
func.func @movement(%x: tensor<2x3xf32>, %ids: tensor<4xi64>) {
  // CHECK: graph.broadcast %{{.*}} dims = [1, 2] : tensor<2x3xf32> to tensor<5x2x3xf32>
  %0 = graph.broadcast %x dims = [1, 2] : tensor<2x3xf32> to tensor<5x2x3xf32>
  // CHECK: graph.reshape %{{.*}} : tensor<2x3xf32> to tensor<6xf32>
  %1 = graph.reshape %x : tensor<2x3xf32> to tensor<6xf32>
  // CHECK: graph.transpose %{{.*}} permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  %2 = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
  // CHECK: graph.slice %{{.*}} offsets = [1, 2] strides = [1, -2] : tensor<2x3xf32> to tensor<1x2xf32>
  %3 = graph.slice %x offsets = [1, 2] strides = [1, -2] : tensor<2x3xf32> to tensor<1x2xf32>
  // CHECK: graph.concat %{{.*}}, %{{.*}} dim = 0 : tensor<2x3xf32>, tensor<2x3xf32> to tensor<4x3xf32>
  %4 = graph.concat %x, %x dim = 0 : tensor<2x3xf32>, tensor<2x3xf32> to tensor<4x3xf32>
  // CHECK: graph.pad %{{.*}} low = [1, 0] high = [0, -1] value = 5.000000e-01 : f32 : tensor<2x3xf32> to tensor<3x2xf32>
  %5 = graph.pad %x low = [1, 0] high = [0, -1] value = 0.5 : f32 : tensor<2x3xf32> to tensor<3x2xf32>
  // CHECK: graph.gather %{{.*}}[%{{.*}}] dim = 0 : tensor<2x3xf32>, tensor<4xi64> to tensor<4x3xf32>
  %6 = graph.gather %x[%ids] dim = 0 : tensor<2x3xf32>, tensor<4xi64> to tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @compute
func.func @compute(%x: tensor<4x8xf32>, %y: tensor<8x2xf32>, %g: tensor<8xf32>, %m: tensor<4x4xf32>) {
  // CHECK: graph.matmul %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x2xf32> to tensor<4x2xf32>
  %0 = graph.matmul %x, %y : tensor<4x8xf32>, tensor<8x2xf32> to tensor<4x2xf32>
  // CHECK: graph.matmul %{{.*}}, %{{.*}} groups(%{{.*}} : tensor<3xi32>) precision = tf32 : tensor<4x8xf32>, tensor<3x8x2xf32> to tensor<4x2xf32>
  %ends = arith.constant dense<[1, 1, 4]> : tensor<3xi32>
  %matrices = arith.constant dense<1.0> : tensor<3x8x2xf32>
  %rows = graph.matmul %x, %matrices groups(%ends : tensor<3xi32>) precision = tf32 : tensor<4x8xf32>, tensor<3x8x2xf32> to tensor<4x2xf32>
  // CHECK: graph.matmul %{{.*}}, %{{.*}} precision = tf32 : tensor<4x8xf32>, tensor<8x2xf32> to tensor<4x2xf32>
  %1 = graph.matmul %x, %y precision = tf32 : tensor<4x8xf32>, tensor<8x2xf32> to tensor<4x2xf32>
  // CHECK: graph.reduce max %{{.*}} dims = [0] : tensor<4x8xf32> to tensor<8xf32>
  %2 = graph.reduce max %x dims = [0] : tensor<4x8xf32> to tensor<8xf32>
  // CHECK: graph.softmax %{{.*}} dim = 1 : tensor<4x8xf32> to tensor<4x8xf32>
  %3 = graph.softmax %x dim = 1 : tensor<4x8xf32> to tensor<4x8xf32>
  // CHECK: graph.layer_norm %{{.*}} scale(%{{.*}} : tensor<8xf32>) bias(%{{.*}} : tensor<8xf32>) dim = 1 epsilon = 5.000000e-01 : tensor<4x8xf32> to tensor<4x8xbf16>
  %4 = graph.layer_norm %x scale(%g : tensor<8xf32>) bias(%g : tensor<8xf32>) dim = 1 epsilon = 0.5 : tensor<4x8xf32> to tensor<4x8xbf16>
  // CHECK: graph.layer_norm %{{.*}} dim = 0 epsilon = 5.000000e-01 : tensor<4x8xf32> to tensor<4x8xf32>
  %5 = graph.layer_norm %x dim = 0 epsilon = 0.5 : tensor<4x8xf32> to tensor<4x8xf32>
  // CHECK: graph.rms_norm %{{.*}} scale(%{{.*}} : tensor<8xf32>) dim = 1 epsilon = 5.000000e-01 : tensor<4x8xf32> to tensor<4x8xf32>
  %6 = graph.rms_norm %x scale(%g : tensor<8xf32>) dim = 1 epsilon = 0.5 : tensor<4x8xf32> to tensor<4x8xf32>
  // CHECK: graph.gelu tanh %{{.*}} : tensor<4x8xf32>
  %7 = graph.gelu tanh %x : tensor<4x8xf32>
  // CHECK: graph.attention %{{.*}}, %{{.*}}, %{{.*}} mask(%{{.*}} : tensor<4x4xf32>) scale = 1.250000e-01 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32> to tensor<4x8xf32>
  %8 = graph.attention %x, %x, %x mask(%m : tensor<4x4xf32>) scale = 0.125 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32> to tensor<4x8xf32>
  return
}

// CHECK-LABEL: graph.kernel anchor(elementwise) @relu(%{{.*}}: tensor<4xf32>) -> tensor<4xf32>
graph.kernel anchor(elementwise) @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  %1 = arith.maximumf %x, %0 : tensor<4xf32>
  // CHECK: return %{{.*}} : tensor<4xf32>
  graph.return %1 : tensor<4xf32>
}
