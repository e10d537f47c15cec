#l = #tile.layout<"{shape=[32], register=[], lane=[[1],[2],[4],[8],[16]], warp=[]}">
tile.kernel @quotients grid = [1, 1, 1] warps = 1 (%x: !tile.view<i32, "{offset=0, dims=[{extent=32, modes=[[32,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %three = arith.constant dense<3> : tensor<32xi32, #l>
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : <i32, "{offset=0, dims=[{extent=32, modes=[[32,1]]}]}"> -> tensor<32xi32, #l>
  %1 = arith.divsi %three, %0 : tensor<32xi32, #l>
  %2 = arith.divsi %1, %three : tensor<32xi32, #l>
  tile.store %2, %x[%c0] divisors = [0] in_bounds = [true] : tensor<32xi32, #l>, <i32, "{offset=0, dims=[{extent=32, modes=[[32,1]]}]}">
  tile.return
}
