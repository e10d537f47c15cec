"func.func"() <{function_type = (tensor<26x5788x225xbf16>, tensor<26x5788x225xbf16>, tensor<26x5788x225xbf16>, tensor<225xbf16>, tensor<225xbf16>) -> (tensor<26x5788x225xbf16>, tensor<26x225x5788xbf16>, tensor<26x5788x225xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<26x5788x225xbf16>, %arg1: tensor<26x5788x225xbf16>, %arg2: tensor<26x5788x225xbf16>, %arg3: tensor<225xbf16>, %arg4: tensor<225xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<26x5788x225xbf16>) -> tensor<26x5788x225xf32>
  %1 = "math.erf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<26x5788x225xf32>) -> tensor<26x5788x225xf32>
  %2 = "arith.extf"(%arg1) : (tensor<26x5788x225xbf16>) -> tensor<26x5788x225xf32>
  %3 = "arith.extf"(%arg2) : (tensor<26x5788x225xbf16>) -> tensor<26x5788x225xf32>
  %4 = "graph.layer_norm"(%1, %2, %3) <{dim = 0 : i64, epsilon = 1.000000e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<26x5788x225xf32>, tensor<26x5788x225xf32>, tensor<26x5788x225xf32>) -> tensor<26x5788x225xf32>
  %5 = "graph.transpose"(%2) <{permutation = array<i64: 0, 2, 1>}> : (tensor<26x5788x225xf32>) -> tensor<26x225x5788xf32>
  %6 = "graph.reduce"(%3) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<26x5788x225xf32>) -> tensor<5788x225xf32>
  %7 = "graph.broadcast"(%6) <{dims = array<i64: 1, 2>}> : (tensor<5788x225xf32>) -> tensor<26x5788x225xf32>
  %8 = "arith.subf"(%3, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<26x5788x225xf32>, tensor<26x5788x225xf32>) -> tensor<26x5788x225xf32>
  %9 = "arith.extf"(%arg3) : (tensor<225xbf16>) -> tensor<225xf32>
  %10 = "arith.extf"(%arg4) : (tensor<225xbf16>) -> tensor<225xf32>
  %11 = "graph.layer_norm"(%8, %9, %10) <{dim = 2 : i64, epsilon = 1.000000e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<26x5788x225xf32>, tensor<225xf32>, tensor<225xf32>) -> tensor<26x5788x225xf32>
  %12 = "arith.truncf"(%11) : (tensor<26x5788x225xf32>) -> tensor<26x5788x225xbf16>
  %13 = "arith.truncf"(%5) : (tensor<26x225x5788xf32>) -> tensor<26x225x5788xbf16>
  %14 = "arith.truncf"(%4) : (tensor<26x5788x225xf32>) -> tensor<26x5788x225xbf16>
  "func.return"(%12, %13, %14) : (tensor<26x5788x225xbf16>, tensor<26x225x5788xbf16>, tensor<26x5788x225xbf16>) -> ()
}) : () -> ()
