// What is joined, or computed and moved, to be selected from is selected first: nothing is stored between.
// RUN: tw-opt %s --fuse-select-operands | FileCheck %s

// CHECK-LABEL: func.func @joined
// CHECK-NOT: graph.concat
// CHECK-COUNT-2: graph.gather %arg{{[01]}}[
// CHECK-NOT: graph.gather
// CHECK: return
func.func @joined(%x: tensor<70xf32>, %y: tensor<33xf32>, %i: tensor<500xi64>) -> tensor<500xf32> {
  %0 = math.absf %x : tensor<70xf32>
  %1 = graph.concat %0, %y dim = 0 : tensor<70xf32>, tensor<33xf32> to tensor<103xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<103xf32>, tensor<500xi64> to tensor<500xf32>
  return %2 : tensor<500xf32>
}

// CHECK-LABEL: func.func @in_another_order
// CHECK: %[[ROWS:.+]] = graph.gather %arg0[%arg1] dim = 0 : tensor<10x3x6x32xf32>
// CHECK: math.absf %[[ROWS]]
// CHECK: graph.transpose {{.*}} permutation = [1, 2, 0, 3]
func.func @in_another_order(%x: tensor<10x3x6x32xf32>, %i: tensor<21xi64>) -> tensor<3x6x21x32xf32> {
  %0 = math.absf %x : tensor<10x3x6x32xf32>
  %1 = graph.transpose %0 permutation = [1, 2, 0, 3] : tensor<10x3x6x32xf32> to tensor<3x6x10x32xf32>
  %2 = arith.mulf %1, %1 : tensor<3x6x10x32xf32>
  %3 = graph.gather %2[%i] dim = 2 : tensor<3x6x10x32xf32>, tensor<21xi64> to tensor<3x6x21x32xf32>
  return %3 : tensor<3x6x21x32xf32>
}

// Values of rows beside a tensor are few bytes more, and a reshape of what is computed is the same places.
// CHECK-LABEL: func.func @of_rows
// CHECK-COUNT-2: graph.gather %arg{{[01]}}[
// CHECK-NOT: graph.gather
// CHECK: return
func.func @of_rows(%x: tensor<40x30xf32>, %r: tensor<40xf32>, %i: tensor<21xi64>) -> (tensor<21x30xf32>, tensor<40x30xf32>) {
  %0 = graph.broadcast %r dims = [0] : tensor<40xf32> to tensor<40x30xf32>
  %1 = arith.mulf %x, %0 : tensor<40x30xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<40x30xf32>, tensor<21xi64> to tensor<21x30xf32>
  return %2, %1 : tensor<21x30xf32>, tensor<40x30xf32>
}
// CHECK-LABEL: func.func @reshaped
// CHECK: %[[ROWS:.+]] = graph.gather %arg0[%arg1] dim = 0 : tensor<40x30xf32>
// CHECK: math.absf %[[ROWS]]
// CHECK: graph.reshape {{.*}} to tensor<1x21x5x6xf32>
func.func @reshaped(%x: tensor<40x30xf32>, %i: tensor<21xi64>) -> tensor<1x21x5x6xf32> {
  %0 = math.absf %x : tensor<40x30xf32>
  %1 = graph.reshape %0 : tensor<40x30xf32> to tensor<1x40x5x6xf32>
  %2 = arith.negf %1 : tensor<1x40x5x6xf32>
  %3 = graph.gather %2[%i] dim = 1 : tensor<1x40x5x6xf32>, tensor<21xi64> to tensor<1x21x5x6xf32>
  return %3 : tensor<1x21x5x6xf32>
}
// The places of a part of a dimension are none of the operand's.
// CHECK-LABEL: func.func @reshaped_within
// CHECK: graph.gather {{.*}} dim = 1 : tensor<40x5x6xf32>
func.func @reshaped_within(%x: tensor<40x30xf32>, %i: tensor<21xi64>) -> tensor<40x21x6xf32> {
  %0 = math.absf %x : tensor<40x30xf32>
  %1 = graph.reshape %0 : tensor<40x30xf32> to tensor<40x5x6xf32>
  %2 = graph.gather %1[%i] dim = 1 : tensor<40x5x6xf32>, tensor<21xi64> to tensor<40x21x6xf32>
  return %2 : tensor<40x21x6xf32>
}

// Of a part that is one number everywhere nothing is read; what is outside is zero.
// CHECK-LABEL: func.func @beside_a_number
// CHECK-NOT: graph.concat
// CHECK: arith.cmpi ult
// CHECK: graph.gather %arg0[
// CHECK-NOT: graph.gather
// CHECK: %[[NUMBER:.*]] = arith.constant dense<2.000000e+00> : tensor<500xf32>
// CHECK: arith.select %{{.*}}, %[[NUMBER]], %{{.*}}
// CHECK: return
func.func @beside_a_number(%x: tensor<70xf32>, %i: tensor<500xi64>) -> tensor<500xf32> {
  %0 = arith.negf %x : tensor<70xf32>
  %c = arith.constant dense<2.0> : tensor<33xf32>
  %1 = graph.concat %0, %c dim = 0 : tensor<70xf32>, tensor<33xf32> to tensor<103xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<103xf32>, tensor<500xi64> to tensor<500xf32>
  return %2 : tensor<500xf32>
}

