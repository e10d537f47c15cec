"func.func"() <{function_type = (tensor<65x1198x12x19xbf16>) -> (tensor<65x1198x13x19xbf16>, tensor<19x13x1198x65xbf16>, tensor<65x1198x12x19xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<65x1198x12x19xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<65x1198x12x19xbf16>) -> tensor<65x1198x12x19xf32>
  %1 = "graph.pad"(%0) <{high = array<i64: 0, 0, 1, 0>, low = array<i64: 0, 0, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<65x1198x12x19xf32>) -> tensor<65x1198x13x19xf32>
  %2 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<65x1198x12x19xf32>) -> tensor<65x1198x12x19xf32>
  %3 = "graph.transpose"(%1) <{permutation = array<i64: 3, 2, 1, 0>}> : (tensor<65x1198x13x19xf32>) -> tensor<19x13x1198x65xf32>
  %4 = "graph.reduce"(%3) <{dims = array<i64: 3>, kind = #graph<reduce_kind max>}> : (tensor<19x13x1198x65xf32>) -> tensor<19x13x1198xf32>
  %5 = "graph.broadcast"(%4) <{dims = array<i64: 0, 1, 2>}> : (tensor<19x13x1198xf32>) -> tensor<19x13x1198x65xf32>
  %6 = "arith.subf"(%3, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<19x13x1198x65xf32>, tensor<19x13x1198x65xf32>) -> tensor<19x13x1198x65xf32>
  %7 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<65x1198x13x19xf32>}> : () -> tensor<65x1198x13x19xf32>
  %8 = "arith.maximumf"(%1, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<65x1198x13x19xf32>, tensor<65x1198x13x19xf32>) -> tensor<65x1198x13x19xf32>
  %9 = "graph.gelu"(%2) <{form = #graph<gelu_form erf>}> : (tensor<65x1198x12x19xf32>) -> tensor<65x1198x12x19xf32>
  %10 = "arith.truncf"(%8) : (tensor<65x1198x13x19xf32>) -> tensor<65x1198x13x19xbf16>
  %11 = "arith.truncf"(%6) : (tensor<19x13x1198x65xf32>) -> tensor<19x13x1198x65xbf16>
  %12 = "arith.truncf"(%9) : (tensor<65x1198x12x19xf32>) -> tensor<65x1198x12x19xbf16>
  "func.return"(%10, %11, %12) : (tensor<65x1198x13x19xbf16>, tensor<19x13x1198x65xbf16>, tensor<65x1198x12x19xbf16>) -> ()
}) : () -> ()
