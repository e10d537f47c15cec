// Every function on NaN, infinities, zeros of both signs, the largest numbers and denormals.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-6 --quiet

func.func @special_absf(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.absf %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_negf(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = arith.negf %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_exp(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.exp %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_exp2(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.exp2 %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_expm1(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.expm1 %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_tanh(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.tanh %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_erf(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.erf %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_sin(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.sin %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_cos(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.cos %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_floor(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.floor %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_ceil(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.ceil %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_trunc(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.trunc %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_round(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.round %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_roundeven(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.roundeven %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_atan(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.atan %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_sinh(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.sinh %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_cosh(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.cosh %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_sqrt(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.sqrt %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_rsqrt(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.rsqrt %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_log(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.log %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_log2(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.log2 %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_log10(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.log10 %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_log1p(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.log1p %x : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_powf(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> tensor<67xf32> {
  %0 = math.powf %x, %y : tensor<67xf32>
  return %0 : tensor<67xf32>
}
func.func @special_binary(%x: tensor<67xf32> {check.data = "special"}, %y: tensor<67xf32> {check.data = "special"}) -> (tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>) {
  %0 = arith.addf %x, %y : tensor<67xf32>
  %1 = arith.subf %x, %y : tensor<67xf32>
  %2 = arith.mulf %x, %y : tensor<67xf32>
  %3 = arith.divf %x, %y : tensor<67xf32>
  %4 = arith.maximumf %x, %y : tensor<67xf32>
  %5 = arith.minimumf %x, %y : tensor<67xf32>
  %6 = arith.maxnumf %x, %y : tensor<67xf32>
  %7 = arith.minnumf %x, %y : tensor<67xf32>
  %8 = math.copysign %x, %y : tensor<67xf32>
  %9 = arith.remf %x, %y : tensor<67xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>, tensor<67xf32>
}
