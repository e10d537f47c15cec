"func.func"() <{function_type = (tensor<6x64x6x8x48xbf16>, tensor<6x6x8xbf16>) -> (tensor<6x64x6x8x48xbf16>, tensor<6x64x6x8x48xbf16>, tensor<6x64x6x8x48xbf16>, tensor<6x64x6x8x48xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<6x64x6x8x48xbf16>, %arg1: tensor<6x6x8xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<6x64x6x8x48xbf16>) -> tensor<6x64x6x8x48xf32>
  %1 = "arith.subf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %2 = "math.tanh"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %3 = "arith.mulf"(%2, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %4 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<6x64x6x8x48xf32>}> : () -> tensor<6x64x6x8x48xf32>
  %5 = "arith.minimumf"(%1, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %6 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %7 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<6x64x6x8x48xf32>}> : () -> tensor<6x64x6x8x48xf32>
  %8 = "arith.addf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %9 = "math.log"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %10 = "graph.reduce"(%5) <{dims = array<i64: 4>, kind = #graph<reduce_kind min>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8xf32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<6x64x6x8xf32>) -> tensor<6x64x6x8x48xf32>
  %12 = "arith.subf"(%5, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %13 = "graph.reduce"(%9) <{dims = array<i64: 2, 3, 4>, kind = #graph<reduce_kind sum>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64xf32>
  %14 = "arith.constant"() <{value = dense<4.34027781E-4> : tensor<6x64xf32>}> : () -> tensor<6x64xf32>
  %15 = "arith.mulf"(%13, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64xf32>, tensor<6x64xf32>) -> tensor<6x64xf32>
  %16 = "graph.broadcast"(%15) <{dims = array<i64: 0, 1>}> : (tensor<6x64xf32>) -> tensor<6x64x6x8x48xf32>
  %17 = "arith.subf"(%9, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %18 = "math.tanh"(%17) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %19 = "graph.reduce"(%18) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<6x64x6x8x48xf32>) -> tensor<64x6x8x48xf32>
  %20 = "graph.broadcast"(%19) <{dims = array<i64: 1, 2, 3, 4>}> : (tensor<64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %21 = "arith.subf"(%18, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %22 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %23 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<6x64x6x8x48xf32>}> : () -> tensor<6x64x6x8x48xf32>
  %24 = "arith.addf"(%22, %23) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %25 = "arith.divf"(%5, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %26 = "arith.extf"(%arg1) : (tensor<6x6x8xbf16>) -> tensor<6x6x8xf32>
  %27 = "graph.broadcast"(%26) <{dims = array<i64: 0, 2, 3>}> : (tensor<6x6x8xf32>) -> tensor<6x64x6x8x48xf32>
  %28 = "arith.addf"(%27, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %29 = "graph.rms_norm"(%3) <{dim = 1 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %30 = "math.erf"(%28) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %31 = "graph.slice"(%29) <{offsets = array<i64: 0, 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %32 = "arith.subf"(%25, %29) <{fastmath = #arith.fastmath<none>}> : (tensor<6x64x6x8x48xf32>, tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xf32>
  %33 = "arith.truncf"(%32) : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xbf16>
  %34 = "arith.truncf"(%31) : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xbf16>
  %35 = "arith.truncf"(%30) : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xbf16>
  %36 = "arith.truncf"(%12) : (tensor<6x64x6x8x48xf32>) -> tensor<6x64x6x8x48xbf16>
  "func.return"(%33, %34, %35, %36) : (tensor<6x64x6x8x48xbf16>, tensor<6x64x6x8x48xbf16>, tensor<6x64x6x8x48xbf16>, tensor<6x64x6x8x48xbf16>) -> ()
}) : () -> ()
