"func.func"() <{function_type = (tensor<130x48x344xbf16>, tensor<130x344xbf16>, tensor<130x48x344xbf16>) -> (tensor<130x96x344xbf16>, tensor<130x48x344xbf16>, tensor<40x344xbf16>, tensor<130x48x344xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<130x48x344xbf16>, %arg1: tensor<130x344xbf16>, %arg2: tensor<130x48x344xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<130x48x344xbf16>) -> tensor<130x48x344xf32>
  %1 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %2 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %3 = "arith.mulf"(%2, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>, tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %4 = "arith.constant"() <{value = dense<-2.000000e+00> : tensor<130x48x344xf32>}> : () -> tensor<130x48x344xf32>
  %5 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %6 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<130x48x344xf32>}> : () -> tensor<130x48x344xf32>
  %7 = "arith.addf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>, tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %8 = "arith.divf"(%4, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>, tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %9 = "arith.extf"(%arg1) : (tensor<130x344xbf16>) -> tensor<130x344xf32>
  %10 = "graph.broadcast"(%9) <{dims = array<i64: 0, 2>}> : (tensor<130x344xf32>) -> tensor<130x48x344xf32>
  %11 = "math.absf"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %12 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<130x48x344xf32>}> : () -> tensor<130x48x344xf32>
  %13 = "arith.addf"(%11, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>, tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %14 = "arith.divf"(%3, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<130x48x344xf32>, tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %15 = "graph.scan"(%1) <{dim = 2 : i64, kind = #graph<reduce_kind max>}> : (tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %16 = "graph.reduce"(%14) <{dims = array<i64: 0>, kind = #graph<reduce_kind max>}> : (tensor<130x48x344xf32>) -> tensor<48x344xf32>
  %17 = "graph.slice"(%16) <{offsets = array<i64: 7, 0>, strides = array<i64: 1, 1>}> : (tensor<48x344xf32>) -> tensor<40x344xf32>
  %18 = "arith.subf"(%17, %17) <{fastmath = #arith.fastmath<none>}> : (tensor<40x344xf32>, tensor<40x344xf32>) -> tensor<40x344xf32>
  %19 = "arith.extf"(%arg2) : (tensor<130x48x344xbf16>) -> tensor<130x48x344xf32>
  %20 = "graph.rms_norm"(%8, %19) <{dim = 0 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<130x48x344xf32>, tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %21 = "graph.concat"(%19, %15) <{dim = 1 : i64}> : (tensor<130x48x344xf32>, tensor<130x48x344xf32>) -> tensor<130x96x344xf32>
  %22 = "graph.gelu"(%20) <{form = #graph<gelu_form tanh>}> : (tensor<130x48x344xf32>) -> tensor<130x48x344xf32>
  %23 = "arith.truncf"(%21) : (tensor<130x96x344xf32>) -> tensor<130x96x344xbf16>
  %24 = "arith.truncf"(%22) : (tensor<130x48x344xf32>) -> tensor<130x48x344xbf16>
  %25 = "arith.truncf"(%18) : (tensor<40x344xf32>) -> tensor<40x344xbf16>
  %26 = "arith.truncf"(%8) : (tensor<130x48x344xf32>) -> tensor<130x48x344xbf16>
  "func.return"(%23, %24, %25, %26) : (tensor<130x96x344xbf16>, tensor<130x48x344xbf16>, tensor<40x344xbf16>, tensor<130x48x344xbf16>) -> ()
}) : () -> ()
