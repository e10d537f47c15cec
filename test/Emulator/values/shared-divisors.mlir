// Rows divided by one value: NaN, infinities, zeros, subnormal and huge divisors and numbers; quotients halfway between two
// integers, which round to even as those of a division do; and quotients that only lie close to there.
// RUN: tw-check %s --quiet

func.func @special(%x: tensor<67x4096xf32> {check.data = "special"}, %d: tensor<67xf32> {check.data = "special"}) -> tensor<67x4096xf32> attributes {check.rtol = 4.0e-7, check.atol = 3.0e-45} {
  %w = graph.broadcast %d dims = [0] : tensor<67xf32> to tensor<67x4096xf32>
  %q = arith.divf %x, %w : tensor<67x4096xf32>
  return %q : tensor<67x4096xf32>
}
// Divisors 1.37 * 2^(4.5 i - 150), of both signs.
func.func @all_magnitudes(%x: tensor<64x4096xf32> {check.data = "random:-1:1"}, %i: tensor<64xf32> {check.data = "iota"}) -> tensor<64x4096xf32> attributes {check.rtol = 2.0e-6, check.atol = 3.0e-45} {
  %rate = arith.constant dense<4.5> : tensor<64xf32>
  %least = arith.constant dense<-150.0> : tensor<64xf32>
  %mantissa = arith.constant dense<-1.37> : tensor<64xf32>
  %steps = arith.mulf %i, %rate : tensor<64xf32>
  %exponents = arith.addf %steps, %least : tensor<64xf32>
  %powers = math.exp2 %exponents : tensor<64xf32>
  %d = arith.mulf %powers, %mantissa : tensor<64xf32>
  %w = graph.broadcast %d dims = [0] : tensor<64xf32> to tensor<64x4096xf32>
  %q = arith.divf %x, %w : tensor<64x4096xf32>
  return %q : tensor<64x4096xf32>
}
func.func @special_rounded(%x: tensor<67x4096xf32> {check.data = "special"}, %d: tensor<67xf32> {check.data = "special"}) -> tensor<67x4096xf32> attributes {check.rtol = 4.0e-7, check.atol = 0.0} {
  %w = graph.broadcast %d dims = [0] : tensor<67xf32> to tensor<67x4096xf32>
  %q = arith.divf %x, %w : tensor<67x4096xf32>
  %r = math.roundeven %q : tensor<67x4096xf32>
  return %r : tensor<67x4096xf32>
}
// Halves of each row's divisor, exact in f32: every quotient is n + 0.5 or n.
func.func @halfway(%c: tensor<4096xf32> {check.data = "iota"}, %i: tensor<64xf32> {check.data = "iota"}) -> (tensor<64x4096xf32>, tensor<64x4096xi16>, tensor<64x4096xf32>) attributes {check.rtol = 0.0, check.atol = 0.0} {
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %half = arith.constant dense<0.5> : tensor<64x4096xf32>
  %n = graph.broadcast %c dims = [1] : tensor<4096xf32> to tensor<64x4096xf32>
  %many = arith.constant dense<2048.0> : tensor<64x4096xf32>
  %step = arith.constant dense<0.078125> : tensor<64xf32>
  %odd = arith.addf %i, %one : tensor<64xf32>
  %d = arith.mulf %odd, %step : tensor<64xf32>
  %w = graph.broadcast %d dims = [0] : tensor<64xf32> to tensor<64x4096xf32>
  %centered = arith.subf %n, %many : tensor<64x4096xf32>
  %halves = arith.mulf %centered, %half : tensor<64x4096xf32>
  %x = arith.mulf %halves, %w : tensor<64x4096xf32>
  %q = arith.divf %x, %w : tensor<64x4096xf32>
  %r = math.roundeven %q : tensor<64x4096xf32>
  %k = arith.fptosi %r : tensor<64x4096xf32> to tensor<64x4096xi16>
  %f = math.floor %q : tensor<64x4096xf32>
  return %r, %k, %f : tensor<64x4096xf32>, tensor<64x4096xi16>, tensor<64x4096xf32>
}
// Any numbers and divisors, and a constant one: the same integers as of divisions.
func.func @quantized(%x: tensor<64x4096xf32> {check.data = "random:-100:100"}, %d: tensor<64xf32> {check.data = "random:0.3:3"}) -> (tensor<64x4096xi16>, tensor<64x4096xi16>) attributes {check.rtol = 0.0, check.atol = 0.0} {
  %w = graph.broadcast %d dims = [0] : tensor<64xf32> to tensor<64x4096xf32>
  %q = arith.divf %x, %w : tensor<64x4096xf32>
  %r = math.roundeven %q : tensor<64x4096xf32>
  %a = arith.fptosi %r : tensor<64x4096xf32> to tensor<64x4096xi16>
  %tenth = arith.constant dense<0.1> : tensor<64x4096xf32>
  %p = arith.divf %x, %tenth : tensor<64x4096xf32>
  %s = math.roundeven %p : tensor<64x4096xf32>
  %b = arith.fptosi %s : tensor<64x4096xf32> to tensor<64x4096xi16>
  return %a, %b : tensor<64x4096xi16>, tensor<64x4096xi16>
}
// The sum of the row itself.
func.func @sums(%x: tensor<64x4096xf32> {check.data = "random:0:1"}) -> tensor<64x4096xf32> attributes {check.rtol = 1.0e-6, check.atol = 0.0} {
  %t = graph.reduce sum %x dims = [1] : tensor<64x4096xf32> to tensor<64xf32>
  %w = graph.broadcast %t dims = [0] : tensor<64xf32> to tensor<64x4096xf32>
  %q = arith.divf %x, %w : tensor<64x4096xf32>
  return %q : tensor<64x4096xf32>
}

// Scales of rows as quantization has them: at least 1e-12, and finite ones at most the largest number over 127; numbers of such
// rows up to the largest there is, infinite ones and none among them.
func.func @scales(%x: tensor<67x1024xf32> {check.data = "special"}) -> (tensor<67x1024xf32>, tensor<67xf32>) attributes {check.rtol = 4.0e-7, check.atol = 0.0} {
  %m = math.absf %x : tensor<67x1024xf32>
  %most = graph.reduce max %m dims = [1] : tensor<67x1024xf32> to tensor<67xf32>
  %per = arith.constant dense<0.007874015748031496> : tensor<67xf32>
  %tiny = arith.constant dense<1.0e-12> : tensor<67xf32>
  %raw = arith.mulf %most, %per : tensor<67xf32>
  %s = arith.maximumf %raw, %tiny : tensor<67xf32>
  %w = graph.broadcast %s dims = [0] : tensor<67xf32> to tensor<67x1024xf32>
  %q = arith.divf %x, %w : tensor<67x1024xf32>
  %r = math.roundeven %q : tensor<67x1024xf32>
  return %r, %s : tensor<67x1024xf32>, tensor<67xf32>
}
