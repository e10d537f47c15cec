"func.func"() <{function_type = (tensor<471x3x18x7x176xbf16>, tensor<471x3x18x7xbf16>, tensor<18x3x471x7xbf16>) -> (tensor<18x3x471x176x7xbf16>, tensor<18x3x471x176x7xbf16>, tensor<471x3x18x7x176xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<471x3x18x7x176xbf16>, %arg1: tensor<471x3x18x7xbf16>, %arg2: tensor<18x3x471x7xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<471x3x18x7x176xbf16>) -> tensor<471x3x18x7x176xf32>
  %1 = "arith.extf"(%arg1) : (tensor<471x3x18x7xbf16>) -> tensor<471x3x18x7xf32>
  %2 = "graph.broadcast"(%1) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<471x3x18x7xf32>) -> tensor<471x3x18x7x176xf32>
  %3 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %4 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<471x3x18x7x176xf32>}> : () -> tensor<471x3x18x7x176xf32>
  %5 = "arith.addf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>, tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %6 = "arith.divf"(%2, %5) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>, tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %7 = "arith.negf"(%6) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %8 = "graph.reduce"(%6) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<471x3x18x7x176xf32>) -> tensor<3x18x7x176xf32>
  %9 = "arith.constant"() <{value = dense<0.00212314236> : tensor<3x18x7x176xf32>}> : () -> tensor<3x18x7x176xf32>
  %10 = "arith.mulf"(%8, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<3x18x7x176xf32>, tensor<3x18x7x176xf32>) -> tensor<3x18x7x176xf32>
  %11 = "graph.broadcast"(%10) <{dims = array<i64: 1, 2, 3, 4>}> : (tensor<3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %12 = "arith.subf"(%6, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>, tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %13 = "arith.constant"() <{value = dense<-1.000000e+00> : tensor<471x3x18x7x176xf32>}> : () -> tensor<471x3x18x7x176xf32>
  %14 = "math.absf"(%7) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %15 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<471x3x18x7x176xf32>}> : () -> tensor<471x3x18x7x176xf32>
  %16 = "arith.addf"(%14, %15) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>, tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %17 = "arith.divf"(%13, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>, tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %18 = "graph.transpose"(%12) <{permutation = array<i64: 2, 1, 0, 4, 3>}> : (tensor<471x3x18x7x176xf32>) -> tensor<18x3x471x176x7xf32>
  %19 = "math.absf"(%12) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %20 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<471x3x18x7x176xf32>}> : () -> tensor<471x3x18x7x176xf32>
  %21 = "arith.addf"(%19, %20) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>, tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %22 = "arith.divf"(%17, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<471x3x18x7x176xf32>, tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xf32>
  %23 = "graph.reduce"(%18) <{dims = array<i64: 4>, kind = #graph<reduce_kind sum>}> : (tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176xf32>
  %24 = "arith.constant"() <{value = dense<0.142857149> : tensor<18x3x471x176xf32>}> : () -> tensor<18x3x471x176xf32>
  %25 = "arith.mulf"(%23, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<18x3x471x176xf32>, tensor<18x3x471x176xf32>) -> tensor<18x3x471x176xf32>
  %26 = "graph.broadcast"(%25) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<18x3x471x176xf32>) -> tensor<18x3x471x176x7xf32>
  %27 = "arith.subf"(%18, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<18x3x471x176x7xf32>, tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176x7xf32>
  %28 = "arith.extf"(%arg2) : (tensor<18x3x471x7xbf16>) -> tensor<18x3x471x7xf32>
  %29 = "graph.broadcast"(%28) <{dims = array<i64: 0, 1, 2, 4>}> : (tensor<18x3x471x7xf32>) -> tensor<18x3x471x176x7xf32>
  %30 = "math.absf"(%18) <{fastmath = #arith.fastmath<none>}> : (tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176x7xf32>
  %31 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<18x3x471x176x7xf32>}> : () -> tensor<18x3x471x176x7xf32>
  %32 = "arith.addf"(%30, %31) <{fastmath = #arith.fastmath<none>}> : (tensor<18x3x471x176x7xf32>, tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176x7xf32>
  %33 = "arith.divf"(%29, %32) <{fastmath = #arith.fastmath<none>}> : (tensor<18x3x471x176x7xf32>, tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176x7xf32>
  %34 = "graph.reduce"(%33) <{dims = array<i64: 4>, kind = #graph<reduce_kind sum>}> : (tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176xf32>
  %35 = "arith.constant"() <{value = dense<0.142857149> : tensor<18x3x471x176xf32>}> : () -> tensor<18x3x471x176xf32>
  %36 = "arith.mulf"(%34, %35) <{fastmath = #arith.fastmath<none>}> : (tensor<18x3x471x176xf32>, tensor<18x3x471x176xf32>) -> tensor<18x3x471x176xf32>
  %37 = "graph.broadcast"(%36) <{dims = array<i64: 0, 1, 2, 3>}> : (tensor<18x3x471x176xf32>) -> tensor<18x3x471x176x7xf32>
  %38 = "arith.subf"(%33, %37) <{fastmath = #arith.fastmath<none>}> : (tensor<18x3x471x176x7xf32>, tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176x7xf32>
  %39 = "arith.truncf"(%38) : (tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176x7xbf16>
  %40 = "arith.truncf"(%27) : (tensor<18x3x471x176x7xf32>) -> tensor<18x3x471x176x7xbf16>
  %41 = "arith.truncf"(%22) : (tensor<471x3x18x7x176xf32>) -> tensor<471x3x18x7x176xbf16>
  "func.return"(%39, %40, %41) : (tensor<18x3x471x176x7xbf16>, tensor<18x3x471x176x7xbf16>, tensor<471x3x18x7x176xbf16>) -> ()
}) : () -> ()
