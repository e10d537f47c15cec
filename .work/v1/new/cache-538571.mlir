"func.func"() <{function_type = (tensor<24x80x832xf32>, tensor<832x24xf32>, tensor<831xi64>, tensor<832xi64>) -> (tensor<1664x24x80xf32>, tensor<2x25x24x3x554xf32>, tensor<832x24x80xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<24x80x832xf32>, %arg1: tensor<832x24xf32>, %arg2: tensor<831xi64>, %arg3: tensor<832xi64>):
  %0 = "graph.transpose"(%arg0) <{permutation = array<i64: 2, 0, 1>}> : (tensor<24x80x832xf32>) -> tensor<832x24x80xf32>
  %1 = "graph.reduce"(%0) <{dims = array<i64: 2>, kind = #graph<reduce_kind sum>}> : (tensor<832x24x80xf32>) -> tensor<832x24xf32>
  %2 = "arith.constant"() <{value = dense<1.250000e-02> : tensor<832x24xf32>}> : () -> tensor<832x24xf32>
  %3 = "arith.mulf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<832x24xf32>, tensor<832x24xf32>) -> tensor<832x24xf32>
  %4 = "graph.broadcast"(%3) <{dims = array<i64: 0, 1>}> : (tensor<832x24xf32>) -> tensor<832x24x80xf32>
  %5 = "arith.subf"(%0, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<832x24x80xf32>, tensor<832x24x80xf32>) -> tensor<832x24x80xf32>
  %6 = "graph.concat"(%5, %0) <{dim = 0 : i64}> : (tensor<832x24x80xf32>, tensor<832x24x80xf32>) -> tensor<1664x24x80xf32>
  %7 = "arith.maximumf"(%0, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<832x24x80xf32>, tensor<832x24x80xf32>) -> tensor<832x24x80xf32>
  %8 = "graph.broadcast"(%arg1) <{dims = array<i64: 0, 1>}> : (tensor<832x24xf32>) -> tensor<832x24x80xf32>
  %9 = "math.absf"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<832x24x80xf32>) -> tensor<832x24x80xf32>
  %10 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<832x24x80xf32>}> : () -> tensor<832x24x80xf32>
  %11 = "arith.addf"(%9, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<832x24x80xf32>, tensor<832x24x80xf32>) -> tensor<832x24x80xf32>
  %12 = "arith.divf"(%7, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<832x24x80xf32>, tensor<832x24x80xf32>) -> tensor<832x24x80xf32>
  %13 = "graph.gather"(%12, %arg2) <{dim = 0 : i64}> : (tensor<832x24x80xf32>, tensor<831xi64>) -> tensor<831x24x80xf32>
  %14 = "graph.gather"(%12, %arg3) <{dim = 0 : i64}> : (tensor<832x24x80xf32>, tensor<832xi64>) -> tensor<832x24x80xf32>
  %15 = "arith.constant"() <{value = dense<0.0416666679> : tensor<831x24x80xf32>}> : () -> tensor<831x24x80xf32>
  %16 = "arith.mulf"(%13, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<831x24x80xf32>, tensor<831x24x80xf32>) -> tensor<831x24x80xf32>
  %17 = "graph.scan"(%16) <{dim = 1 : i64, kind = #graph<reduce_kind sum>, reverse}> : (tensor<831x24x80xf32>) -> tensor<831x24x80xf32>
  %18 = "math.absf"(%17) <{fastmath = #arith.fastmath<none>}> : (tensor<831x24x80xf32>) -> tensor<831x24x80xf32>
  %19 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<831x24x80xf32>}> : () -> tensor<831x24x80xf32>
  %20 = "arith.addf"(%18, %19) <{fastmath = #arith.fastmath<none>}> : (tensor<831x24x80xf32>, tensor<831x24x80xf32>) -> tensor<831x24x80xf32>
  %21 = "arith.divf"(%13, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<831x24x80xf32>, tensor<831x24x80xf32>) -> tensor<831x24x80xf32>
  %22 = "graph.reshape"(%21) : (tensor<831x24x80xf32>) -> tensor<2x20x24x3x554xf32>
  %23 = "graph.pad"(%22) <{high = array<i64: 0, 3, 0, 0, 0>, low = array<i64: 0, 2, 0, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<2x20x24x3x554xf32>) -> tensor<2x25x24x3x554xf32>
  "func.return"(%6, %23, %14) : (tensor<1664x24x80xf32>, tensor<2x25x24x3x554xf32>, tensor<832x24x80xf32>) -> ()
}) : () -> ()
