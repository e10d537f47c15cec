"func.func"() <{function_type = (tensor<25x168x440x25xf32>) -> (tensor<25x168x440x25xf32>, tensor<25x168x440x25xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<25x168x440x25xf32>):
  %0 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %1 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %2 = "graph.scan"(%1) <{dim = 3 : i64, kind = #graph<reduce_kind max>}> : (tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %3 = "arith.negf"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %4 = "graph.reduce"(%2) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<25x168x440x25xf32>) -> tensor<168x440x25xf32>
  %5 = "graph.broadcast"(%4) <{dims = array<i64: 1, 2, 3>}> : (tensor<168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %6 = "arith.subf"(%2, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>, tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %7 = "math.absf"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %8 = "math.tanh"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %9 = "arith.mulf"(%8, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>, tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %10 = "arith.constant"() <{value = dense<0.00595238106> : tensor<25x168x440x25xf32>}> : () -> tensor<25x168x440x25xf32>
  %11 = "arith.mulf"(%6, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>, tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %12 = "graph.scan"(%11) <{dim = 1 : i64, kind = #graph<reduce_kind sum>, reverse}> : (tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %13 = "math.tanh"(%9) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %14 = "arith.mulf"(%7, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>, tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  %15 = "arith.addf"(%12, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<25x168x440x25xf32>, tensor<25x168x440x25xf32>) -> tensor<25x168x440x25xf32>
  "func.return"(%15, %14) : (tensor<25x168x440x25xf32>, tensor<25x168x440x25xf32>) -> ()
}) : () -> ()
