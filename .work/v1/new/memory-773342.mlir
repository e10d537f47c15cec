"func.func"() <{function_type = (tensor<18342816xbf16>, tensor<bf16>) -> (tensor<36685632xbf16>, tensor<18342816xbf16>, tensor<18342816xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<18342816xbf16>, %arg1: tensor<bf16>):
  %0 = "arith.extf"(%arg0) : (tensor<18342816xbf16>) -> tensor<18342816xf32>
  %1 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>) -> tensor<18342816xf32>
  %2 = "graph.gelu"(%0) <{form = #graph<gelu_form tanh>}> : (tensor<18342816xf32>) -> tensor<18342816xf32>
  %3 = "graph.reshape"(%1) : (tensor<18342816xf32>) -> tensor<18342816xf32>
  %4 = "math.absf"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>) -> tensor<18342816xf32>
  %5 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<18342816xf32>}> : () -> tensor<18342816xf32>
  %6 = "arith.addf"(%4, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>, tensor<18342816xf32>) -> tensor<18342816xf32>
  %7 = "math.log"(%6) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>) -> tensor<18342816xf32>
  %8 = "graph.reduce"(%3) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<18342816xf32>) -> tensor<f32>
  %9 = "arith.constant"() <{value = dense<5.45172547E-8> : tensor<f32>}> : () -> tensor<f32>
  %10 = "arith.mulf"(%8, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64>}> : (tensor<f32>) -> tensor<18342816xf32>
  %12 = "arith.subf"(%3, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>, tensor<18342816xf32>) -> tensor<18342816xf32>
  %13 = "arith.extf"(%arg1) : (tensor<bf16>) -> tensor<f32>
  %14 = "graph.broadcast"(%13) <{dims = array<i64>}> : (tensor<f32>) -> tensor<18342816xf32>
  %15 = "arith.subf"(%7, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>, tensor<18342816xf32>) -> tensor<18342816xf32>
  %16 = "math.tanh"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>) -> tensor<18342816xf32>
  %17 = "math.exp"(%16) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>) -> tensor<18342816xf32>
  %18 = "graph.reduce"(%12) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<18342816xf32>) -> tensor<f32>
  %19 = "arith.constant"() <{value = dense<5.45172547E-8> : tensor<f32>}> : () -> tensor<f32>
  %20 = "arith.mulf"(%18, %19) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %21 = "graph.broadcast"(%20) <{dims = array<i64>}> : (tensor<f32>) -> tensor<18342816xf32>
  %22 = "arith.addf"(%12, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>, tensor<18342816xf32>) -> tensor<18342816xf32>
  %23 = "graph.concat"(%17, %12) <{dim = 0 : i64}> : (tensor<18342816xf32>, tensor<18342816xf32>) -> tensor<36685632xf32>
  %24 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<18342816xf32>}> : () -> tensor<18342816xf32>
  %25 = "math.tanh"(%24) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>) -> tensor<18342816xf32>
  %26 = "arith.mulf"(%22, %25) <{fastmath = #arith.fastmath<none>}> : (tensor<18342816xf32>, tensor<18342816xf32>) -> tensor<18342816xf32>
  %27 = "arith.truncf"(%23) : (tensor<36685632xf32>) -> tensor<36685632xbf16>
  %28 = "arith.truncf"(%26) : (tensor<18342816xf32>) -> tensor<18342816xbf16>
  %29 = "arith.truncf"(%15) : (tensor<18342816xf32>) -> tensor<18342816xbf16>
  "func.return"(%27, %28, %29) : (tensor<36685632xbf16>, tensor<18342816xbf16>, tensor<18342816xbf16>) -> ()
}) : () -> ()
