"func.func"() <{function_type = (tensor<72x53x331xf32>, tensor<331xf32>, tensor<f32>) -> (tensor<72x53x331xf32>, tensor<72x53x331xf32>, tensor<72x37x331xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<72x53x331xf32>, %arg1: tensor<331xf32>, %arg2: tensor<f32>):
  %0 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %1 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<72x53x331xf32>}> : () -> tensor<72x53x331xf32>
  %2 = "arith.addf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>, tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %3 = "arith.divf"(%arg0, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>, tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %4 = "math.tanh"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %5 = "arith.mulf"(%4, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>, tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %6 = "graph.reduce"(%3) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<72x53x331xf32>) -> tensor<53x331xf32>
  %7 = "arith.constant"() <{value = dense<0.013888889> : tensor<53x331xf32>}> : () -> tensor<53x331xf32>
  %8 = "arith.mulf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<53x331xf32>, tensor<53x331xf32>) -> tensor<53x331xf32>
  %9 = "graph.broadcast"(%8) <{dims = array<i64: 1, 2>}> : (tensor<53x331xf32>) -> tensor<72x53x331xf32>
  %10 = "arith.addf"(%3, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>, tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %11 = "graph.slice"(%arg0) <{offsets = array<i64: 0, 9, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<72x53x331xf32>) -> tensor<72x37x331xf32>
  %12 = "graph.reduce"(%11) <{dims = array<i64: 0, 1>, kind = #graph<reduce_kind sum>}> : (tensor<72x37x331xf32>) -> tensor<331xf32>
  %13 = "arith.constant"() <{value = dense<3.75375384E-4> : tensor<331xf32>}> : () -> tensor<331xf32>
  %14 = "arith.mulf"(%12, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<331xf32>, tensor<331xf32>) -> tensor<331xf32>
  %15 = "graph.broadcast"(%14) <{dims = array<i64: 2>}> : (tensor<331xf32>) -> tensor<72x37x331xf32>
  %16 = "arith.addf"(%11, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<72x37x331xf32>, tensor<72x37x331xf32>) -> tensor<72x37x331xf32>
  %17 = "graph.gelu"(%16) <{form = #graph<gelu_form erf>}> : (tensor<72x37x331xf32>) -> tensor<72x37x331xf32>
  %18 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %19 = "arith.mulf"(%5, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>, tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %20 = "graph.layer_norm"(%17, %arg1) <{dim = 2 : i64, epsilon = 1.000000e-02 : f64, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<72x37x331xf32>, tensor<331xf32>) -> tensor<72x37x331xf32>
  %21 = "graph.broadcast"(%arg2) <{dims = array<i64>}> : (tensor<f32>) -> tensor<72x53x331xf32>
  %22 = "math.absf"(%21) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %23 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<72x53x331xf32>}> : () -> tensor<72x53x331xf32>
  %24 = "arith.addf"(%22, %23) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>, tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %25 = "arith.divf"(%19, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<72x53x331xf32>, tensor<72x53x331xf32>) -> tensor<72x53x331xf32>
  %26 = "math.absf"(%20) <{fastmath = #arith.fastmath<none>}> : (tensor<72x37x331xf32>) -> tensor<72x37x331xf32>
  %27 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<72x37x331xf32>}> : () -> tensor<72x37x331xf32>
  %28 = "arith.addf"(%26, %27) <{fastmath = #arith.fastmath<none>}> : (tensor<72x37x331xf32>, tensor<72x37x331xf32>) -> tensor<72x37x331xf32>
  %29 = "math.rsqrt"(%28) <{fastmath = #arith.fastmath<none>}> : (tensor<72x37x331xf32>) -> tensor<72x37x331xf32>
  "func.return"(%25, %10, %29) : (tensor<72x53x331xf32>, tensor<72x53x331xf32>, tensor<72x37x331xf32>) -> ()
}) : () -> ()
