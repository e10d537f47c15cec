// fuse-align-operands: operands of products with rows of no whole 16 bytes are copied to wider ones, which begin with a
// line of L2 where they are long, once for all products that read them; the products see slices of the copies. An operand
// alone is copied where that gains more than it costs by the model; others stay as they are, and threads copy them into
// shared memory. Few rows or columns that lie across K may be copied with K side by side.
// RUN: tw-opt %s --fuse-align-operands | FileCheck %s

// CHECK-LABEL: func.func @large
// CHECK: %[[A:.*]] = graph.pad %arg0 low = [0, 0] high = [0, 61]
// CHECK: %[[B:.*]] = graph.pad %arg1 low = [0, 0] high = [0, 61] {{.*}} to tensor<4097x4160xbf16>
// CHECK: %[[T:.*]] = graph.transpose %[[B]] {{.*}} to tensor<4160x4097xbf16>
// CHECK: graph.slice %[[T]] {{.*}} tensor<4160x4097xbf16> to tensor<4099x4097xbf16>
// CHECK: graph.matmul {{.*}} to tensor<4095x4097xf32>
// CHECK: graph.slice %[[A]] {{.*}} tensor<4095x4160xbf16> to tensor<4095x4099xbf16>
// CHECK: %[[C:.*]] = graph.pad %arg2 low = [0, 0] high = [0, 63]
// CHECK: graph.slice %[[C]] {{.*}} tensor<4099x4160xbf16> to tensor<4099x4097xbf16>
// CHECK: graph.matmul {{.*}} to tensor<4095x4097xf32>
func.func @large(%a: tensor<4095x4099xbf16>, %b: tensor<4097x4099xbf16>, %c: tensor<4099x4097xbf16>)
    -> (tensor<4095x4097xf32>, tensor<4095x4097xf32>) {
  %t = graph.transpose %b permutation = [1, 0] : tensor<4097x4099xbf16> to tensor<4099x4097xbf16>
  %0 = graph.matmul %a, %t : tensor<4095x4099xbf16>, tensor<4099x4097xbf16> to tensor<4095x4097xf32>
  %1 = graph.matmul %a, %c : tensor<4095x4099xbf16>, tensor<4099x4097xbf16> to tensor<4095x4097xf32>
  return %0, %1 : tensor<4095x4097xf32>, tensor<4095x4097xf32>
}

// CHECK-LABEL: func.func @small
// CHECK-NOT: graph.pad
func.func @small(%a: tensor<95x99xbf16>, %b: tensor<99x97xbf16>) -> tensor<95x97xf32> {
  %0 = graph.matmul %a, %b : tensor<95x99xbf16>, tensor<99x97xbf16> to tensor<95x97xf32>
  return %0 : tensor<95x97xf32>
}

// Few rows of odd elements, and many of words: the words stay.
// CHECK-LABEL: func.func @one_of_both
// CHECK: graph.pad %arg0 low = [0, 0] high = [0, 2]
// CHECK-NOT: graph.pad
func.func @one_of_both(%a: tensor<2706x174xbf16>, %b: tensor<2706x1814xbf16>) -> tensor<174x1814xf32> {
  %t = graph.transpose %a permutation = [1, 0] : tensor<2706x174xbf16> to tensor<174x2706xbf16>
  %0 = graph.matmul %t, %b : tensor<174x2706xbf16>, tensor<2706x1814xbf16> to tensor<174x1814xf32>
  return %0 : tensor<174x1814xf32>
}

// Few rows that lie across K: of these the copy has K side by side, of either operand.
// CHECK-LABEL: func.func @few_across
// CHECK: %[[ROWS:.*]] = graph.transpose %arg0 permutation = [1, 0]
// CHECK: %[[COPY:.*]] = graph.pad %[[ROWS]] low = [0, 0] high = [0, 42]
// CHECK: %[[A:.*]] = graph.slice %[[COPY]] {{.*}} tensor<4x2432xbf16> to tensor<4x2390xbf16>
// CHECK: graph.matmul %[[A]]
// CHECK: %[[COLUMNS:.*]] = graph.transpose %arg2 permutation = [1, 0]
// CHECK: %[[COPY:.*]] = graph.pad %[[COLUMNS]] low = [0, 0] high = [0, 42]
// CHECK: %[[TURNED:.*]] = graph.transpose %[[COPY]] permutation = [1, 0]
// CHECK: %[[B:.*]] = graph.slice %[[TURNED]] {{.*}} tensor<2432x3xbf16> to tensor<2390x3xbf16>
// CHECK: graph.matmul %arg3, %[[B]]
func.func @few_across(%a: tensor<2390x4xbf16>, %b: tensor<2792x2390xbf16>, %c: tensor<2390x3xbf16>, %d: tensor<2791x2390xbf16>)
    -> (tensor<4x2792xf32>, tensor<2791x3xf32>) {
  %at = graph.transpose %a permutation = [1, 0] : tensor<2390x4xbf16> to tensor<4x2390xbf16>
  %bt = graph.transpose %b permutation = [1, 0] : tensor<2792x2390xbf16> to tensor<2390x2792xbf16>
  %0 = graph.matmul %at, %bt : tensor<4x2390xbf16>, tensor<2390x2792xbf16> to tensor<4x2792xf32>
  %1 = graph.matmul %d, %c : tensor<2791x2390xbf16>, tensor<2390x3xbf16> to tensor<2791x3xf32>
  return %0, %1 : tensor<4x2792xf32>, tensor<2791x3xf32>
}

