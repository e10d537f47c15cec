"func.func"() <{function_type = (tensor<1801689x21xbf16>) -> (tensor<1801689x21xbf16>, tensor<21x1801689xbf16>, tensor<1801689x21xbf16>, tensor<1801689x21xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<1801689x21xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<1801689x21xbf16>) -> tensor<1801689x21xf32>
  %1 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<1801689x21xf32>) -> tensor<1801689x21xf32>
  %2 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<1801689x21xf32>}> : () -> tensor<1801689x21xf32>
  %3 = "arith.maximumf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<1801689x21xf32>, tensor<1801689x21xf32>) -> tensor<1801689x21xf32>
  %4 = "graph.reduce"(%3) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<1801689x21xf32>) -> tensor<21xf32>
  %5 = "arith.constant"() <{value = dense<5.55034774E-7> : tensor<21xf32>}> : () -> tensor<21xf32>
  %6 = "arith.mulf"(%4, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<21xf32>, tensor<21xf32>) -> tensor<21xf32>
  %7 = "graph.broadcast"(%6) <{dims = array<i64: 1>}> : (tensor<21xf32>) -> tensor<1801689x21xf32>
  %8 = "arith.subf"(%3, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<1801689x21xf32>, tensor<1801689x21xf32>) -> tensor<1801689x21xf32>
  %9 = "arith.constant"() <{value = dense<-2.000000e+00> : tensor<1801689x21xf32>}> : () -> tensor<1801689x21xf32>
  %10 = "arith.subf"(%9, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<1801689x21xf32>, tensor<1801689x21xf32>) -> tensor<1801689x21xf32>
  %11 = "graph.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<1801689x21xf32>) -> tensor<21x1801689xf32>
  %12 = "math.tanh"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<1801689x21xf32>) -> tensor<1801689x21xf32>
  %13 = "arith.truncf"(%12) : (tensor<1801689x21xf32>) -> tensor<1801689x21xbf16>
  %14 = "arith.truncf"(%11) : (tensor<21x1801689xf32>) -> tensor<21x1801689xbf16>
  %15 = "arith.truncf"(%8) : (tensor<1801689x21xf32>) -> tensor<1801689x21xbf16>
  %16 = "arith.truncf"(%3) : (tensor<1801689x21xf32>) -> tensor<1801689x21xbf16>
  "func.return"(%13, %14, %15, %16) : (tensor<1801689x21xbf16>, tensor<21x1801689xbf16>, tensor<1801689x21xbf16>, tensor<1801689x21xbf16>) -> ()
}) : () -> ()
