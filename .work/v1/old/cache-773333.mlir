"func.func"() <{function_type = (tensor<136x13x6x32x5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<32x12x136x13x5xf32>, tensor<32x12x136x13x5xf32>, tensor<136x13x6x32x5xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<136x13x6x32x5xf32>, %arg1: tensor<5xf32>, %arg2: tensor<5xf32>):
  %0 = "arith.maximumf"(%arg0, %arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32x5xf32>, tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32x5xf32>
  %1 = "graph.concat"(%arg0, %0) <{dim = 2 : i64}> : (tensor<136x13x6x32x5xf32>, tensor<136x13x6x32x5xf32>) -> tensor<136x13x12x32x5xf32>
  %2 = "arith.negf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32x5xf32>
  %3 = "graph.transpose"(%1) <{permutation = array<i64: 0, 2, 3, 1, 4>}> : (tensor<136x13x12x32x5xf32>) -> tensor<136x12x32x13x5xf32>
  %4 = "graph.layer_norm"(%2, %arg1, %arg2) <{dim = 4 : i64, epsilon = 1.000000e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<136x13x6x32x5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<136x13x6x32x5xf32>
  %5 = "graph.reduce"(%4) <{dims = array<i64: 4>, kind = #graph<reduce_kind sum>}> : (tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32xf32>
  %6 = "arith.constant"() <{value = dense<2.000000e-01> : tensor<136x13x6x32xf32>}> : () -> tensor<136x13x6x32xf32>
  %7 = "arith.mulf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32xf32>, tensor<136x13x6x32xf32>) -> tensor<136x13x6x32xf32>
  %8 = "graph.broadcast"(%7) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<136x13x6x32xf32>) -> tensor<136x13x6x32x5xf32>
  %9 = "arith.subf"(%4, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32x5xf32>, tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32x5xf32>
  %10 = "math.absf"(%9) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32x5xf32>
  %11 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<136x13x6x32x5xf32>}> : () -> tensor<136x13x6x32x5xf32>
  %12 = "arith.addf"(%10, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32x5xf32>, tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32x5xf32>
  %13 = "arith.divf"(%arg0, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32x5xf32>, tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32x5xf32>
  %14 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<136x13x6x32x5xf32>}> : () -> tensor<136x13x6x32x5xf32>
  %15 = "arith.minimumf"(%14, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32x5xf32>, tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32x5xf32>
  %16 = "graph.transpose"(%3) <{permutation = array<i64: 2, 1, 0, 3, 4>}> : (tensor<136x12x32x13x5xf32>) -> tensor<32x12x136x13x5xf32>
  %17 = "graph.softmax"(%16) <{dim = 4 : i64}> : (tensor<32x12x136x13x5xf32>) -> tensor<32x12x136x13x5xf32>
  %18 = "arith.subf"(%15, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<136x13x6x32x5xf32>, tensor<136x13x6x32x5xf32>) -> tensor<136x13x6x32x5xf32>
  %19 = "graph.reduce"(%16) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<32x12x136x13x5xf32>) -> tensor<32x136x13x5xf32>
  %20 = "arith.constant"() <{value = dense<0.0833333358> : tensor<32x136x13x5xf32>}> : () -> tensor<32x136x13x5xf32>
  %21 = "arith.mulf"(%19, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<32x136x13x5xf32>, tensor<32x136x13x5xf32>) -> tensor<32x136x13x5xf32>
  %22 = "graph.broadcast"(%21) <{dims = array<i64: 0, 2, 3, 4>}> : (tensor<32x136x13x5xf32>) -> tensor<32x12x136x13x5xf32>
  %23 = "arith.addf"(%16, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<32x12x136x13x5xf32>, tensor<32x12x136x13x5xf32>) -> tensor<32x12x136x13x5xf32>
  "func.return"(%23, %17, %18) : (tensor<32x12x136x13x5xf32>, tensor<32x12x136x13x5xf32>, tensor<136x13x6x32x5xf32>) -> ()
}) : () -> ()
