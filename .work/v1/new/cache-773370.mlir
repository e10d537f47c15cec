"func.func"() <{function_type = (tensor<32x29x7x32x8xf32>) -> (tensor<32x7x29x35x8xf32>, tensor<35x7x29x8x32xf32>, tensor<35x29x7x32x8xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<32x29x7x32x8xf32>):
  %0 = "arith.negf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<32x29x7x32x8xf32>) -> tensor<32x29x7x32x8xf32>
  %1 = "graph.pad"(%0) <{high = array<i64: 2, 0, 0, 0, 0>, low = array<i64: 1, 0, 0, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<32x29x7x32x8xf32>) -> tensor<35x29x7x32x8xf32>
  %2 = "math.absf"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<35x29x7x32x8xf32>) -> tensor<35x29x7x32x8xf32>
  %3 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<35x29x7x32x8xf32>}> : () -> tensor<35x29x7x32x8xf32>
  %4 = "arith.addf"(%2, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<35x29x7x32x8xf32>, tensor<35x29x7x32x8xf32>) -> tensor<35x29x7x32x8xf32>
  %5 = "math.rsqrt"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<35x29x7x32x8xf32>) -> tensor<35x29x7x32x8xf32>
  %6 = "graph.gelu"(%5) <{form = #graph<gelu_form erf>}> : (tensor<35x29x7x32x8xf32>) -> tensor<35x29x7x32x8xf32>
  %7 = "graph.reduce"(%6) <{dims = array<i64: 0, 1, 2>, kind = #graph<reduce_kind sum>}> : (tensor<35x29x7x32x8xf32>) -> tensor<32x8xf32>
  %8 = "arith.constant"() <{value = dense<1.40745949E-4> : tensor<32x8xf32>}> : () -> tensor<32x8xf32>
  %9 = "arith.mulf"(%7, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<32x8xf32>
  %10 = "graph.broadcast"(%9) <{dims = array<i64: 3, 4>}> : (tensor<32x8xf32>) -> tensor<35x29x7x32x8xf32>
  %11 = "arith.subf"(%6, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<35x29x7x32x8xf32>, tensor<35x29x7x32x8xf32>) -> tensor<35x29x7x32x8xf32>
  %12 = "graph.transpose"(%1) <{permutation = array<i64: 0, 2, 1, 4, 3>}> : (tensor<35x29x7x32x8xf32>) -> tensor<35x7x29x8x32xf32>
  %13 = "math.tanh"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<35x7x29x8x32xf32>) -> tensor<35x7x29x8x32xf32>
  %14 = "math.exp"(%13) <{fastmath = #arith.fastmath<none>}> : (tensor<35x7x29x8x32xf32>) -> tensor<35x7x29x8x32xf32>
  %15 = "arith.addf"(%11, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<35x29x7x32x8xf32>, tensor<35x29x7x32x8xf32>) -> tensor<35x29x7x32x8xf32>
  %16 = "graph.scan"(%14) <{dim = 1 : i64, kind = #graph<reduce_kind max>}> : (tensor<35x7x29x8x32xf32>) -> tensor<35x7x29x8x32xf32>
  %17 = "graph.transpose"(%14) <{permutation = array<i64: 4, 1, 2, 0, 3>}> : (tensor<35x7x29x8x32xf32>) -> tensor<32x7x29x35x8xf32>
  "func.return"(%17, %16, %15) : (tensor<32x7x29x35x8xf32>, tensor<35x7x29x8x32xf32>, tensor<35x29x7x32x8xf32>) -> ()
}) : () -> ()
