"func.func"() <{function_type = (tensor<2x376x16x3x80xbf16>, tensor<2x80xbf16>, tensor<1xi64>) -> (tensor<2x376x16x3x80xbf16>, tensor<2x376x16x3x80xbf16>, tensor<2x376x16x1x80xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<2x376x16x3x80xbf16>, %arg1: tensor<2x80xbf16>, %arg2: tensor<1xi64>):
  %0 = "arith.extf"(%arg0) : (tensor<2x376x16x3x80xbf16>) -> tensor<2x376x16x3x80xf32>
  %1 = "arith.minimumf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>, tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %2 = "graph.reduce"(%1) <{dims = array<i64: 4>, kind = #graph<reduce_kind max>}> : (tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3xf32>
  %3 = "graph.broadcast"(%2) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<2x376x16x3xf32>) -> tensor<2x376x16x3x80xf32>
  %4 = "arith.subf"(%1, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>, tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %5 = "arith.negf"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %6 = "math.absf"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %7 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<2x376x16x3x80xf32>}> : () -> tensor<2x376x16x3x80xf32>
  %8 = "arith.addf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>, tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %9 = "math.log"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %10 = "arith.extf"(%arg1) : (tensor<2x80xbf16>) -> tensor<2x80xf32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64: 0, 4>}> : (tensor<2x80xf32>) -> tensor<2x376x16x3x80xf32>
  %12 = "math.absf"(%11) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %13 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<2x376x16x3x80xf32>}> : () -> tensor<2x376x16x3x80xf32>
  %14 = "arith.addf"(%12, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>, tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %15 = "arith.divf"(%5, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>, tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %16 = "math.erf"(%15) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %17 = "graph.reduce"(%16) <{dims = array<i64: 0, 1, 2>, kind = #graph<reduce_kind sum>}> : (tensor<2x376x16x3x80xf32>) -> tensor<3x80xf32>
  %18 = "arith.constant"() <{value = dense<8.31116994E-5> : tensor<3x80xf32>}> : () -> tensor<3x80xf32>
  %19 = "arith.mulf"(%17, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<3x80xf32>, tensor<3x80xf32>) -> tensor<3x80xf32>
  %20 = "graph.broadcast"(%19) <{dims = array<i64: 3, 4>}> : (tensor<3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %21 = "arith.addf"(%16, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>, tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %22 = "graph.gather"(%1, %arg2) <{dim = 3 : i64}> : (tensor<2x376x16x3x80xf32>, tensor<1xi64>) -> tensor<2x376x16x1x80xf32>
  %23 = "graph.reduce"(%22) <{dims = array<i64: 4>, kind = #graph<reduce_kind sum>}> : (tensor<2x376x16x1x80xf32>) -> tensor<2x376x16x1xf32>
  %24 = "arith.constant"() <{value = dense<1.250000e-02> : tensor<2x376x16x1xf32>}> : () -> tensor<2x376x16x1xf32>
  %25 = "arith.mulf"(%23, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x1xf32>, tensor<2x376x16x1xf32>) -> tensor<2x376x16x1xf32>
  %26 = "graph.broadcast"(%25) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<2x376x16x1xf32>) -> tensor<2x376x16x1x80xf32>
  %27 = "arith.subf"(%22, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x1x80xf32>, tensor<2x376x16x1x80xf32>) -> tensor<2x376x16x1x80xf32>
  %28 = "arith.maximumf"(%21, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<2x376x16x3x80xf32>, tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xf32>
  %29 = "arith.truncf"(%28) : (tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xbf16>
  %30 = "arith.truncf"(%9) : (tensor<2x376x16x3x80xf32>) -> tensor<2x376x16x3x80xbf16>
  %31 = "arith.truncf"(%27) : (tensor<2x376x16x1x80xf32>) -> tensor<2x376x16x1x80xbf16>
  "func.return"(%29, %30, %31) : (tensor<2x376x16x3x80xbf16>, tensor<2x376x16x3x80xbf16>, tensor<2x376x16x1x80xbf16>) -> ()
}) : () -> ()
