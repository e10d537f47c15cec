// Softmax of rows longer than a cluster keeps: pieces have maxima of their own, and are brought to that of the row. Rows of
// huge and of very different elements, pieces that are masked, rows that no number of equal pieces has, and columns.
// RUN: tw-check %s --target=sm_90a

func.func @even(%x: tensor<2x460800xf32> {check.data = "random"}) -> tensor<2x460800xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<2x460800xf32> to tensor<2x460800xf32>
  return %0 : tensor<2x460800xf32>
}

func.func @odd(%x: tensor<450001xf32> {check.data = "random:-200:200"}) -> tensor<450001xf32> {
  %0 = graph.softmax %x dim = 0 : tensor<450001xf32> to tensor<450001xf32>
  return %0 : tensor<450001xf32>
}

// The first 30000 elements are -inf.
func.func @masked(%x: tensor<450560xf32> {check.data = "random:10000:10010"}) -> tensor<450560xf32> {
  %least = arith.constant dense<0xFF800000> : tensor<450560xf32>
  %place = graph.iota dim = 0 : tensor<450560xi32>
  %from = arith.constant dense<30000> : tensor<450560xi32>
  %out = arith.cmpi slt, %place, %from : tensor<450560xi32>
  %m = arith.select %out, %least, %x : tensor<450560xi1>, tensor<450560xf32>
  %0 = graph.softmax %m dim = 0 : tensor<450560xf32> to tensor<450560xf32>
  return %0 : tensor<450560xf32>
}
