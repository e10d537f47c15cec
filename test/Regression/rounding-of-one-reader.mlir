// A value that the program rounds for one result is returned in full as another: the rounding moved up to where the
// value is made, under fp32 too, and the other result was rounded with it. Found by tw-check --random=18.
// RUN: tw-check %s --rtol=1e-6

func.func @main(%x: tensor<96x48xf32>) -> (tensor<96xf16>, tensor<96xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<96x48xf32> to tensor<96xf32>
  %1 = arith.truncf %0 : tensor<96xf32> to tensor<96xf16>
  return %1, %0 : tensor<96xf16>, tensor<96xf32>
}
func.func @from_f64(%x: tensor<33xf64>) -> (tensor<33xf32>, tensor<33xf64>) attributes {check.rtol = 1.0e-14, check.atol = 0.0} {
  %0 = arith.mulf %x, %x : tensor<33xf64>
  %1 = arith.truncf %0 : tensor<33xf64> to tensor<33xf32>
  return %1, %0 : tensor<33xf32>, tensor<33xf64>
}
