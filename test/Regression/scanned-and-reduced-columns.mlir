// Columns that one kernel scans and reduces stay whole: the default schedule once cut them as it cuts those of scans
// alone, and the tile stage refused it.
// REQUIRES: emulator
// RUN: tw-check %s
func.func @short(%x: tensor<257x8xf16>) -> (tensor<8xf16>, tensor<257x8xf16>) {
  %0 = graph.reduce max %x dims = [0] : tensor<257x8xf16> to tensor<8xf16>
  %1 = math.absf %x : tensor<257x8xf16>
  %2 = graph.scan sum %1 dim = 0 : tensor<257x8xf16>
  return %0, %2 : tensor<8xf16>, tensor<257x8xf16>
}
func.func @wide(%x: tensor<200x90xf64>) -> (tensor<90xf64>, tensor<200x90xf64>) {
  %0 = graph.reduce max %x dims = [0] : tensor<200x90xf64> to tensor<90xf64>
  %1 = math.absf %x : tensor<200x90xf64>
  %2 = graph.scan sum %1 dim = 0 : tensor<200x90xf64>
  return %0, %2 : tensor<90xf64>, tensor<200x90xf64>
}
func.func @both_ways(%x: tensor<120x33xf32>) -> (tensor<120x33xf32>, tensor<120x33xf32>) {
  %0 = graph.scan sum %x dim = 0 reverse : tensor<120x33xf32>
  %1 = graph.scan sum %x dim = 0 : tensor<120x33xf32>
  return %0, %1 : tensor<120x33xf32>, tensor<120x33xf32>
}
