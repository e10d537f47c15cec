"func.func"() <{function_type = (tensor<34x39140xf32>) -> (tensor<34x39140xf32>, tensor<39140x34xf32>, tensor<34x39140xf32>, tensor<34x39140xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<34x39140xf32>):
  %0 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %1 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<34x39140xf32>}> : () -> tensor<34x39140xf32>
  %2 = "arith.addf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>, tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %3 = "math.log"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %4 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %5 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<34x39140xf32>}> : () -> tensor<34x39140xf32>
  %6 = "arith.addf"(%4, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>, tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %7 = "math.sqrt"(%6) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %8 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<34x39140xf32>}> : () -> tensor<34x39140xf32>
  %9 = "arith.maximumf"(%7, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>, tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %10 = "graph.softmax"(%arg0) <{dim = 0 : i64}> : (tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %11 = "graph.reduce"(%9) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<34x39140xf32>) -> tensor<39140xf32>
  %12 = "arith.constant"() <{value = dense<0.0294117648> : tensor<39140xf32>}> : () -> tensor<39140xf32>
  %13 = "arith.mulf"(%11, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<39140xf32>, tensor<39140xf32>) -> tensor<39140xf32>
  %14 = "graph.broadcast"(%13) <{dims = array<i64: 1>}> : (tensor<39140xf32>) -> tensor<34x39140xf32>
  %15 = "arith.addf"(%9, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>, tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %16 = "graph.transpose"(%9) <{permutation = array<i64: 1, 0>}> : (tensor<34x39140xf32>) -> tensor<39140x34xf32>
  %17 = "math.tanh"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>) -> tensor<34x39140xf32>
  %18 = "arith.maximumf"(%17, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<34x39140xf32>, tensor<34x39140xf32>) -> tensor<34x39140xf32>
  "func.return"(%18, %16, %15, %3) : (tensor<34x39140xf32>, tensor<39140x34xf32>, tensor<34x39140xf32>, tensor<34x39140xf32>) -> ()
}) : () -> ()
