"func.func"() <{function_type = (tensor<3x95x18x3x75xbf16>, tensor<3x95x18x3xbf16>, tensor<3x75xbf16>, tensor<3x75xbf16>) -> (tensor<2308500xbf16>, tensor<3x95x18x3x75xbf16>, tensor<3x95x18x3x75xbf16>, tensor<3x95x18x3x75xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<3x95x18x3x75xbf16>, %arg1: tensor<3x95x18x3xbf16>, %arg2: tensor<3x75xbf16>, %arg3: tensor<3x75xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<3x95x18x3x75xbf16>) -> tensor<3x95x18x3x75xf32>
  %1 = "arith.extf"(%arg1) : (tensor<3x95x18x3xbf16>) -> tensor<3x95x18x3xf32>
  %2 = "graph.broadcast"(%1) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<3x95x18x3xf32>) -> tensor<3x95x18x3x75xf32>
  %3 = "arith.maximumf"(%0, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<3x95x18x3x75xf32>, tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %4 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %5 = "arith.mulf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<3x95x18x3x75xf32>, tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %6 = "graph.softmax"(%3) <{dim = 4 : i64}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %7 = "graph.softmax"(%6) <{dim = 0 : i64}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %8 = "graph.softmax"(%7) <{dim = 4 : i64}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %9 = "arith.constant"() <{value = dense<0.0105263162> : tensor<3x95x18x3x75xf32>}> : () -> tensor<3x95x18x3x75xf32>
  %10 = "arith.mulf"(%7, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<3x95x18x3x75xf32>, tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %11 = "graph.scan"(%10) <{dim = 1 : i64, kind = #graph<reduce_kind sum>}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %12 = "graph.gelu"(%11) <{form = #graph<gelu_form tanh>}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %13 = "graph.pad"(%8) <{high = array<i64: 3, 0, 0, 0, 0>, low = array<i64: 0, 0, 0, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<3x95x18x3x75xf32>) -> tensor<6x95x18x3x75xf32>
  %14 = "graph.softmax"(%12) <{dim = 4 : i64}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %15 = "graph.reshape"(%13) : (tensor<6x95x18x3x75xf32>) -> tensor<2308500xf32>
  %16 = "arith.extf"(%arg2) : (tensor<3x75xbf16>) -> tensor<3x75xf32>
  %17 = "graph.broadcast"(%16) <{dims = array<i64: 3, 4>}> : (tensor<3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %18 = "arith.minimumf"(%14, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<3x95x18x3x75xf32>, tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %19 = "math.absf"(%15) <{fastmath = #arith.fastmath<none>}> : (tensor<2308500xf32>) -> tensor<2308500xf32>
  %20 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<2308500xf32>}> : () -> tensor<2308500xf32>
  %21 = "arith.addf"(%19, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<2308500xf32>, tensor<2308500xf32>) -> tensor<2308500xf32>
  %22 = "math.sqrt"(%21) <{fastmath = #arith.fastmath<none>}> : (tensor<2308500xf32>) -> tensor<2308500xf32>
  %23 = "arith.extf"(%arg3) : (tensor<3x75xbf16>) -> tensor<3x75xf32>
  %24 = "graph.layer_norm"(%8, %23) <{dim = 3 : i64, epsilon = 1.000000e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<3x95x18x3x75xf32>, tensor<3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %25 = "math.absf"(%24) <{fastmath = #arith.fastmath<none>}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %26 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<3x95x18x3x75xf32>}> : () -> tensor<3x95x18x3x75xf32>
  %27 = "arith.addf"(%25, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<3x95x18x3x75xf32>, tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %28 = "math.rsqrt"(%27) <{fastmath = #arith.fastmath<none>}> : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xf32>
  %29 = "arith.truncf"(%22) : (tensor<2308500xf32>) -> tensor<2308500xbf16>
  %30 = "arith.truncf"(%28) : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xbf16>
  %31 = "arith.truncf"(%18) : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xbf16>
  %32 = "arith.truncf"(%5) : (tensor<3x95x18x3x75xf32>) -> tensor<3x95x18x3x75xbf16>
  "func.return"(%29, %30, %31, %32) : (tensor<2308500xbf16>, tensor<3x95x18x3x75xbf16>, tensor<3x95x18x3x75xbf16>, tensor<3x95x18x3x75xbf16>) -> ()
}) : () -> ()
