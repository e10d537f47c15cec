// Results that are stored as runs of memory had no place for cache hints: their kernels did not compile with --cache-hints=on.
// RUN: tw-compile %s --start-from=schedule --emit=schedule --cache-hints=on -o - | FileCheck %s
// CHECK: tile.send_run {{.*}}tile.cache = #tile.cache<l2 = evict_first>
module {
  plan.program @main(%arg0: tensor<33419881xbf16> {plan.name = "input0"}) -> (tensor<33419886xbf16> {plan.name = "output0"}) attributes {plan.traffic = array<i64: 66839762, 66839772, 0, 133679534>} {
    %0 = plan.launch @iota_truncf(%arg0) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 133679544, read = 66839762, written = 66839772>, plan.traffic = array<i64: 66839762, 47005696>} : (tensor<33419881xbf16>) -> tensor<33419886xbf16>
    plan.return %0 : tensor<33419886xbf16>
  }
  tile.kernel @iota_truncf grid = [16319, 1, 1] warps = 4 (%arg0: !tile.view<bf16, "{offset=0, dims=[{extent=33419881, modes=[[33419881,1]]}]}"> {tile.passing, tile.steady}, %arg1: !tile.view<bf16, "{offset=0, dims=[{extent=33419886, modes=[[33419886,1]]}]}"> {tile.passing}) attributes {tile.chosen = {by = "rule"}, tile.schedule = #tile.schedule<tile = [2048], reduce = 1, warps = 4, warp_grid = [1, 4], stages = 1>} {
    %cst = arith.constant dense<0.000000e+00> : tensor<2048xf32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %cst_0 = arith.constant dense<33419881> : tensor<2048xi32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %cst_1 = arith.constant dense<3> : tensor<2048xi32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %c2048 = arith.constant 2048 : index
    %0 = tile.view %arg0 : <bf16, "{offset=0, dims=[{extent=33419881, modes=[[33419881,1]]}]}"> to <bf16, "{offset=0, dims=[{extent=33419886, start=-3, modes=[[33419881,1]]}]}">
    %1 = tile.block_id 0
    %2 = arith.muli %1, %c2048 : index
    %3 = tile.iota dim = 0 from %2 : tensor<2048xi32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %4 = arith.subi %3, %cst_1 : tensor<2048xi32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %5 = arith.cmpi ult, %4, %cst_0 : tensor<2048xi32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %6 = tile.load %0[%2] divisors = [2048] in_bounds = [false] fill = 0.000000e+00 : bf16 : <bf16, "{offset=0, dims=[{extent=33419886, start=-3, modes=[[33419881,1]]}]}"> -> tensor<2048xbf16, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %7 = arith.extf %6 : tensor<2048xbf16, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">> to tensor<2048xf32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %8 = math.absf %7 : tensor<2048xf32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %9 = arith.select %5, %8, %cst : tensor<2048xi1, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>, tensor<2048xf32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    %10 = arith.truncf %9 : tensor<2048xf32, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">> to tensor<2048xbf16, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>
    tile.store %10, %arg1[%2] divisors = [2048] in_bounds = [false] : tensor<2048xbf16, #tile.layout<"{shape=[2048], register=[[128],[256],[512],[1024]], lane=[[1],[2],[4],[8],[16]], warp=[[32],[64]]}">>, <bf16, "{offset=0, dims=[{extent=33419886, modes=[[33419886,1]]}]}">
    tile.return
  }
}
