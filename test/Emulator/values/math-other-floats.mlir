// Functions on fp16, bf16 and fp64: the narrow ones round once, fp64 is fp64 all through; its remainder is refused.
// RUN: tw-check %s --quiet

func.func @f16_0(%x: tensor<131xf16> {check.data = "random:-3:3"}, %y: tensor<131xf16> {check.data = "random:-3:3"}) -> (tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>) attributes {check.rtol = 2.0e-3, check.atol = 2.0e-3} {
  %0 = math.absf %x : tensor<131xf16>
  %1 = arith.negf %x : tensor<131xf16>
  %2 = math.exp %x : tensor<131xf16>
  %3 = math.exp2 %x : tensor<131xf16>
  %4 = math.expm1 %x : tensor<131xf16>
  %5 = math.tanh %x : tensor<131xf16>
  %6 = math.erf %x : tensor<131xf16>
  %7 = math.sin %x : tensor<131xf16>
  %8 = math.cos %x : tensor<131xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>
}
func.func @f16_1(%x: tensor<131xf16> {check.data = "random:-3:3"}, %y: tensor<131xf16> {check.data = "random:-3:3"}) -> (tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>) attributes {check.rtol = 2.0e-3, check.atol = 2.0e-3} {
  %0 = math.floor %x : tensor<131xf16>
  %1 = math.ceil %x : tensor<131xf16>
  %2 = math.trunc %x : tensor<131xf16>
  %3 = math.round %x : tensor<131xf16>
  %4 = math.roundeven %x : tensor<131xf16>
  %5 = math.atan %x : tensor<131xf16>
  %6 = math.sinh %x : tensor<131xf16>
  %7 = math.cosh %x : tensor<131xf16>
  %8 = arith.addf %x, %y : tensor<131xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>
}
func.func @f16_2(%x: tensor<131xf16> {check.data = "random:-3:3"}, %y: tensor<131xf16> {check.data = "random:-3:3"}) -> (tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>) attributes {check.rtol = 2.0e-3, check.atol = 2.0e-3} {
  %0 = arith.subf %x, %y : tensor<131xf16>
  %1 = arith.mulf %x, %y : tensor<131xf16>
  %2 = arith.divf %x, %y : tensor<131xf16>
  %3 = arith.maximumf %x, %y : tensor<131xf16>
  %4 = arith.minimumf %x, %y : tensor<131xf16>
  %5 = arith.maxnumf %x, %y : tensor<131xf16>
  %6 = arith.minnumf %x, %y : tensor<131xf16>
  %7 = math.copysign %x, %y : tensor<131xf16>
  %8 = arith.remf %x, %y : tensor<131xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>
}
func.func @f16_positive(%x: tensor<131xf16> {check.data = "random:0.01:50"}, %y: tensor<131xf16> {check.data = "random:0.01:50"}) -> (tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>) attributes {check.rtol = 2.0e-3, check.atol = 2.0e-3} {
  %0 = math.sqrt %x : tensor<131xf16>
  %1 = math.rsqrt %x : tensor<131xf16>
  %2 = math.log %x : tensor<131xf16>
  %3 = math.log2 %x : tensor<131xf16>
  %4 = math.log10 %x : tensor<131xf16>
  %5 = math.log1p %x : tensor<131xf16>
  return %0, %1, %2, %3, %4, %5 : tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>, tensor<131xf16>
}
func.func @bf16_0(%x: tensor<131xbf16> {check.data = "random:-3:3"}, %y: tensor<131xbf16> {check.data = "random:-3:3"}) -> (tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>) attributes {check.rtol = 1.6e-2, check.atol = 1.0e-2} {
  %0 = math.absf %x : tensor<131xbf16>
  %1 = arith.negf %x : tensor<131xbf16>
  %2 = math.exp %x : tensor<131xbf16>
  %3 = math.exp2 %x : tensor<131xbf16>
  %4 = math.expm1 %x : tensor<131xbf16>
  %5 = math.tanh %x : tensor<131xbf16>
  %6 = math.erf %x : tensor<131xbf16>
  %7 = math.sin %x : tensor<131xbf16>
  %8 = math.cos %x : tensor<131xbf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>
}
func.func @bf16_1(%x: tensor<131xbf16> {check.data = "random:-3:3"}, %y: tensor<131xbf16> {check.data = "random:-3:3"}) -> (tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>) attributes {check.rtol = 1.6e-2, check.atol = 1.0e-2} {
  %0 = math.floor %x : tensor<131xbf16>
  %1 = math.ceil %x : tensor<131xbf16>
  %2 = math.trunc %x : tensor<131xbf16>
  %3 = math.round %x : tensor<131xbf16>
  %4 = math.roundeven %x : tensor<131xbf16>
  %5 = math.atan %x : tensor<131xbf16>
  %6 = math.sinh %x : tensor<131xbf16>
  %7 = math.cosh %x : tensor<131xbf16>
  %8 = arith.addf %x, %y : tensor<131xbf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>
}
func.func @bf16_2(%x: tensor<131xbf16> {check.data = "random:-3:3"}, %y: tensor<131xbf16> {check.data = "random:-3:3"}) -> (tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>) attributes {check.rtol = 1.6e-2, check.atol = 1.0e-2} {
  %0 = arith.subf %x, %y : tensor<131xbf16>
  %1 = arith.mulf %x, %y : tensor<131xbf16>
  %2 = arith.divf %x, %y : tensor<131xbf16>
  %3 = arith.maximumf %x, %y : tensor<131xbf16>
  %4 = arith.minimumf %x, %y : tensor<131xbf16>
  %5 = arith.maxnumf %x, %y : tensor<131xbf16>
  %6 = arith.minnumf %x, %y : tensor<131xbf16>
  %7 = math.copysign %x, %y : tensor<131xbf16>
  %8 = arith.remf %x, %y : tensor<131xbf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>
}
func.func @bf16_positive(%x: tensor<131xbf16> {check.data = "random:0.01:50"}, %y: tensor<131xbf16> {check.data = "random:0.01:50"}) -> (tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>) attributes {check.rtol = 1.6e-2, check.atol = 1.0e-2} {
  %0 = math.sqrt %x : tensor<131xbf16>
  %1 = math.rsqrt %x : tensor<131xbf16>
  %2 = math.log %x : tensor<131xbf16>
  %3 = math.log2 %x : tensor<131xbf16>
  %4 = math.log10 %x : tensor<131xbf16>
  %5 = math.log1p %x : tensor<131xbf16>
  return %0, %1, %2, %3, %4, %5 : tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>, tensor<131xbf16>
}
func.func @f64_0(%x: tensor<131xf64> {check.data = "random:-3:3"}, %y: tensor<131xf64> {check.data = "random:-3:3"}) -> (tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>) attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.absf %x : tensor<131xf64>
  %1 = arith.negf %x : tensor<131xf64>
  %2 = math.floor %x : tensor<131xf64>
  %3 = math.ceil %x : tensor<131xf64>
  %4 = math.trunc %x : tensor<131xf64>
  %5 = arith.addf %x, %y : tensor<131xf64>
  %6 = arith.subf %x, %y : tensor<131xf64>
  %7 = arith.mulf %x, %y : tensor<131xf64>
  %8 = arith.divf %x, %y : tensor<131xf64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>
}
func.func @f64_1(%x: tensor<131xf64> {check.data = "random:-3:3"}, %y: tensor<131xf64> {check.data = "random:-3:3"}) -> (tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>) attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = arith.maximumf %x, %y : tensor<131xf64>
  %1 = arith.minimumf %x, %y : tensor<131xf64>
  %2 = arith.maxnumf %x, %y : tensor<131xf64>
  %3 = arith.minnumf %x, %y : tensor<131xf64>
  %4 = math.copysign %x, %y : tensor<131xf64>
  return %0, %1, %2, %3, %4 : tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>
}
func.func @f64_positive(%x: tensor<131xf64> {check.data = "random:0.01:50"}, %y: tensor<131xf64> {check.data = "random:0.01:50"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.sqrt %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_exp(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.exp %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_exp2(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.exp2 %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_tanh(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.tanh %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_erf(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.erf %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_log(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.log %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_rsqrt(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.rsqrt %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_sin(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.sin %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_cos(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.cos %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
func.func @f64_log2(%x: tensor<131xf64> {check.data = "random:0.1:3"}, %y: tensor<131xf64> {check.data = "random:0.1:3"}) -> tensor<131xf64> attributes {check.rtol = 1.0e-12, check.atol = 1.0e-12} {
  %0 = math.log2 %x : tensor<131xf64>
  return %0 : tensor<131xf64>
}
// Far out, where the reduction takes integers, and functions that go back.
func.func @f64_turns(%x: tensor<131xf64> {check.data = "random:-1.0e+300:1.0e+300"}, %y: tensor<131xf64> {check.data = "random:-1:1"}) -> (tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>) attributes {check.rtol = 1.0e-13, check.atol = 1.0e-300} {
  %0 = math.sin %x : tensor<131xf64>
  %1 = math.cos %x : tensor<131xf64>
  %2 = math.tan %x : tensor<131xf64>
  %3 = math.asin %y : tensor<131xf64>
  %4 = math.acos %y : tensor<131xf64>
  %5 = math.atan2 %y, %x : tensor<131xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>, tensor<131xf64>
}
// Exact, however far the exponents lie apart.
func.func @f64_remainder(%x: tensor<131xf64> {check.data = "random:-1.0e+300:1.0e+300"}, %y: tensor<131xf64> {check.data = "random:-3:3"}) -> tensor<131xf64> attributes {check.rtol = 0.0, check.atol = 0.0} {
  %0 = arith.remf %x, %y : tensor<131xf64>
  return %0 : tensor<131xf64>
}
