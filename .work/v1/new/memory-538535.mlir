"func.func"() <{function_type = (tensor<39230756xbf16>) -> (tensor<39230756xbf16>, tensor<39230756xbf16>, tensor<39230756xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<39230756xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<39230756xbf16>) -> tensor<39230756xf32>
  %1 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>) -> tensor<39230756xf32>
  %2 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<39230756xf32>}> : () -> tensor<39230756xf32>
  %3 = "arith.addf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>, tensor<39230756xf32>) -> tensor<39230756xf32>
  %4 = "math.log"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>) -> tensor<39230756xf32>
  %5 = "graph.reduce"(%0) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<39230756xf32>) -> tensor<f32>
  %6 = "graph.broadcast"(%5) <{dims = array<i64>}> : (tensor<f32>) -> tensor<39230756xf32>
  %7 = "arith.subf"(%0, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>, tensor<39230756xf32>) -> tensor<39230756xf32>
  %8 = "graph.rms_norm"(%4) <{dim = 0 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<39230756xf32>) -> tensor<39230756xf32>
  %9 = "arith.negf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>) -> tensor<39230756xf32>
  %10 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>) -> tensor<39230756xf32>
  %11 = "graph.reduce"(%8) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<39230756xf32>) -> tensor<f32>
  %12 = "arith.constant"() <{value = dense<2.54902055E-8> : tensor<f32>}> : () -> tensor<f32>
  %13 = "arith.mulf"(%11, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %14 = "graph.broadcast"(%13) <{dims = array<i64>}> : (tensor<f32>) -> tensor<39230756xf32>
  %15 = "arith.subf"(%8, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>, tensor<39230756xf32>) -> tensor<39230756xf32>
  %16 = "math.absf"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>) -> tensor<39230756xf32>
  %17 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<39230756xf32>}> : () -> tensor<39230756xf32>
  %18 = "arith.addf"(%16, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>, tensor<39230756xf32>) -> tensor<39230756xf32>
  %19 = "arith.divf"(%9, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<39230756xf32>, tensor<39230756xf32>) -> tensor<39230756xf32>
  %20 = "arith.truncf"(%19) : (tensor<39230756xf32>) -> tensor<39230756xbf16>
  %21 = "arith.truncf"(%15) : (tensor<39230756xf32>) -> tensor<39230756xbf16>
  %22 = "arith.truncf"(%7) : (tensor<39230756xf32>) -> tensor<39230756xbf16>
  "func.return"(%20, %21, %22) : (tensor<39230756xbf16>, tensor<39230756xbf16>, tensor<39230756xbf16>) -> ()
}) : () -> ()
