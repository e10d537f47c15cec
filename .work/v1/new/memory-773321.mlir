"func.func"() <{function_type = (tensor<683416x40xbf16>, tensor<40xbf16>, tensor<40xbf16>) -> (tensor<683416x40xbf16>, tensor<683416x40xbf16>, tensor<587451x40xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<683416x40xbf16>, %arg1: tensor<40xbf16>, %arg2: tensor<40xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<683416x40xbf16>) -> tensor<683416x40xf32>
  %1 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %2 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<683416x40xf32>}> : () -> tensor<683416x40xf32>
  %3 = "arith.addf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>, tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %4 = "math.log"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %5 = "arith.extf"(%arg1) : (tensor<40xbf16>) -> tensor<40xf32>
  %6 = "graph.broadcast"(%5) <{dims = array<i64: 1>}> : (tensor<40xf32>) -> tensor<683416x40xf32>
  %7 = "arith.maximumf"(%6, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>, tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %8 = "math.erf"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %9 = "math.tanh"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %10 = "arith.mulf"(%9, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>, tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %11 = "math.absf"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %12 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<683416x40xf32>}> : () -> tensor<683416x40xf32>
  %13 = "arith.addf"(%11, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>, tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %14 = "arith.divf"(%10, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>, tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %15 = "graph.softmax"(%14) <{dim = 1 : i64}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %16 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<683416x40xf32>}> : () -> tensor<683416x40xf32>
  %17 = "arith.addf"(%15, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>, tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %18 = "graph.slice"(%4) <{offsets = array<i64: 19448, 0>, strides = array<i64: 1, 1>}> : (tensor<683416x40xf32>) -> tensor<596432x40xf32>
  %19 = "graph.transpose"(%0) <{permutation = array<i64: 0, 1>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %20 = "graph.scan"(%19) <{dim = 0 : i64, kind = #graph<reduce_kind max>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %21 = "math.absf"(%20) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %22 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<683416x40xf32>}> : () -> tensor<683416x40xf32>
  %23 = "arith.addf"(%21, %22) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>, tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %24 = "math.log"(%23) <{fastmath = #arith.fastmath<none>}> : (tensor<683416x40xf32>) -> tensor<683416x40xf32>
  %25 = "graph.slice"(%18) <{offsets = array<i64: 4604, 0>, strides = array<i64: 1, 1>}> : (tensor<596432x40xf32>) -> tensor<587451x40xf32>
  %26 = "arith.extf"(%arg2) : (tensor<40xbf16>) -> tensor<40xf32>
  %27 = "graph.rms_norm"(%24, %26) <{dim = 1 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<683416x40xf32>, tensor<40xf32>) -> tensor<683416x40xf32>
  %28 = "arith.truncf"(%27) : (tensor<683416x40xf32>) -> tensor<683416x40xbf16>
  %29 = "arith.truncf"(%17) : (tensor<683416x40xf32>) -> tensor<683416x40xbf16>
  %30 = "arith.truncf"(%25) : (tensor<587451x40xf32>) -> tensor<587451x40xbf16>
  "func.return"(%28, %29, %30) : (tensor<683416x40xbf16>, tensor<683416x40xbf16>, tensor<587451x40xbf16>) -> ()
}) : () -> ()
