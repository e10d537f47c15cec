"func.func"() <{function_type = (tensor<1492904x17xf32>, tensor<17xf32>) -> (tensor<1492904x17xf32>, tensor<1492904x17xf32>, tensor<1492904x17xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<1492904x17xf32>, %arg1: tensor<17xf32>):
  %0 = "graph.broadcast"(%arg1) <{dims = array<i64: 1>}> : (tensor<17xf32>) -> tensor<1492904x17xf32>
  %1 = "arith.minimumf"(%arg0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %2 = "graph.reduce"(%1) <{dims = array<i64: 1>, kind = #graph<reduce_kind min>}> : (tensor<1492904x17xf32>) -> tensor<1492904xf32>
  %3 = "graph.broadcast"(%2) <{dims = array<i64: 0>}> : (tensor<1492904xf32>) -> tensor<1492904x17xf32>
  %4 = "arith.addf"(%1, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %5 = "graph.reduce"(%arg0) <{dims = array<i64: 1>, kind = #graph<reduce_kind sum>}> : (tensor<1492904x17xf32>) -> tensor<1492904xf32>
  %6 = "arith.constant"() <{value = dense<0.0588235296> : tensor<1492904xf32>}> : () -> tensor<1492904xf32>
  %7 = "arith.mulf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904xf32>, tensor<1492904xf32>) -> tensor<1492904xf32>
  %8 = "graph.broadcast"(%7) <{dims = array<i64: 0>}> : (tensor<1492904xf32>) -> tensor<1492904x17xf32>
  %9 = "arith.minimumf"(%8, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %10 = "graph.reduce"(%9) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<1492904x17xf32>) -> tensor<17xf32>
  %11 = "arith.constant"() <{value = dense<6.69835458E-7> : tensor<17xf32>}> : () -> tensor<17xf32>
  %12 = "arith.mulf"(%10, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xf32>
  %13 = "graph.broadcast"(%12) <{dims = array<i64: 1>}> : (tensor<17xf32>) -> tensor<1492904x17xf32>
  %14 = "arith.addf"(%9, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %15 = "graph.broadcast"(%arg1) <{dims = array<i64: 1>}> : (tensor<17xf32>) -> tensor<1492904x17xf32>
  %16 = "arith.subf"(%15, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %17 = "graph.reduce"(%14) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<1492904x17xf32>) -> tensor<17xf32>
  %18 = "arith.constant"() <{value = dense<6.69835458E-7> : tensor<17xf32>}> : () -> tensor<17xf32>
  %19 = "arith.mulf"(%17, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xf32>
  %20 = "graph.broadcast"(%19) <{dims = array<i64: 1>}> : (tensor<17xf32>) -> tensor<1492904x17xf32>
  %21 = "arith.subf"(%14, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %22 = "math.absf"(%16) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %23 = "graph.broadcast"(%7) <{dims = array<i64: 0>}> : (tensor<1492904xf32>) -> tensor<1492904x17xf32>
  %24 = "math.absf"(%23) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %25 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<1492904x17xf32>}> : () -> tensor<1492904x17xf32>
  %26 = "arith.addf"(%24, %25) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %27 = "arith.divf"(%14, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %28 = "arith.minimumf"(%22, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  %29 = "math.tanh"(%27) <{fastmath = #arith.fastmath<none>}> : (tensor<1492904x17xf32>) -> tensor<1492904x17xf32>
  "func.return"(%29, %28, %21) : (tensor<1492904x17xf32>, tensor<1492904x17xf32>, tensor<1492904x17xf32>) -> ()
}) : () -> ()
