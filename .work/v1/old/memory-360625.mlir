"func.func"() <{function_type = (tensor<1890x152x96xbf16>, tensor<96xbf16>, tensor<1890xbf16>) -> (tensor<1890x152x96xbf16>, tensor<152x1890x96xbf16>, tensor<1890xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<1890x152x96xbf16>, %arg1: tensor<96xbf16>, %arg2: tensor<1890xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<1890x152x96xbf16>) -> tensor<1890x152x96xf32>
  %1 = "graph.transpose"(%0) <{permutation = array<i64: 1, 0, 2>}> : (tensor<1890x152x96xf32>) -> tensor<152x1890x96xf32>
  %2 = "arith.extf"(%arg1) : (tensor<96xbf16>) -> tensor<96xf32>
  %3 = "graph.layer_norm"(%1, %2) <{dim = 2 : i64, epsilon = 1.000000e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<152x1890x96xf32>, tensor<96xf32>) -> tensor<152x1890x96xf32>
  %4 = "graph.transpose"(%1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<152x1890x96xf32>) -> tensor<1890x152x96xf32>
  %5 = "arith.extf"(%arg2) : (tensor<1890xbf16>) -> tensor<1890xf32>
  %6 = "graph.broadcast"(%5) <{dims = array<i64: 0>}> : (tensor<1890xf32>) -> tensor<1890x152x96xf32>
  %7 = "arith.maximumf"(%4, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<1890x152x96xf32>, tensor<1890x152x96xf32>) -> tensor<1890x152x96xf32>
  %8 = "math.tanh"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<1890xf32>) -> tensor<1890xf32>
  %9 = "arith.mulf"(%5, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<1890xf32>, tensor<1890xf32>) -> tensor<1890xf32>
  %10 = "arith.truncf"(%7) : (tensor<1890x152x96xf32>) -> tensor<1890x152x96xbf16>
  %11 = "arith.truncf"(%3) : (tensor<152x1890x96xf32>) -> tensor<152x1890x96xbf16>
  %12 = "arith.truncf"(%9) : (tensor<1890xf32>) -> tensor<1890xbf16>
  "func.return"(%10, %11, %12) : (tensor<1890x152x96xbf16>, tensor<152x1890x96xbf16>, tensor<1890xbf16>) -> ()
}) : () -> ()
