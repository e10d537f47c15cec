"func.func"() <{function_type = (tensor<93x8608x56xf32>) -> (tensor<93x8614x56xf32>, tensor<93x8614x56xf32>, tensor<93x8608x56xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<93x8608x56xf32>):
  %0 = "graph.reduce"(%arg0) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<93x8608x56xf32>) -> tensor<8608x56xf32>
  %1 = "graph.broadcast"(%0) <{dims = array<i64: 1, 2>}> : (tensor<8608x56xf32>) -> tensor<93x8608x56xf32>
  %2 = "arith.addf"(%arg0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8608x56xf32>, tensor<93x8608x56xf32>) -> tensor<93x8608x56xf32>
  %3 = "math.absf"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8608x56xf32>) -> tensor<93x8608x56xf32>
  %4 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<93x8608x56xf32>}> : () -> tensor<93x8608x56xf32>
  %5 = "arith.addf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8608x56xf32>, tensor<93x8608x56xf32>) -> tensor<93x8608x56xf32>
  %6 = "math.log"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8608x56xf32>) -> tensor<93x8608x56xf32>
  %7 = "graph.pad"(%6) <{high = array<i64: 0, 3, 0>, low = array<i64: 0, 3, 0>, value = 0.000000e+00 : f32}> : (tensor<93x8608x56xf32>) -> tensor<93x8614x56xf32>
  %8 = "graph.reduce"(%7) <{dims = array<i64: 2>, kind = #graph<reduce_kind sum>}> : (tensor<93x8614x56xf32>) -> tensor<93x8614xf32>
  %9 = "arith.constant"() <{value = dense<0.0178571437> : tensor<93x8614xf32>}> : () -> tensor<93x8614xf32>
  %10 = "arith.mulf"(%8, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614xf32>, tensor<93x8614xf32>) -> tensor<93x8614xf32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64: 0, 1>}> : (tensor<93x8614xf32>) -> tensor<93x8614x56xf32>
  %12 = "arith.subf"(%7, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614x56xf32>, tensor<93x8614x56xf32>) -> tensor<93x8614x56xf32>
  %13 = "math.tanh"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614x56xf32>) -> tensor<93x8614x56xf32>
  %14 = "graph.reduce"(%12) <{dims = array<i64: 2>, kind = #graph<reduce_kind sum>}> : (tensor<93x8614x56xf32>) -> tensor<93x8614xf32>
  %15 = "arith.constant"() <{value = dense<0.0178571437> : tensor<93x8614xf32>}> : () -> tensor<93x8614xf32>
  %16 = "arith.mulf"(%14, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614xf32>, tensor<93x8614xf32>) -> tensor<93x8614xf32>
  %17 = "graph.broadcast"(%16) <{dims = array<i64: 0, 1>}> : (tensor<93x8614xf32>) -> tensor<93x8614x56xf32>
  %18 = "arith.subf"(%12, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614x56xf32>, tensor<93x8614x56xf32>) -> tensor<93x8614x56xf32>
  %19 = "math.absf"(%18) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614x56xf32>) -> tensor<93x8614x56xf32>
  %20 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<93x8614x56xf32>}> : () -> tensor<93x8614x56xf32>
  %21 = "arith.addf"(%19, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614x56xf32>, tensor<93x8614x56xf32>) -> tensor<93x8614x56xf32>
  %22 = "math.log"(%21) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614x56xf32>) -> tensor<93x8614x56xf32>
  %23 = "graph.reduce"(%22) <{dims = array<i64: 0, 2>, kind = #graph<reduce_kind sum>}> : (tensor<93x8614x56xf32>) -> tensor<8614xf32>
  %24 = "arith.constant"() <{value = dense<1.92012289E-4> : tensor<8614xf32>}> : () -> tensor<8614xf32>
  %25 = "arith.mulf"(%23, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<8614xf32>, tensor<8614xf32>) -> tensor<8614xf32>
  %26 = "graph.broadcast"(%25) <{dims = array<i64: 1>}> : (tensor<8614xf32>) -> tensor<93x8614x56xf32>
  %27 = "arith.subf"(%22, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8614x56xf32>, tensor<93x8614x56xf32>) -> tensor<93x8614x56xf32>
  %28 = "graph.gelu"(%2) <{form = #graph<gelu_form tanh>}> : (tensor<93x8608x56xf32>) -> tensor<93x8608x56xf32>
  %29 = "arith.minimumf"(%28, %28) <{fastmath = #arith.fastmath<none>}> : (tensor<93x8608x56xf32>, tensor<93x8608x56xf32>) -> tensor<93x8608x56xf32>
  "func.return"(%27, %13, %29) : (tensor<93x8614x56xf32>, tensor<93x8614x56xf32>, tensor<93x8608x56xf32>) -> ()
}) : () -> ()
