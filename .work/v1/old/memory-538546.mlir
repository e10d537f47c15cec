"func.func"() <{function_type = (tensor<8x534x64x136xbf16>, tensor<534x64x136xbf16>, tensor<64x8x136x534xbf16>, tensor<64x136xbf16>) -> (tensor<64x8x136x534xbf16>, tensor<8x534x136x64xbf16>, tensor<64x8x136xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<8x534x64x136xbf16>, %arg1: tensor<534x64x136xbf16>, %arg2: tensor<64x8x136x534xbf16>, %arg3: tensor<64x136xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<8x534x64x136xbf16>) -> tensor<8x534x64x136xf32>
  %1 = "graph.reduce"(%0) <{dims = array<i64: 2>, kind = #graph<reduce_kind sum>}> : (tensor<8x534x64x136xf32>) -> tensor<8x534x136xf32>
  %2 = "arith.constant"() <{value = dense<1.562500e-02> : tensor<8x534x136xf32>}> : () -> tensor<8x534x136xf32>
  %3 = "arith.mulf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<8x534x136xf32>, tensor<8x534x136xf32>) -> tensor<8x534x136xf32>
  %4 = "graph.broadcast"(%3) <{dims = array<i64: 0, 1, 3>}> : (tensor<8x534x136xf32>) -> tensor<8x534x64x136xf32>
  %5 = "arith.subf"(%0, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<8x534x64x136xf32>, tensor<8x534x64x136xf32>) -> tensor<8x534x64x136xf32>
  %6 = "arith.extf"(%arg1) : (tensor<534x64x136xbf16>) -> tensor<534x64x136xf32>
  %7 = "graph.rms_norm"(%5, %6) <{dim = 1 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<8x534x64x136xf32>, tensor<534x64x136xf32>) -> tensor<8x534x64x136xf32>
  %8 = "graph.transpose"(%7) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<8x534x64x136xf32>) -> tensor<64x8x136x534xf32>
  %9 = "graph.softmax"(%8) <{dim = 3 : i64}> : (tensor<64x8x136x534xf32>) -> tensor<64x8x136x534xf32>
  %10 = "math.tanh"(%9) <{fastmath = #arith.fastmath<none>}> : (tensor<64x8x136x534xf32>) -> tensor<64x8x136x534xf32>
  %11 = "math.exp"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<64x8x136x534xf32>) -> tensor<64x8x136x534xf32>
  %12 = "arith.extf"(%arg2) : (tensor<64x8x136x534xbf16>) -> tensor<64x8x136x534xf32>
  %13 = "graph.rms_norm"(%11, %12) <{dim = 0 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<64x8x136x534xf32>, tensor<64x8x136x534xf32>) -> tensor<64x8x136x534xf32>
  %14 = "graph.transpose"(%13) <{permutation = array<i64: 1, 3, 2, 0>}> : (tensor<64x8x136x534xf32>) -> tensor<8x534x136x64xf32>
  %15 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x8x136x534xf32>}> : () -> tensor<64x8x136x534xf32>
  %16 = "arith.maximumf"(%13, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<64x8x136x534xf32>, tensor<64x8x136x534xf32>) -> tensor<64x8x136x534xf32>
  %17 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x8x136x534xf32>}> : () -> tensor<64x8x136x534xf32>
  %18 = "arith.maximumf"(%16, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<64x8x136x534xf32>, tensor<64x8x136x534xf32>) -> tensor<64x8x136x534xf32>
  %19 = "arith.extf"(%arg3) : (tensor<64x136xbf16>) -> tensor<64x136xf32>
  %20 = "graph.broadcast"(%19) <{dims = array<i64: 0, 2>}> : (tensor<64x136xf32>) -> tensor<64x8x136x534xf32>
  %21 = "arith.minimumf"(%20, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<64x8x136x534xf32>, tensor<64x8x136x534xf32>) -> tensor<64x8x136x534xf32>
  %22 = "graph.reduce"(%21) <{dims = array<i64: 3>, kind = #graph<reduce_kind sum>}> : (tensor<64x8x136x534xf32>) -> tensor<64x8x136xf32>
  %23 = "arith.constant"() <{value = dense<0.0018726592> : tensor<64x8x136xf32>}> : () -> tensor<64x8x136xf32>
  %24 = "arith.mulf"(%22, %23) <{fastmath = #arith.fastmath<none>}> : (tensor<64x8x136xf32>, tensor<64x8x136xf32>) -> tensor<64x8x136xf32>
  %25 = "arith.truncf"(%18) : (tensor<64x8x136x534xf32>) -> tensor<64x8x136x534xbf16>
  %26 = "arith.truncf"(%14) : (tensor<8x534x136x64xf32>) -> tensor<8x534x136x64xbf16>
  %27 = "arith.truncf"(%24) : (tensor<64x8x136xf32>) -> tensor<64x8x136xbf16>
  "func.return"(%25, %26, %27) : (tensor<64x8x136x534xbf16>, tensor<8x534x136x64xbf16>, tensor<64x8x136xbf16>) -> ()
}) : () -> ()
