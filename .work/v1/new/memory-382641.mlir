"func.func"() <{function_type = (tensor<173x4x9x6x627xf32>) -> (tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<173x4x9x6x627xf32>):
  %0 = "graph.reduce"(%arg0) <{dims = array<i64: 4>, kind = #graph<reduce_kind sum>}> : (tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6xf32>
  %1 = "arith.constant"() <{value = dense<0.00159489631> : tensor<173x4x9x6xf32>}> : () -> tensor<173x4x9x6xf32>
  %2 = "arith.mulf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<173x4x9x6xf32>, tensor<173x4x9x6xf32>) -> tensor<173x4x9x6xf32>
  %3 = "graph.broadcast"(%2) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<173x4x9x6xf32>) -> tensor<173x4x9x6x627xf32>
  %4 = "arith.subf"(%arg0, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  %5 = "graph.scan"(%4) <{dim = 0 : i64, kind = #graph<reduce_kind max>}> : (tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  %6 = "graph.reduce"(%5) <{dims = array<i64: 4>, kind = #graph<reduce_kind max>}> : (tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6xf32>
  %7 = "graph.broadcast"(%6) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<173x4x9x6xf32>) -> tensor<173x4x9x6x627xf32>
  %8 = "arith.subf"(%5, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  %9 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<173x4x9x6x627xf32>}> : () -> tensor<173x4x9x6x627xf32>
  %10 = "math.absf"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  %11 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<173x4x9x6x627xf32>}> : () -> tensor<173x4x9x6x627xf32>
  %12 = "arith.addf"(%10, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  %13 = "arith.divf"(%9, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  %14 = "graph.softmax"(%8) <{dim = 0 : i64}> : (tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  %15 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<173x4x9x6x627xf32>}> : () -> tensor<173x4x9x6x627xf32>
  %16 = "math.tanh"(%15) <{fastmath = #arith.fastmath<none>}> : (tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  %17 = "arith.mulf"(%4, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>) -> tensor<173x4x9x6x627xf32>
  "func.return"(%17, %14, %13) : (tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>, tensor<173x4x9x6x627xf32>) -> ()
}) : () -> ()
