"func.func"() <{function_type = (tensor<78x208x78xbf16>, tensor<78xbf16>) -> (tensor<52x676x36xbf16>, tensor<78x208x78xbf16>, tensor<78x78x208xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<78x208x78xbf16>, %arg1: tensor<78xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<78x208x78xbf16>) -> tensor<78x208x78xf32>
  %1 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %2 = "arith.mulf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>, tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %3 = "arith.extf"(%arg1) : (tensor<78xbf16>) -> tensor<78xf32>
  %4 = "graph.layer_norm"(%2, %3) <{dim = 2 : i64, epsilon = 1.000000e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<78x208x78xf32>, tensor<78xf32>) -> tensor<78x208x78xf32>
  %5 = "math.absf"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %6 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<78x208x78xf32>}> : () -> tensor<78x208x78xf32>
  %7 = "arith.addf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>, tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %8 = "math.sqrt"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %9 = "graph.transpose"(%4) <{permutation = array<i64: 2, 0, 1>}> : (tensor<78x208x78xf32>) -> tensor<78x78x208xf32>
  %10 = "math.tanh"(%9) <{fastmath = #arith.fastmath<none>}> : (tensor<78x78x208xf32>) -> tensor<78x78x208xf32>
  %11 = "math.exp"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<78x78x208xf32>) -> tensor<78x78x208xf32>
  %12 = "arith.maximumf"(%8, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>, tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %13 = "arith.subf"(%12, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>, tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %14 = "math.tanh"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %15 = "arith.mulf"(%13, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>, tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %16 = "arith.maximumf"(%15, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<78x208x78xf32>, tensor<78x208x78xf32>) -> tensor<78x208x78xf32>
  %17 = "graph.reshape"(%13) : (tensor<78x208x78xf32>) -> tensor<52x676x36xf32>
  %18 = "arith.truncf"(%17) : (tensor<52x676x36xf32>) -> tensor<52x676x36xbf16>
  %19 = "arith.truncf"(%16) : (tensor<78x208x78xf32>) -> tensor<78x208x78xbf16>
  %20 = "arith.truncf"(%11) : (tensor<78x78x208xf32>) -> tensor<78x78x208xbf16>
  "func.return"(%18, %19, %20) : (tensor<52x676x36xbf16>, tensor<78x208x78xbf16>, tensor<78x78x208xbf16>) -> ()
}) : () -> ()
