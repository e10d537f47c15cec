// What is computed of few elements that are spread in one shape, or of little that lies in another order, and read in a
// shape or an order in which that is no strided view, is computed there, at places that follow from the reader's own; not
// of much, not where the reshape's readers do without its shape, and not where the view is strided.
// RUN: tw-opt %s --fuse-compute-places | FileCheck %s

// CHECK-LABEL: func.func @rows
// CHECK: %[[X:.*]] = graph.reshape %arg0
// CHECK: %[[N:.*]] = graph.iota dim = 0 : tensor<210xi32>
// CHECK: %[[P:.*]] = graph.reshape %[[N]]
// CHECK: %[[C:.*]] = arith.constant dense<35>
// CHECK: %[[R:.*]] = arith.divui %[[P]], %[[C]]
// CHECK: %[[V:.*]] = graph.gather %arg1[%[[R]]] dim = 0
// CHECK: arith.addf %[[X]], %[[V]] : tensor<10x21xf32>
func.func @rows(%x: tensor<6x35xf32>, %rows: tensor<6xf32>, %columns: tensor<21xf32>) -> tensor<10x21xf32> {
  %0 = graph.broadcast %rows dims = [0] : tensor<6xf32> to tensor<6x35xf32>
  %1 = arith.addf %x, %0 : tensor<6x35xf32>
  %2 = graph.reshape %1 : tensor<6x35xf32> to tensor<10x21xf32>
  %3 = graph.broadcast %columns dims = [1] : tensor<21xf32> to tensor<10x21xf32>
  %4 = arith.mulf %2, %3 : tensor<10x21xf32>
  return %4 : tensor<10x21xf32>
}

// What is spread is computed first: that follows the gather.
// CHECK-LABEL: func.func @computed
// CHECK: %[[V:.*]] = graph.gather %{{.*}} dim = 0 : tensor<35xbf16>, tensor<10x21xi32>
// CHECK: arith.extf %[[V]]
// CHECK: math.exp
func.func @computed(%x: tensor<6x35xf32>, %columns: tensor<35xbf16>, %others: tensor<21xf32>) -> tensor<10x21xf32> {
  %w = arith.extf %columns : tensor<35xbf16> to tensor<35xf32>
  %e = math.exp %w : tensor<35xf32>
  %0 = graph.broadcast %e dims = [1] : tensor<35xf32> to tensor<6x35xf32>
  %1 = arith.addf %x, %0 : tensor<6x35xf32>
  %2 = graph.reshape %1 : tensor<6x35xf32> to tensor<10x21xf32>
  %3 = graph.broadcast %others dims = [1] : tensor<21xf32> to tensor<10x21xf32>
  %4 = arith.mulf %2, %3 : tensor<10x21xf32>
  return %4 : tensor<10x21xf32>
}

// Two orders of a small tensor, of which neither is a view of the other.
// CHECK-LABEL: func.func @orders
// CHECK-NOT: graph.transpose %{{.*}} : tensor<21x10xf32>
// CHECK: graph.gather %{{.*}} dim = 0 : tensor<210xf32>, tensor<21x10xi32>
// CHECK: math.exp %{{.*}} : tensor<21x10xf32>
func.func @orders(%x: tensor<6x35xf32>) -> (tensor<10x21xf32>, tensor<21x10xf32>) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<6x35xf32> to tensor<35x6xf32>
  %1 = graph.reshape %0 : tensor<35x6xf32> to tensor<10x21xf32>
  %2 = math.exp %1 : tensor<10x21xf32>
  %3 = graph.transpose %2 permutation = [1, 0] : tensor<10x21xf32> to tensor<21x10xf32>
  return %2, %3 : tensor<10x21xf32>, tensor<21x10xf32>
}

// Nobody needs the shape: all follow one order of memory.
// CHECK-LABEL: func.func @flat
// CHECK-NOT: graph.gather
func.func @flat(%x: tensor<6x35xf32>, %rows: tensor<6xf32>, %y: tensor<10x21xf32>) -> tensor<10x21xf32> {
  %0 = graph.broadcast %rows dims = [0] : tensor<6xf32> to tensor<6x35xf32>
  %1 = arith.addf %x, %0 : tensor<6x35xf32>
  %2 = graph.reshape %1 : tensor<6x35xf32> to tensor<10x21xf32>
  %3 = arith.mulf %2, %y : tensor<10x21xf32>
  return %3 : tensor<10x21xf32>
}

// Rows of the one shape are parts of those of the other.
// CHECK-LABEL: func.func @strided
// CHECK-NOT: graph.gather
func.func @strided(%x: tensor<6x36xf32>, %rows: tensor<6xf32>, %columns: tensor<18xf32>) -> tensor<12x18xf32> {
  %0 = graph.broadcast %rows dims = [0] : tensor<6xf32> to tensor<6x36xf32>
  %1 = arith.addf %x, %0 : tensor<6x36xf32>
  %2 = graph.reshape %1 : tensor<6x36xf32> to tensor<12x18xf32>
  %3 = graph.broadcast %columns dims = [1] : tensor<18xf32> to tensor<12x18xf32>
  %4 = arith.mulf %2, %3 : tensor<12x18xf32>
  return %4 : tensor<12x18xf32>
}

// As much as the value itself would be read so.
// CHECK-LABEL: func.func @much
// CHECK-NOT: graph.gather
func.func @much(%x: tensor<600x3500xf32>) -> (tensor<1000x2100xf32>, tensor<2100x1000xf32>) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<600x3500xf32> to tensor<3500x600xf32>
  %1 = graph.reshape %0 : tensor<3500x600xf32> to tensor<1000x2100xf32>
  %2 = math.exp %1 : tensor<1000x2100xf32>
  %3 = graph.transpose %2 permutation = [1, 0] : tensor<1000x2100xf32> to tensor<2100x1000xf32>
  return %2, %3 : tensor<1000x2100xf32>, tensor<2100x1000xf32>
}
