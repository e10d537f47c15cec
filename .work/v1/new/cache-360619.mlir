"func.func"() <{function_type = (tensor<3x3x424x2x126xf32>, tensor<126xf32>) -> (tensor<3x3x424x2x128xf32>, tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<3x3x424x2x126xf32>, %arg1: tensor<126xf32>):
  %0 = "graph.rms_norm"(%arg0, %arg1) <{dim = 4 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<3x3x424x2x126xf32>, tensor<126xf32>) -> tensor<3x3x424x2x126xf32>
  %1 = "graph.reduce"(%0) <{dims = array<i64: 2>, kind = #graph<reduce_kind max>}> : (tensor<3x3x424x2x126xf32>) -> tensor<3x3x2x126xf32>
  %2 = "graph.broadcast"(%1) <{dims = array<i64: 0, 1, 3, 4>}> : (tensor<3x3x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %3 = "arith.subf"(%0, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %4 = "math.erf"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %5 = "math.absf"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %6 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<3x3x424x2x126xf32>}> : () -> tensor<3x3x424x2x126xf32>
  %7 = "arith.addf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %8 = "math.log"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %9 = "graph.reduce"(%8) <{dims = array<i64: 0, 2, 3>, kind = #graph<reduce_kind sum>}> : (tensor<3x3x424x2x126xf32>) -> tensor<3x126xf32>
  %10 = "arith.constant"() <{value = dense<3.93081747E-4> : tensor<3x126xf32>}> : () -> tensor<3x126xf32>
  %11 = "arith.mulf"(%9, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<3x126xf32>, tensor<3x126xf32>) -> tensor<3x126xf32>
  %12 = "graph.broadcast"(%11) <{dims = array<i64: 1, 4>}> : (tensor<3x126xf32>) -> tensor<3x3x424x2x126xf32>
  %13 = "arith.subf"(%8, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %14 = "arith.subf"(%13, %arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %15 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<3x3x424x2x126xf32>}> : () -> tensor<3x3x424x2x126xf32>
  %16 = "arith.maximumf"(%13, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %17 = "graph.reduce"(%14) <{dims = array<i64: 4>, kind = #graph<reduce_kind min>}> : (tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2xf32>
  %18 = "graph.broadcast"(%17) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<3x3x424x2xf32>) -> tensor<3x3x424x2x126xf32>
  %19 = "arith.subf"(%14, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %20 = "graph.pad"(%19) <{high = array<i64: 0, 0, 0, 0, 0>, low = array<i64: 0, 0, 0, 0, 2>, value = 0.000000e+00 : f32}> : (tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x128xf32>
  %21 = "arith.minimumf"(%19, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>) -> tensor<3x3x424x2x126xf32>
  %22 = "math.erf"(%20) <{fastmath = #arith.fastmath<none>}> : (tensor<3x3x424x2x128xf32>) -> tensor<3x3x424x2x128xf32>
  "func.return"(%22, %21, %16) : (tensor<3x3x424x2x128xf32>, tensor<3x3x424x2x126xf32>, tensor<3x3x424x2x126xf32>) -> ()
}) : () -> ()
