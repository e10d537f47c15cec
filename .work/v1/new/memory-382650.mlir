"func.func"() <{function_type = (tensor<1000x100x2x147xbf16>) -> (tensor<1000x100x147x2xbf16>, tensor<1000x100x147x2xbf16>, tensor<1000x100x2x147xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<1000x100x2x147xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<1000x100x2x147xbf16>) -> tensor<1000x100x2x147xf32>
  %1 = "math.erf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<1000x100x2x147xf32>) -> tensor<1000x100x2x147xf32>
  %2 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<1000x100x2x147xf32>) -> tensor<1000x100x2x147xf32>
  %3 = "arith.addf"(%2, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<1000x100x2x147xf32>, tensor<1000x100x2x147xf32>) -> tensor<1000x100x2x147xf32>
  %4 = "graph.transpose"(%2) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1000x100x2x147xf32>) -> tensor<1000x100x147x2xf32>
  %5 = "arith.constant"() <{value = dense<2.000000e+00> : tensor<1000x100x147x2xf32>}> : () -> tensor<1000x100x147x2xf32>
  %6 = "arith.subf"(%4, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<1000x100x147x2xf32>, tensor<1000x100x147x2xf32>) -> tensor<1000x100x147x2xf32>
  %7 = "graph.reduce"(%3) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<1000x100x2x147xf32>) -> tensor<100x2x147xf32>
  %8 = "arith.constant"() <{value = dense<1.000000e-03> : tensor<100x2x147xf32>}> : () -> tensor<100x2x147xf32>
  %9 = "arith.mulf"(%7, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<100x2x147xf32>, tensor<100x2x147xf32>) -> tensor<100x2x147xf32>
  %10 = "graph.broadcast"(%9) <{dims = array<i64: 1, 2, 3>}> : (tensor<100x2x147xf32>) -> tensor<1000x100x2x147xf32>
  %11 = "arith.subf"(%3, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<1000x100x2x147xf32>, tensor<1000x100x2x147xf32>) -> tensor<1000x100x2x147xf32>
  %12 = "graph.gelu"(%4) <{form = #graph<gelu_form tanh>}> : (tensor<1000x100x147x2xf32>) -> tensor<1000x100x147x2xf32>
  %13 = "graph.reduce"(%6) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<1000x100x147x2xf32>) -> tensor<1000x147x2xf32>
  %14 = "arith.constant"() <{value = dense<0.00999999977> : tensor<1000x147x2xf32>}> : () -> tensor<1000x147x2xf32>
  %15 = "arith.mulf"(%13, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<1000x147x2xf32>, tensor<1000x147x2xf32>) -> tensor<1000x147x2xf32>
  %16 = "graph.broadcast"(%15) <{dims = array<i64: 0, 2, 3>}> : (tensor<1000x147x2xf32>) -> tensor<1000x100x147x2xf32>
  %17 = "arith.addf"(%6, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<1000x100x147x2xf32>, tensor<1000x100x147x2xf32>) -> tensor<1000x100x147x2xf32>
  %18 = "arith.truncf"(%17) : (tensor<1000x100x147x2xf32>) -> tensor<1000x100x147x2xbf16>
  %19 = "arith.truncf"(%12) : (tensor<1000x100x147x2xf32>) -> tensor<1000x100x147x2xbf16>
  %20 = "arith.truncf"(%11) : (tensor<1000x100x2x147xf32>) -> tensor<1000x100x2x147xbf16>
  "func.return"(%18, %19, %20) : (tensor<1000x100x147x2xbf16>, tensor<1000x100x147x2xbf16>, tensor<1000x100x2x147xbf16>) -> ()
}) : () -> ()
