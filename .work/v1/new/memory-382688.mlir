"func.func"() <{function_type = (tensor<98x438496xf32>) -> (tensor<98x438496xf32>, tensor<98x438496xf32>, tensor<1136x37828xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<98x438496xf32>):
  %0 = "graph.scan"(%arg0) <{dim = 0 : i64, kind = #graph<reduce_kind max>}> : (tensor<98x438496xf32>) -> tensor<98x438496xf32>
  %1 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<98x438496xf32>) -> tensor<98x438496xf32>
  %2 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<98x438496xf32>) -> tensor<98x438496xf32>
  %3 = "math.exp"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<98x438496xf32>) -> tensor<98x438496xf32>
  %4 = "math.tanh"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<98x438496xf32>) -> tensor<98x438496xf32>
  %5 = "arith.mulf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<98x438496xf32>, tensor<98x438496xf32>) -> tensor<98x438496xf32>
  %6 = "graph.reshape"(%1) : (tensor<98x438496xf32>) -> tensor<1136x37828xf32>
  %7 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<98x438496xf32>) -> tensor<98x438496xf32>
  %8 = "math.tanh"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<98x438496xf32>) -> tensor<98x438496xf32>
  %9 = "math.exp"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<98x438496xf32>) -> tensor<98x438496xf32>
  "func.return"(%9, %7, %6) : (tensor<98x438496xf32>, tensor<98x438496xf32>, tensor<1136x37828xf32>) -> ()
}) : () -> ()
