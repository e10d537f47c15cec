"func.func"() <{function_type = (tensor<2170376xf32>) -> (tensor<2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<2170376xf32>):
  %0 = "graph.reshape"(%arg0) : (tensor<2170376xf32>) -> tensor<1x2x26x41x1018xf32>
  %1 = "arith.constant"() <{value = dense<5.000000e-01> : tensor<1x2x26x41x1018xf32>}> : () -> tensor<1x2x26x41x1018xf32>
  %2 = "arith.mulf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %3 = "graph.scan"(%2) <{dim = 1 : i64, kind = #graph<reduce_kind sum>, reverse}> : (tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %4 = "graph.reduce"(%3) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<1x2x26x41x1018xf32>) -> tensor<2x26x41x1018xf32>
  %5 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<2x26x41x1018xf32>}> : () -> tensor<2x26x41x1018xf32>
  %6 = "arith.mulf"(%4, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<2x26x41x1018xf32>, tensor<2x26x41x1018xf32>) -> tensor<2x26x41x1018xf32>
  %7 = "graph.broadcast"(%6) <{dims = array<i64: 1, 2, 3, 4>}> : (tensor<2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %8 = "arith.subf"(%3, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %9 = "graph.reduce"(%8) <{dims = array<i64: 0, 1, 3>, kind = #graph<reduce_kind min>}> : (tensor<1x2x26x41x1018xf32>) -> tensor<26x1018xf32>
  %10 = "graph.broadcast"(%9) <{dims = array<i64: 2, 4>}> : (tensor<26x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %11 = "arith.subf"(%8, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %12 = "math.absf"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %13 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<1x2x26x41x1018xf32>}> : () -> tensor<1x2x26x41x1018xf32>
  %14 = "arith.addf"(%12, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %15 = "math.log"(%14) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %16 = "arith.minimumf"(%8, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %17 = "arith.constant"() <{value = dense<0.024390243> : tensor<1x2x26x41x1018xf32>}> : () -> tensor<1x2x26x41x1018xf32>
  %18 = "arith.mulf"(%16, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %19 = "graph.scan"(%18) <{dim = 3 : i64, kind = #graph<reduce_kind sum>}> : (tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %20 = "arith.negf"(%16) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %21 = "graph.scan"(%19) <{dim = 2 : i64, kind = #graph<reduce_kind max>}> : (tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %22 = "graph.softmax"(%21) <{dim = 4 : i64}> : (tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %23 = "arith.subf"(%22, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>) -> tensor<1x2x26x41x1018xf32>
  %24 = "graph.reduce"(%15) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<1x2x26x41x1018xf32>) -> tensor<2x26x41x1018xf32>
  %25 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<2x26x41x1018xf32>}> : () -> tensor<2x26x41x1018xf32>
  %26 = "arith.mulf"(%24, %25) <{fastmath = #arith.fastmath<none>}> : (tensor<2x26x41x1018xf32>, tensor<2x26x41x1018xf32>) -> tensor<2x26x41x1018xf32>
  "func.return"(%26, %23, %20) : (tensor<2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>, tensor<1x2x26x41x1018xf32>) -> ()
}) : () -> ()
