// Arithmetic, comparison and selection on every integer type, signed and unsigned, with wrap-around.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @arithmetic_i8(%x: tensor<3x67xi8> {check.data = "random:-100:100"}, %y: tensor<3x67xi8> {check.data = "random:-100:100"}) -> (tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>) {
  %one = arith.constant dense<1> : tensor<3x67xi8>
  %mask = arith.constant dense<7> : tensor<3x67xi8>
  %d = arith.ori %y, %one : tensor<3x67xi8>
  %s = arith.andi %y, %mask : tensor<3x67xi8>
  %0 = arith.addi %x, %y : tensor<3x67xi8>
  %1 = arith.subi %x, %y : tensor<3x67xi8>
  %2 = arith.muli %x, %y : tensor<3x67xi8>
  %3 = arith.divsi %x, %d : tensor<3x67xi8>
  %4 = arith.divui %x, %d : tensor<3x67xi8>
  %5 = arith.remsi %x, %d : tensor<3x67xi8>
  %6 = arith.remui %x, %d : tensor<3x67xi8>
  %7 = arith.andi %x, %y : tensor<3x67xi8>
  %8 = arith.ori %x, %y : tensor<3x67xi8>
  %9 = arith.xori %x, %y : tensor<3x67xi8>
  %10 = arith.shli %x, %s : tensor<3x67xi8>
  %11 = arith.shrsi %x, %s : tensor<3x67xi8>
  %12 = arith.shrui %x, %s : tensor<3x67xi8>
  %13 = arith.maxsi %x, %y : tensor<3x67xi8>
  %14 = arith.maxui %x, %y : tensor<3x67xi8>
  %15 = arith.minsi %x, %y : tensor<3x67xi8>
  %16 = arith.minui %x, %y : tensor<3x67xi8>
  %17 = arith.ceildivsi %x, %d : tensor<3x67xi8>
  %18 = arith.floordivsi %x, %d : tensor<3x67xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>
}
func.func @comparisons_i8(%x: tensor<3x67xi8> {check.data = "random:-4:4"}, %y: tensor<3x67xi8> {check.data = "random:-4:4"}) -> (tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>) {
  %0 = arith.cmpi eq, %x, %y : tensor<3x67xi8>
  %1 = arith.cmpi ne, %x, %y : tensor<3x67xi8>
  %2 = arith.cmpi slt, %x, %y : tensor<3x67xi8>
  %3 = arith.cmpi sle, %x, %y : tensor<3x67xi8>
  %4 = arith.cmpi sgt, %x, %y : tensor<3x67xi8>
  %5 = arith.cmpi sge, %x, %y : tensor<3x67xi8>
  %6 = arith.cmpi ult, %x, %y : tensor<3x67xi8>
  %7 = arith.cmpi ule, %x, %y : tensor<3x67xi8>
  %8 = arith.cmpi ugt, %x, %y : tensor<3x67xi8>
  %9 = arith.cmpi uge, %x, %y : tensor<3x67xi8>
  %sel = arith.select %2, %x, %y : tensor<3x67xi1>, tensor<3x67xi8>
  %lz = math.ctlz %x : tensor<3x67xi8>
  %tz = math.cttz %x : tensor<3x67xi8>
  %pop = math.ctpop %x : tensor<3x67xi8>
  %abs = math.absi %x : tensor<3x67xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %sel, %lz, %tz, %pop, %abs : tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>, tensor<3x67xi8>
}
func.func @arithmetic_i16(%x: tensor<3x67xi16> {check.data = "random:-1000:1000"}, %y: tensor<3x67xi16> {check.data = "random:-1000:1000"}) -> (tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>) {
  %one = arith.constant dense<1> : tensor<3x67xi16>
  %mask = arith.constant dense<15> : tensor<3x67xi16>
  %d = arith.ori %y, %one : tensor<3x67xi16>
  %s = arith.andi %y, %mask : tensor<3x67xi16>
  %0 = arith.addi %x, %y : tensor<3x67xi16>
  %1 = arith.subi %x, %y : tensor<3x67xi16>
  %2 = arith.muli %x, %y : tensor<3x67xi16>
  %3 = arith.divsi %x, %d : tensor<3x67xi16>
  %4 = arith.divui %x, %d : tensor<3x67xi16>
  %5 = arith.remsi %x, %d : tensor<3x67xi16>
  %6 = arith.remui %x, %d : tensor<3x67xi16>
  %7 = arith.andi %x, %y : tensor<3x67xi16>
  %8 = arith.ori %x, %y : tensor<3x67xi16>
  %9 = arith.xori %x, %y : tensor<3x67xi16>
  %10 = arith.shli %x, %s : tensor<3x67xi16>
  %11 = arith.shrsi %x, %s : tensor<3x67xi16>
  %12 = arith.shrui %x, %s : tensor<3x67xi16>
  %13 = arith.maxsi %x, %y : tensor<3x67xi16>
  %14 = arith.maxui %x, %y : tensor<3x67xi16>
  %15 = arith.minsi %x, %y : tensor<3x67xi16>
  %16 = arith.minui %x, %y : tensor<3x67xi16>
  %17 = arith.ceildivsi %x, %d : tensor<3x67xi16>
  %18 = arith.floordivsi %x, %d : tensor<3x67xi16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>
}
func.func @comparisons_i16(%x: tensor<3x67xi16> {check.data = "random:-4:4"}, %y: tensor<3x67xi16> {check.data = "random:-4:4"}) -> (tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>) {
  %0 = arith.cmpi eq, %x, %y : tensor<3x67xi16>
  %1 = arith.cmpi ne, %x, %y : tensor<3x67xi16>
  %2 = arith.cmpi slt, %x, %y : tensor<3x67xi16>
  %3 = arith.cmpi sle, %x, %y : tensor<3x67xi16>
  %4 = arith.cmpi sgt, %x, %y : tensor<3x67xi16>
  %5 = arith.cmpi sge, %x, %y : tensor<3x67xi16>
  %6 = arith.cmpi ult, %x, %y : tensor<3x67xi16>
  %7 = arith.cmpi ule, %x, %y : tensor<3x67xi16>
  %8 = arith.cmpi ugt, %x, %y : tensor<3x67xi16>
  %9 = arith.cmpi uge, %x, %y : tensor<3x67xi16>
  %sel = arith.select %2, %x, %y : tensor<3x67xi1>, tensor<3x67xi16>
  %lz = math.ctlz %x : tensor<3x67xi16>
  %tz = math.cttz %x : tensor<3x67xi16>
  %pop = math.ctpop %x : tensor<3x67xi16>
  %abs = math.absi %x : tensor<3x67xi16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %sel, %lz, %tz, %pop, %abs : tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>, tensor<3x67xi16>
}
func.func @arithmetic_i32(%x: tensor<3x67xi32> {check.data = "random:-1000:1000"}, %y: tensor<3x67xi32> {check.data = "random:-1000:1000"}) -> (tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>) {
  %one = arith.constant dense<1> : tensor<3x67xi32>
  %mask = arith.constant dense<31> : tensor<3x67xi32>
  %d = arith.ori %y, %one : tensor<3x67xi32>
  %s = arith.andi %y, %mask : tensor<3x67xi32>
  %0 = arith.addi %x, %y : tensor<3x67xi32>
  %1 = arith.subi %x, %y : tensor<3x67xi32>
  %2 = arith.muli %x, %y : tensor<3x67xi32>
  %3 = arith.divsi %x, %d : tensor<3x67xi32>
  %4 = arith.divui %x, %d : tensor<3x67xi32>
  %5 = arith.remsi %x, %d : tensor<3x67xi32>
  %6 = arith.remui %x, %d : tensor<3x67xi32>
  %7 = arith.andi %x, %y : tensor<3x67xi32>
  %8 = arith.ori %x, %y : tensor<3x67xi32>
  %9 = arith.xori %x, %y : tensor<3x67xi32>
  %10 = arith.shli %x, %s : tensor<3x67xi32>
  %11 = arith.shrsi %x, %s : tensor<3x67xi32>
  %12 = arith.shrui %x, %s : tensor<3x67xi32>
  %13 = arith.maxsi %x, %y : tensor<3x67xi32>
  %14 = arith.maxui %x, %y : tensor<3x67xi32>
  %15 = arith.minsi %x, %y : tensor<3x67xi32>
  %16 = arith.minui %x, %y : tensor<3x67xi32>
  %17 = arith.ceildivsi %x, %d : tensor<3x67xi32>
  %18 = arith.floordivsi %x, %d : tensor<3x67xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>
}
func.func @comparisons_i32(%x: tensor<3x67xi32> {check.data = "random:-4:4"}, %y: tensor<3x67xi32> {check.data = "random:-4:4"}) -> (tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>) {
  %0 = arith.cmpi eq, %x, %y : tensor<3x67xi32>
  %1 = arith.cmpi ne, %x, %y : tensor<3x67xi32>
  %2 = arith.cmpi slt, %x, %y : tensor<3x67xi32>
  %3 = arith.cmpi sle, %x, %y : tensor<3x67xi32>
  %4 = arith.cmpi sgt, %x, %y : tensor<3x67xi32>
  %5 = arith.cmpi sge, %x, %y : tensor<3x67xi32>
  %6 = arith.cmpi ult, %x, %y : tensor<3x67xi32>
  %7 = arith.cmpi ule, %x, %y : tensor<3x67xi32>
  %8 = arith.cmpi ugt, %x, %y : tensor<3x67xi32>
  %9 = arith.cmpi uge, %x, %y : tensor<3x67xi32>
  %sel = arith.select %2, %x, %y : tensor<3x67xi1>, tensor<3x67xi32>
  %lz = math.ctlz %x : tensor<3x67xi32>
  %tz = math.cttz %x : tensor<3x67xi32>
  %pop = math.ctpop %x : tensor<3x67xi32>
  %abs = math.absi %x : tensor<3x67xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %sel, %lz, %tz, %pop, %abs : tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>, tensor<3x67xi32>
}
func.func @arithmetic_i64(%x: tensor<3x67xi64> {check.data = "random:-1000:1000"}, %y: tensor<3x67xi64> {check.data = "random:-1000:1000"}) -> (tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>) {
  %one = arith.constant dense<1> : tensor<3x67xi64>
  %mask = arith.constant dense<63> : tensor<3x67xi64>
  %d = arith.ori %y, %one : tensor<3x67xi64>
  %s = arith.andi %y, %mask : tensor<3x67xi64>
  %0 = arith.addi %x, %y : tensor<3x67xi64>
  %1 = arith.subi %x, %y : tensor<3x67xi64>
  %2 = arith.muli %x, %y : tensor<3x67xi64>
  %3 = arith.divsi %x, %d : tensor<3x67xi64>
  %4 = arith.divui %x, %d : tensor<3x67xi64>
  %5 = arith.remsi %x, %d : tensor<3x67xi64>
  %6 = arith.remui %x, %d : tensor<3x67xi64>
  %7 = arith.andi %x, %y : tensor<3x67xi64>
  %8 = arith.ori %x, %y : tensor<3x67xi64>
  %9 = arith.xori %x, %y : tensor<3x67xi64>
  %10 = arith.shli %x, %s : tensor<3x67xi64>
  %11 = arith.shrsi %x, %s : tensor<3x67xi64>
  %12 = arith.shrui %x, %s : tensor<3x67xi64>
  %13 = arith.maxsi %x, %y : tensor<3x67xi64>
  %14 = arith.maxui %x, %y : tensor<3x67xi64>
  %15 = arith.minsi %x, %y : tensor<3x67xi64>
  %16 = arith.minui %x, %y : tensor<3x67xi64>
  %17 = arith.ceildivsi %x, %d : tensor<3x67xi64>
  %18 = arith.floordivsi %x, %d : tensor<3x67xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18 : tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>
}
func.func @comparisons_i64(%x: tensor<3x67xi64> {check.data = "random:-4:4"}, %y: tensor<3x67xi64> {check.data = "random:-4:4"}) -> (tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>) {
  %0 = arith.cmpi eq, %x, %y : tensor<3x67xi64>
  %1 = arith.cmpi ne, %x, %y : tensor<3x67xi64>
  %2 = arith.cmpi slt, %x, %y : tensor<3x67xi64>
  %3 = arith.cmpi sle, %x, %y : tensor<3x67xi64>
  %4 = arith.cmpi sgt, %x, %y : tensor<3x67xi64>
  %5 = arith.cmpi sge, %x, %y : tensor<3x67xi64>
  %6 = arith.cmpi ult, %x, %y : tensor<3x67xi64>
  %7 = arith.cmpi ule, %x, %y : tensor<3x67xi64>
  %8 = arith.cmpi ugt, %x, %y : tensor<3x67xi64>
  %9 = arith.cmpi uge, %x, %y : tensor<3x67xi64>
  %sel = arith.select %2, %x, %y : tensor<3x67xi1>, tensor<3x67xi64>
  %lz = math.ctlz %x : tensor<3x67xi64>
  %tz = math.cttz %x : tensor<3x67xi64>
  %pop = math.ctpop %x : tensor<3x67xi64>
  %abs = math.absi %x : tensor<3x67xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %sel, %lz, %tz, %pop, %abs : tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>, tensor<3x67xi64>
}
func.func @booleans(%x: tensor<3x67xi1>, %y: tensor<3x67xi1>) -> (tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>) {
  %0 = arith.andi %x, %y : tensor<3x67xi1>
  %1 = arith.ori %x, %y : tensor<3x67xi1>
  %2 = arith.xori %x, %y : tensor<3x67xi1>
  %3 = arith.addi %x, %y : tensor<3x67xi1>
  %4 = arith.muli %x, %y : tensor<3x67xi1>
  %5 = arith.select %x, %y, %4 : tensor<3x67xi1>, tensor<3x67xi1>
  %6 = arith.cmpi eq, %x, %y : tensor<3x67xi1>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>, tensor<3x67xi1>
}
