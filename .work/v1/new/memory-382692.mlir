"func.func"() <{function_type = (tensor<15x1585x1585xbf16>, tensor<1585xbf16>) -> (tensor<15x1586x1585xbf16>, tensor<15x1585x1585xbf16>, tensor<15x1585x1585xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<15x1585x1585xbf16>, %arg1: tensor<1585xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<15x1585x1585xbf16>) -> tensor<15x1585x1585xf32>
  %1 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %2 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<15x1585x1585xf32>}> : () -> tensor<15x1585x1585xf32>
  %3 = "arith.addf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %4 = "math.rsqrt"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %5 = "graph.reduce"(%4) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<15x1585x1585xf32>) -> tensor<1585x1585xf32>
  %6 = "arith.constant"() <{value = dense<0.0666666701> : tensor<1585x1585xf32>}> : () -> tensor<1585x1585xf32>
  %7 = "arith.mulf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<1585x1585xf32>, tensor<1585x1585xf32>) -> tensor<1585x1585xf32>
  %8 = "math.tanh"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %9 = "arith.mulf"(%8, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %10 = "arith.minimumf"(%9, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %11 = "math.tanh"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %12 = "math.exp"(%11) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %13 = "graph.broadcast"(%7) <{dims = array<i64: 1, 2>}> : (tensor<1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %14 = "arith.maximumf"(%13, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %15 = "math.tanh"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %16 = "math.absf"(%14) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %17 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<15x1585x1585xf32>}> : () -> tensor<15x1585x1585xf32>
  %18 = "arith.addf"(%16, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %19 = "arith.divf"(%12, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %20 = "graph.reduce"(%15) <{dims = array<i64: 2>, kind = #graph<reduce_kind max>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585xf32>
  %21 = "graph.broadcast"(%20) <{dims = array<i64: 0, 1>}> : (tensor<15x1585xf32>) -> tensor<15x1585x1585xf32>
  %22 = "arith.subf"(%15, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %23 = "graph.reduce"(%22) <{dims = array<i64: 0>, kind = #graph<reduce_kind max>}> : (tensor<15x1585x1585xf32>) -> tensor<1585x1585xf32>
  %24 = "graph.broadcast"(%23) <{dims = array<i64: 1, 2>}> : (tensor<1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %25 = "arith.subf"(%22, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %26 = "arith.extf"(%arg1) : (tensor<1585xbf16>) -> tensor<1585xf32>
  %27 = "graph.rms_norm"(%25, %26) <{dim = 2 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<15x1585x1585xf32>, tensor<1585xf32>) -> tensor<15x1585x1585xf32>
  %28 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<15x1585x1585xf32>}> : () -> tensor<15x1585x1585xf32>
  %29 = "arith.maximumf"(%27, %28) <{fastmath = #arith.fastmath<none>}> : (tensor<15x1585x1585xf32>, tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %30 = "graph.pad"(%29) <{high = array<i64: 0, 1, 0>, low = array<i64: 0, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<15x1585x1585xf32>) -> tensor<15x1586x1585xf32>
  %31 = "graph.scan"(%27) <{dim = 0 : i64, kind = #graph<reduce_kind max>}> : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xf32>
  %32 = "arith.truncf"(%30) : (tensor<15x1586x1585xf32>) -> tensor<15x1586x1585xbf16>
  %33 = "arith.truncf"(%31) : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xbf16>
  %34 = "arith.truncf"(%19) : (tensor<15x1585x1585xf32>) -> tensor<15x1585x1585xbf16>
  "func.return"(%32, %33, %34) : (tensor<15x1586x1585xbf16>, tensor<15x1585x1585xbf16>, tensor<15x1585x1585xbf16>) -> ()
}) : () -> ()
