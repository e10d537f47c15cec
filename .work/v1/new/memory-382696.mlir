"func.func"() <{function_type = (tensor<18200x2058xf32>) -> (tensor<18200x2058xf32>, tensor<2058x18200xf32>, tensor<18200x2058xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<18200x2058xf32>):
  %0 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %1 = "arith.mulf"(%0, %arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>, tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %2 = "math.absf"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %3 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<18200x2058xf32>}> : () -> tensor<18200x2058xf32>
  %4 = "arith.addf"(%2, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>, tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %5 = "math.log"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %6 = "math.absf"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %7 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<18200x2058xf32>}> : () -> tensor<18200x2058xf32>
  %8 = "arith.addf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>, tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %9 = "math.log"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %10 = "graph.reduce"(%9) <{dims = array<i64: 1>, kind = #graph<reduce_kind min>}> : (tensor<18200x2058xf32>) -> tensor<18200xf32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64: 0>}> : (tensor<18200xf32>) -> tensor<18200x2058xf32>
  %12 = "arith.subf"(%9, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>, tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %13 = "graph.transpose"(%12) <{permutation = array<i64: 1, 0>}> : (tensor<18200x2058xf32>) -> tensor<2058x18200xf32>
  %14 = "math.tanh"(%13) <{fastmath = #arith.fastmath<none>}> : (tensor<2058x18200xf32>) -> tensor<2058x18200xf32>
  %15 = "math.exp"(%14) <{fastmath = #arith.fastmath<none>}> : (tensor<2058x18200xf32>) -> tensor<2058x18200xf32>
  %16 = "graph.reduce"(%15) <{dims = array<i64: 0, 1>, kind = #graph<reduce_kind min>}> : (tensor<2058x18200xf32>) -> tensor<f32>
  %17 = "graph.broadcast"(%16) <{dims = array<i64>}> : (tensor<f32>) -> tensor<2058x18200xf32>
  %18 = "arith.subf"(%15, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<2058x18200xf32>, tensor<2058x18200xf32>) -> tensor<2058x18200xf32>
  %19 = "graph.reduce"(%5) <{dims = array<i64: 1>, kind = #graph<reduce_kind min>}> : (tensor<18200x2058xf32>) -> tensor<18200xf32>
  %20 = "graph.broadcast"(%19) <{dims = array<i64: 0>}> : (tensor<18200xf32>) -> tensor<18200x2058xf32>
  %21 = "arith.addf"(%5, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>, tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %22 = "arith.constant"() <{value = dense<5.4945056E-5> : tensor<18200x2058xf32>}> : () -> tensor<18200x2058xf32>
  %23 = "arith.mulf"(%21, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>, tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %24 = "graph.scan"(%23) <{dim = 0 : i64, kind = #graph<reduce_kind sum>}> : (tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  %25 = "graph.softmax"(%18) <{dim = 1 : i64}> : (tensor<2058x18200xf32>) -> tensor<2058x18200xf32>
  %26 = "graph.reduce"(%1) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<18200x2058xf32>) -> tensor<2058xf32>
  %27 = "graph.broadcast"(%26) <{dims = array<i64: 1>}> : (tensor<2058xf32>) -> tensor<18200x2058xf32>
  %28 = "arith.subf"(%1, %27) <{fastmath = #arith.fastmath<none>}> : (tensor<18200x2058xf32>, tensor<18200x2058xf32>) -> tensor<18200x2058xf32>
  "func.return"(%28, %25, %24) : (tensor<18200x2058xf32>, tensor<2058x18200xf32>, tensor<18200x2058xf32>) -> ()
}) : () -> ()