// What is computed of joined parts, one of them few elements that are spread: neither is stored.
// CHECK-LABEL: func.func @computed_of_joined
// CHECK-NOT: graph.concat
// CHECK: graph.gather %arg0[
// CHECK-NOT: graph.gather
// CHECK: return
func.func @computed_of_joined(%x: tensor<70xf32>, %m: tensor<f32>, %i: tensor<500xi64>) -> tensor<500xf32> {
  %0 = math.absf %x : tensor<70xf32>
  %1 = graph.broadcast %m dims = [] : tensor<f32> to tensor<70xf32>
  %2 = graph.concat %0, %1 dim = 0 : tensor<70xf32>, tensor<70xf32> to tensor<140xf32>
  %3 = math.exp %2 : tensor<140xf32>
  %4 = graph.gather %3[%i] dim = 0 : tensor<140xf32>, tensor<500xi64> to tensor<500xf32>
  return %4 : tensor<500xf32>
}
// Joined along another dimension than the gather's.
// CHECK-LABEL: func.func @computed_of_rows_joined
// CHECK: %[[ROWS:.+]] = math.exp
// CHECK-NEXT: graph.gather %[[ROWS]][
func.func @computed_of_rows_joined(%x: tensor<70x3xf32>, %y: tensor<70x3xf32>, %i: tensor<50xi64>) -> tensor<50x6xf32> {
  %0 = math.absf %x : tensor<70x3xf32>
  %2 = graph.concat %0, %y dim = 1 : tensor<70x3xf32>, tensor<70x3xf32> to tensor<70x6xf32>
  %3 = math.exp %2 : tensor<70x6xf32>
  %4 = graph.gather %3[%i] dim = 0 : tensor<70x6xf32>, tensor<50xi64> to tensor<50x6xf32>
  return %4 : tensor<50x6xf32>
}

// What is joined twice is selected from once, by the index into it; with what is computed of the rows, and of rows' values that
// are not inputs, in between.
// CHECK-LABEL: func.func @joined_twice
// CHECK-NOT: graph.concat
// CHECK: graph.gather %arg0[%[[OWN:.*]]] dim = 0
// CHECK: graph.gather %{{.*}}[%[[OWN]]] dim = 0 : tensor<40xf32>
// CHECK: math.erf
// CHECK-NOT: math.erf
// CHECK-NOT: graph.gather
// CHECK: return
func.func @joined_twice(%x: tensor<40x300xf32>, %i: tensor<21xi64>) -> tensor<21x300xf32> {
  %r = graph.reduce max %x dims = [1] : tensor<40x300xf32> to tensor<40xf32>
  %0 = graph.broadcast %r dims = [0] : tensor<40xf32> to tensor<40x300xf32>
  %1 = arith.subf %x, %0 : tensor<40x300xf32>
  %2 = math.erf %1 : tensor<40x300xf32>
  %3 = graph.concat %2, %2 dim = 0 : tensor<40x300xf32>, tensor<40x300xf32> to tensor<80x300xf32>
  %4 = math.absf %3 : tensor<80x300xf32>
  %5 = graph.gather %4[%i] dim = 0 : tensor<80x300xf32>, tensor<21xi64> to tensor<21x300xf32>
  return %5 : tensor<21x300xf32>
}

// A part of what is computed of an input, which others need whole, is selected from the input at other indices.
// CHECK-LABEL: func.func @of_a_computed_part
// CHECK: %[[ROWS:.*]] = graph.gather %arg0[%{{.*}}] dim = 0 : tensor<70xf32>
// CHECK: math.absf %[[ROWS]]
func.func @of_a_computed_part(%x: tensor<70xf32>, %i: tensor<500xi64>) -> (tensor<500xf32>, tensor<70xf32>) {
  %0 = math.absf %x : tensor<70xf32>
  %1 = graph.slice %0 offsets = [12] strides = [1] : tensor<70xf32> to tensor<48xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<48xf32>, tensor<500xi64> to tensor<500xf32>
  return %2, %0 : tensor<500xf32>, tensor<70xf32>
}

