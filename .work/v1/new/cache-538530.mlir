"func.func"() <{function_type = (tensor<32x32x53x20x2xf32>) -> tensor<53x2x20x32x32xf32>, sym_name = "main"}> ({
^bb0(%arg0: tensor<32x32x53x20x2xf32>):
  %0 = "graph.transpose"(%arg0) <{permutation = array<i64: 2, 4, 3, 0, 1>}> : (tensor<32x32x53x20x2xf32>) -> tensor<53x2x20x32x32xf32>
  %1 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<53x2x20x32x32xf32>) -> tensor<53x2x20x32x32xf32>
  %2 = "math.exp"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<53x2x20x32x32xf32>) -> tensor<53x2x20x32x32xf32>
  %3 = "graph.reduce"(%2) <{dims = array<i64: 4>, kind = #graph<reduce_kind max>}> : (tensor<53x2x20x32x32xf32>) -> tensor<53x2x20x32xf32>
  %4 = "graph.broadcast"(%3) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<53x2x20x32xf32>) -> tensor<53x2x20x32x32xf32>
  %5 = "arith.addf"(%2, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<53x2x20x32x32xf32>, tensor<53x2x20x32x32xf32>) -> tensor<53x2x20x32x32xf32>
  %6 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<53x2x20x32x32xf32>) -> tensor<53x2x20x32x32xf32>
  %7 = "arith.mulf"(%2, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<53x2x20x32x32xf32>, tensor<53x2x20x32x32xf32>) -> tensor<53x2x20x32x32xf32>
  %8 = "arith.minimumf"(%7, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<53x2x20x32x32xf32>, tensor<53x2x20x32x32xf32>) -> tensor<53x2x20x32x32xf32>
  "func.return"(%8) : (tensor<53x2x20x32x32xf32>) -> ()
}) : () -> ()
