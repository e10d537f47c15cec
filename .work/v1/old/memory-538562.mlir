"func.func"() <{function_type = (tensor<22x3x5595x72xf32>) -> (tensor<26587440xf32>, tensor<72x22x4666x3xf32>, tensor<6x4666x72xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<22x3x5595x72xf32>):
  %0 = "graph.slice"(%arg0) <{offsets = array<i64: 0, 0, 803, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<22x3x5595x72xf32>) -> tensor<22x3x4666x72xf32>
  %1 = "arith.subf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<22x3x4666x72xf32>, tensor<22x3x4666x72xf32>) -> tensor<22x3x4666x72xf32>
  %2 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<22x3x5595x72xf32>) -> tensor<22x3x5595x72xf32>
  %3 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<22x3x5595x72xf32>}> : () -> tensor<22x3x5595x72xf32>
  %4 = "arith.addf"(%2, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<22x3x5595x72xf32>, tensor<22x3x5595x72xf32>) -> tensor<22x3x5595x72xf32>
  %5 = "math.rsqrt"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<22x3x5595x72xf32>) -> tensor<22x3x5595x72xf32>
  %6 = "graph.reduce"(%0) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<22x3x4666x72xf32>) -> tensor<3x4666x72xf32>
  %7 = "arith.constant"() <{value = dense<0.0454545468> : tensor<3x4666x72xf32>}> : () -> tensor<3x4666x72xf32>
  %8 = "arith.mulf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<3x4666x72xf32>, tensor<3x4666x72xf32>) -> tensor<3x4666x72xf32>
  %9 = "graph.broadcast"(%8) <{dims = array<i64: 1, 2, 3>}> : (tensor<3x4666x72xf32>) -> tensor<22x3x4666x72xf32>
  %10 = "arith.subf"(%0, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<22x3x4666x72xf32>, tensor<22x3x4666x72xf32>) -> tensor<22x3x4666x72xf32>
  %11 = "graph.gelu"(%10) <{form = #graph<gelu_form tanh>}> : (tensor<22x3x4666x72xf32>) -> tensor<22x3x4666x72xf32>
  %12 = "graph.transpose"(%11) <{permutation = array<i64: 3, 0, 2, 1>}> : (tensor<22x3x4666x72xf32>) -> tensor<72x22x4666x3xf32>
  %13 = "graph.reduce"(%1) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<22x3x4666x72xf32>) -> tensor<3x4666x72xf32>
  %14 = "arith.constant"() <{value = dense<0.0454545468> : tensor<3x4666x72xf32>}> : () -> tensor<3x4666x72xf32>
  %15 = "arith.mulf"(%13, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<3x4666x72xf32>, tensor<3x4666x72xf32>) -> tensor<3x4666x72xf32>
  %16 = "graph.concat"(%15, %15) <{dim = 0 : i64}> : (tensor<3x4666x72xf32>, tensor<3x4666x72xf32>) -> tensor<6x4666x72xf32>
  %17 = "graph.reshape"(%5) : (tensor<22x3x5595x72xf32>) -> tensor<26587440xf32>
  "func.return"(%17, %12, %16) : (tensor<26587440xf32>, tensor<72x22x4666x3xf32>, tensor<6x4666x72xf32>) -> ()
}) : () -> ()
