"func.func"() <{function_type = (tensor<8x568x4x1148xbf16>, tensor<1148xbf16>, tensor<568x4x1148xbf16>) -> (tensor<32x2x1x164x1988xbf16>, tensor<8x568x4x1148xbf16>, tensor<8x568x4x1148xbf16>), sym_name = "main"}> ({
^bb0(%arg0: tensor<8x568x4x1148xbf16>, %arg1: tensor<1148xbf16>, %arg2: tensor<568x4x1148xbf16>):
  %0 = "arith.extf"(%arg0) : (tensor<8x568x4x1148xbf16>) -> tensor<8x568x4x1148xf32>
  %1 = "math.tanh"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xf32>
  %2 = "math.exp"(%1) <{fastmath = #arith.fastmath<none>}> : (tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xf32>
  %3 = "arith.minimumf"(%2, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<8x568x4x1148xf32>, tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xf32>
  %4 = "arith.extf"(%arg1) : (tensor<1148xbf16>) -> tensor<1148xf32>
  %5 = "graph.rms_norm"(%2, %4) <{dim = 3 : i64, epsilon = 1.000000e-02 : f64}> : (tensor<8x568x4x1148xf32>, tensor<1148xf32>) -> tensor<8x568x4x1148xf32>
  %6 = "graph.transpose"(%3) <{permutation = array<i64: 3, 2, 1, 0>}> : (tensor<8x568x4x1148xf32>) -> tensor<1148x4x568x8xf32>
  %7 = "graph.reshape"(%6) : (tensor<1148x4x568x8xf32>) -> tensor<32x2x1x164x1988xf32>
  %8 = "math.absf"(%0) <{fastmath = #arith.fastmath<none>}> : (tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xf32>
  %9 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<8x568x4x1148xf32>}> : () -> tensor<8x568x4x1148xf32>
  %10 = "arith.addf"(%8, %9) <{fastmath = #arith.fastmath<none>}> : (tensor<8x568x4x1148xf32>, tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xf32>
  %11 = "math.rsqrt"(%10) <{fastmath = #arith.fastmath<none>}> : (tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xf32>
  %12 = "graph.scan"(%7) <{dim = 2 : i64, kind = #graph<reduce_kind max>}> : (tensor<32x2x1x164x1988xf32>) -> tensor<32x2x1x164x1988xf32>
  %13 = "arith.extf"(%arg2) : (tensor<568x4x1148xbf16>) -> tensor<568x4x1148xf32>
  %14 = "graph.broadcast"(%13) <{dims = array<i64: 1, 2, 3>}> : (tensor<568x4x1148xf32>) -> tensor<8x568x4x1148xf32>
  %15 = "arith.addf"(%14, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<8x568x4x1148xf32>, tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xf32>
  %16 = "graph.scan"(%12) <{dim = 3 : i64, kind = #graph<reduce_kind max>}> : (tensor<32x2x1x164x1988xf32>) -> tensor<32x2x1x164x1988xf32>
  %17 = "arith.truncf"(%16) : (tensor<32x2x1x164x1988xf32>) -> tensor<32x2x1x164x1988xbf16>
  %18 = "arith.truncf"(%15) : (tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xbf16>
  %19 = "arith.truncf"(%5) : (tensor<8x568x4x1148xf32>) -> tensor<8x568x4x1148xbf16>
  "func.return"(%17, %18, %19) : (tensor<32x2x1x164x1988xbf16>, tensor<8x568x4x1148xbf16>, tensor<8x568x4x1148xbf16>) -> ()
}) : () -> ()
