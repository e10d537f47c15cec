"func.func"() <{function_type = (tensor<350x16x6x24x3xf32>) -> (tensor<16x24x350x3x6xf32>, tensor<2419200xf32>, tensor<2419200xf32>, tensor<350x16x6x24x3xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<350x16x6x24x3xf32>):
  %0 = "math.erf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<350x16x6x24x3xf32>) -> tensor<350x16x6x24x3xf32>
  %1 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<350x16x6x24x3xf32>) -> tensor<350x16x6x24x3xf32>
  %2 = "graph.reshape"(%0) : (tensor<350x16x6x24x3xf32>) -> tensor<2419200xf32>
  %3 = "math.tanh"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<350x16x6x24x3xf32>) -> tensor<350x16x6x24x3xf32>
  %4 = "arith.mulf"(%3, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<350x16x6x24x3xf32>, tensor<350x16x6x24x3xf32>) -> tensor<350x16x6x24x3xf32>
  %5 = "math.tanh"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<350x16x6x24x3xf32>) -> tensor<350x16x6x24x3xf32>
  %6 = "math.tanh"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<2419200xf32>) -> tensor<2419200xf32>
  %7 = "math.exp"(%6) <{fastmath = #arith.fastmath<none>}> : (tensor<2419200xf32>) -> tensor<2419200xf32>
  %8 = "math.tanh"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<2419200xf32>) -> tensor<2419200xf32>
  %9 = "math.exp"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<2419200xf32>) -> tensor<2419200xf32>
  %10 = "graph.gelu"(%9) <{form = #graph<gelu_form tanh>}> : (tensor<2419200xf32>) -> tensor<2419200xf32>
  %11 = "math.absf"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<2419200xf32>) -> tensor<2419200xf32>
  %12 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<2419200xf32>}> : () -> tensor<2419200xf32>
  %13 = "arith.addf"(%11, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<2419200xf32>, tensor<2419200xf32>) -> tensor<2419200xf32>
  %14 = "math.sqrt"(%13) <{fastmath = #arith.fastmath<none>}> : (tensor<2419200xf32>) -> tensor<2419200xf32>
  %15 = "graph.reduce"(%10) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<2419200xf32>) -> tensor<f32>
  %16 = "arith.constant"() <{value = dense<4.133598E-7> : tensor<f32>}> : () -> tensor<f32>
  %17 = "arith.mulf"(%15, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %18 = "graph.broadcast"(%17) <{dims = array<i64>}> : (tensor<f32>) -> tensor<2419200xf32>
  %19 = "arith.addf"(%10, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<2419200xf32>, tensor<2419200xf32>) -> tensor<2419200xf32>
  %20 = "graph.transpose"(%5) <{permutation = array<i64: 1, 3, 0, 4, 2>}> : (tensor<350x16x6x24x3xf32>) -> tensor<16x24x350x3x6xf32>
  "func.return"(%20, %19, %14, %5) : (tensor<16x24x350x3x6xf32>, tensor<2419200xf32>, tensor<2419200xf32>, tensor<350x16x6x24x3xf32>) -> ()
}) : () -> ()
