// Reductions over a part of what a kernel goes over: beside a pad of what they reduce, over a slice of what is stored
// whole; and concatenations of inputs, numbers and spread tensors that are stored part by part.
// RUN: tw-check %s --quiet
// RUN: tw-check %s --quiet --precision=bf16 --rtol=2e-2 --atol=2e-2
// RUN: tw-opt --fuse-stage %s | FileCheck %s

// A norm of rows, stored padded along them as well.
// CHECK-LABEL: plan.program @padded_rows
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @padded_rows(%x: tensor<37x61xf32>) -> (tensor<37x66xf32>, tensor<37x61xf32>) {
  %0 = graph.reduce max %x dims = [1] : tensor<37x61xf32> to tensor<37xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<37xf32> to tensor<37x61xf32>
  %2 = arith.subf %x, %1 : tensor<37x61xf32>
  %3 = graph.pad %2 low = [0, 2] high = [0, 3] value = 5.0 : f32 : tensor<37x61xf32> to tensor<37x66xf32>
  return %3, %2 : tensor<37x66xf32>, tensor<37x61xf32>
}

// All elements are negative: padding must not become the maximum.
// CHECK-LABEL: plan.program @padded_negative
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @padded_negative(%x: tensor<48x32x5xf32> {check.data = "random:-9:-1"}) -> (tensor<48x10x32xf32>, tensor<48x32xf32>, tensor<48x32xf32>) {
  %0 = graph.transpose %x permutation = [0, 2, 1] : tensor<48x32x5xf32> to tensor<48x5x32xf32>
  %1 = graph.reduce max %0 dims = [1] : tensor<48x5x32xf32> to tensor<48x32xf32>
  %2 = graph.reduce sum %0 dims = [1] : tensor<48x5x32xf32> to tensor<48x32xf32>
  %3 = graph.pad %0 low = [0, 3, 0] high = [0, 2, 0] value = 0.0 : f32 : tensor<48x5x32xf32> to tensor<48x10x32xf32>
  %4 = math.absf %3 : tensor<48x10x32xf32>
  return %4, %1, %2 : tensor<48x10x32xf32>, tensor<48x32xf32>, tensor<48x32xf32>
}

// The sum of what does not differ along the part counts the part alone.
// CHECK-LABEL: plan.program @spread_part
func.func @spread_part(%x: tensor<9x21xf32>, %b: tensor<9xf32>) -> (tensor<9x25xf32>, tensor<9xf32>, tensor<9xf32>) {
  %0 = graph.broadcast %b dims = [0] : tensor<9xf32> to tensor<9x21xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<9x21xf32> to tensor<9xf32>
  %2 = arith.addf %x, %0 : tensor<9x21xf32>
  %3 = graph.reduce prod %2 dims = [1] : tensor<9x21xf32> to tensor<9xf32>
  %4 = graph.pad %2 low = [0, 1] high = [0, 3] value = 1.0 : f32 : tensor<9x21xf32> to tensor<9x25xf32>
  return %4, %1, %3 : tensor<9x25xf32>, tensor<9xf32>, tensor<9xf32>
}

// Softmax of a slice beside the whole; the place of its largest element, which counts whole rows of the domain.
// CHECK-LABEL: plan.program @slice_reduced
// CHECK-COUNT-2: plan.launch
// CHECK-NOT: plan.launch
func.func @slice_reduced(%x: tensor<23x90xf32>) -> (tensor<23x90xf32>, tensor<23x41xf32>, tensor<23xi64>) {
  %0 = math.tanh %x : tensor<23x90xf32>
  %1 = graph.slice %0 offsets = [0, 17] strides = [1, 1] : tensor<23x90xf32> to tensor<23x41xf32>
  %2 = graph.softmax %1 dim = 1 : tensor<23x41xf32> to tensor<23x41xf32>
  %3 = graph.arg_reduce max %1 dim = 1 : tensor<23x41xf32> to tensor<23xi64>
  return %0, %2, %3 : tensor<23x90xf32>, tensor<23x41xf32>, tensor<23xi64>
}

// Columns, in a loop over long ones.
// CHECK-LABEL: plan.program @long_columns
func.func @long_columns(%x: tensor<700x40xf32>) -> (tensor<703x40xf32>, tensor<40xf32>) {
  %0 = graph.reduce max %x dims = [0] : tensor<700x40xf32> to tensor<40xf32>
  %1 = graph.pad %x low = [2, 0] high = [1, 0] value = 9.0 : f32 : tensor<700x40xf32> to tensor<703x40xf32>
  %2 = math.exp %1 : tensor<703x40xf32>
  return %2, %0 : tensor<703x40xf32>, tensor<40xf32>
}

