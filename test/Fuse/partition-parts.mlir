// Kernels whose ops have parts of one domain: what is one launch, and what is not.
// RUN: tw-opt %s --fuse-partition-kernels | FileCheck %s

// What is padded beside what is not.
// CHECK-LABEL: plan.program @padded_beside_whole
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @padded_beside_whole(%x: tensor<700x5x300xf32> {graph.name = "x"})
    -> (tensor<700x6x300xf32> {graph.name = "y"}, tensor<700x5x300xf32> {graph.name = "z"}) {
  %0 = graph.pad %x low = [0, 1, 0] high = [0, 0, 0] value = 0.0 : f32 : tensor<700x5x300xf32> to tensor<700x6x300xf32>
  %1 = math.tanh %0 : tensor<700x6x300xf32>
  %2 = math.exp %x : tensor<700x5x300xf32>
  return %1, %2 : tensor<700x6x300xf32>, tensor<700x5x300xf32>
}

// Rows of three elements would leave two of five threads idle.
// CHECK-LABEL: plan.program @padded_short_rows
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
func.func @padded_short_rows(%x: tensor<70000x5x3xf32> {graph.name = "x"})
    -> (tensor<70000x5x5xf32> {graph.name = "y"}, tensor<70000x5x3xf32> {graph.name = "z"}) {
  %0 = graph.pad %x low = [0, 0, 1] high = [0, 0, 1] value = 0.0 : f32 : tensor<70000x5x3xf32> to tensor<70000x5x5xf32>
  %1 = math.tanh %0 : tensor<70000x5x5xf32>
  %2 = math.exp %x : tensor<70000x5x3xf32>
  return %1, %2 : tensor<70000x5x5xf32>, tensor<70000x5x3xf32>
}

// The slice and the sum over another dimension of what is normalized.
// CHECK-LABEL: plan.program @slice_and_columns
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @slice_and_columns(%x: tensor<300x12x40xf32> {graph.name = "x"})
    -> (tensor<300x12x40xf32> {graph.name = "y"}, tensor<100x12x40xf32> {graph.name = "z"}, tensor<300x40xf32> {graph.name = "s"}) {
  %0 = graph.reduce max %x dims = [2] : tensor<300x12x40xf32> to tensor<300x12xf32>
  %1 = graph.broadcast %0 dims = [0, 1] : tensor<300x12xf32> to tensor<300x12x40xf32>
  %2 = arith.subf %x, %1 : tensor<300x12x40xf32>
  %3 = graph.slice %2 offsets = [20, 0, 0] strides = [1, 1, 1] : tensor<300x12x40xf32> to tensor<100x12x40xf32>
  %4 = math.exp %3 : tensor<100x12x40xf32>
  %5 = graph.reduce sum %2 dims = [1] : tensor<300x12x40xf32> to tensor<300x40xf32>
  return %2, %4, %5 : tensor<300x12x40xf32>, tensor<100x12x40xf32>, tensor<300x40xf32>
}

// A maximum over what is padded along the same dimension takes its part of the rows.
// CHECK-LABEL: plan.program @reduced_beside_padded
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @reduced_beside_padded(%x: tensor<700x5x300xf32> {graph.name = "x"})
    -> (tensor<700x6x300xf32> {graph.name = "y"}, tensor<700x300xf32> {graph.name = "z"}) {
  %0 = graph.pad %x low = [0, 1, 0] high = [0, 0, 0] value = 0.0 : f32 : tensor<700x5x300xf32> to tensor<700x6x300xf32>
  %1 = math.tanh %0 : tensor<700x6x300xf32>
  %2 = graph.reduce max %x dims = [1] : tensor<700x5x300xf32> to tensor<700x300xf32>
  return %1, %2 : tensor<700x6x300xf32>, tensor<700x300xf32>
}

// A scan is one of whole rows of the domain.
// CHECK-LABEL: plan.program @scanned_beside_padded
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
func.func @scanned_beside_padded(%x: tensor<700x5x300xf32> {graph.name = "x"})
    -> (tensor<700x6x300xf32> {graph.name = "y"}, tensor<700x5x300xf32> {graph.name = "z"}) {
  %0 = graph.pad %x low = [0, 1, 0] high = [0, 0, 0] value = 0.0 : f32 : tensor<700x5x300xf32> to tensor<700x6x300xf32>
  %1 = math.tanh %0 : tensor<700x6x300xf32>
  %2 = graph.scan max %x dim = 1 : tensor<700x5x300xf32>
  return %1, %2 : tensor<700x6x300xf32>, tensor<700x5x300xf32>
}

// Parts of a concatenation that nothing computes are stored by the kernel that reads them for something else, here beside
// two values that are needed whole.
// CHECK-LABEL: plan.program @joined_beside_whole
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @joined_beside_whole(%x: tensor<20x6x31x800xf32> {graph.name = "x"}, %y: tensor<20x17x800xf32> {graph.name = "y"})
    -> (tensor<20x6x17x1600xf32> {graph.name = "j"}, tensor<20x6x31x800xf32> {graph.name = "a"}, tensor<20x6x31x800xf32> {graph.name = "b"}) {
  %0 = graph.slice %x offsets = [0, 0, 5, 0] strides = [1, 1, 1, 1] : tensor<20x6x31x800xf32> to tensor<20x6x17x800xf32>
  %1 = graph.broadcast %y dims = [0, 2, 3] : tensor<20x17x800xf32> to tensor<20x6x17x800xf32>
  %2 = graph.concat %0, %1 dim = 3 : tensor<20x6x17x800xf32>, tensor<20x6x17x800xf32> to tensor<20x6x17x1600xf32>
  %3 = math.exp %x : tensor<20x6x31x800xf32>
  %4 = math.tanh %x : tensor<20x6x31x800xf32>
  return %2, %3, %4 : tensor<20x6x17x1600xf32>, tensor<20x6x31x800xf32>, tensor<20x6x31x800xf32>
}

// A slice of the run of memory that a matrix is, from the middle of a row on.
// CHECK-LABEL: plan.program @slice_of_a_run
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @slice_of_a_run(%x: tensor<58628x28xf32> {graph.name = "x"})
    -> (tensor<58628x28xf32> {graph.name = "y"}, tensor<1511520xf32> {graph.name = "z"}) {
  %0 = math.absf %x : tensor<58628x28xf32>
  %1 = graph.reshape %0 : tensor<58628x28xf32> to tensor<1641584xf32>
  %2 = math.sqrt %1 : tensor<1641584xf32>
  %3 = graph.slice %2 offsets = [45021] strides = [1] : tensor<1641584xf32> to tensor<1511520xf32>
  %4 = math.exp %0 : tensor<58628x28xf32>
  return %4, %3 : tensor<58628x28xf32>, tensor<1511520xf32>
}
