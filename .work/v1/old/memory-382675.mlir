"func.func"() <{function_type = (tensor<112624x13x24xbf16>, tensor<112624x13xbf16>, tensor<112624xbf16>) -> (tensor<112624x13x24xbf16>, tensor<35138688xbf16>, tensor<112624x13x24xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<112624x13x24xbf16>, %arg1: tensor<112624x13xbf16>, %arg2: tensor<112624xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<112624x13x24xbf16>) -> tensor<112624x13x24xf32>
  %1 = "arith.extf"(%arg1) : (tensor<112624x13xbf16>) -> tensor<112624x13xf32>
  %2 = "graph.broadcast"(%1) <{dims = array<i64: 0, 1>}> : (tensor<112624x13xf32>) -> tensor<112624x13x24xf32>
  %3 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %4 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<112624x13x24xf32>}> : () -> tensor<112624x13x24xf32>
  %5 = "arith.addf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>, tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %6 = "arith.divf"(%2, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>, tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %7 = "arith.extf"(%arg2) : (tensor<112624xbf16>) -> tensor<112624xf32>
  %8 = "graph.broadcast"(%7) <{dims = array<i64: 0>}> : (tensor<112624xf32>) -> tensor<112624x13x24xf32>
  %9 = "math.absf"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %10 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<112624x13x24xf32>}> : () -> tensor<112624x13x24xf32>
  %11 = "arith.addf"(%9, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>, tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %12 = "arith.divf"(%6, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>, tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %13 = "math.absf"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %14 = "graph.reshape"(%13) : (tensor<112624x13x24xf32>) -> tensor<35138688xf32>
  %15 = "graph.reduce"(%12) <{dims = array<i64: 2>, kind = #graph<reduce_kind sum>}> : (tensor<112624x13x24xf32>) -> tensor<112624x13xf32>
  %16 = "arith.constant"() <{value = dense<0.0416666679> : tensor<112624x13xf32>}> : () -> tensor<112624x13xf32>
  %17 = "arith.mulf"(%15, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13xf32>, tensor<112624x13xf32>) -> tensor<112624x13xf32>
  %18 = "graph.broadcast"(%17) <{dims = array<i64: 0, 1>}> : (tensor<112624x13xf32>) -> tensor<112624x13x24xf32>
  %19 = "arith.subf"(%12, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>, tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %20 = "graph.scan"(%14) <{dim = 0 : i64, kind = #graph<reduce_kind max>}> : (tensor<35138688xf32>) -> tensor<35138688xf32>
  %21 = "math.absf"(%13) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %22 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<112624x13x24xf32>}> : () -> tensor<112624x13x24xf32>
  %23 = "arith.addf"(%21, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>, tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %24 = "arith.divf"(%13, %23) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>, tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %25 = "graph.reduce"(%24) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<112624x13x24xf32>) -> tensor<13x24xf32>
  %26 = "arith.constant"() <{value = dense<8.87910209E-6> : tensor<13x24xf32>}> : () -> tensor<13x24xf32>
  %27 = "arith.mulf"(%25, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<13x24xf32>, tensor<13x24xf32>) -> tensor<13x24xf32>
  %28 = "graph.broadcast"(%27) <{dims = array<i64: 1, 2>}> : (tensor<13x24xf32>) -> tensor<112624x13x24xf32>
  %29 = "arith.subf"(%24, %28) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>, tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %30 = "math.erf"(%29) <{fastmath = #arith.fastmath<none>}> : (tensor<112624x13x24xf32>) -> tensor<112624x13x24xf32>
  %31 = "arith.truncf"(%30) : (tensor<112624x13x24xf32>) -> tensor<112624x13x24xbf16>
  %32 = "arith.truncf"(%20) : (tensor<35138688xf32>) -> tensor<35138688xbf16>
  %33 = "arith.truncf"(%19) : (tensor<112624x13x24xf32>) -> tensor<112624x13x24xbf16>
  "func.return"(%31, %32, %33) : (tensor<112624x13x24xbf16>, tensor<35138688xbf16>, tensor<112624x13x24xbf16>) -> ()
}) : () -> ()
