// Operands whose rows cp.async cannot copy run ahead in registers: one or both of them, by any number of iterations.
// No kernel spills for it: ptxas is asked again without an occupancy of its own to aim at.
// RUN: tw-check %s --precision=bf16 %if ptxas %{ --assemble=sm_80,sm_90a %} --quiet

func.func @both_15x67x475(%a: tensor<15x475xbf16>, %b: tensor<475x67xbf16>) -> tensor<15x67xf32> {
  %0 = graph.matmul %a, %b : tensor<15x475xbf16>, tensor<475x67xbf16> to tensor<15x67xf32>
  return %0 : tensor<15x67xf32>
}
func.func @right_48x33x256(%a: tensor<48x256xbf16>, %b: tensor<256x33xbf16>) -> tensor<48x33xf32> {
  %0 = graph.matmul %a, %b : tensor<48x256xbf16>, tensor<256x33xbf16> to tensor<48x33xf32>
  return %0 : tensor<48x33xf32>
}
func.func @left_33x48x256(%a: tensor<256x33xbf16>, %b: tensor<256x48xbf16>) -> tensor<33x48xf32> {
  %t = graph.transpose %a permutation = [1, 0] : tensor<256x33xbf16> to tensor<33x256xbf16>
  %0 = graph.matmul %t, %b : tensor<33x256xbf16>, tensor<256x48xbf16> to tensor<33x48xf32>
  return %0 : tensor<33x48xf32>
}
func.func @two_steps_17x19x66(%a: tensor<17x66xf16>, %b: tensor<19x66xf16>) -> tensor<17x19xf32> {
  %t = graph.transpose %b permutation = [1, 0] : tensor<19x66xf16> to tensor<66x19xf16>
  %0 = graph.matmul %a, %t : tensor<17x66xf16>, tensor<66x19xf16> to tensor<17x19xf32>
  return %0 : tensor<17x19xf32>
}
func.func @batches_3x9x31x129(%a: tensor<3x9x129xbf16>, %b: tensor<3x129x31xbf16>) -> tensor<3x9x31xf32> {
  %0 = graph.matmul %a, %b : tensor<3x9x129xbf16>, tensor<3x129x31xbf16> to tensor<3x9x31xf32>
  return %0 : tensor<3x9x31xf32>
}