// Rows of selected rows are rows of the tensor, at selected indices; not where others need the first ones.
// CHECK-LABEL: func.func @of_gathered
// CHECK: %[[INDICES:.*]] = graph.gather %arg1[%arg2] dim = 0 : tensor<84xi64>
// CHECK: graph.gather %arg0[%[[INDICES]]] dim = 1 : tensor<70x88xf32>
// CHECK-NOT: graph.gather
// CHECK: return
func.func @of_gathered(%x: tensor<70x88xf32>, %i: tensor<84xi64>, %j: tensor<79xi32>) -> tensor<70x79xf32> {
  %0 = graph.gather %x[%i] dim = 1 : tensor<70x88xf32>, tensor<84xi64> to tensor<70x84xf32>
  %1 = graph.gather %0[%j] dim = 1 : tensor<70x84xf32>, tensor<79xi32> to tensor<70x79xf32>
  return %1 : tensor<70x79xf32>
}
// CHECK-LABEL: func.func @of_gathered_for_others
// CHECK: %[[ROWS:.*]] = graph.gather %arg0[%arg1]
// CHECK: graph.gather %[[ROWS]][%arg2]
func.func @of_gathered_for_others(%x: tensor<70x88xf32>, %i: tensor<84xi64>, %j: tensor<79xi32>) -> (tensor<70x79xf32>, tensor<70x84xf32>) {
  %0 = graph.gather %x[%i] dim = 1 : tensor<70x88xf32>, tensor<84xi64> to tensor<70x84xf32>
  %1 = graph.gather %0[%j] dim = 1 : tensor<70x84xf32>, tensor<79xi32> to tensor<70x79xf32>
  return %1, %0 : tensor<70x79xf32>, tensor<70x84xf32>
}
// Nor where the indices are as much as what they select.
// CHECK-LABEL: func.func @of_gathered_elements
// CHECK: %[[ROWS:.*]] = graph.gather %arg0[%arg1]
// CHECK: graph.gather %[[ROWS]][%arg2]
func.func @of_gathered_elements(%x: tensor<88xf32>, %i: tensor<84xi64>, %j: tensor<79xi32>) -> tensor<79xf32> {
  %0 = graph.gather %x[%i] dim = 0 : tensor<88xf32>, tensor<84xi64> to tensor<84xf32>
  %1 = graph.gather %0[%j] dim = 0 : tensor<84xf32>, tensor<79xi32> to tensor<79xf32>
  return %1 : tensor<79xf32>
}

// What is joined for others, too, is selected from all the same, and once where one tensor is joined twice; the
// others choose by places.
// CHECK-LABEL: func.func @joined_for_others
// CHECK-NOT: graph.concat
// CHECK: %[[ROWS:.+]] = graph.gather %arg0[{{.*}}] dim = 0 : tensor<70xf32>
// CHECK-NOT: graph.gather
// CHECK: math.tanh %[[ROWS]]
// CHECK: return
func.func @joined_for_others(%x: tensor<70xf32>, %i: tensor<500xi64>) -> (tensor<142xf32>, tensor<500xf32>) {
  %0 = math.tanh %x : tensor<70xf32>
  %1 = graph.concat %0, %0 dim = 0 : tensor<70xf32>, tensor<70xf32> to tensor<140xf32>
  %2 = graph.pad %1 low = [2] high = [0] value = 0.0 : f32 : tensor<140xf32> to tensor<142xf32>
  %3 = graph.gather %1[%i] dim = 0 : tensor<140xf32>, tensor<500xi64> to tensor<500xf32>
  return %2, %3 : tensor<142xf32>, tensor<500xf32>
}

// What is joined along another dimension is joined once, of what the indices select of its parts, each selected from once; not where
// something is computed of it.
// CHECK-LABEL: func.func @joined_beside
// CHECK: %[[PART:.+]] = graph.gather %arg0[%arg1] dim = 0 : tensor<40x30xf32>
// CHECK: graph.concat %[[PART]], %{{.*}}, %[[PART]] dim = 1
// CHECK-NOT: graph.gather
// CHECK: return
func.func @joined_beside(%x: tensor<40x30xf32>, %i: tensor<21xi64>) -> tensor<21x64xf32> {
  %c = arith.constant dense<1.0> : tensor<40x4xf32>
  %0 = graph.concat %x, %c, %x dim = 1 : tensor<40x30xf32>, tensor<40x4xf32>, tensor<40x30xf32> to tensor<40x64xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<40x64xf32>, tensor<21xi64> to tensor<21x64xf32>
  return %1 : tensor<21x64xf32>
}
// CHECK-LABEL: func.func @computed_of_joined_beside
// CHECK: graph.concat
// CHECK: math.tanh
// CHECK: graph.gather
// CHECK: return
func.func @computed_of_joined_beside(%x: tensor<40x30xf32>, %i: tensor<21xi64>) -> tensor<21x60xf32> {
  %0 = graph.concat %x, %x dim = 1 : tensor<40x30xf32>, tensor<40x30xf32> to tensor<40x60xf32>
  %1 = math.tanh %0 : tensor<40x60xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<40x60xf32>, tensor<21xi64> to tensor<21x60xf32>
  return %2 : tensor<21x60xf32>
}
