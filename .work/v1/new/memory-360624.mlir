"func.func"() <{function_type = (tensor<11935x2496xbf16>, tensor<11935xbf16>) -> (tensor<1489488x20xbf16>, tensor<1489488x20xbf16>, tensor<1489488x20xbf16>, tensor<11935x2496xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<11935x2496xbf16>, %arg1: tensor<11935xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<11935x2496xbf16>) -> tensor<11935x2496xf32>
  %1 = "arith.addf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<11935x2496xf32>, tensor<11935x2496xf32>) -> tensor<11935x2496xf32>
  %2 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<11935x2496xf32>) -> tensor<11935x2496xf32>
  %3 = "arith.maximumf"(%2, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<11935x2496xf32>, tensor<11935x2496xf32>) -> tensor<11935x2496xf32>
  %4 = "arith.extf"(%arg1) : (tensor<11935xbf16>) -> tensor<11935xf32>
  %5 = "graph.broadcast"(%4) <{dims = array<i64: 0>}> : (tensor<11935xf32>) -> tensor<11935x2496xf32>
  %6 = "arith.maximumf"(%5, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<11935x2496xf32>, tensor<11935x2496xf32>) -> tensor<11935x2496xf32>
  %7 = "arith.subf"(%3, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<11935x2496xf32>, tensor<11935x2496xf32>) -> tensor<11935x2496xf32>
  %8 = "graph.reshape"(%7) : (tensor<11935x2496xf32>) -> tensor<1489488x20xf32>
  %9 = "graph.reduce"(%8) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<1489488x20xf32>) -> tensor<1489488xf32>
  %10 = "arith.constant"() <{value = dense<5.000000e-02> : tensor<1489488xf32>}> : () -> tensor<1489488xf32>
  %11 = "arith.mulf"(%9, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488xf32>, tensor<1489488xf32>) -> tensor<1489488xf32>
  %12 = "graph.broadcast"(%11) <{dims = array<i64: 0>}> : (tensor<1489488xf32>) -> tensor<1489488x20xf32>
  %13 = "arith.subf"(%8, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488x20xf32>, tensor<1489488x20xf32>) -> tensor<1489488x20xf32>
  %14 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<1489488x20xf32>}> : () -> tensor<1489488x20xf32>
  %15 = "arith.maximumf"(%13, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488x20xf32>, tensor<1489488x20xf32>) -> tensor<1489488x20xf32>
  %16 = "math.tanh"(%13) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488x20xf32>) -> tensor<1489488x20xf32>
  %17 = "math.exp"(%16) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488x20xf32>) -> tensor<1489488x20xf32>
  %18 = "math.erf"(%13) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488x20xf32>) -> tensor<1489488x20xf32>
  %19 = "math.tanh"(%18) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488x20xf32>) -> tensor<1489488x20xf32>
  %20 = "arith.mulf"(%8, %19) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488x20xf32>, tensor<1489488x20xf32>) -> tensor<1489488x20xf32>
  %21 = "graph.reduce"(%20) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<1489488x20xf32>) -> tensor<20xf32>
  %22 = "arith.constant"() <{value = dense<6.71371652E-7> : tensor<20xf32>}> : () -> tensor<20xf32>
  %23 = "arith.mulf"(%21, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<20xf32>, tensor<20xf32>) -> tensor<20xf32>
  %24 = "graph.broadcast"(%23) <{dims = array<i64: 1>}> : (tensor<20xf32>) -> tensor<1489488x20xf32>
  %25 = "arith.subf"(%20, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<1489488x20xf32>, tensor<1489488x20xf32>) -> tensor<1489488x20xf32>
  %26 = "arith.truncf"(%25) : (tensor<1489488x20xf32>) -> tensor<1489488x20xbf16>
  %27 = "arith.truncf"(%17) : (tensor<1489488x20xf32>) -> tensor<1489488x20xbf16>
  %28 = "arith.truncf"(%15) : (tensor<1489488x20xf32>) -> tensor<1489488x20xbf16>
  %29 = "arith.truncf"(%7) : (tensor<11935x2496xf32>) -> tensor<11935x2496xbf16>
  "func.return"(%26, %27, %28, %29) : (tensor<1489488x20xbf16>, tensor<1489488x20xbf16>, tensor<1489488x20xbf16>, tensor<11935x2496xbf16>) -> ()
}) : () -> ()
