// The reference calls a function for fp32 to bf16 on hosts that have no instruction for it (x86-64 without AVX512-BF16), and
// did not find one: least and largest elements of bf16 that rows and columns share.
// RUN: tw-check %s --target=sm_90a

func.func @rows_and_columns(%x: tensor<13x53x91xbf16>, %m: tensor<53xbf16>, %a: tensor<13x91xbf16>) -> (tensor<13x53x91xbf16>, tensor<13x53x91xbf16>) {
  %mw = graph.broadcast %m dims = [1] : tensor<53xbf16> to tensor<13x53x91xbf16>
  %aw = graph.broadcast %a dims = [0, 2] : tensor<13x91xbf16> to tensor<13x53x91xbf16>
  %0 = arith.maximumf %x, %mw : tensor<13x53x91xbf16>
  %1 = arith.minimumf %x, %aw : tensor<13x53x91xbf16>
  return %0, %1 : tensor<13x53x91xbf16>, tensor<13x53x91xbf16>
}
