// A scan of a single element that comes out of a concatenation: which part it is depends on its place, so its tile is as
// wide as the block's where the scan alone would have one element. Found by random programs of parts.
// RUN: tw-check %s --quiet
func.func @from_one_part(%x: tensor<128xf32>) -> tensor<1xf32> {
  %0 = graph.slice %x offsets = [40] strides = [1] : tensor<128xf32> to tensor<1xf32>
  %1 = graph.concat %0, %0 dim = 0 : tensor<1xf32>, tensor<1xf32> to tensor<2xf32>
  %2 = graph.slice %1 offsets = [0] strides = [2] : tensor<2xf32> to tensor<1xf32>
  %3 = graph.scan max %2 dim = 0 reverse : tensor<1xf32>
  return %3 : tensor<1xf32>
}
func.func @of_a_padded_one(%x: tensor<7x3xi32>) -> tensor<7x1xi32> {
  %0 = graph.pad %x low = [0, 2] high = [0, 0] value = 5 : i32 : tensor<7x3xi32> to tensor<7x5xi32>
  %1 = graph.slice %0 offsets = [0, 1] strides = [1, 1] : tensor<7x5xi32> to tensor<7x1xi32>
  %2 = graph.scan sum %1 dim = 1 : tensor<7x1xi32>
  return %2 : tensor<7x1xi32>
}
func.func @of_one_sorted(%d: tensor<64xi32> {check.data = "iota"}, %k: tensor<64xi32>) -> tensor<1xi32> {
  %0 = graph.slice %d offsets = [40] strides = [1] : tensor<64xi32> to tensor<1xi32>
  %1 = graph.slice %k offsets = [41] strides = [1] : tensor<64xi32> to tensor<1xi32>
  %2 = graph.concat %0, %1 dim = 0 : tensor<1xi32>, tensor<1xi32> to tensor<2xi32>
  %3 = graph.slice %2 offsets = [0] strides = [2] : tensor<2xi32> to tensor<1xi32>
  %4 = graph.sort %3 by %1 dim = 0 : tensor<1xi32>, tensor<1xi32>
  return %4 : tensor<1xi32>
}
