// Updates of 16-bit floats are accumulated in fp32.
// RUN: tw-check %s --rtol=8e-3 --atol=8e-3 --quiet

func.func @of_f16(%x: tensor<20x3xf16>, %i: tensor<90xi64> {check.data = "random:-22:22"}, %u: tensor<90x3xf16>) -> (tensor<20x3xf16>, tensor<20x3xf16>, tensor<20x3xf16>, tensor<20x3xf16>, tensor<20x3xf16>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<90x3xf16>, tensor<90xi64> into tensor<20x3xf16>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<90x3xf16>, tensor<90xi64> into tensor<20x3xf16>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<90x3xf16>, tensor<90xi64> into tensor<20x3xf16>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<90x3xf16>, tensor<90xi64> into tensor<20x3xf16>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<90x3xf16>, tensor<90xi64> into tensor<20x3xf16>
  return %0, %1, %2, %3, %4 : tensor<20x3xf16>, tensor<20x3xf16>, tensor<20x3xf16>, tensor<20x3xf16>, tensor<20x3xf16>
}
func.func @of_bf16(%x: tensor<20x3xbf16>, %i: tensor<90xi64> {check.data = "random:-22:22"}, %u: tensor<90x3xbf16>) -> (tensor<20x3xbf16>, tensor<20x3xbf16>, tensor<20x3xbf16>, tensor<20x3xbf16>, tensor<20x3xbf16>) {
  %0 = graph.scatter set %u into %x[%i] batch = 0 : tensor<90x3xbf16>, tensor<90xi64> into tensor<20x3xbf16>
  %1 = graph.scatter add %u into %x[%i] batch = 0 : tensor<90x3xbf16>, tensor<90xi64> into tensor<20x3xbf16>
  %2 = graph.scatter mul %u into %x[%i] batch = 0 : tensor<90x3xbf16>, tensor<90xi64> into tensor<20x3xbf16>
  %3 = graph.scatter max %u into %x[%i] batch = 0 : tensor<90x3xbf16>, tensor<90xi64> into tensor<20x3xbf16>
  %4 = graph.scatter min %u into %x[%i] batch = 0 : tensor<90x3xbf16>, tensor<90xi64> into tensor<20x3xbf16>
  return %0, %1, %2, %3, %4 : tensor<20x3xbf16>, tensor<20x3xbf16>, tensor<20x3xbf16>, tensor<20x3xbf16>, tensor<20x3xbf16>
}
