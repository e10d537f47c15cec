// The precision policies: products and stored activations in fewer bits, inputs and outputs in theirs.
// RUN: tw-check %s --quiet --rtol=2e-6 --atol=1e-5
// RUN: tw-check %s --quiet --precision=tf32 --rtol=3e-3 --atol=2e-2
// RUN: tw-check %s --quiet --precision=bf16 --rtol=4e-2 --atol=1.5e-1
// RUN: tw-check %s --quiet --precision=fp16 --rtol=6e-3 --atol=2e-2

func.func @two_layers(%x: tensor<48x64xf32>, %w: tensor<64x96xf32>, %b: tensor<96xf32>, %v: tensor<96x40xf32>) -> tensor<48x40xf32> {
  %0 = graph.matmul %x, %w : tensor<48x64xf32>, tensor<64x96xf32> to tensor<48x96xf32>
  %1 = graph.broadcast %b dims = [1] : tensor<96xf32> to tensor<48x96xf32>
  %2 = arith.addf %0, %1 : tensor<48x96xf32>
  %3 = graph.gelu erf %2 : tensor<48x96xf32>
  %4 = graph.matmul %3, %v : tensor<48x96xf32>, tensor<96x40xf32> to tensor<48x40xf32>
  return %4 : tensor<48x40xf32>
}
func.func @norm_and_residual(%x: tensor<48x64xf32>, %w: tensor<64x64xf32>, %g: tensor<64xf32>) -> (tensor<48x64xf32>, tensor<48x64xf32>) {
  %0 = graph.layer_norm %x scale(%g : tensor<64xf32>) dim = 1 epsilon = 1.0e-5 : tensor<48x64xf32> to tensor<48x64xf32>
  %1 = graph.matmul %0, %w : tensor<48x64xf32>, tensor<64x64xf32> to tensor<48x64xf32>
  %2 = arith.addf %x, %1 : tensor<48x64xf32>
  %3 = graph.rms_norm %2 dim = 1 epsilon = 1.0e-5 : tensor<48x64xf32> to tensor<48x64xf32>
  return %3, %2 : tensor<48x64xf32>, tensor<48x64xf32>
}
func.func @attention(%q: tensor<2x2x17x24xf32>, %k: tensor<2x2x33x24xf32>, %v: tensor<2x2x33x16xf32>) -> tensor<2x2x17x16xf32> {
  %0 = graph.attention %q, %k, %v scale = 0.2 : tensor<2x2x17x24xf32>, tensor<2x2x33x24xf32>, tensor<2x2x33x16xf32> to tensor<2x2x17x16xf32>
  return %0 : tensor<2x2x17x16xf32>
}
func.func @sliced_and_shared(%x: tensor<48x64xf32>, %w: tensor<64x64xf32>) -> (tensor<48x32xf32>, tensor<48x64xf32>) {
  %0 = graph.matmul %x, %w : tensor<48x64xf32>, tensor<64x64xf32> to tensor<48x64xf32>
  %1 = math.tanh %0 : tensor<48x64xf32>
  %2 = graph.slice %1 offsets = [0, 8] strides = [1, 1] : tensor<48x64xf32> to tensor<48x32xf32>
  %3 = graph.slice %1 offsets = [0, 32] strides = [1, 1] : tensor<48x64xf32> to tensor<48x32xf32>
  %4 = arith.mulf %2, %3 : tensor<48x32xf32>
  %5 = graph.matmul %1, %w : tensor<48x64xf32>, tensor<64x64xf32> to tensor<48x64xf32>
  return %4, %5 : tensor<48x32xf32>, tensor<48x64xf32>
}
func.func @gathered(%t: tensor<20x64xf32>, %i: tensor<9xi64>, %w: tensor<64x48xf32>) -> (tensor<9x48xf32>, tensor<9xf32>) {
  %e = graph.gather %t[%i] dim = 0 : tensor<20x64xf32>, tensor<9xi64> to tensor<9x64xf32>
  %n = graph.rms_norm %e dim = 1 epsilon = 1.0e-5 : tensor<9x64xf32> to tensor<9x64xf32>
  %0 = graph.matmul %n, %w : tensor<9x64xf32>, tensor<64x48xf32> to tensor<9x48xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<9x48xf32> to tensor<9xf32>
  return %0, %1 : tensor<9x48xf32>, tensor<9xf32>
}
func.func @concat_and_pad(%x: tensor<48x64xf32>, %y: tensor<48x64xf32>) -> tensor<49x129xf32> {
  %a = math.exp %x : tensor<48x64xf32>
  %b = math.tanh %y : tensor<48x64xf32>
  %0 = graph.concat %a, %b dim = 1 : tensor<48x64xf32>, tensor<48x64xf32> to tensor<48x128xf32>
  %1 = graph.pad %0 low = [0, 1] high = [1, 0] value = 0.5 : f32 : tensor<48x128xf32> to tensor<49x129xf32>
  %2 = arith.negf %1 : tensor<49x129xf32>
  return %2 : tensor<49x129xf32>
}
