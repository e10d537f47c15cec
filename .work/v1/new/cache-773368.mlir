"func.func"() <{function_type = (tensor<5x3x18x8x724xf32>, tensor<5x3xf32>) -> (tensor<5x3x24x8x724xf32>, tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>, tensor<5x3x18x8xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<5x3x18x8x724xf32>, %arg1: tensor<5x3xf32>):
  %0 = "math.tanh"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8x724xf32>
  %1 = "arith.maximumf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8x724xf32>
  %2 = "graph.broadcast"(%arg1) <{dims = array<i64: 0, 1>}> : (tensor<5x3xf32>) -> tensor<5x3x18x8x724xf32>
  %3 = "arith.maximumf"(%2, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8x724xf32>
  %4 = "arith.maximumf"(%3, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8x724xf32>
  %5 = "graph.reduce"(%4) <{dims = array<i64: 1, 3>, kind = #graph<reduce_kind sum>}> : (tensor<5x3x18x8x724xf32>) -> tensor<5x18x724xf32>
  %6 = "arith.constant"() <{value = dense<0.0416666679> : tensor<5x18x724xf32>}> : () -> tensor<5x18x724xf32>
  %7 = "arith.mulf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<5x18x724xf32>, tensor<5x18x724xf32>) -> tensor<5x18x724xf32>
  %8 = "graph.broadcast"(%7) <{dims = array<i64: 0, 2, 4>}> : (tensor<5x18x724xf32>) -> tensor<5x3x18x8x724xf32>
  %9 = "arith.subf"(%4, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8x724xf32>
  %10 = "graph.pad"(%1) <{high = array<i64: 0, 0, 3, 0, 0>, low = array<i64: 0, 0, 3, 0, 0>, value = 0.000000e+00 : f32}> : (tensor<5x3x18x8x724xf32>) -> tensor<5x3x24x8x724xf32>
  %11 = "graph.reduce"(%9) <{dims = array<i64: 4>, kind = #graph<reduce_kind sum>}> : (tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8xf32>
  %12 = "arith.constant"() <{value = dense<0.00138121552> : tensor<5x3x18x8xf32>}> : () -> tensor<5x3x18x8xf32>
  %13 = "arith.mulf"(%11, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8xf32>, tensor<5x3x18x8xf32>) -> tensor<5x3x18x8xf32>
  %14 = "arith.constant"() <{value = dense<-2.000000e+00> : tensor<5x3x18x8x724xf32>}> : () -> tensor<5x3x18x8x724xf32>
  %15 = "arith.addf"(%14, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8x724xf32>
  %16 = "graph.reduce"(%15) <{dims = array<i64: 3>, kind = #graph<reduce_kind sum>}> : (tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x724xf32>
  %17 = "arith.constant"() <{value = dense<1.250000e-01> : tensor<5x3x18x724xf32>}> : () -> tensor<5x3x18x724xf32>
  %18 = "arith.mulf"(%16, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x724xf32>, tensor<5x3x18x724xf32>) -> tensor<5x3x18x724xf32>
  %19 = "graph.broadcast"(%18) <{dims = array<i64: 0, 1, 2, 4>}> : (tensor<5x3x18x724xf32>) -> tensor<5x3x18x8x724xf32>
  %20 = "arith.addf"(%15, %19) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8x724xf32>
  %21 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<5x3x18x8x724xf32>}> : () -> tensor<5x3x18x8x724xf32>
  %22 = "arith.maximumf"(%1, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>) -> tensor<5x3x18x8x724xf32>
  "func.return"(%10, %22, %20, %13) : (tensor<5x3x24x8x724xf32>, tensor<5x3x18x8x724xf32>, tensor<5x3x18x8x724xf32>, tensor<5x3x18x8xf32>) -> ()
}) : () -> ()
