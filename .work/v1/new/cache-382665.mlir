"func.func"() <{function_type = (tensor<50x48x18x6x8xbf16>, tensor<50x48x18x6x8xbf16>, tensor<50x48x6xbf16>, tensor<18x6x8xbf16>) -> (tensor<48x50x18x8x6xbf16>, tensor<50x48x18x6x8xbf16>, tensor<50x48x18x6x8xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<50x48x18x6x8xbf16>, %arg1: tensor<50x48x18x6x8xbf16>, %arg2: tensor<50x48x6xbf16>, %arg3: tensor<18x6x8xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<50x48x18x6x8xbf16>) -> tensor<50x48x18x6x8xf32>
  %1 = "graph.reduce"(%0) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<50x48x18x6x8xf32>) -> tensor<48x18x6x8xf32>
  %2 = "arith.constant"() <{value = dense<2.000000e-02> : tensor<48x18x6x8xf32>}> : () -> tensor<48x18x6x8xf32>
  %3 = "arith.mulf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<48x18x6x8xf32>, tensor<48x18x6x8xf32>) -> tensor<48x18x6x8xf32>
  %4 = "graph.broadcast"(%3) <{dims = array<i64: 1, 2, 3, 4>}> : (tensor<48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %5 = "arith.subf"(%0, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>, tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %6 = "arith.extf"(%arg1) : (tensor<50x48x18x6x8xbf16>) -> tensor<50x48x18x6x8xf32>
  %7 = "graph.rms_norm"(%0, %6) <{dim = 0 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<50x48x18x6x8xf32>, tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %8 = "math.tanh"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %9 = "arith.mulf"(%8, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>, tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %10 = "arith.extf"(%arg2) : (tensor<50x48x6xbf16>) -> tensor<50x48x6xf32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64: 0, 1, 3>}> : (tensor<50x48x6xf32>) -> tensor<50x48x18x6x8xf32>
  %12 = "arith.subf"(%5, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>, tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %13 = "graph.reduce"(%9) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<50x48x18x6x8xf32>) -> tensor<48x18x6x8xf32>
  %14 = "arith.constant"() <{value = dense<2.000000e-02> : tensor<48x18x6x8xf32>}> : () -> tensor<48x18x6x8xf32>
  %15 = "arith.mulf"(%13, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<48x18x6x8xf32>, tensor<48x18x6x8xf32>) -> tensor<48x18x6x8xf32>
  %16 = "graph.broadcast"(%15) <{dims = array<i64: 1, 2, 3, 4>}> : (tensor<48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %17 = "arith.subf"(%9, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>, tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %18 = "arith.extf"(%arg3) : (tensor<18x6x8xbf16>) -> tensor<18x6x8xf32>
  %19 = "graph.broadcast"(%18) <{dims = array<i64: 2, 3, 4>}> : (tensor<18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %20 = "math.absf"(%19) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %21 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<50x48x18x6x8xf32>}> : () -> tensor<50x48x18x6x8xf32>
  %22 = "arith.addf"(%20, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>, tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %23 = "arith.divf"(%0, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>, tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %24 = "arith.constant"() <{value = dense<-1.000000e+00> : tensor<50x48x18x6x8xf32>}> : () -> tensor<50x48x18x6x8xf32>
  %25 = "arith.addf"(%24, %23) <{fastmath = #arith.fastmath<none>}> : (tensor<50x48x18x6x8xf32>, tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xf32>
  %26 = "graph.transpose"(%12) <{permutation = array<i64: 1, 0, 2, 4, 3>}> : (tensor<50x48x18x6x8xf32>) -> tensor<48x50x18x8x6xf32>
  %27 = "graph.reduce"(%26) <{dims = array<i64: 0>, kind = #graph<reduce_kind max>}> : (tensor<48x50x18x8x6xf32>) -> tensor<50x18x8x6xf32>
  %28 = "graph.broadcast"(%27) <{dims = array<i64: 1, 2, 3, 4>}> : (tensor<50x18x8x6xf32>) -> tensor<48x50x18x8x6xf32>
  %29 = "arith.subf"(%26, %28) <{fastmath = #arith.fastmath<none>}> : (tensor<48x50x18x8x6xf32>, tensor<48x50x18x8x6xf32>) -> tensor<48x50x18x8x6xf32>
  %30 = "arith.truncf"(%29) : (tensor<48x50x18x8x6xf32>) -> tensor<48x50x18x8x6xbf16>
  %31 = "arith.truncf"(%25) : (tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xbf16>
  %32 = "arith.truncf"(%17) : (tensor<50x48x18x6x8xf32>) -> tensor<50x48x18x6x8xbf16>
  "func.return"(%30, %31, %32) : (tensor<48x50x18x8x6xbf16>, tensor<50x48x18x6x8xbf16>, tensor<50x48x18x6x8xbf16>) -> ()
}) : () -> ()
