"func.func"() <{function_type = (tensor<13x5x1265x16xf32>) -> (tensor<13x5x1265x17xf32>, tensor<13x5x1265x17xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<13x5x1265x16xf32>):
  %0 = "math.erf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<13x5x1265x16xf32>) -> tensor<13x5x1265x16xf32>
  %1 = "graph.pad"(%0) <{high = array<i64: 0, 0, 0, 1>, low = array<i64: 0, 0, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<13x5x1265x16xf32>) -> tensor<13x5x1265x17xf32>
  %2 = "graph.gelu"(%1) <{form = #graph<gelu_form tanh>}> : (tensor<13x5x1265x17xf32>) -> tensor<13x5x1265x17xf32>
  %3 = "graph.softmax"(%1) <{dim = 2 : i64}> : (tensor<13x5x1265x17xf32>) -> tensor<13x5x1265x17xf32>
  "func.return"(%3, %2) : (tensor<13x5x1265x17xf32>, tensor<13x5x1265x17xf32>) -> ()
}) : () -> ()
