"func.func"() <{function_type = (tensor<54x96x300xbf16>, tensor<300xbf16>) -> (tensor<96x54x300xbf16>, tensor<54x96x300xbf16>, tensor<96x54x300xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<54x96x300xbf16>, %arg1: tensor<300xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<54x96x300xbf16>) -> tensor<54x96x300xf32>
  %1 = "graph.reduce"(%0) <{dims = array<i64: 2>, kind = #graph<reduce_kind max>}> : (tensor<54x96x300xf32>) -> tensor<54x96xf32>
  %2 = "graph.broadcast"(%1) <{dims = array<i64: 0, 1>}> : (tensor<54x96xf32>) -> tensor<54x96x300xf32>
  %3 = "arith.addf"(%0, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<54x96x300xf32>, tensor<54x96x300xf32>) -> tensor<54x96x300xf32>
  %4 = "arith.subf"(%3, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<54x96x300xf32>, tensor<54x96x300xf32>) -> tensor<54x96x300xf32>
  %5 = "graph.reduce"(%4) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<54x96x300xf32>) -> tensor<54x300xf32>
  %6 = "arith.constant"() <{value = dense<0.010416667> : tensor<54x300xf32>}> : () -> tensor<54x300xf32>
  %7 = "arith.mulf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<54x300xf32>, tensor<54x300xf32>) -> tensor<54x300xf32>
  %8 = "graph.broadcast"(%7) <{dims = array<i64: 0, 2>}> : (tensor<54x300xf32>) -> tensor<54x96x300xf32>
  %9 = "arith.subf"(%4, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<54x96x300xf32>, tensor<54x96x300xf32>) -> tensor<54x96x300xf32>
  %10 = "graph.reduce"(%9) <{dims = array<i64: 2>, kind = #graph<reduce_kind sum>}> : (tensor<54x96x300xf32>) -> tensor<54x96xf32>
  %11 = "arith.constant"() <{value = dense<0.00333333341> : tensor<54x96xf32>}> : () -> tensor<54x96xf32>
  %12 = "arith.mulf"(%10, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<54x96xf32>, tensor<54x96xf32>) -> tensor<54x96xf32>
  %13 = "graph.broadcast"(%12) <{dims = array<i64: 0, 1>}> : (tensor<54x96xf32>) -> tensor<54x96x300xf32>
  %14 = "arith.addf"(%9, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<54x96x300xf32>, tensor<54x96x300xf32>) -> tensor<54x96x300xf32>
  %15 = "graph.transpose"(%9) <{permutation = array<i64: 2, 0, 1>}> : (tensor<54x96x300xf32>) -> tensor<300x54x96xf32>
  %16 = "graph.transpose"(%15) <{permutation = array<i64: 2, 1, 0>}> : (tensor<300x54x96xf32>) -> tensor<96x54x300xf32>
  %17 = "arith.extf"(%arg1) : (tensor<300xbf16>) -> tensor<300xf32>
  %18 = "graph.rms_norm"(%16, %17) <{dim = 2 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<96x54x300xf32>, tensor<300xf32>) -> tensor<96x54x300xf32>
  %19 = "arith.maximumf"(%16, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<96x54x300xf32>, tensor<96x54x300xf32>) -> tensor<96x54x300xf32>
  %20 = "graph.reduce"(%16) <{dims = array<i64: 2>, kind = #graph<reduce_kind max>}> : (tensor<96x54x300xf32>) -> tensor<96x54xf32>
  %21 = "graph.broadcast"(%20) <{dims = array<i64: 0, 1>}> : (tensor<96x54xf32>) -> tensor<96x54x300xf32>
  %22 = "arith.subf"(%16, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<96x54x300xf32>, tensor<96x54x300xf32>) -> tensor<96x54x300xf32>
  %23 = "arith.minimumf"(%14, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<54x96x300xf32>, tensor<54x96x300xf32>) -> tensor<54x96x300xf32>
  %24 = "math.absf"(%18) <{fastmath = #arith.fastmath<none>}> : (tensor<96x54x300xf32>) -> tensor<96x54x300xf32>
  %25 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<96x54x300xf32>}> : () -> tensor<96x54x300xf32>
  %26 = "arith.addf"(%24, %25) <{fastmath = #arith.fastmath<none>}> : (tensor<96x54x300xf32>, tensor<96x54x300xf32>) -> tensor<96x54x300xf32>
  %27 = "arith.divf"(%22, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<96x54x300xf32>, tensor<96x54x300xf32>) -> tensor<96x54x300xf32>
  %28 = "arith.truncf"(%27) : (tensor<96x54x300xf32>) -> tensor<96x54x300xbf16>
  %29 = "arith.truncf"(%23) : (tensor<54x96x300xf32>) -> tensor<54x96x300xbf16>
  %30 = "arith.truncf"(%19) : (tensor<96x54x300xf32>) -> tensor<96x54x300xbf16>
  "func.return"(%28, %29, %30) : (tensor<96x54x300xbf16>, tensor<54x96x300xbf16>, tensor<96x54x300xbf16>) -> ()
}) : () -> ()
