"func.func"() <{function_type = (tensor<4x7552x176x7xbf16>, tensor<4x7xbf16>) -> (tensor<7x7552x176x7xbf16>, tensor<176x7x4x7552xbf16>, tensor<4x7552x105x7xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<4x7552x176x7xbf16>, %arg1: tensor<4x7xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<4x7552x176x7xbf16>) -> tensor<4x7552x176x7xf32>
  %1 = "arith.subf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<4x7552x176x7xf32>, tensor<4x7552x176x7xf32>) -> tensor<4x7552x176x7xf32>
  %2 = "arith.minimumf"(%1, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<4x7552x176x7xf32>, tensor<4x7552x176x7xf32>) -> tensor<4x7552x176x7xf32>
  %3 = "arith.minimumf"(%1, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<4x7552x176x7xf32>, tensor<4x7552x176x7xf32>) -> tensor<4x7552x176x7xf32>
  %4 = "graph.transpose"(%3) <{permutation = array<i64: 0, 1, 2, 3>}> : (tensor<4x7552x176x7xf32>) -> tensor<4x7552x176x7xf32>
  %5 = "graph.transpose"(%2) <{permutation = array<i64: 2, 3, 0, 1>}> : (tensor<4x7552x176x7xf32>) -> tensor<176x7x4x7552xf32>
  %6 = "graph.pad"(%3) <{high = array<i64: 2, 0, 0, 0>, low = array<i64: 1, 0, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<4x7552x176x7xf32>) -> tensor<7x7552x176x7xf32>
  %7 = "graph.reduce"(%4) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<4x7552x176x7xf32>) -> tensor<7552x176x7xf32>
  %8 = "arith.constant"() <{value = dense<2.500000e-01> : tensor<7552x176x7xf32>}> : () -> tensor<7552x176x7xf32>
  %9 = "arith.mulf"(%7, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<7552x176x7xf32>, tensor<7552x176x7xf32>) -> tensor<7552x176x7xf32>
  %10 = "graph.broadcast"(%9) <{dims = array<i64: 1, 2, 3>}> : (tensor<7552x176x7xf32>) -> tensor<4x7552x176x7xf32>
  %11 = "arith.addf"(%4, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<4x7552x176x7xf32>, tensor<4x7552x176x7xf32>) -> tensor<4x7552x176x7xf32>
  %12 = "arith.extf"(%arg1) : (tensor<4x7xbf16>) -> tensor<4x7xf32>
  %13 = "graph.broadcast"(%12) <{dims = array<i64: 0, 3>}> : (tensor<4x7xf32>) -> tensor<4x7552x176x7xf32>
  %14 = "arith.minimumf"(%13, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<4x7552x176x7xf32>, tensor<4x7552x176x7xf32>) -> tensor<4x7552x176x7xf32>
  %15 = "math.erf"(%14) <{fastmath = #arith.fastmath<none>}> : (tensor<4x7552x176x7xf32>) -> tensor<4x7552x176x7xf32>
  %16 = "graph.slice"(%15) <{offsets = array<i64: 0, 0, 24, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<4x7552x176x7xf32>) -> tensor<4x7552x105x7xf32>
  %17 = "arith.truncf"(%6) : (tensor<7x7552x176x7xf32>) -> tensor<7x7552x176x7xbf16>
  %18 = "arith.truncf"(%5) : (tensor<176x7x4x7552xf32>) -> tensor<176x7x4x7552xbf16>
  %19 = "arith.truncf"(%16) : (tensor<4x7552x105x7xf32>) -> tensor<4x7552x105x7xbf16>
  "func.return"(%17, %18, %19) : (tensor<7x7552x176x7xbf16>, tensor<176x7x4x7552xbf16>, tensor<4x7552x105x7xbf16>) -> ()
}) : () -> ()
