"func.func"() <{function_type = (tensor<40x2x23x9x1296xf32>) -> (tensor<40x9x23x1296x2xf32>, tensor<2x40x9x1296x23xf32>, tensor<2x40x9x1296xf32>, tensor<40x9x23x1296x2xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<40x2x23x9x1296xf32>):
  %0 = "graph.transpose"(%arg0) <{permutation = array<i64: 1, 0, 3, 4, 2>}> : (tensor<40x2x23x9x1296xf32>) -> tensor<2x40x9x1296x23xf32>
  %1 = "graph.transpose"(%arg0) <{permutation = array<i64: 0, 3, 2, 4, 1>}> : (tensor<40x2x23x9x1296xf32>) -> tensor<40x9x23x1296x2xf32>
  %2 = "math.erf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<2x40x9x1296x23xf32>) -> tensor<2x40x9x1296x23xf32>
  %3 = "graph.reduce"(%0) <{dims = array<i64: 4>, kind = #graph<reduce_kind max>}> : (tensor<2x40x9x1296x23xf32>) -> tensor<2x40x9x1296xf32>
  %4 = "math.erf"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<40x9x23x1296x2xf32>) -> tensor<40x9x23x1296x2xf32>
  %5 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<40x9x23x1296x2xf32>}> : () -> tensor<40x9x23x1296x2xf32>
  %6 = "arith.maximumf"(%4, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<40x9x23x1296x2xf32>, tensor<40x9x23x1296x2xf32>) -> tensor<40x9x23x1296x2xf32>
  "func.return"(%6, %2, %3, %4) : (tensor<40x9x23x1296x2xf32>, tensor<2x40x9x1296x23xf32>, tensor<2x40x9x1296xf32>, tensor<40x9x23x1296x2xf32>) -> ()
}) : () -> ()
