"func.func"() <{function_type = (tensor<24x9x680x16xf32>, tensor<24xf32>) -> (tensor<255x24x32x4x12xf32>, tensor<32x24x255x12x4xf32>, tensor<24x4x32x12x255xf32>, tensor<12x1x32x255x24xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<24x9x680x16xf32>, %arg1: tensor<24xf32>):
  %0 = "graph.reshape"(%arg0) : (tensor<24x9x680x16xf32>) -> tensor<12x1x32x255x24xf32>
  %1 = "graph.rms_norm"(%0, %arg1) <{dim = 4 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<12x1x32x255x24xf32>, tensor<24xf32>) -> tensor<12x1x32x255x24xf32>
  %2 = "graph.gelu"(%1) <{form = #graph<gelu_form tanh>}> : (tensor<12x1x32x255x24xf32>) -> tensor<12x1x32x255x24xf32>
  %3 = "graph.transpose"(%2) <{permutation = array<i64: 3, 4, 2, 1, 0>}> : (tensor<12x1x32x255x24xf32>) -> tensor<255x24x32x1x12xf32>
  %4 = "math.absf"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<255x24x32x1x12xf32>) -> tensor<255x24x32x1x12xf32>
  %5 = "graph.pad"(%4) <{high = array<i64: 0, 0, 0, 1, 0>, low = array<i64: 0, 0, 0, 2, 0>, value = 0.000000e+00 : f32}> : (tensor<255x24x32x1x12xf32>) -> tensor<255x24x32x4x12xf32>
  %6 = "graph.transpose"(%5) <{permutation = array<i64: 1, 3, 2, 4, 0>}> : (tensor<255x24x32x4x12xf32>) -> tensor<24x4x32x12x255xf32>
  %7 = "arith.minimumf"(%6, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<24x4x32x12x255xf32>, tensor<24x4x32x12x255xf32>) -> tensor<24x4x32x12x255xf32>
  %8 = "graph.transpose"(%6) <{permutation = array<i64: 2, 0, 4, 3, 1>}> : (tensor<24x4x32x12x255xf32>) -> tensor<32x24x255x12x4xf32>
  %9 = "math.erf"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<255x24x32x4x12xf32>) -> tensor<255x24x32x4x12xf32>
  %10 = "graph.reduce"(%9) <{dims = array<i64: 4>, kind = #graph<reduce_kind min>}> : (tensor<255x24x32x4x12xf32>) -> tensor<255x24x32x4xf32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<255x24x32x4xf32>) -> tensor<255x24x32x4x12xf32>
  %12 = "arith.subf"(%9, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<255x24x32x4x12xf32>, tensor<255x24x32x4x12xf32>) -> tensor<255x24x32x4x12xf32>
  %13 = "arith.constant"() <{value = dense<2.000000e+00> : tensor<255x24x32x4x12xf32>}> : () -> tensor<255x24x32x4x12xf32>
  %14 = "math.absf"(%13) <{fastmath = #arith.fastmath<none>}> : (tensor<255x24x32x4x12xf32>) -> tensor<255x24x32x4x12xf32>
  %15 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<255x24x32x4x12xf32>}> : () -> tensor<255x24x32x4x12xf32>
  %16 = "arith.addf"(%14, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<255x24x32x4x12xf32>, tensor<255x24x32x4x12xf32>) -> tensor<255x24x32x4x12xf32>
  %17 = "arith.divf"(%12, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<255x24x32x4x12xf32>, tensor<255x24x32x4x12xf32>) -> tensor<255x24x32x4x12xf32>
  %18 = "math.tanh"(%17) <{fastmath = #arith.fastmath<none>}> : (tensor<255x24x32x4x12xf32>) -> tensor<255x24x32x4x12xf32>
  %19 = "arith.mulf"(%18, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<255x24x32x4x12xf32>, tensor<255x24x32x4x12xf32>) -> tensor<255x24x32x4x12xf32>
  "func.return"(%19, %8, %7, %1) : (tensor<255x24x32x4x12xf32>, tensor<32x24x255x12x4xf32>, tensor<24x4x32x12x255xf32>, tensor<12x1x32x255x24xf32>) -> ()
}) : () -> ()
