"func.func"() <{function_type = (tensor<6657x109xf32>) -> (tensor<6657x109xf32>, tensor<6657x109xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<6657x109xf32>):
  %0 = "graph.reduce"(%arg0) <{dims = array<i64: 1>, kind = #graph<reduce_kind min>}> : (tensor<6657x109xf32>) -> tensor<6657xf32>
  %1 = "graph.broadcast"(%0) <{dims = array<i64: 0>}> : (tensor<6657xf32>) -> tensor<6657x109xf32>
  %2 = "arith.subf"(%arg0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<6657x109xf32>, tensor<6657x109xf32>) -> tensor<6657x109xf32>
  %3 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<6657x109xf32>}> : () -> tensor<6657x109xf32>
  %4 = "arith.maximumf"(%3, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<6657x109xf32>, tensor<6657x109xf32>) -> tensor<6657x109xf32>
  %5 = "graph.scan"(%arg0) <{dim = 0 : i64, kind = #graph<reduce_kind max>}> : (tensor<6657x109xf32>) -> tensor<6657x109xf32>
  "func.return"(%5, %4) : (tensor<6657x109xf32>, tensor<6657x109xf32>) -> ()
}) : () -> ()
