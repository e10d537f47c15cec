"func.func"() <{function_type = (tensor<876664x48xbf16>, tensor<49xbf16>, tensor<876664xbf16>) -> (tensor<876664x49xbf16>, tensor<876664x49xbf16>, tensor<876664x48xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<876664x48xbf16>, %arg1: tensor<49xbf16>, %arg2: tensor<876664xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<876664x48xbf16>) -> tensor<876664x48xf32>
  %1 = "arith.maximumf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<876664x48xf32>, tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %2 = "graph.pad"(%0) <{high = array<i64: 0, 0>, low = array<i64: 0, 1>, value = 0.000000e+00 : f32}> : (tensor<876664x48xf32>) -> tensor<876664x49xf32>
  %3 = "graph.softmax"(%1) <{dim = 1 : i64}> : (tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %4 = "arith.extf"(%arg1) : (tensor<49xbf16>) -> tensor<49xf32>
  %5 = "graph.broadcast"(%4) <{dims = array<i64: 1>}> : (tensor<49xf32>) -> tensor<876664x49xf32>
  %6 = "arith.subf"(%5, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<876664x49xf32>, tensor<876664x49xf32>) -> tensor<876664x49xf32>
  %7 = "graph.reduce"(%3) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<876664x48xf32>) -> tensor<48xf32>
  %8 = "arith.constant"() <{value = dense<1.14068791E-6> : tensor<48xf32>}> : () -> tensor<48xf32>
  %9 = "arith.mulf"(%7, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<48xf32>, tensor<48xf32>) -> tensor<48xf32>
  %10 = "graph.broadcast"(%9) <{dims = array<i64: 1>}> : (tensor<48xf32>) -> tensor<876664x48xf32>
  %11 = "arith.subf"(%3, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<876664x48xf32>, tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %12 = "graph.gelu"(%11) <{form = #graph<gelu_form tanh>}> : (tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %13 = "arith.extf"(%arg2) : (tensor<876664xbf16>) -> tensor<876664xf32>
  %14 = "graph.broadcast"(%13) <{dims = array<i64: 0>}> : (tensor<876664xf32>) -> tensor<876664x48xf32>
  %15 = "arith.minimumf"(%14, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<876664x48xf32>, tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %16 = "arith.addf"(%15, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<876664x48xf32>, tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %17 = "graph.transpose"(%16) <{permutation = array<i64: 0, 1>}> : (tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %18 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<876664x49xf32>}> : () -> tensor<876664x49xf32>
  %19 = "arith.maximumf"(%2, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<876664x49xf32>, tensor<876664x49xf32>) -> tensor<876664x49xf32>
  %20 = "arith.constant"() <{value = dense<2.000000e+00> : tensor<876664x48xf32>}> : () -> tensor<876664x48xf32>
  %21 = "arith.maximumf"(%17, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<876664x48xf32>, tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %22 = "arith.addf"(%17, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<876664x48xf32>, tensor<876664x48xf32>) -> tensor<876664x48xf32>
  %23 = "arith.truncf"(%19) : (tensor<876664x49xf32>) -> tensor<876664x49xbf16>
  %24 = "arith.truncf"(%6) : (tensor<876664x49xf32>) -> tensor<876664x49xbf16>
  %25 = "arith.truncf"(%22) : (tensor<876664x48xf32>) -> tensor<876664x48xbf16>
  "func.return"(%23, %24, %25) : (tensor<876664x49xbf16>, tensor<876664x49xbf16>, tensor<876664x48xbf16>) -> ()
}) : () -> ()
