"func.func"() <{function_type = (tensor<45203112xbf16>, tensor<45203112xbf16>, tensor<45203110xi64>) -> (tensor<45203110xbf16>, tensor<45203110xbf16>, tensor<36733980xbf16>, tensor<45203110xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<45203112xbf16>, %arg1: tensor<45203112xbf16>, %arg2: tensor<45203110xi64>):
  %0 = "arith.extf"(%arg0) : (tensor<45203112xbf16>) -> tensor<45203112xf32>
  %1 = "arith.extf"(%arg1) : (tensor<45203112xbf16>) -> tensor<45203112xf32>
  %2 = "graph.layer_norm"(%0, %1) <{dim = 0 : i64, epsilon = 1.000000e-02 : f64, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<45203112xf32>, tensor<45203112xf32>) -> tensor<45203112xf32>
  %3 = "math.absf"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<45203112xf32>) -> tensor<45203112xf32>
  %4 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<45203112xf32>}> : () -> tensor<45203112xf32>
  %5 = "arith.addf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<45203112xf32>, tensor<45203112xf32>) -> tensor<45203112xf32>
  %6 = "math.sqrt"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<45203112xf32>) -> tensor<45203112xf32>
  %7 = "graph.reduce"(%6) <{dims = array<i64: 0>, kind = #graph<reduce_kind max>}> : (tensor<45203112xf32>) -> tensor<f32>
  %8 = "graph.broadcast"(%7) <{dims = array<i64>}> : (tensor<f32>) -> tensor<45203112xf32>
  %9 = "arith.subf"(%6, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<45203112xf32>, tensor<45203112xf32>) -> tensor<45203112xf32>
  %10 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<45203112xf32>}> : () -> tensor<45203112xf32>
  %11 = "arith.maximumf"(%9, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<45203112xf32>, tensor<45203112xf32>) -> tensor<45203112xf32>
  %12 = "graph.gather"(%11, %arg2) <{dim = 0 : i64}> : (tensor<45203112xf32>, tensor<45203110xi64>) -> tensor<45203110xf32>
  %13 = "arith.minimumf"(%12, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<45203110xf32>, tensor<45203110xf32>) -> tensor<45203110xf32>
  %14 = "arith.constant"() <{value = dense<-2.000000e+00> : tensor<45203110xf32>}> : () -> tensor<45203110xf32>
  %15 = "arith.subf"(%14, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<45203110xf32>, tensor<45203110xf32>) -> tensor<45203110xf32>
  %16 = "math.absf"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<45203112xf32>) -> tensor<45203112xf32>
  %17 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<45203112xf32>}> : () -> tensor<45203112xf32>
  %18 = "arith.addf"(%16, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<45203112xf32>, tensor<45203112xf32>) -> tensor<45203112xf32>
  %19 = "math.sqrt"(%18) <{fastmath = #arith.fastmath<none>}> : (tensor<45203112xf32>) -> tensor<45203112xf32>
  %20 = "graph.slice"(%19) <{offsets = array<i64: 7063142>, strides = array<i64: 1>}> : (tensor<45203112xf32>) -> tensor<36733980xf32>
  %21 = "graph.reduce"(%20) <{dims = array<i64: 0>, kind = #graph<reduce_kind max>}> : (tensor<36733980xf32>) -> tensor<f32>
  %22 = "graph.broadcast"(%21) <{dims = array<i64>}> : (tensor<f32>) -> tensor<36733980xf32>
  %23 = "arith.subf"(%20, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<36733980xf32>, tensor<36733980xf32>) -> tensor<36733980xf32>
  %24 = "arith.minimumf"(%12, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<45203110xf32>, tensor<45203110xf32>) -> tensor<45203110xf32>
  %25 = "arith.truncf"(%24) : (tensor<45203110xf32>) -> tensor<45203110xbf16>
  %26 = "arith.truncf"(%13) : (tensor<45203110xf32>) -> tensor<45203110xbf16>
  %27 = "arith.truncf"(%23) : (tensor<36733980xf32>) -> tensor<36733980xbf16>
  %28 = "arith.truncf"(%15) : (tensor<45203110xf32>) -> tensor<45203110xbf16>
  "func.return"(%25, %26, %27, %28) : (tensor<45203110xbf16>, tensor<45203110xbf16>, tensor<36733980xbf16>, tensor<45203110xbf16>) -> ()
}) : () -> ()