// Parts that are inputs, slices of them, numbers and spread rows.
// CHECK-LABEL: plan.program @joined_inputs
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @joined_inputs(%x: tensor<20x6x31x8xf32>, %y: tensor<20x17x8xf32>) -> (tensor<20x6x17x16xf32>, tensor<20x6x31x8xf32>) {
  %0 = graph.slice %x offsets = [0, 0, 5, 0] strides = [1, 1, 1, 1] : tensor<20x6x31x8xf32> to tensor<20x6x17x8xf32>
  %1 = graph.broadcast %y dims = [0, 2, 3] : tensor<20x17x8xf32> to tensor<20x6x17x8xf32>
  %2 = graph.concat %0, %1 dim = 3 : tensor<20x6x17x8xf32>, tensor<20x6x17x8xf32> to tensor<20x6x17x16xf32>
  %3 = math.exp %x : tensor<20x6x31x8xf32>
  return %2, %3 : tensor<20x6x17x16xf32>, tensor<20x6x31x8xf32>
}

// CHECK-LABEL: plan.program @joined_beside_norm
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @joined_beside_norm(%x: tensor<14x12x16xf32>) -> (tensor<14x12x32xf32>, tensor<28x12x16xf32>, tensor<14x12x16xf32>) {
  %c = arith.constant dense<3.0> : tensor<14x12x16xf32>
  %0 = graph.concat %x, %x dim = 2 : tensor<14x12x16xf32>, tensor<14x12x16xf32> to tensor<14x12x32xf32>
  %1 = graph.softmax %x dim = 2 : tensor<14x12x16xf32> to tensor<14x12x16xf32>
  %2 = graph.concat %c, %1 dim = 0 : tensor<14x12x16xf32>, tensor<14x12x16xf32> to tensor<28x12x16xf32>
  %3 = math.erf %0 : tensor<14x12x32xf32>
  return %3, %2, %1 : tensor<14x12x32xf32>, tensor<28x12x16xf32>, tensor<14x12x16xf32>
}

// What is computed of both parts, over the joined dimension and beside it.
// CHECK-LABEL: plan.program @computed_of_parts
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @computed_of_parts(%x: tensor<16x256xf32>, %r: tensor<32xf32>) -> (tensor<32x256xf32>, tensor<16x256xf32>, tensor<256xf32>) {
  %0 = math.tanh %x : tensor<16x256xf32>
  %1 = graph.concat %0, %x dim = 0 : tensor<16x256xf32>, tensor<16x256xf32> to tensor<32x256xf32>
  %2 = graph.reduce sum %1 dims = [1] : tensor<32x256xf32> to tensor<32xf32>
  %3 = arith.mulf %2, %r : tensor<32xf32>
  %4 = graph.broadcast %3 dims = [0] : tensor<32xf32> to tensor<32x256xf32>
  %5 = arith.subf %1, %4 : tensor<32x256xf32>
  %6 = math.exp %0 : tensor<16x256xf32>
  %7 = graph.reduce max %1 dims = [0] : tensor<32x256xf32> to tensor<256xf32>
  return %5, %6, %7 : tensor<32x256xf32>, tensor<16x256xf32>, tensor<256xf32>
}

// A concatenation that is stored in another order.
// CHECK-LABEL: plan.program @joined_and_turned
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @joined_and_turned(%x: tensor<7x20x36x40xf32>, %y: tensor<36x40xf32>) -> (tensor<40x36x7x40xf32>, tensor<7x20x36x40xf32>) {
  %0 = math.tanh %x : tensor<7x20x36x40xf32>
  %1 = graph.transpose %0 permutation = [2, 3, 0, 1] : tensor<7x20x36x40xf32> to tensor<36x40x7x20xf32>
  %2 = graph.broadcast %y dims = [0, 1] : tensor<36x40xf32> to tensor<36x40x7x20xf32>
  %3 = graph.concat %1, %2 dim = 3 : tensor<36x40x7x20xf32>, tensor<36x40x7x20xf32> to tensor<36x40x7x40xf32>
  %4 = graph.transpose %3 permutation = [1, 0, 2, 3] : tensor<36x40x7x40xf32> to tensor<40x36x7x40xf32>
  return %4, %0 : tensor<40x36x7x40xf32>, tensor<7x20x36x40xf32>
}
