"func.func"() <{function_type = (tensor<168x6x718x24xbf16>) -> (tensor<718x48x6x168xbf16>, tensor<34739712xbf16>, tensor<168x6x718x22xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<168x6x718x24xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<168x6x718x24xbf16>) -> tensor<168x6x718x24xf32>
  %1 = "graph.slice"(%0) <{offsets = array<i64: 0, 0, 0, 1>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<168x6x718x24xf32>) -> tensor<168x6x718x22xf32>
  %2 = "graph.slice"(%1) <{offsets = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1, 1, 1>}> : (tensor<168x6x718x22xf32>) -> tensor<168x6x718x22xf32>
  %3 = "math.erf"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<168x6x718x22xf32>) -> tensor<168x6x718x22xf32>
  %4 = "arith.constant"() <{value = dense<-1.000000e+00> : tensor<168x6x718x24xf32>}> : () -> tensor<168x6x718x24xf32>
  %5 = "graph.concat"(%0, %4) <{dim = 3 : i64}> : (tensor<168x6x718x24xf32>, tensor<168x6x718x24xf32>) -> tensor<168x6x718x48xf32>
  %6 = "graph.reshape"(%5) : (tensor<168x6x718x48xf32>) -> tensor<34739712xf32>
  %7 = "math.tanh"(%5) <{fastmath = #arith.fastmath<none>}> : (tensor<168x6x718x48xf32>) -> tensor<168x6x718x48xf32>
  %8 = "graph.transpose"(%7) <{permutation = array<i64: 2, 3, 1, 0>}> : (tensor<168x6x718x48xf32>) -> tensor<718x48x6x168xf32>
  %9 = "arith.truncf"(%8) : (tensor<718x48x6x168xf32>) -> tensor<718x48x6x168xbf16>
  %10 = "arith.truncf"(%6) : (tensor<34739712xf32>) -> tensor<34739712xbf16>
  %11 = "arith.truncf"(%3) : (tensor<168x6x718x22xf32>) -> tensor<168x6x718x22xbf16>
  "func.return"(%9, %10, %11) : (tensor<718x48x6x168xbf16>, tensor<34739712xbf16>, tensor<168x6x718x22xbf16>) -> ()
}) : () -> ()
