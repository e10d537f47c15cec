// exp(A * B / 8) * V, divided by the row sums of the exponentials, as one kernel without layouts: the second product
// takes the first one's result from registers as its left operand.
!a = !tile.view<bf16, "{offset=0, dims=[{extent=192, modes=[[192,64]]}, {extent=64, modes=[[64,1]]}]}">
!b = !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,192]]}, {extent=192, modes=[[192,1]]}]}">
!o = !tile.view<f32, "{offset=0, dims=[{extent=192, modes=[[192,64]]}, {extent=64, modes=[[64,1]]}]}">

plan.program @main(%a: tensor<192x64xbf16> {plan.name = "a"}, %b: tensor<64x192xbf16> {plan.name = "b"},
                   %v: tensor<192x64xbf16> {plan.name = "v"}) -> (tensor<192x64xf32> {plan.name = "o"}) {
  %0 = plan.launch @chain(%a, %b, %v) {plan.cost = #plan.cost<anchor = "matmul", unit = "bf16", flops = 9437184, read = 73728, written = 49152>}
    : (tensor<192x64xbf16>, tensor<64x192xbf16>, tensor<192x64xbf16>) -> tensor<192x64xf32>
  plan.return %0 : tensor<192x64xf32>
}

tile.kernel @chain grid = [3, 1, 1] warps = 4 (%a: !a, %b: !b, %v: !a, %o: !o) attributes {
    tile.schedule = #tile.schedule<tile = [64, 64], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 2, product = wgmma, SCHEDULE>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c192 = arith.constant 192 : index
  %block = tile.block_id 0
  %row = arith.muli %block, %c64 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x1xf32>
  %scale = arith.constant dense<0.125> : tensor<64x64xf32>
  %lhs = tile.load %a[%row, %c0] divisors = [64, 0] in_bounds = [true, true] : !a -> tensor<64x64xbf16>
  %sums:2 = scf.for %j = %c0 to %c192 step %c64 iter_args(%acc = %none, %total = %zero) -> (tensor<64x64xf32>, tensor<64x1xf32>) {
    %first = tile.load %b[%c0, %j] divisors = [0, 64] in_bounds = [true, true] : !b -> tensor<64x64xbf16>
    %s = tile.dot %lhs, %first, %none tf32 = false : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
    %scaled = arith.mulf %s, %scale : tensor<64x64xf32>
    %p = math.exp %scaled : tensor<64x64xf32>
    %part = tile.reduce %p dim = 1 {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tile.yield %z : f32
    } : tensor<64x64xf32> to tensor<64x1xf32>
    %more = arith.addf %total, %part : tensor<64x1xf32>
    %narrow = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
    %second = tile.load %v[%j, %c0] divisors = [64, 0] in_bounds = [true, true] : !a -> tensor<64x64xbf16>
    %d = tile.dot %narrow, %second, %acc tf32 = false : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf32>
    scf.yield %d, %more : tensor<64x64xf32>, tensor<64x1xf32>
  }
  %wide = tile.broadcast %sums#1 : tensor<64x1xf32> to tensor<64x64xf32>
  %result = arith.divf %sums#0, %wide : tensor<64x64xf32>
  tile.store %result, %o[%row, %c0] divisors = [64, 0] in_bounds = [true, true] : tensor<64x64xf32>, !o
  tile.return
}
