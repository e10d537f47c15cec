"func.func"() <{function_type = (tensor<2718x16xf32>, tensor<16xf32>) -> (tensor<2718x32xf32>, tensor<2718x16xf32>, tensor<1208x36xf32>, tensor<2718x16xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<2718x16xf32>, %arg1: tensor<16xf32>):
  %0 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<2718x16xf32>) -> tensor<2718x16xf32>
  %1 = "arith.mulf"(%0, %arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<2718x16xf32>, tensor<2718x16xf32>) -> tensor<2718x16xf32>
  %2 = "graph.concat"(%1, %1) <{dim = 1 : i64}> : (tensor<2718x16xf32>, tensor<2718x16xf32>) -> tensor<2718x32xf32>
  %3 = "graph.scan"(%arg0) <{dim = 1 : i64, kind = #graph<reduce_kind max>}> : (tensor<2718x16xf32>) -> tensor<2718x16xf32>
  %4 = "arith.addf"(%1, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<2718x16xf32>, tensor<2718x16xf32>) -> tensor<2718x16xf32>
  %5 = "graph.reduce"(%4) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<2718x16xf32>) -> tensor<16xf32>
  %6 = "arith.constant"() <{value = dense<3.67917586E-4> : tensor<16xf32>}> : () -> tensor<16xf32>
  %7 = "arith.mulf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %8 = "graph.broadcast"(%7) <{dims = array<i64: 1>}> : (tensor<16xf32>) -> tensor<2718x16xf32>
  %9 = "arith.addf"(%4, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<2718x16xf32>, tensor<2718x16xf32>) -> tensor<2718x16xf32>
  %10 = "graph.rms_norm"(%3) <{dim = 1 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<2718x16xf32>) -> tensor<2718x16xf32>
  %11 = "arith.constant"() <{value = dense<3.67917586E-4> : tensor<2718x16xf32>}> : () -> tensor<2718x16xf32>
  %12 = "arith.mulf"(%10, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<2718x16xf32>, tensor<2718x16xf32>) -> tensor<2718x16xf32>
  %13 = "graph.scan"(%12) <{dim = 0 : i64, kind = #graph<reduce_kind sum>}> : (tensor<2718x16xf32>) -> tensor<2718x16xf32>
  %14 = "graph.reshape"(%13) : (tensor<2718x16xf32>) -> tensor<1208x36xf32>
  %15 = "graph.rms_norm"(%1, %arg1) <{dim = 1 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<2718x16xf32>, tensor<16xf32>) -> tensor<2718x16xf32>
  "func.return"(%2, %15, %14, %9) : (tensor<2718x32xf32>, tensor<2718x16xf32>, tensor<1208x36xf32>, tensor<2718x16xf32>) -> ()
}) : () -> ()
