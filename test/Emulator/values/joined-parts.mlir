// Concatenations of parts that the same kernel computes: each part is stored at its place in the result.
// RUN: tw-check %s --quiet
// RUN: tw-check %s --quiet --precision=bf16 --rtol=2e-2 --atol=2e-2
// RUN: tw-opt --fuse-stage %s | FileCheck %s

// CHECK-LABEL: plan.program @rotated
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @rotated(%x: tensor<2x5x3x16xf32>, %c: tensor<5x8xf32>, %s: tensor<5x8xf32>) -> tensor<2x5x3x16xf32> {
  %l = graph.slice %x offsets = [0, 0, 0, 0] strides = [1, 1, 1, 1] : tensor<2x5x3x16xf32> to tensor<2x5x3x8xf32>
  %r = graph.slice %x offsets = [0, 0, 0, 8] strides = [1, 1, 1, 1] : tensor<2x5x3x16xf32> to tensor<2x5x3x8xf32>
  %cb = graph.broadcast %c dims = [1, 3] : tensor<5x8xf32> to tensor<2x5x3x8xf32>
  %sb = graph.broadcast %s dims = [1, 3] : tensor<5x8xf32> to tensor<2x5x3x8xf32>
  %lc = arith.mulf %l, %cb : tensor<2x5x3x8xf32>
  %rs = arith.mulf %r, %sb : tensor<2x5x3x8xf32>
  %rc = arith.mulf %r, %cb : tensor<2x5x3x8xf32>
  %ls = arith.mulf %l, %sb : tensor<2x5x3x8xf32>
  %a = arith.subf %lc, %rs : tensor<2x5x3x8xf32>
  %b = arith.addf %rc, %ls : tensor<2x5x3x8xf32>
  %y = graph.concat %a, %b dim = 3 : tensor<2x5x3x8xf32>, tensor<2x5x3x8xf32> to tensor<2x5x3x16xf32>
  return %y : tensor<2x5x3x16xf32>
}

// CHECK-LABEL: plan.program @three_along_rows
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
func.func @three_along_rows(%x: tensor<7x13xf32>) -> tensor<21x13xf32> {
  %e = math.exp %x : tensor<7x13xf32>
  %n = arith.negf %x : tensor<7x13xf32>
  %s = arith.addf %e, %n : tensor<7x13xf32>
  %y = graph.concat %e, %n, %s dim = 0 : tensor<7x13xf32>, tensor<7x13xf32>, tensor<7x13xf32> to tensor<21x13xf32>
  return %y : tensor<21x13xf32>
}

// One value may be two of the parts.
// CHECK-LABEL: plan.program @twice
func.func @twice(%x: tensor<33xf32>) -> tensor<66xf32> {
  %e = math.exp %x : tensor<33xf32>
  %y = graph.concat %e, %e dim = 0 : tensor<33xf32>, tensor<33xf32> to tensor<66xf32>
  return %y : tensor<66xf32>
}

// Rows of reductions, and a row-wise result, joined along another dimension than they are reduced.
// CHECK-LABEL: plan.program @norms
func.func @norms(%x: tensor<9x40xf32>) -> tensor<9x2x40xf32> {
  %p = graph.softmax %x dim = 1 : tensor<9x40xf32> to tensor<9x40xf32>
  %q = arith.mulf %p, %x : tensor<9x40xf32>
  %p3 = graph.reshape %p : tensor<9x40xf32> to tensor<9x1x40xf32>
  %q3 = graph.reshape %q : tensor<9x40xf32> to tensor<9x1x40xf32>
  %y = graph.concat %p3, %q3 dim = 1 : tensor<9x1x40xf32>, tensor<9x1x40xf32> to tensor<9x2x40xf32>
  return %y : tensor<9x2x40xf32>
}

// Parts that follow a product.
// CHECK-LABEL: plan.program @products
func.func @products(%a: tensor<5x8xf32>, %b: tensor<8x12xf32>) -> tensor<5x24xf32> {
  %p = graph.matmul %a, %b : tensor<5x8xf32>, tensor<8x12xf32> to tensor<5x12xf32>
  %q = arith.negf %p : tensor<5x12xf32>
  %y = graph.concat %p, %q dim = 1 : tensor<5x12xf32>, tensor<5x12xf32> to tensor<5x24xf32>
  return %y : tensor<5x24xf32>
}

// What the kernel itself reads again is joined in memory first, and so are parts of different sizes.
// CHECK-LABEL: plan.program @read_again
func.func @read_again(%x: tensor<6x10xf32>) -> tensor<6x20xf32> {
  %e = math.exp %x : tensor<6x10xf32>
  %n = arith.negf %x : tensor<6x10xf32>
  %j = graph.concat %e, %n dim = 1 : tensor<6x10xf32>, tensor<6x10xf32> to tensor<6x20xf32>
  %y = math.sin %j : tensor<6x20xf32>
  return %y : tensor<6x20xf32>
}

// CHECK-LABEL: plan.program @uneven
func.func @uneven(%x: tensor<6x10xf32>, %z: tensor<6x3xf32>) -> tensor<6x13xf32> {
  %e = math.exp %x : tensor<6x10xf32>
  %n = arith.negf %z : tensor<6x3xf32>
  %y = graph.concat %e, %n dim = 1 : tensor<6x10xf32>, tensor<6x3xf32> to tensor<6x13xf32>
  return %y : tensor<6x13xf32>
}

// The parts have other readers as well.
// CHECK-LABEL: plan.program @parts_escape
func.func @parts_escape(%x: tensor<6x16xf32>) -> (tensor<6x32xf32>, tensor<6x16xf32>, tensor<16x6xf32>) {
  %e = math.exp %x : tensor<6x16xf32>
  %n = arith.negf %x : tensor<6x16xf32>
  %y = graph.concat %e, %n dim = 1 : tensor<6x16xf32>, tensor<6x16xf32> to tensor<6x32xf32>
  %t = graph.transpose %n permutation = [1, 0] : tensor<6x16xf32> to tensor<16x6xf32>
  return %y, %e, %t : tensor<6x32xf32>, tensor<6x16xf32>, tensor<16x6xf32>
}

// Long rows, of which one part is joined by the kernel that computes the other.
// CHECK-LABEL: plan.program @around_two_sums
func.func @around_two_sums(%x: tensor<3x40960xf32>) -> tensor<3x81920xf32> {
  %mean = arith.constant dense<2.44140625e-5> : tensor<3xf32>
  %0 = graph.reduce sum %x dims = [1] : tensor<3x40960xf32> to tensor<3xf32>
  %1 = arith.mulf %0, %mean : tensor<3xf32>
  %2 = graph.broadcast %1 dims = [0] : tensor<3xf32> to tensor<3x40960xf32>
  %3 = arith.subf %x, %2 : tensor<3x40960xf32>
  %4 = math.absf %3 : tensor<3x40960xf32>
  %5 = graph.reduce max %3 dims = [1] : tensor<3x40960xf32> to tensor<3xf32>
  %6 = graph.broadcast %5 dims = [0] : tensor<3xf32> to tensor<3x40960xf32>
  %7 = arith.subf %3, %6 : tensor<3x40960xf32>
  %8 = math.exp %7 : tensor<3x40960xf32>
  %9 = graph.concat %4, %8 dim = 1 : tensor<3x40960xf32>, tensor<3x40960xf32> to tensor<3x81920xf32>
  return %9 : tensor<3x81920xf32>
}
