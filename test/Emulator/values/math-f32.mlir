// Every function on fp32 between ordinary numbers.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-6 --quiet

func.func @any_absf(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.absf %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_negf(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = arith.negf %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_exp(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.exp %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_exp2(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.exp2 %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_expm1(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.expm1 %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_tanh(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.tanh %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_erf(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.erf %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_sin(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.sin %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_cos(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.cos %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_floor(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.floor %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_ceil(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.ceil %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_trunc(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.trunc %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_round(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.round %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_roundeven(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.roundeven %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_atan(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.atan %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_sinh(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.sinh %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @any_cosh(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> tensor<257xf32> {
  %0 = math.cosh %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @positive_sqrt(%x: tensor<257xf32> {check.data = "random:0.001:50"}, %y: tensor<257xf32> {check.data = "random:0.001:50"}) -> tensor<257xf32> {
  %0 = math.sqrt %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @positive_rsqrt(%x: tensor<257xf32> {check.data = "random:0.001:50"}, %y: tensor<257xf32> {check.data = "random:0.001:50"}) -> tensor<257xf32> {
  %0 = math.rsqrt %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @positive_log(%x: tensor<257xf32> {check.data = "random:0.001:50"}, %y: tensor<257xf32> {check.data = "random:0.001:50"}) -> tensor<257xf32> {
  %0 = math.log %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @positive_log2(%x: tensor<257xf32> {check.data = "random:0.001:50"}, %y: tensor<257xf32> {check.data = "random:0.001:50"}) -> tensor<257xf32> {
  %0 = math.log2 %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @positive_log10(%x: tensor<257xf32> {check.data = "random:0.001:50"}, %y: tensor<257xf32> {check.data = "random:0.001:50"}) -> tensor<257xf32> {
  %0 = math.log10 %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @positive_log1p(%x: tensor<257xf32> {check.data = "random:0.001:50"}, %y: tensor<257xf32> {check.data = "random:0.001:50"}) -> tensor<257xf32> {
  %0 = math.log1p %x : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @binary(%x: tensor<257xf32> {check.data = "random:-6:6"}, %y: tensor<257xf32> {check.data = "random:-6:6"}) -> (tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>) {
  %0 = arith.addf %x, %y : tensor<257xf32>
  %1 = arith.subf %x, %y : tensor<257xf32>
  %2 = arith.mulf %x, %y : tensor<257xf32>
  %3 = arith.divf %x, %y : tensor<257xf32>
  %4 = arith.maximumf %x, %y : tensor<257xf32>
  %5 = arith.minimumf %x, %y : tensor<257xf32>
  %6 = arith.maxnumf %x, %y : tensor<257xf32>
  %7 = arith.minnumf %x, %y : tensor<257xf32>
  %8 = math.copysign %x, %y : tensor<257xf32>
  %9 = arith.remf %x, %y : tensor<257xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>, tensor<257xf32>
}
func.func @powers(%x: tensor<257xf32> {check.data = "random:0.01:6"}, %y: tensor<257xf32> {check.data = "random:0.01:6"}) -> tensor<257xf32> {
  %0 = math.powf %x, %y : tensor<257xf32>
  return %0 : tensor<257xf32>
}
func.func @angles(%x: tensor<257xf32> {check.data = "random:-1:1"}, %y: tensor<257xf32> {check.data = "random:-1:1"}) -> (tensor<257xf32>, tensor<257xf32>) {
  %0 = math.atan2 %x, %y : tensor<257xf32>
  %1 = math.tan %x : tensor<257xf32>
  return %0, %1 : tensor<257xf32>, tensor<257xf32>
}
