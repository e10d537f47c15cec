// Conversions between all element types, and comparisons with NaN in between.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @f16_to_f32(%x: tensor<5x29xf16>) -> tensor<5x29xf32> {
  %0 = arith.extf %x : tensor<5x29xf16> to tensor<5x29xf32>
  return %0 : tensor<5x29xf32>
}
func.func @f16_to_f64(%x: tensor<5x29xf16>) -> tensor<5x29xf64> {
  %0 = arith.extf %x : tensor<5x29xf16> to tensor<5x29xf64>
  return %0 : tensor<5x29xf64>
}
func.func @bf16_to_f32(%x: tensor<5x29xbf16>) -> tensor<5x29xf32> {
  %0 = arith.extf %x : tensor<5x29xbf16> to tensor<5x29xf32>
  return %0 : tensor<5x29xf32>
}
func.func @bf16_to_f64(%x: tensor<5x29xbf16>) -> tensor<5x29xf64> {
  %0 = arith.extf %x : tensor<5x29xbf16> to tensor<5x29xf64>
  return %0 : tensor<5x29xf64>
}
func.func @f32_to_f16(%x: tensor<5x29xf32>) -> tensor<5x29xf16> {
  %0 = arith.truncf %x : tensor<5x29xf32> to tensor<5x29xf16>
  return %0 : tensor<5x29xf16>
}
func.func @f32_to_bf16(%x: tensor<5x29xf32>) -> tensor<5x29xbf16> {
  %0 = arith.truncf %x : tensor<5x29xf32> to tensor<5x29xbf16>
  return %0 : tensor<5x29xbf16>
}
func.func @f32_to_f64(%x: tensor<5x29xf32>) -> tensor<5x29xf64> {
  %0 = arith.extf %x : tensor<5x29xf32> to tensor<5x29xf64>
  return %0 : tensor<5x29xf64>
}
func.func @f64_to_f16(%x: tensor<5x29xf64>) -> tensor<5x29xf16> {
  %0 = arith.truncf %x : tensor<5x29xf64> to tensor<5x29xf16>
  return %0 : tensor<5x29xf16>
}
func.func @f64_to_bf16(%x: tensor<5x29xf64>) -> tensor<5x29xbf16> {
  %0 = arith.truncf %x : tensor<5x29xf64> to tensor<5x29xbf16>
  return %0 : tensor<5x29xbf16>
}
func.func @f64_to_f32(%x: tensor<5x29xf64>) -> tensor<5x29xf32> {
  %0 = arith.truncf %x : tensor<5x29xf64> to tensor<5x29xf32>
  return %0 : tensor<5x29xf32>
}
func.func @i8_to_i16(%x: tensor<5x29xi8> {check.data = "random:-100:100"}) -> (tensor<5x29xi16>, tensor<5x29xi16>) {
  %0 = arith.extsi %x : tensor<5x29xi8> to tensor<5x29xi16>
  %1 = arith.extui %x : tensor<5x29xi8> to tensor<5x29xi16>
  return %0, %1 : tensor<5x29xi16>, tensor<5x29xi16>
}
func.func @i8_to_i32(%x: tensor<5x29xi8> {check.data = "random:-100:100"}) -> (tensor<5x29xi32>, tensor<5x29xi32>) {
  %0 = arith.extsi %x : tensor<5x29xi8> to tensor<5x29xi32>
  %1 = arith.extui %x : tensor<5x29xi8> to tensor<5x29xi32>
  return %0, %1 : tensor<5x29xi32>, tensor<5x29xi32>
}
func.func @i8_to_i64(%x: tensor<5x29xi8> {check.data = "random:-100:100"}) -> (tensor<5x29xi64>, tensor<5x29xi64>) {
  %0 = arith.extsi %x : tensor<5x29xi8> to tensor<5x29xi64>
  %1 = arith.extui %x : tensor<5x29xi8> to tensor<5x29xi64>
  return %0, %1 : tensor<5x29xi64>, tensor<5x29xi64>
}
func.func @i16_to_i8(%x: tensor<5x29xi16> {check.data = "random:-100:30000"}) -> tensor<5x29xi8> {
  %0 = arith.trunci %x : tensor<5x29xi16> to tensor<5x29xi8>
  return %0 : tensor<5x29xi8>
}
func.func @i16_to_i32(%x: tensor<5x29xi16> {check.data = "random:-100:100"}) -> (tensor<5x29xi32>, tensor<5x29xi32>) {
  %0 = arith.extsi %x : tensor<5x29xi16> to tensor<5x29xi32>
  %1 = arith.extui %x : tensor<5x29xi16> to tensor<5x29xi32>
  return %0, %1 : tensor<5x29xi32>, tensor<5x29xi32>
}
func.func @i16_to_i64(%x: tensor<5x29xi16> {check.data = "random:-100:100"}) -> (tensor<5x29xi64>, tensor<5x29xi64>) {
  %0 = arith.extsi %x : tensor<5x29xi16> to tensor<5x29xi64>
  %1 = arith.extui %x : tensor<5x29xi16> to tensor<5x29xi64>
  return %0, %1 : tensor<5x29xi64>, tensor<5x29xi64>
}
func.func @i32_to_i8(%x: tensor<5x29xi32> {check.data = "random:-100:30000"}) -> tensor<5x29xi8> {
  %0 = arith.trunci %x : tensor<5x29xi32> to tensor<5x29xi8>
  return %0 : tensor<5x29xi8>
}
func.func @i32_to_i16(%x: tensor<5x29xi32> {check.data = "random:-100:30000"}) -> tensor<5x29xi16> {
  %0 = arith.trunci %x : tensor<5x29xi32> to tensor<5x29xi16>
  return %0 : tensor<5x29xi16>
}
func.func @i32_to_i64(%x: tensor<5x29xi32> {check.data = "random:-100:100"}) -> (tensor<5x29xi64>, tensor<5x29xi64>) {
  %0 = arith.extsi %x : tensor<5x29xi32> to tensor<5x29xi64>
  %1 = arith.extui %x : tensor<5x29xi32> to tensor<5x29xi64>
  return %0, %1 : tensor<5x29xi64>, tensor<5x29xi64>
}
func.func @i64_to_i8(%x: tensor<5x29xi64> {check.data = "random:-100:30000"}) -> tensor<5x29xi8> {
  %0 = arith.trunci %x : tensor<5x29xi64> to tensor<5x29xi8>
  return %0 : tensor<5x29xi8>
}
func.func @i64_to_i16(%x: tensor<5x29xi64> {check.data = "random:-100:30000"}) -> tensor<5x29xi16> {
  %0 = arith.trunci %x : tensor<5x29xi64> to tensor<5x29xi16>
  return %0 : tensor<5x29xi16>
}
func.func @i64_to_i32(%x: tensor<5x29xi64> {check.data = "random:-100:30000"}) -> tensor<5x29xi32> {
  %0 = arith.trunci %x : tensor<5x29xi64> to tensor<5x29xi32>
  return %0 : tensor<5x29xi32>
}
func.func @i8_to_floats(%x: tensor<5x29xi8> {check.data = "random:-100:100"}) -> (tensor<5x29xf32>, tensor<5x29xf16>, tensor<5x29xf64>, tensor<5x29xbf16>) {
  %0 = arith.sitofp %x : tensor<5x29xi8> to tensor<5x29xf32>
  %1 = arith.sitofp %x : tensor<5x29xi8> to tensor<5x29xf16>
  %2 = arith.sitofp %x : tensor<5x29xi8> to tensor<5x29xf64>
  %3 = arith.sitofp %x : tensor<5x29xi8> to tensor<5x29xbf16>
  return %0, %1, %2, %3 : tensor<5x29xf32>, tensor<5x29xf16>, tensor<5x29xf64>, tensor<5x29xbf16>
}
func.func @floats_to_i8(%f32: tensor<5x29xf32> {check.data = "random:-100:100"}, %f16: tensor<5x29xf16> {check.data = "random:-100:100"}, %f64: tensor<5x29xf64> {check.data = "random:-100:100"}) -> (tensor<5x29xi8>, tensor<5x29xi8>, tensor<5x29xi8>) {
  %0 = arith.fptosi %f32 : tensor<5x29xf32> to tensor<5x29xi8>
  %1 = arith.fptosi %f16 : tensor<5x29xf16> to tensor<5x29xi8>
  %2 = arith.fptosi %f64 : tensor<5x29xf64> to tensor<5x29xi8>
  return %0, %1, %2 : tensor<5x29xi8>, tensor<5x29xi8>, tensor<5x29xi8>
}
func.func @i16_to_floats(%x: tensor<5x29xi16> {check.data = "random:-100:100"}) -> (tensor<5x29xf32>, tensor<5x29xf16>, tensor<5x29xf64>, tensor<5x29xbf16>) {
  %0 = arith.sitofp %x : tensor<5x29xi16> to tensor<5x29xf32>
  %1 = arith.sitofp %x : tensor<5x29xi16> to tensor<5x29xf16>
  %2 = arith.sitofp %x : tensor<5x29xi16> to tensor<5x29xf64>
  %3 = arith.sitofp %x : tensor<5x29xi16> to tensor<5x29xbf16>
  return %0, %1, %2, %3 : tensor<5x29xf32>, tensor<5x29xf16>, tensor<5x29xf64>, tensor<5x29xbf16>
}
func.func @floats_to_i16(%f32: tensor<5x29xf32> {check.data = "random:-100:100"}, %f16: tensor<5x29xf16> {check.data = "random:-100:100"}, %f64: tensor<5x29xf64> {check.data = "random:-100:100"}) -> (tensor<5x29xi16>, tensor<5x29xi16>, tensor<5x29xi16>) {
  %0 = arith.fptosi %f32 : tensor<5x29xf32> to tensor<5x29xi16>
  %1 = arith.fptosi %f16 : tensor<5x29xf16> to tensor<5x29xi16>
  %2 = arith.fptosi %f64 : tensor<5x29xf64> to tensor<5x29xi16>
  return %0, %1, %2 : tensor<5x29xi16>, tensor<5x29xi16>, tensor<5x29xi16>
}
func.func @i32_to_floats(%x: tensor<5x29xi32> {check.data = "random:-100:100"}) -> (tensor<5x29xf32>, tensor<5x29xf16>, tensor<5x29xf64>, tensor<5x29xbf16>) {
  %0 = arith.sitofp %x : tensor<5x29xi32> to tensor<5x29xf32>
  %1 = arith.sitofp %x : tensor<5x29xi32> to tensor<5x29xf16>
  %2 = arith.sitofp %x : tensor<5x29xi32> to tensor<5x29xf64>
  %3 = arith.sitofp %x : tensor<5x29xi32> to tensor<5x29xbf16>
  return %0, %1, %2, %3 : tensor<5x29xf32>, tensor<5x29xf16>, tensor<5x29xf64>, tensor<5x29xbf16>
}
func.func @floats_to_i32(%f32: tensor<5x29xf32> {check.data = "random:-100:100"}, %f16: tensor<5x29xf16> {check.data = "random:-100:100"}, %f64: tensor<5x29xf64> {check.data = "random:-100:100"}) -> (tensor<5x29xi32>, tensor<5x29xi32>, tensor<5x29xi32>) {
  %0 = arith.fptosi %f32 : tensor<5x29xf32> to tensor<5x29xi32>
  %1 = arith.fptosi %f16 : tensor<5x29xf16> to tensor<5x29xi32>
  %2 = arith.fptosi %f64 : tensor<5x29xf64> to tensor<5x29xi32>
  return %0, %1, %2 : tensor<5x29xi32>, tensor<5x29xi32>, tensor<5x29xi32>
}
func.func @i64_to_floats(%x: tensor<5x29xi64> {check.data = "random:-100:100"}) -> (tensor<5x29xf32>, tensor<5x29xf16>, tensor<5x29xf64>, tensor<5x29xbf16>) {
  %0 = arith.sitofp %x : tensor<5x29xi64> to tensor<5x29xf32>
  %1 = arith.sitofp %x : tensor<5x29xi64> to tensor<5x29xf16>
  %2 = arith.sitofp %x : tensor<5x29xi64> to tensor<5x29xf64>
  %3 = arith.sitofp %x : tensor<5x29xi64> to tensor<5x29xbf16>
  return %0, %1, %2, %3 : tensor<5x29xf32>, tensor<5x29xf16>, tensor<5x29xf64>, tensor<5x29xbf16>
}
func.func @floats_to_i64(%f32: tensor<5x29xf32> {check.data = "random:-100:100"}, %f16: tensor<5x29xf16> {check.data = "random:-100:100"}, %f64: tensor<5x29xf64> {check.data = "random:-100:100"}) -> (tensor<5x29xi64>, tensor<5x29xi64>, tensor<5x29xi64>) {
  %0 = arith.fptosi %f32 : tensor<5x29xf32> to tensor<5x29xi64>
  %1 = arith.fptosi %f16 : tensor<5x29xf16> to tensor<5x29xi64>
  %2 = arith.fptosi %f64 : tensor<5x29xf64> to tensor<5x29xi64>
  return %0, %1, %2 : tensor<5x29xi64>, tensor<5x29xi64>, tensor<5x29xi64>
}
func.func @bool_to_all(%x: tensor<5x29xi1>) -> (tensor<5x29xi8>, tensor<5x29xi32>, tensor<5x29xf32>, tensor<5x29xi64>) {
  %0 = arith.extui %x : tensor<5x29xi1> to tensor<5x29xi8>
  %1 = arith.extsi %x : tensor<5x29xi1> to tensor<5x29xi32>
  %2 = arith.uitofp %x : tensor<5x29xi1> to tensor<5x29xf32>
  %3 = arith.extui %x : tensor<5x29xi1> to tensor<5x29xi64>
  return %0, %1, %2, %3 : tensor<5x29xi8>, tensor<5x29xi32>, tensor<5x29xf32>, tensor<5x29xi64>
}
func.func @all_to_bool(%x: tensor<5x29xf32> {check.data = "special"}, %y: tensor<5x29xi32>) -> (tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>) {
  %zero = arith.constant dense<0.0> : tensor<5x29xf32>
  %none = arith.constant dense<0> : tensor<5x29xi32>
  %0 = arith.cmpf oeq, %x, %zero : tensor<5x29xf32>
  %1 = arith.cmpf olt, %x, %zero : tensor<5x29xf32>
  %2 = arith.cmpf ole, %x, %zero : tensor<5x29xf32>
  %3 = arith.cmpf ogt, %x, %zero : tensor<5x29xf32>
  %4 = arith.cmpf oge, %x, %zero : tensor<5x29xf32>
  %5 = arith.cmpf one, %x, %zero : tensor<5x29xf32>
  %6 = arith.cmpf ord, %x, %zero : tensor<5x29xf32>
  %7 = arith.cmpf ueq, %x, %zero : tensor<5x29xf32>
  %8 = arith.cmpf ult, %x, %zero : tensor<5x29xf32>
  %9 = arith.cmpf ule, %x, %zero : tensor<5x29xf32>
  %10 = arith.cmpf ugt, %x, %zero : tensor<5x29xf32>
  %11 = arith.cmpf uge, %x, %zero : tensor<5x29xf32>
  %12 = arith.cmpf une, %x, %zero : tensor<5x29xf32>
  %13 = arith.cmpf uno, %x, %zero : tensor<5x29xf32>
  %20 = arith.cmpi ne, %y, %none : tensor<5x29xi32>
  %21 = arith.trunci %y : tensor<5x29xi32> to tensor<5x29xi1>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %20, %21 : tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>, tensor<5x29xi1>
}