// Rows of whole 16 bytes, and types that are no 16-bit ones, stay.
// CHECK-LABEL: func.func @aligned
// CHECK-NOT: graph.pad
func.func @aligned(%a: tensor<4095x4096xbf16>, %b: tensor<4096x4104xbf16>, %c: tensor<4095x4099xf32>, %d: tensor<4099x4097xf32>)
    -> (tensor<4095x4104xf32>, tensor<4095x4097xf32>) {
  %0 = graph.matmul %a, %b : tensor<4095x4096xbf16>, tensor<4096x4104xbf16> to tensor<4095x4104xf32>
  %1 = graph.matmul %c, %d : tensor<4095x4099xf32>, tensor<4099x4097xf32> to tensor<4095x4097xf32>
  return %0, %1 : tensor<4095x4104xf32>, tensor<4095x4097xf32>
}

// A part of a wider matrix that begins anywhere in 16 bytes, and one whose rows do; parts whose rows begin at 16 bytes stay.
// CHECK-LABEL: func.func @parts
// CHECK: %[[PART:.*]] = graph.slice %arg0 offsets = [0, 1]
// CHECK: %[[ROWS:.*]] = graph.slice %arg1
// CHECK: graph.pad %[[PART]] low = [0, 0] high = [0, 64]
// CHECK: graph.pad %[[ROWS]] low = [0, 0] high = [0, 64]
// CHECK-NOT: graph.pad
func.func @parts(%a: tensor<4096x4200xbf16>, %b: tensor<4096x4099xbf16>, %c: tensor<4096x8200xbf16>)
    -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
  %0 = graph.slice %a offsets = [0, 1] strides = [1, 1] : tensor<4096x4200xbf16> to tensor<4096x4096xbf16>
  %1 = graph.slice %b offsets = [0, 0] strides = [1, 1] : tensor<4096x4099xbf16> to tensor<4096x4096xbf16>
  %2 = graph.slice %c offsets = [0, 8] strides = [1, 1] : tensor<4096x8200xbf16> to tensor<4096x4096xbf16>
  %3 = graph.matmul %0, %2 : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %4 = graph.matmul %2, %1 : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  return %3, %4 : tensor<4096x4096xf32>, tensor<4096x4096xf32>
}

// Columns of a part, of several matrices: the copy has memory's order.
// CHECK-LABEL: func.func @transposed_parts
// CHECK: %[[PART:.*]] = graph.slice %arg1
// CHECK: %[[COPY:.*]] = graph.pad %[[PART]] low = [0, 0, 0] high = [0, 0, 64]
// CHECK: %[[T:.*]] = graph.transpose %[[COPY]] permutation = [0, 2, 1]
// CHECK: graph.slice %[[T]] {{.*}} to tensor<2x4096x4096xbf16>
func.func @transposed_parts(%a: tensor<2x4096x4096xbf16>, %b: tensor<2x4096x4101xbf16>) -> tensor<2x4096x4096xf32> {
  %0 = graph.slice %b offsets = [0, 0, 3] strides = [1, 1, 1] : tensor<2x4096x4101xbf16> to tensor<2x4096x4096xbf16>
  %1 = graph.transpose %0 permutation = [0, 2, 1] : tensor<2x4096x4096xbf16> to tensor<2x4096x4096xbf16>
  %2 = graph.matmul %a, %1 : tensor<2x4096x4096xbf16>, tensor<2x4096x4096xbf16> to tensor<2x4096x4096xf32>
  return %2 : tensor<2x4096x4096xf32>
}
