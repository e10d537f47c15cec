"func.func"() <{function_type = (tensor<16x46x165x4x87xbf16>, tensor<16xbf16>, tensor<92x165x44x16xbf16>) -> (tensor<92x16x165x4x44xbf16>, tensor<4x16x92x44x165xbf16>, tensor<46x165x4x87x16xbf16>, tensor<165x4x87x16xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<16x46x165x4x87xbf16>, %arg1: tensor<16xbf16>, %arg2: tensor<92x165x44x16xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<16x46x165x4x87xbf16>) -> tensor<16x46x165x4x87xf32>
  %1 = "graph.transpose"(%0) <{permutation = array<i64: 1, 2, 3, 4, 0>}> : (tensor<16x46x165x4x87xf32>) -> tensor<46x165x4x87x16xf32>
  %2 = "graph.reduce"(%1) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<46x165x4x87x16xf32>) -> tensor<165x4x87x16xf32>
  %3 = "arith.constant"() <{value = dense<0.0217391308> : tensor<165x4x87x16xf32>}> : () -> tensor<165x4x87x16xf32>
  %4 = "arith.mulf"(%2, %3) <{fastmath = #arith.fastmath<none>}> : (tensor<165x4x87x16xf32>, tensor<165x4x87x16xf32>) -> tensor<165x4x87x16xf32>
  %5 = "math.absf"(%4) <{fastmath = #arith.fastmath<none>}> : (tensor<165x4x87x16xf32>) -> tensor<165x4x87x16xf32>
  %6 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<165x4x87x16xf32>}> : () -> tensor<165x4x87x16xf32>
  %7 = "arith.addf"(%5, %6) <{fastmath = #arith.fastmath<none>}> : (tensor<165x4x87x16xf32>, tensor<165x4x87x16xf32>) -> tensor<165x4x87x16xf32>
  %8 = "arith.divf"(%4, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<165x4x87x16xf32>, tensor<165x4x87x16xf32>) -> tensor<165x4x87x16xf32>
  %9 = "math.absf"(%8) <{fastmath = #arith.fastmath<none>}> : (tensor<165x4x87x16xf32>) -> tensor<165x4x87x16xf32>
  %10 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<165x4x87x16xf32>}> : () -> tensor<165x4x87x16xf32>
  %11 = "arith.addf"(%9, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<165x4x87x16xf32>, tensor<165x4x87x16xf32>) -> tensor<165x4x87x16xf32>
  %12 = "math.sqrt"(%11) <{fastmath = #arith.fastmath<none>}> : (tensor<165x4x87x16xf32>) -> tensor<165x4x87x16xf32>
  %13 = "arith.extf"(%arg1) : (tensor<16xbf16>) -> tensor<16xf32>
  %14 = "graph.rms_norm"(%1, %13) <{dim = 4 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<46x165x4x87x16xf32>, tensor<16xf32>) -> tensor<46x165x4x87x16xf32>
  %15 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<46x165x4x87x16xf32>}> : () -> tensor<46x165x4x87x16xf32>
  %16 = "arith.maximumf"(%1, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<46x165x4x87x16xf32>, tensor<46x165x4x87x16xf32>) -> tensor<46x165x4x87x16xf32>
  %17 = "graph.concat"(%16, %14) <{dim = 0 : i64}> : (tensor<46x165x4x87x16xf32>, tensor<46x165x4x87x16xf32>) -> tensor<92x165x4x87x16xf32>
  %18 = "graph.slice"(%17) <{offsets = array<i64: 0, 0, 0, 36, 0>, strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<92x165x4x87x16xf32>) -> tensor<92x165x4x44x16xf32>
  %19 = "graph.transpose"(%18) <{permutation = array<i64: 2, 4, 0, 3, 1>}> : (tensor<92x165x4x44x16xf32>) -> tensor<4x16x92x44x165xf32>
  %20 = "arith.maximumf"(%19, %19) <{fastmath = #arith.fastmath<none>}> : (tensor<4x16x92x44x165xf32>, tensor<4x16x92x44x165xf32>) -> tensor<4x16x92x44x165xf32>
  %21 = "arith.extf"(%arg2) : (tensor<92x165x44x16xbf16>) -> tensor<92x165x44x16xf32>
  %22 = "graph.broadcast"(%21) <{dims = array<i64: 0, 1, 3, 4>}> : (tensor<92x165x44x16xf32>) -> tensor<92x165x4x44x16xf32>
  %23 = "arith.minimumf"(%22, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<92x165x4x44x16xf32>, tensor<92x165x4x44x16xf32>) -> tensor<92x165x4x44x16xf32>
  %24 = "math.absf"(%16) <{fastmath = #arith.fastmath<none>}> : (tensor<46x165x4x87x16xf32>) -> tensor<46x165x4x87x16xf32>
  %25 = "math.absf"(%23) <{fastmath = #arith.fastmath<none>}> : (tensor<92x165x4x44x16xf32>) -> tensor<92x165x4x44x16xf32>
  %26 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<92x165x4x44x16xf32>}> : () -> tensor<92x165x4x44x16xf32>
  %27 = "arith.addf"(%25, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<92x165x4x44x16xf32>, tensor<92x165x4x44x16xf32>) -> tensor<92x165x4x44x16xf32>
  %28 = "math.log"(%27) <{fastmath = #arith.fastmath<none>}> : (tensor<92x165x4x44x16xf32>) -> tensor<92x165x4x44x16xf32>
  %29 = "graph.transpose"(%28) <{permutation = array<i64: 0, 4, 1, 2, 3>}> : (tensor<92x165x4x44x16xf32>) -> tensor<92x16x165x4x44xf32>
  %30 = "arith.truncf"(%29) : (tensor<92x16x165x4x44xf32>) -> tensor<92x16x165x4x44xbf16>
  %31 = "arith.truncf"(%20) : (tensor<4x16x92x44x165xf32>) -> tensor<4x16x92x44x165xbf16>
  %32 = "arith.truncf"(%24) : (tensor<46x165x4x87x16xf32>) -> tensor<46x165x4x87x16xbf16>
  %33 = "arith.truncf"(%12) : (tensor<165x4x87x16xf32>) -> tensor<165x4x87x16xbf16>
  "func.return"(%30, %31, %32, %33) : (tensor<92x16x165x4x44xbf16>, tensor<4x16x92x44x165xbf16>, tensor<46x165x4x87x16xbf16>, tensor<165x4x87x16xbf16>) -> ()
}) : () -> ()
