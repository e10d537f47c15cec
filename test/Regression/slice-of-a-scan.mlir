// A slice of a cumulative sum along the scanned dimension: the values before it are needed, so the scan is computed whole.
// RUN: tw-check %s --quiet
func.func @one_of_the_scanned(%x: tensor<200x5x4xf32>) -> tensor<96x1x3xf32> {
  %0 = graph.scan min %x dim = 1 reverse : tensor<200x5x4xf32>
  %1 = graph.slice %0 offsets = [6, 3, 0] strides = [2, -1, 1] : tensor<200x5x4xf32> to tensor<96x1x3xf32>
  return %1 : tensor<96x1x3xf32>
}
func.func @the_last_of_the_scanned(%x: tensor<40x64xf32>) -> tensor<40x1xf32> {
  %0 = graph.scan sum %x dim = 1 : tensor<40x64xf32>
  %1 = graph.slice %0 offsets = [0, 63] strides = [1, 1] : tensor<40x64xf32> to tensor<40x1xf32>
  return %1 : tensor<40x1xf32>
}
func.func @part_of_the_scanned(%x: tensor<40x64xf32>) -> (tensor<40x8xf32>, tensor<8x64xf32>) {
  %0 = graph.scan sum %x dim = 1 : tensor<40x64xf32>
  %1 = graph.slice %0 offsets = [0, 32] strides = [1, 1] : tensor<40x64xf32> to tensor<40x8xf32>
  %2 = graph.slice %0 offsets = [16, 0] strides = [1, 1] : tensor<40x64xf32> to tensor<8x64xf32>
  return %1, %2 : tensor<40x8xf32>, tensor<8x64xf32>
}
func.func @one_of_the_largest(%x: tensor<40x64xf32>) -> tensor<20x1xi64> {
  %0 = graph.top_k %x dim = 1 : tensor<40x64xf32> to tensor<40x8xi64>
  %1 = graph.slice %0 offsets = [10, 1] strides = [1, 1] : tensor<40x8xi64> to tensor<20x1xi64>
  return %1 : tensor<20x1xi64>
}
func.func @one_of_a_softmax(%x: tensor<40x64xf32>) -> tensor<20x1xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<40x64xf32> to tensor<40x64xf32>
  %1 = graph.slice %0 offsets = [10, 1] strides = [1, 1] : tensor<40x64xf32> to tensor<20x1xf32>
  return %1 : tensor<20x1xf32>
}
func.func @one_of_a_sort(%d: tensor<40x60xi32> {check.data = "iota"}, %k: tensor<40x60xi64> {check.data = "random:0:9"}) -> tensor<20x1xi32> {
  %0 = graph.sort %d by %k dim = 1 : tensor<40x60xi32>, tensor<40x60xi64>
  %1 = graph.slice %0 offsets = [10, 1] strides = [1, 1] : tensor<40x60xi32> to tensor<20x1xi32>
  return %1 : tensor<20x1xi32>
}
