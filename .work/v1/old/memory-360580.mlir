"func.func"() <{function_type = (tensor<41850961xf32>) -> (tensor<41850963xf32>, tensor<41850961xf32>, tensor<41850961xf32>), sym_name = "main"}> ({
^bb0(%arg0: tensor<41850961xf32>):
  %0 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>) -> tensor<41850961xf32>
  %1 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<41850961xf32>}> : () -> tensor<41850961xf32>
  %2 = "arith.addf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %3 = "math.log"(%2) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>) -> tensor<41850961xf32>
  %4 = "arith.constant"() <{value = dense<2.000000e+00> : tensor<41850961xf32>}> : () -> tensor<41850961xf32>
  %5 = "arith.subf"(%arg0, %4) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %6 = "math.absf"(%arg0) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>) -> tensor<41850961xf32>
  %7 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<41850961xf32>}> : () -> tensor<41850961xf32>
  %8 = "arith.addf"(%6, %7) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %9 = "arith.divf"(%5, %8) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %10 = "math.tanh"(%3) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>) -> tensor<41850961xf32>
  %11 = "arith.mulf"(%5, %10) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %12 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<41850961xf32>}> : () -> tensor<41850961xf32>
  %13 = "arith.minimumf"(%9, %12) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %14 = "arith.addf"(%13, %13) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %15 = "graph.reduce"(%11) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<41850961xf32>) -> tensor<f32>
  %16 = "arith.constant"() <{value = dense<2.38943141E-8> : tensor<f32>}> : () -> tensor<f32>
  %17 = "arith.mulf"(%15, %16) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %18 = "graph.broadcast"(%17) <{dims = array<i64>}> : (tensor<f32>) -> tensor<41850961xf32>
  %19 = "arith.addf"(%11, %18) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %20 = "graph.reduce"(%19) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<41850961xf32>) -> tensor<f32>
  %21 = "arith.constant"() <{value = dense<2.38943141E-8> : tensor<f32>}> : () -> tensor<f32>
  %22 = "arith.mulf"(%20, %21) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %23 = "graph.reduce"(%14) <{dims = array<i64: 0>, kind = #graph<reduce_kind sum>}> : (tensor<41850961xf32>) -> tensor<f32>
  %24 = "arith.constant"() <{value = dense<2.38943141E-8> : tensor<f32>}> : () -> tensor<f32>
  %25 = "arith.mulf"(%23, %24) <{fastmath = #arith.fastmath<none>}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %26 = "graph.broadcast"(%25) <{dims = array<i64>}> : (tensor<f32>) -> tensor<41850961xf32>
  %27 = "arith.subf"(%14, %26) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %28 = "graph.pad"(%27) <{high = array<i64: 0>, low = array<i64: 2>, value = 0.000000e+00 : f32}> : (tensor<41850961xf32>) -> tensor<41850963xf32>
  %29 = "math.tanh"(%27) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>) -> tensor<41850961xf32>
  %30 = "arith.mulf"(%29, %27) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  %31 = "graph.broadcast"(%22) <{dims = array<i64>}> : (tensor<f32>) -> tensor<41850961xf32>
  %32 = "arith.minimumf"(%5, %31) <{fastmath = #arith.fastmath<none>}> : (tensor<41850961xf32>, tensor<41850961xf32>) -> tensor<41850961xf32>
  "func.return"(%28, %32, %30) : (tensor<41850963xf32>, tensor<41850961xf32>, tensor<41850961xf32>) -> ()
}) : () -> ()
