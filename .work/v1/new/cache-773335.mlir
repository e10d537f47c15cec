"func.func"() <{function_type = (tensor<56x96x296xbf16>) -> (tensor<56x96x296xbf16>, tensor<592x48xbf16>, tensor<56xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<56x96x296xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<56x96x296xbf16>) -> tensor<56x96x296xf32>
  %1 = "graph.gelu"(%0) <{form = #graph<gelu_form erf>}> : (tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %2 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %3 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<56x96x296xf32>}> : () -> tensor<56x96x296xf32>
  %4 = "arith.addf"(%2, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<56x96x296xf32>, tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %5 = "math.sqrt"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %6 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<56x96x296xf32>}> : () -> tensor<56x96x296xf32>
  %7 = "arith.maximumf"(%1, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<56x96x296xf32>, tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %8 = "math.tanh"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %9 = "graph.reduce"(%5) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<56x96x296xf32>) -> tensor<96x296xf32>
  %10 = "arith.constant"() <{value = dense<0.0178571437> : tensor<96x296xf32>}> : () -> tensor<96x296xf32>
  %11 = "arith.mulf"(%9, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<96x296xf32>, tensor<96x296xf32>) -> tensor<96x296xf32>
  %12 = "graph.gelu"(%8) <{form = #graph<gelu_form tanh>}> : (tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %13 = "graph.reshape"(%11) : (tensor<96x296xf32>) -> tensor<592x48xf32>
  %14 = "math.tanh"(%13) <{fastmath = #arith.fastmath<none>}> : (tensor<592x48xf32>) -> tensor<592x48xf32>
  %15 = "math.exp"(%14) <{fastmath = #arith.fastmath<none>}> : (tensor<592x48xf32>) -> tensor<592x48xf32>
  %16 = "math.absf"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %17 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<56x96x296xf32>}> : () -> tensor<56x96x296xf32>
  %18 = "arith.addf"(%16, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<56x96x296xf32>, tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %19 = "math.rsqrt"(%18) <{fastmath = #arith.fastmath<none>}> : (tensor<56x96x296xf32>) -> tensor<56x96x296xf32>
  %20 = "math.erf"(%15) <{fastmath = #arith.fastmath<none>}> : (tensor<592x48xf32>) -> tensor<592x48xf32>
  %21 = "math.tanh"(%20) <{fastmath = #arith.fastmath<none>}> : (tensor<592x48xf32>) -> tensor<592x48xf32>
  %22 = "arith.mulf"(%21, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<592x48xf32>, tensor<592x48xf32>) -> tensor<592x48xf32>
  %23 = "graph.reduce"(%19) <{dims = array<i64: 1, 2>, kind = #graph<reduce_kind sum>}> : (tensor<56x96x296xf32>) -> tensor<56xf32>
  %24 = "arith.constant"() <{value = dense<3.51914423E-5> : tensor<56xf32>}> : () -> tensor<56xf32>
  %25 = "arith.mulf"(%23, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<56xf32>, tensor<56xf32>) -> tensor<56xf32>
  %26 = "arith.truncf"(%7) : (tensor<56x96x296xf32>) -> tensor<56x96x296xbf16>
  %27 = "arith.truncf"(%22) : (tensor<592x48xf32>) -> tensor<592x48xbf16>
  %28 = "arith.truncf"(%25) : (tensor<56xf32>) -> tensor<56xbf16>
  "func.return"(%26, %27, %28) : (tensor<56x96x296xbf16>, tensor<592x48xbf16>, tensor<56xbf16>) -> ()
}) : () -> ()
