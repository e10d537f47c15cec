"func.func"() <{function_type = (tensor<7359x378xf32>) -> (tensor<7359x378xf32>, tensor<7359x378xf32>, tensor<7359x378xf32>, tensor<7359x361xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<7359x378xf32>):
  %0 = "arith.maximumf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>, tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %1 = "math.erf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %2 = "arith.maximumf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>, tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %3 = "graph.slice"(%2) <{offsets = array<i64: 0, 4>, strides = array<i64: 1, 1>}> : (tensor<7359x378xf32>) -> tensor<7359x361xf32>
  %4 = "graph.transpose"(%1) <{permutation = array<i64: 0, 1>}> : (tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %5 = "graph.reduce"(%4) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<7359x378xf32>) -> tensor<7359xf32>
  %6 = "arith.constant"() <{value = dense<0.00264550257> : tensor<7359xf32>}> : () -> tensor<7359xf32>
  %7 = "arith.mulf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<7359xf32>, tensor<7359xf32>) -> tensor<7359xf32>
  %8 = "graph.broadcast"(%7) <{dims = array<i64: 0>}> : (tensor<7359xf32>) -> tensor<7359x378xf32>
  %9 = "arith.subf"(%4, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>, tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %10 = "math.absf"(%9) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %11 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<7359x378xf32>}> : () -> tensor<7359x378xf32>
  %12 = "arith.addf"(%10, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>, tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %13 = "math.log"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %14 = "graph.reduce"(%2) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<7359x378xf32>) -> tensor<7359xf32>
  %15 = "arith.constant"() <{value = dense<0.00264550257> : tensor<7359xf32>}> : () -> tensor<7359xf32>
  %16 = "arith.mulf"(%14, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<7359xf32>, tensor<7359xf32>) -> tensor<7359xf32>
  %17 = "graph.broadcast"(%16) <{dims = array<i64: 0>}> : (tensor<7359xf32>) -> tensor<7359x378xf32>
  %18 = "arith.subf"(%2, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>, tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %19 = "graph.scan"(%18) <{dim = 1 : i64, kind = #graph<reduce_kind max>}> : (tensor<7359x378xf32>) -> tensor<7359x378xf32>
  %20 = "graph.reduce"(%18) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<7359x378xf32>) -> tensor<378xf32>
  %21 = "arith.constant"() <{value = dense<1.35888025E-4> : tensor<378xf32>}> : () -> tensor<378xf32>
  %22 = "arith.mulf"(%20, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<378xf32>, tensor<378xf32>) -> tensor<378xf32>
  %23 = "graph.broadcast"(%22) <{dims = array<i64: 1>}> : (tensor<378xf32>) -> tensor<7359x378xf32>
  %24 = "arith.subf"(%18, %23) <{fastmath = #arith.fastmath<none>}> : (tensor<7359x378xf32>, tensor<7359x378xf32>) -> tensor<7359x378xf32>
  "func.return"(%24, %19, %13, %3) : (tensor<7359x378xf32>, tensor<7359x378xf32>, tensor<7359x378xf32>, tensor<7359x361xf32>) -> ()
}) : () -> ()
