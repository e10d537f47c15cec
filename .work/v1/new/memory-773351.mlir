"func.func"() <{function_type = (tensor<21186544xf32>) -> (tensor<21186544xf32>, tensor<f32>, tensor<1xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<21186544xf32>):
  %0 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<21186544xf32>) -> tensor<21186544xf32>
  %1 = "graph.reduce"(%arg0) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<21186544xf32>) -> tensor<f32>
  %2 = "arith.constant"() <{value = dense<4.71997694E-8> : tensor<f32>}> : () -> tensor<f32>
  %3 = "arith.mulf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %4 = "graph.reshape"(%3) : (tensor<f32>) -> tensor<1xf32>
  %5 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<21186544xf32>) -> tensor<21186544xf32>
  %6 = "math.exp"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<21186544xf32>) -> tensor<21186544xf32>
  %7 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<21186544xf32>}> : () -> tensor<21186544xf32>
  %8 = "arith.maximumf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<21186544xf32>, tensor<21186544xf32>) -> tensor<21186544xf32>
  %9 = "math.absf"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<1xf32>) -> tensor<1xf32>
  %10 = "graph.reduce"(%0) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<21186544xf32>) -> tensor<f32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64>}> : (tensor<f32>) -> tensor<21186544xf32>
  %12 = "arith.subf"(%0, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<21186544xf32>, tensor<21186544xf32>) -> tensor<21186544xf32>
  %13 = "graph.reduce"(%6) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<21186544xf32>) -> tensor<f32>
  %14 = "arith.addf"(%12, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<21186544xf32>, tensor<21186544xf32>) -> tensor<21186544xf32>
  %15 = "graph.reduce"(%14) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<21186544xf32>) -> tensor<f32>
  %16 = "arith.constant"() <{value = dense<4.71997694E-8> : tensor<f32>}> : () -> tensor<f32>
  %17 = "arith.mulf"(%15, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %18 = "graph.broadcast"(%17) <{dims = array<i64>}> : (tensor<f32>) -> tensor<21186544xf32>
  %19 = "arith.subf"(%14, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<21186544xf32>, tensor<21186544xf32>) -> tensor<21186544xf32>
  "func.return"(%19, %13, %9) : (tensor<21186544xf32>, tensor<f32>, tensor<1xf32>) -> ()
}) : () -> ()
