"func.func"() <{function_type = (tensor<64x2475x224xbf16>, tensor<224x64xbf16>) -> (tensor<68x2475x224xbf16>, tensor<64x2475x224xbf16>, tensor<224x64x2475xbf16>, tensor<64x2475x224xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<64x2475x224xbf16>, %arg1: tensor<224x64xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<64x2475x224xbf16>) -> tensor<64x2475x224xf32>
  %1 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %2 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<64x2475x224xf32>}> : () -> tensor<64x2475x224xf32>
  %3 = "arith.addf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>, tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %4 = "math.sqrt"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %5 = "math.erf"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %6 = "graph.reduce"(%0) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<64x2475x224xf32>) -> tensor<2475x224xf32>
  %7 = "arith.constant"() <{value = dense<1.562500e-02> : tensor<2475x224xf32>}> : () -> tensor<2475x224xf32>
  %8 = "arith.mulf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<2475x224xf32>, tensor<2475x224xf32>) -> tensor<2475x224xf32>
  %9 = "graph.broadcast"(%8) <{dims = array<i64: 1, 2>}> : (tensor<2475x224xf32>) -> tensor<64x2475x224xf32>
  %10 = "arith.addf"(%0, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>, tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %11 = "math.tanh"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %12 = "arith.mulf"(%5, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>, tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %13 = "graph.pad"(%4) <{high = array<i64: 3, 0, 0>, low = array<i64: 1, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<64x2475x224xf32>) -> tensor<68x2475x224xf32>
  %14 = "arith.minimumf"(%12, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>, tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %15 = "arith.subf"(%13, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<68x2475x224xf32>, tensor<68x2475x224xf32>) -> tensor<68x2475x224xf32>
  %16 = "graph.transpose"(%14) <{permutation = array<i64: 2, 0, 1>}> : (tensor<64x2475x224xf32>) -> tensor<224x64x2475xf32>
  %17 = "arith.extf"(%arg1) : (tensor<224x64xbf16>) -> tensor<224x64xf32>
  %18 = "graph.broadcast"(%17) <{dims = array<i64: 0, 1>}> : (tensor<224x64xf32>) -> tensor<224x64x2475xf32>
  %19 = "arith.addf"(%16, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<224x64x2475xf32>, tensor<224x64x2475xf32>) -> tensor<224x64x2475xf32>
  %20 = "arith.negf"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<64x2475x224xf32>) -> tensor<64x2475x224xf32>
  %21 = "arith.truncf"(%15) : (tensor<68x2475x224xf32>) -> tensor<68x2475x224xbf16>
  %22 = "arith.truncf"(%20) : (tensor<64x2475x224xf32>) -> tensor<64x2475x224xbf16>
  %23 = "arith.truncf"(%19) : (tensor<224x64x2475xf32>) -> tensor<224x64x2475xbf16>
  %24 = "arith.truncf"(%5) : (tensor<64x2475x224xf32>) -> tensor<64x2475x224xbf16>
  "func.return"(%21, %22, %23, %24) : (tensor<68x2475x224xbf16>, tensor<64x2475x224xbf16>, tensor<224x64x2475xbf16>, tensor<64x2475x224xbf16>) -> ()
}) : () -> ()
