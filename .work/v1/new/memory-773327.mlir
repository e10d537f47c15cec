"func.func"() <{function_type = (tensor<46720087xbf16>, tensor<1xbf16>, tensor<46720087x1xbf16>) -> (tensor<279761x1x1x167xbf16>, tensor<1x46720087x1xbf16>, tensor<46720087x1x1xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<46720087xbf16>, %arg1: tensor<1xbf16>, %arg2: tensor<46720087x1xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<46720087xbf16>) -> tensor<46720087xf32>
  %1 = "graph.reshape"(%0) : (tensor<46720087xf32>) -> tensor<46720087x1x1xf32>
  %2 = "arith.extf"(%arg1) : (tensor<1xbf16>) -> tensor<1xf32>
  %3 = "graph.rms_norm"(%1, %2) <{dim = 2 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<46720087x1x1xf32>, tensor<1xf32>) -> tensor<46720087x1x1xf32>
  %4 = "math.erf"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<46720087x1x1xf32>) -> tensor<46720087x1x1xf32>
  %5 = "arith.extf"(%arg2) : (tensor<46720087x1xbf16>) -> tensor<46720087x1xf32>
  %6 = "graph.broadcast"(%5) <{dims = array<i64: 0, 2>}> : (tensor<46720087x1xf32>) -> tensor<46720087x1x1xf32>
  %7 = "arith.addf"(%6, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<46720087x1x1xf32>, tensor<46720087x1x1xf32>) -> tensor<46720087x1x1xf32>
  %8 = "graph.reduce"(%7) <{dims = array<i64: 2>, kind = #graph<reduce_kind sum>}> : (tensor<46720087x1x1xf32>) -> tensor<46720087x1xf32>
  %9 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<46720087x1xf32>}> : () -> tensor<46720087x1xf32>
  %10 = "arith.mulf"(%8, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<46720087x1xf32>, tensor<46720087x1xf32>) -> tensor<46720087x1xf32>
  %11 = "math.tanh"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<46720087x1x1xf32>) -> tensor<46720087x1x1xf32>
  %12 = "graph.transpose"(%4) <{permutation = array<i64: 2, 0, 1>}> : (tensor<46720087x1x1xf32>) -> tensor<1x46720087x1xf32>
  %13 = "arith.maximumf"(%10, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<46720087x1xf32>, tensor<46720087x1xf32>) -> tensor<46720087x1xf32>
  %14 = "graph.reduce"(%13) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<46720087x1xf32>) -> tensor<1xf32>
  %15 = "arith.constant"() <{value = dense<2.14040696E-8> : tensor<1xf32>}> : () -> tensor<1xf32>
  %16 = "arith.mulf"(%14, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %17 = "graph.broadcast"(%16) <{dims = array<i64: 1>}> : (tensor<1xf32>) -> tensor<46720087x1xf32>
  %18 = "arith.subf"(%13, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<46720087x1xf32>, tensor<46720087x1xf32>) -> tensor<46720087x1xf32>
  %19 = "math.tanh"(%18) <{fastmath = #arith.fastmath<none>}> : (tensor<46720087x1xf32>) -> tensor<46720087x1xf32>
  %20 = "arith.mulf"(%19, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<46720087x1xf32>, tensor<46720087x1xf32>) -> tensor<46720087x1xf32>
  %21 = "graph.reshape"(%20) : (tensor<46720087x1xf32>) -> tensor<279761x1x1x167xf32>
  %22 = "arith.truncf"(%21) : (tensor<279761x1x1x167xf32>) -> tensor<279761x1x1x167xbf16>
  %23 = "arith.truncf"(%12) : (tensor<1x46720087x1xf32>) -> tensor<1x46720087x1xbf16>
  %24 = "arith.truncf"(%11) : (tensor<46720087x1x1xf32>) -> tensor<46720087x1x1xbf16>
  "func.return"(%22, %23, %24) : (tensor<279761x1x1x167xbf16>, tensor<1x46720087x1xbf16>, tensor<46720087x1x1xbf16>) -> ()
}) : () -> ()
