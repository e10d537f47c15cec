"func.func"() <{function_type = (tensor<18808x8x176xf32>) -> (tensor<18808x8x176xf32>, tensor<18808x4x176xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<18808x8x176xf32>):
  %0 = "math.erf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<18808x8x176xf32>) -> tensor<18808x8x176xf32>
  %1 = "graph.slice"(%0) <{offsets = array<i64: 0, 4, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<18808x8x176xf32>) -> tensor<18808x4x176xf32>
  %2 = "graph.gelu"(%arg0) <{form = #graph<gelu_form tanh>}> : (tensor<18808x8x176xf32>) -> tensor<18808x8x176xf32>
  "func.return"(%2, %1) : (tensor<18808x8x176xf32>, tensor<18808x4x176xf32>) -> ()
}) : () -> ()
