// A sum of single elements of which one has its place in the kernel's domain, since a pad has it beside others: the tile of
// the sum was as wide as that of the pad, and what reads it was not. Found by random programs of parts.
// RUN: tw-check %s --quiet
func.func @main(%x: tensor<192xf32>, %y: tensor<383xf32>) -> (tensor<256xf32>, tensor<1xf32>) {
  %0 = graph.slice %y offsets = [0] strides = [1] : tensor<383xf32> to tensor<191xf32>
  %1 = graph.concat %x, %0 dim = 0 : tensor<192xf32>, tensor<191xf32> to tensor<383xf32>
  %2 = graph.slice %1 offsets = [75] strides = [3] : tensor<383xf32> to tensor<1xf32>
  %3 = graph.scan sum %2 dim = 0 : tensor<1xf32>
  %4 = graph.pad %3 low = [0] high = [255] value = 0.0 : f32 : tensor<1xf32> to tensor<256xf32>
  %5 = graph.layer_norm %3 dim = 0 epsilon = 1.0e-02 : tensor<1xf32> to tensor<1xf32>
  return %4, %5 : tensor<256xf32>, tensor<1xf32>
}
