"func.func"() <{function_type = (tensor<160x16x17x576xbf16>) -> (tensor<160x16x34x576xbf16>, tensor<160x16x17x576xbf16>, tensor<160x16x17x576xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<160x16x17x576xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<160x16x17x576xbf16>) -> tensor<160x16x17x576xf32>
  %1 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<160x16x17x576xf32>) -> tensor<160x16x17x576xf32>
  %2 = "arith.mulf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<160x16x17x576xf32>, tensor<160x16x17x576xf32>) -> tensor<160x16x17x576xf32>
  %3 = "arith.subf"(%2, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<160x16x17x576xf32>, tensor<160x16x17x576xf32>) -> tensor<160x16x17x576xf32>
  %4 = "math.erf"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<160x16x17x576xf32>) -> tensor<160x16x17x576xf32>
  %5 = "graph.reduce"(%2) <{dims = array<i64: 0, 1, 2>, kind = #graph<reduce_kind max>}> : (tensor<160x16x17x576xf32>) -> tensor<576xf32>
  %6 = "graph.broadcast"(%5) <{dims = array<i64: 3>}> : (tensor<576xf32>) -> tensor<160x16x17x576xf32>
  %7 = "arith.subf"(%2, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<160x16x17x576xf32>, tensor<160x16x17x576xf32>) -> tensor<160x16x17x576xf32>
  %8 = "graph.concat"(%3, %3) <{dim = 2 : i64}> : (tensor<160x16x17x576xf32>, tensor<160x16x17x576xf32>) -> tensor<160x16x34x576xf32>
  %9 = "arith.truncf"(%8) : (tensor<160x16x34x576xf32>) -> tensor<160x16x34x576xbf16>
  %10 = "arith.truncf"(%7) : (tensor<160x16x17x576xf32>) -> tensor<160x16x17x576xbf16>
  %11 = "arith.truncf"(%4) : (tensor<160x16x17x576xf32>) -> tensor<160x16x17x576xbf16>
  "func.return"(%9, %10, %11) : (tensor<160x16x34x576xbf16>, tensor<160x16x17x576xbf16>, tensor<160x16x17x576xbf16>) -> ()
}) : () -> ()
