"func.func"() <{function_type = (tensor<78x9x2057x24xbf16>, tensor<9x24xbf16>) -> (tensor<78x9x2057x24xbf16>, tensor<78x9x2057x24xbf16>, tensor<24x2057x78xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<78x9x2057x24xbf16>, %arg1: tensor<9x24xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<78x9x2057x24xbf16>) -> tensor<78x9x2057x24xf32>
  %1 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %2 = "math.exp"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %3 = "math.absf"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %4 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<78x9x2057x24xf32>}> : () -> tensor<78x9x2057x24xf32>
  %5 = "arith.addf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>, tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %6 = "arith.divf"(%0, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>, tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %7 = "graph.transpose"(%2) <{permutation = array<i64: 1, 3, 2, 0>}> : (tensor<78x9x2057x24xf32>) -> tensor<9x24x2057x78xf32>
  %8 = "arith.extf"(%arg1) : (tensor<9x24xbf16>) -> tensor<9x24xf32>
  %9 = "graph.broadcast"(%8) <{dims = array<i64: 1, 3>}> : (tensor<9x24xf32>) -> tensor<78x9x2057x24xf32>
  %10 = "arith.addf"(%0, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>, tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %11 = "arith.subf"(%6, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>, tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %12 = "math.absf"(%11) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %13 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<78x9x2057x24xf32>}> : () -> tensor<78x9x2057x24xf32>
  %14 = "arith.addf"(%12, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>, tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %15 = "math.log"(%14) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %16 = "math.tanh"(%15) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %17 = "math.exp"(%16) <{fastmath = #arith.fastmath<none>}> : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xf32>
  %18 = "math.tanh"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<9x24x2057x78xf32>) -> tensor<9x24x2057x78xf32>
  %19 = "arith.mulf"(%18, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<9x24x2057x78xf32>, tensor<9x24x2057x78xf32>) -> tensor<9x24x2057x78xf32>
  %20 = "math.absf"(%19) <{fastmath = #arith.fastmath<none>}> : (tensor<9x24x2057x78xf32>) -> tensor<9x24x2057x78xf32>
  %21 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<9x24x2057x78xf32>}> : () -> tensor<9x24x2057x78xf32>
  %22 = "arith.addf"(%20, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<9x24x2057x78xf32>, tensor<9x24x2057x78xf32>) -> tensor<9x24x2057x78xf32>
  %23 = "math.log"(%22) <{fastmath = #arith.fastmath<none>}> : (tensor<9x24x2057x78xf32>) -> tensor<9x24x2057x78xf32>
  %24 = "graph.reduce"(%23) <{dims = array<i64: 0>, kind = #graph<reduce_kind min>}> : (tensor<9x24x2057x78xf32>) -> tensor<24x2057x78xf32>
  %25 = "arith.truncf"(%17) : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xbf16>
  %26 = "arith.truncf"(%10) : (tensor<78x9x2057x24xf32>) -> tensor<78x9x2057x24xbf16>
  %27 = "arith.truncf"(%24) : (tensor<24x2057x78xf32>) -> tensor<24x2057x78xbf16>
  "func.return"(%25, %26, %27) : (tensor<78x9x2057x24xbf16>, tensor<78x9x2057x24xbf16>, tensor<24x2057x78xbf16>) -> ()
}) : () -> ()
