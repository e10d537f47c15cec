"func.func"() <{function_type = (tensor<387x6056xbf16>, tensor<6056xbf16>) -> (tensor<6056x387xbf16>, tensor<6056x387xbf16>, tensor<387x6056xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<387x6056xbf16>, %arg1: tensor<6056xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<387x6056xbf16>) -> tensor<387x6056xf32>
  %1 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<387x6056xf32>}> : () -> tensor<387x6056xf32>
  %2 = "arith.maximumf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<387x6056xf32>, tensor<387x6056xf32>) -> tensor<387x6056xf32>
  %3 = "graph.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<387x6056xf32>) -> tensor<6056x387xf32>
  %4 = "math.tanh"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %5 = "arith.mulf"(%4, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>, tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %6 = "arith.minimumf"(%5, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>, tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %7 = "math.absf"(%6) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %8 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<6056x387xf32>}> : () -> tensor<6056x387xf32>
  %9 = "arith.addf"(%7, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>, tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %10 = "math.log"(%9) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %11 = "arith.extf"(%arg1) : (tensor<6056xbf16>) -> tensor<6056xf32>
  %12 = "graph.broadcast"(%11) <{dims = array<i64: 0>}> : (tensor<6056xf32>) -> tensor<6056x387xf32>
  %13 = "arith.subf"(%12, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>, tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %14 = "math.absf"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<387x6056xf32>) -> tensor<387x6056xf32>
  %15 = "graph.reduce"(%13) <{dims = array<i64: 1>, kind = #graph<reduce_kind max>}> : (tensor<6056x387xf32>) -> tensor<6056xf32>
  %16 = "graph.transpose"(%14) <{permutation = array<i64: 0, 1>}> : (tensor<387x6056xf32>) -> tensor<387x6056xf32>
  %17 = "graph.reduce"(%10) <{dims = array<i64: 0, 1>, kind = #graph<reduce_kind min>}> : (tensor<6056x387xf32>) -> tensor<f32>
  %18 = "graph.broadcast"(%17) <{dims = array<i64>}> : (tensor<f32>) -> tensor<6056x387xf32>
  %19 = "arith.addf"(%10, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>, tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %20 = "math.absf"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %21 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<6056x387xf32>}> : () -> tensor<6056x387xf32>
  %22 = "arith.addf"(%20, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>, tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %23 = "math.log"(%22) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %24 = "graph.broadcast"(%15) <{dims = array<i64: 0>}> : (tensor<6056xf32>) -> tensor<6056x387xf32>
  %25 = "arith.addf"(%19, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<6056x387xf32>, tensor<6056x387xf32>) -> tensor<6056x387xf32>
  %26 = "arith.truncf"(%25) : (tensor<6056x387xf32>) -> tensor<6056x387xbf16>
  %27 = "arith.truncf"(%23) : (tensor<6056x387xf32>) -> tensor<6056x387xbf16>
  %28 = "arith.truncf"(%16) : (tensor<387x6056xf32>) -> tensor<387x6056xbf16>
  "func.return"(%26, %27, %28) : (tensor<6056x387xbf16>, tensor<6056x387xbf16>, tensor<387x6056xbf16>) -> ()
}) : () -> ()
