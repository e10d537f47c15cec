// With check.rounded_inputs, which random programs have, a difference that rounding of the inputs makes as well is right:
// the sine of a sum's square has the sum's rounding many times over. Without it, and where a value is simply wrong, it is not.
// RUN: tw-check %s --function=sine_of_a_square
// RUN: not tw-check %s --function=sine_of_a_square_to_the_digit | FileCheck %s
// RUN: not tw-check %s --function=wrong_by_more | FileCheck %s
// CHECK: DIFFERENT
func.func @sine_of_a_square(%a: tensor<32x128xf32>, %b: tensor<128x128xf32>) -> tensor<32x128xf32> attributes {check.rounded_inputs} {
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
// One bf16 rounding where the reference has none.
func.func @wrong_by_more(%a: tensor<32x128xf32>, %b: tensor<128x128xf32>) -> tensor<32x128xf32> attributes {check.rounded_inputs, check.precision = "bf16"} {
  %sum = graph.matmul %a, %b : tensor<32x128xf32>, tensor<128x128xf32> to tensor<32x128xf32>
  return %sum : tensor<32x128xf32>
}
