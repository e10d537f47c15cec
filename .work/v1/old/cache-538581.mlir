"func.func"() <{function_type = (tensor<10912x152xf32>) -> (tensor<10912x152xf32>, tensor<10912x152xf32>, tensor<10912xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<10912x152xf32>):
  %0 = "graph.scan"(%arg0) <{dim = 1 : i64, kind = #graph<reduce_kind max>}> : (tensor<10912x152xf32>) -> tensor<10912x152xf32>
  %1 = "graph.reduce"(%0) <{dims = array<i64: 0>, kind = #graph<reduce_kind max>}> : (tensor<10912x152xf32>) -> tensor<152xf32>
  %2 = "graph.broadcast"(%1) <{dims = array<i64: 1>}> : (tensor<152xf32>) -> tensor<10912x152xf32>
  %3 = "arith.subf"(%0, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<10912x152xf32>, tensor<10912x152xf32>) -> tensor<10912x152xf32>
  %4 = "arith.addf"(%0, %arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<10912x152xf32>, tensor<10912x152xf32>) -> tensor<10912x152xf32>
  %5 = "math.erf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<10912x152xf32>) -> tensor<10912x152xf32>
  %6 = "arith.maximumf"(%5, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<10912x152xf32>, tensor<10912x152xf32>) -> tensor<10912x152xf32>
  %7 = "graph.reduce"(%6) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<10912x152xf32>) -> tensor<10912xf32>
  %8 = "arith.constant"() <{value = dense<0.00657894742> : tensor<10912xf32>}> : () -> tensor<10912xf32>
  %9 = "arith.mulf"(%7, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<10912xf32>, tensor<10912xf32>) -> tensor<10912xf32>
  %10 = "graph.gelu"(%9) <{form = #graph<gelu_form erf>}> : (tensor<10912xf32>) -> tensor<10912xf32>
  %11 = "graph.gelu"(%10) <{form = #graph<gelu_form erf>}> : (tensor<10912xf32>) -> tensor<10912xf32>
  %12 = "graph.reduce"(%3) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<10912x152xf32>) -> tensor<10912xf32>
  %13 = "arith.constant"() <{value = dense<0.00657894742> : tensor<10912xf32>}> : () -> tensor<10912xf32>
  %14 = "arith.mulf"(%12, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<10912xf32>, tensor<10912xf32>) -> tensor<10912xf32>
  %15 = "graph.broadcast"(%14) <{dims = array<i64: 0>}> : (tensor<10912xf32>) -> tensor<10912x152xf32>
  %16 = "arith.addf"(%3, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<10912x152xf32>, tensor<10912x152xf32>) -> tensor<10912x152xf32>
  "func.return"(%16, %4, %11) : (tensor<10912x152xf32>, tensor<10912x152xf32>, tensor<10912xf32>) -> ()
}) : () -> ()
