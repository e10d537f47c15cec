// A place outside of the tensor in a dimension of one index (here of a part of a concatenation, none of whose rows the
// slice takes) is no offset: joining it with its neighbours ran into an assertion.
// RUN: tw-check %s --target=sm_90a --quiet

func.func @slice_beside_another_part(%a: tensor<6x46xf16>, %b: tensor<5x45xf16>) -> tensor<1x26xf16> {
  %0 = graph.pad %a low = [0, -1] high = [0, 0] value = 2.0 : f16 : tensor<6x46xf16> to tensor<6x45xf16>
  %1 = graph.concat %0, %0, %b dim = 0 : tensor<6x45xf16>, tensor<6x45xf16>, tensor<5x45xf16> to tensor<17x45xf16>
  %2 = math.absf %1 : tensor<17x45xf16>
  %one = arith.constant dense<1.0> : tensor<17x45xf16>
  %3 = arith.addf %2, %one : tensor<17x45xf16>
  %4 = arith.divf %1, %3 : tensor<17x45xf16>
  %5 = graph.slice %4 offsets = [3, 34] strides = [1, -1] : tensor<17x45xf16> to tensor<1x26xf16>
  %6 = arith.addf %5, %5 : tensor<1x26xf16>
  return %6 : tensor<1x26xf16>
}
