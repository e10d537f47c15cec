"func.func"() <{function_type = (tensor<1104x107x8x24xbf16>, tensor<1104x8xbf16>, tensor<1104xbf16>) -> (tensor<1104x107x8x24xbf16>, tensor<1104x107x8x24xbf16>, tensor<1104x24xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<1104x107x8x24xbf16>, %arg1: tensor<1104x8xbf16>, %arg2: tensor<1104xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<1104x107x8x24xbf16>) -> tensor<1104x107x8x24xf32>
  %1 = "graph.reduce"(%0) <{dims = array<i64: 1, 2>, kind = #graph<reduce_kind sum>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x24xf32>
  %2 = "arith.constant"() <{value = dense<0.00116822426> : tensor<1104x24xf32>}> : () -> tensor<1104x24xf32>
  %3 = "arith.mulf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x24xf32>, tensor<1104x24xf32>) -> tensor<1104x24xf32>
  %4 = "arith.constant"() <{value = dense<-1.000000e+00> : tensor<1104x24xf32>}> : () -> tensor<1104x24xf32>
  %5 = "arith.minimumf"(%4, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x24xf32>, tensor<1104x24xf32>) -> tensor<1104x24xf32>
  %6 = "arith.constant"() <{value = dense<0.0416666679> : tensor<1104x107x8x24xf32>}> : () -> tensor<1104x107x8x24xf32>
  %7 = "arith.mulf"(%0, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %8 = "graph.scan"(%7) <{dim = 3 : i64, kind = #graph<reduce_kind sum>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %9 = "graph.scan"(%8) <{dim = 1 : i64, kind = #graph<reduce_kind max>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %10 = "graph.softmax"(%0) <{dim = 3 : i64}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %11 = "arith.extf"(%arg1) : (tensor<1104x8xbf16>) -> tensor<1104x8xf32>
  %12 = "graph.broadcast"(%11) <{dims = array<i64: 0, 2>}> : (tensor<1104x8xf32>) -> tensor<1104x107x8x24xf32>
  %13 = "math.absf"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %14 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<1104x107x8x24xf32>}> : () -> tensor<1104x107x8x24xf32>
  %15 = "arith.addf"(%13, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %16 = "arith.divf"(%8, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %17 = "math.absf"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %18 = "graph.softmax"(%10) <{dim = 3 : i64}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %19 = "arith.maximumf"(%16, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %20 = "graph.reduce"(%9) <{dims = array<i64: 2, 3>, kind = #graph<reduce_kind min>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107xf32>
  %21 = "graph.broadcast"(%20) <{dims = array<i64: 0, 1>}> : (tensor<1104x107xf32>) -> tensor<1104x107x8x24xf32>
  %22 = "arith.subf"(%9, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %23 = "arith.maximumf"(%22, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %24 = "math.absf"(%19) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %25 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<1104x107x8x24xf32>}> : () -> tensor<1104x107x8x24xf32>
  %26 = "arith.addf"(%24, %25) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %27 = "arith.divf"(%17, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %28 = "math.absf"(%17) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %29 = "arith.minimumf"(%27, %28) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %30 = "arith.extf"(%arg2) : (tensor<1104xbf16>) -> tensor<1104xf32>
  %31 = "graph.broadcast"(%30) <{dims = array<i64: 0>}> : (tensor<1104xf32>) -> tensor<1104x107x8x24xf32>
  %32 = "math.absf"(%29) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %33 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<1104x107x8x24xf32>}> : () -> tensor<1104x107x8x24xf32>
  %34 = "arith.addf"(%32, %33) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %35 = "arith.divf"(%31, %34) <{fastmath = #arith.fastmath<none>}> : (tensor<1104x107x8x24xf32>, tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xf32>
  %36 = "arith.truncf"(%35) : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xbf16>
  %37 = "arith.truncf"(%23) : (tensor<1104x107x8x24xf32>) -> tensor<1104x107x8x24xbf16>
  %38 = "arith.truncf"(%5) : (tensor<1104x24xf32>) -> tensor<1104x24xbf16>
  "func.return"(%36, %37, %38) : (tensor<1104x107x8x24xbf16>, tensor<1104x107x8x24xbf16>, tensor<1104x24xbf16>) -> ()
}) : () -> ()
