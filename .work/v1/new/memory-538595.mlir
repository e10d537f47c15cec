"func.func"() <{function_type = (tensor<388x11x120x24x2xf32>) -> (tensor<16x11640x132xf32>, tensor<388x11x120x24x2xf32>, tensor<24x2x120x11x388xf32>, tensor<24x2x120x11xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<388x11x120x24x2xf32>):
  %0 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<388x11x120x24x2xf32>) -> tensor<388x11x120x24x2xf32>
  %1 = "graph.transpose"(%arg0) <{permutation = array<i64: 3, 4, 2, 1, 0>}> : (tensor<388x11x120x24x2xf32>) -> tensor<24x2x120x11x388xf32>
  %2 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<388x11x120x24x2xf32>) -> tensor<388x11x120x24x2xf32>
  %3 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<388x11x120x24x2xf32>}> : () -> tensor<388x11x120x24x2xf32>
  %4 = "arith.addf"(%2, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<388x11x120x24x2xf32>, tensor<388x11x120x24x2xf32>) -> tensor<388x11x120x24x2xf32>
  %5 = "math.sqrt"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<388x11x120x24x2xf32>) -> tensor<388x11x120x24x2xf32>
  %6 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<24x2x120x11x388xf32>}> : () -> tensor<24x2x120x11x388xf32>
  %7 = "math.tanh"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<24x2x120x11x388xf32>) -> tensor<24x2x120x11x388xf32>
  %8 = "arith.mulf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<24x2x120x11x388xf32>, tensor<24x2x120x11x388xf32>) -> tensor<24x2x120x11x388xf32>
  %9 = "graph.reduce"(%1) <{dims = array<i64: 4>, kind = #graph<reduce_kind sum>}> : (tensor<24x2x120x11x388xf32>) -> tensor<24x2x120x11xf32>
  %10 = "arith.constant"() <{value = dense<0.00257731951> : tensor<24x2x120x11xf32>}> : () -> tensor<24x2x120x11xf32>
  %11 = "arith.mulf"(%9, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<24x2x120x11xf32>, tensor<24x2x120x11xf32>) -> tensor<24x2x120x11xf32>
  %12 = "graph.gelu"(%8) <{form = #graph<gelu_form erf>}> : (tensor<24x2x120x11x388xf32>) -> tensor<24x2x120x11x388xf32>
  %13 = "math.absf"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<24x2x120x11x388xf32>) -> tensor<24x2x120x11x388xf32>
  %14 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<24x2x120x11x388xf32>}> : () -> tensor<24x2x120x11x388xf32>
  %15 = "arith.addf"(%13, %14) <{fastmath = #arith.fastmath<none>}> : (tensor<24x2x120x11x388xf32>, tensor<24x2x120x11x388xf32>) -> tensor<24x2x120x11x388xf32>
  %16 = "math.log"(%15) <{fastmath = #arith.fastmath<none>}> : (tensor<24x2x120x11x388xf32>) -> tensor<24x2x120x11x388xf32>
  %17 = "arith.subf"(%11, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<24x2x120x11xf32>, tensor<24x2x120x11xf32>) -> tensor<24x2x120x11xf32>
  %18 = "graph.softmax"(%16) <{dim = 4 : i64}> : (tensor<24x2x120x11x388xf32>) -> tensor<24x2x120x11x388xf32>
  %19 = "math.tanh"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<388x11x120x24x2xf32>) -> tensor<388x11x120x24x2xf32>
  %20 = "graph.reshape"(%16) : (tensor<24x2x120x11x388xf32>) -> tensor<16x11640x132xf32>
  %21 = "graph.softmax"(%20) <{dim = 2 : i64}> : (tensor<16x11640x132xf32>) -> tensor<16x11640x132xf32>
  %22 = "math.erf"(%17) <{fastmath = #arith.fastmath<none>}> : (tensor<24x2x120x11xf32>) -> tensor<24x2x120x11xf32>
  "func.return"(%21, %19, %18, %22) : (tensor<16x11640x132xf32>, tensor<388x11x120x24x2xf32>, tensor<24x2x120x11x388xf32>, tensor<24x2x120x11xf32>) -> ()
}) : () -> ()
