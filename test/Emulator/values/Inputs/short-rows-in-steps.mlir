func.func @main(%x: tensor<600x40x12xbf16>) -> tensor<600x40x12xf32> {
  %f = arith.extf %x : tensor<600x40x12xbf16> to tensor<600x40x12xf32>
  %n = graph.layer_norm %f dim = 2 epsilon = 1.0e-2 : tensor<600x40x12xf32> to tensor<600x40x12xf32>
  %s = graph.reduce max %n dims = [0] : tensor<600x40x12xf32> to tensor<40x12xf32>
  %b = graph.broadcast %s dims = [1, 2] : tensor<40x12xf32> to tensor<600x40x12xf32>
  %r = arith.subf %n, %b : tensor<600x40x12xf32>
  return %r : tensor<600x40x12xf32>
}
