"func.func"() <{function_type = (tensor<192x132208xf32>, tensor<132208xf32>) -> (tensor<192x132208xf32>, tensor<192x132208xf32>, tensor<192x132208xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<192x132208xf32>, %arg1: tensor<132208xf32>):
  %0 = "arith.constant"() <{value = dense<0.00520833349> : tensor<192x132208xf32>}> : () -> tensor<192x132208xf32>
  %1 = "arith.mulf"(%arg0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>, tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %2 = "graph.scan"(%1) <{dim = 0 : i64, kind = #graph<reduce_kind sum>, reverse}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %3 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %4 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<192x132208xf32>}> : () -> tensor<192x132208xf32>
  %5 = "arith.addf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>, tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %6 = "math.log"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %7 = "graph.broadcast"(%arg1) <{dims = array<i64: 1>}> : (tensor<132208xf32>) -> tensor<192x132208xf32>
  %8 = "math.absf"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %9 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<192x132208xf32>}> : () -> tensor<192x132208xf32>
  %10 = "arith.addf"(%8, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>, tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %11 = "arith.divf"(%6, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>, tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %12 = "graph.transpose"(%11) <{permutation = array<i64: 0, 1>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %13 = "graph.reduce"(%12) <{dims = array<i64: 0, 1>, kind = #graph<reduce_kind min>}> : (tensor<192x132208xf32>) -> tensor<f32>
  %14 = "math.tanh"(%11) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %15 = "arith.mulf"(%2, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>, tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %16 = "graph.softmax"(%11) <{dim = 1 : i64}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %17 = "math.tanh"(%15) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %18 = "math.absf"(%16) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %19 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<192x132208xf32>}> : () -> tensor<192x132208xf32>
  %20 = "arith.addf"(%18, %19) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>, tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %21 = "math.log"(%20) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %22 = "graph.broadcast"(%13) <{dims = array<i64>}> : (tensor<f32>) -> tensor<192x132208xf32>
  %23 = "arith.minimumf"(%15, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>, tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %24 = "math.absf"(%23) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  %25 = "math.tanh"(%24) <{fastmath = #arith.fastmath<none>}> : (tensor<192x132208xf32>) -> tensor<192x132208xf32>
  "func.return"(%25, %21, %17) : (tensor<192x132208xf32>, tensor<192x132208xf32>, tensor<192x132208xf32>) -> ()
}) : () -> ()
