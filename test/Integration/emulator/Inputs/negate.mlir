// The input negated, twice: once as often as three times.
func.func @main(%x: tensor<128x64xbf16> {graph.name = "x"})
    -> (tensor<128x64xbf16> {graph.name = "n"}, tensor<128x64xbf16> {graph.name = "y"}) {
  %0 = arith.negf %x : tensor<128x64xbf16>
  return %0, %0 : tensor<128x64xbf16>, tensor<128x64xbf16>
}
