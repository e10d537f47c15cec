// With check.rounded, which random programs have, a difference that rounding of the inputs or of the steps makes as well is
// right: the sine of a sum's square has the sum's rounding many times over, and what is left of a number when it is taken away
// is rounding alone. Without it, and where a value is simply wrong (one element, a term), it is not.
// RUN: tw-check %s --function=sine_of_a_square
// RUN: tw-check %s --function=what_is_left
// RUN: tw-check %s --function=two_less_its_mean
// RUN: tw-check %s --function=sum_of_a_norm
// RUN: not tw-check %s --function=sine_of_a_square_to_the_digit | FileCheck %s
// RUN: not tw-check %s --function=what_is_left_to_the_digit | FileCheck %s
// RUN: not tw-check %s --function=rounded_too_much | FileCheck %s
// CHECK: DIFFERENT
// RUN: not tw-check %s --function=one_element | FileCheck %s --check-prefix=ONE
// ONE: 1 of 64 elements differ; the first is [3]
// RUN: not tw-check %s --function=a_term | FileCheck %s --check-prefix=TERM
// TERM: DIFFERENT: result #0: {{6[0-4]}} of 64 elements differ
func.func @sine_of_a_square(%a: tensor<32x128xf32>, %b: tensor<128x128xf32>) -> tensor<32x128xf32> attributes {check.rounded} {
  %sum = graph.matmul %a, %b : tensor<32x128xf32>, tensor<128x128xf32> to tensor<32x128xf32>
  %square = arith.mulf %sum, %sum : tensor<32x128xf32>
  %sine = math.sin %square : tensor<32x128xf32>
  return %sine : tensor<32x128xf32>
}
func.func @sine_of_a_square_to_the_digit(%a: tensor<32x128xf32>, %b: tensor<128x128xf32>) -> tensor<32x128xf32> {
  %sum = graph.matmul %a, %b : tensor<32x128xf32>, tensor<128x128xf32> to tensor<32x128xf32>
  %square = arith.mulf %sum, %sum : tensor<32x128xf32>
  %sine = math.sin %square : tensor<32x128xf32>
  return %sine : tensor<32x128xf32>
}
// Nothing but the rounding of the means, which both elements of a row share: what spreads it out again shows it.
func.func @sum_of_a_norm(%x: tensor<100x24x2xf32>) -> tensor<8x24xf32> attributes {check.rounded} {
  %0 = math.tanh %x : tensor<100x24x2xf32>
  %1 = arith.mulf %x, %0 : tensor<100x24x2xf32>
  %2 = graph.layer_norm %1 dim = 2 epsilon = 1.0e-2 : tensor<100x24x2xf32> to tensor<100x24x2xf32>
  %3 = graph.reduce sum %2 dims = [2] : tensor<100x24x2xf32> to tensor<100x24xf32>
  %4 = graph.slice %3 offsets = [19, 0] strides = [9, 1] : tensor<100x24xf32> to tensor<8x24xf32>
  %5 = graph.layer_norm %4 dim = 1 epsilon = 1.0e-2 : tensor<8x24xf32> to tensor<8x24xf32>
  return %5 : tensor<8x24xf32>
}
// Exactly nothing, whatever the input; in fp32 up to 0.5, and other digits for another order of the sums.
func.func @what_is_left(%x: tensor<64x1024xf32> {check.data = "random:0:1000"}) -> tensor<64xf32> attributes {check.rounded} {
  %three = arith.constant dense<3.0> : tensor<64x1024xf32>
  %also = arith.constant dense<3.0> : tensor<64xf32>
  %sum = graph.reduce sum %x dims = [1] : tensor<64x1024xf32> to tensor<64xf32>
  %tripled = arith.mulf %sum, %also : tensor<64xf32>
  %triples = arith.mulf %x, %three : tensor<64x1024xf32>
  %other = graph.reduce sum %triples dims = [1] : tensor<64x1024xf32> to tensor<64xf32>
  %left = arith.subf %other, %tripled : tensor<64xf32>
  return %left : tensor<64xf32>
}
func.func @what_is_left_to_the_digit(%x: tensor<64x1024xf32> {check.data = "random:0:1000"}) -> tensor<64xf32> {
  %three = arith.constant dense<3.0> : tensor<64x1024xf32>
  %also = arith.constant dense<3.0> : tensor<64xf32>
  %sum = graph.reduce sum %x dims = [1] : tensor<64x1024xf32> to tensor<64xf32>
  %tripled = arith.mulf %sum, %also : tensor<64xf32>
  %triples = arith.mulf %x, %three : tensor<64x1024xf32>
  %other = graph.reduce sum %triples dims = [1] : tensor<64x1024xf32> to tensor<64xf32>
  %left = arith.subf %other, %tripled : tensor<64xf32>
  return %left : tensor<64xf32>
}
func.func @two_less_its_mean(%x: tensor<999xf32> {check.data = "splat:2"}) -> tensor<999xf32> attributes {check.rounded} {
  %n = arith.constant dense<1.00100098E-3> : tensor<f32>
  %many = arith.constant dense<1.0E+6> : tensor<999xf32>
  %sum = graph.reduce sum %x dims = [0] : tensor<999xf32> to tensor<f32>
  %mean = arith.mulf %sum, %n : tensor<f32>
  %all = graph.broadcast %mean dims = [] : tensor<f32> to tensor<999xf32>
  %left = arith.subf %x, %all : tensor<999xf32>
  %0 = arith.mulf %left, %many : tensor<999xf32>
  return %0 : tensor<999xf32>
}
// One bf16 rounding where the reference has none.
func.func @rounded_too_much(%a: tensor<32x128xf32>, %b: tensor<128x128xf32>) -> tensor<32x128xf32> attributes {check.rounded, check.reference = @not_rounded} {
  %n = arith.truncf %a : tensor<32x128xf32> to tensor<32x128xbf16>
  %w = arith.extf %n : tensor<32x128xbf16> to tensor<32x128xf32>
  %sum = graph.matmul %w, %b : tensor<32x128xf32>, tensor<128x128xf32> to tensor<32x128xf32>
  return %sum : tensor<32x128xf32>
}
func.func @not_rounded(%a: tensor<32x128xf32>, %b: tensor<128x128xf32>) -> tensor<32x128xf32> {
  %sum = graph.matmul %a, %b : tensor<32x128xf32>, tensor<128x128xf32> to tensor<32x128xf32>
  return %sum : tensor<32x128xf32>
}
// Off by 5 where rounding makes 0.5.
func.func @one_element(%x: tensor<64x1024xf32> {check.data = "random:0:1000"}) -> tensor<64xf32> attributes {check.rounded, check.reference = @what_is_left} {
  %three = arith.constant dense<3.0> : tensor<64x1024xf32>
  %also = arith.constant dense<3.0> : tensor<64xf32>
  %sum = graph.reduce sum %x dims = [1] : tensor<64x1024xf32> to tensor<64xf32>
  %tripled = arith.mulf %sum, %also : tensor<64xf32>
  %triples = arith.mulf %x, %three : tensor<64x1024xf32>
  %other = graph.reduce sum %triples dims = [1] : tensor<64x1024xf32> to tensor<64xf32>
  %left = arith.subf %other, %tripled : tensor<64xf32>
  %little = arith.constant dense<5.0> : tensor<1xf32>
  %there = graph.pad %little low = [3] high = [60] value = 0.0 : f32 : tensor<1xf32> to tensor<64xf32>
  %0 = arith.addf %left, %there : tensor<64xf32>
  return %0 : tensor<64xf32>
}
func.func @a_term(%x: tensor<64x1024xf32> {check.data = "random:0:1000"}) -> tensor<64xf32> attributes {check.rounded, check.reference = @what_is_left} {
  %three = arith.constant dense<3.0> : tensor<64x1024xf32>
  %also = arith.constant dense<3.0> : tensor<64xf32>
  %sum = graph.reduce sum %x dims = [1] : tensor<64x1024xf32> to tensor<64xf32>
  %tripled = arith.mulf %sum, %also : tensor<64xf32>
  %triples = arith.mulf %x, %three : tensor<64x1024xf32>
  %other = graph.reduce sum %triples dims = [1] : tensor<64x1024xf32> to tensor<64xf32>
  %left = arith.subf %other, %tripled : tensor<64xf32>
  %few = arith.constant dense<3.0E-5> : tensor<64xf32>
  %term = arith.mulf %sum, %few : tensor<64xf32>
  %0 = arith.addf %left, %term : tensor<64xf32>
  return %0 : tensor<64xf32>
}
