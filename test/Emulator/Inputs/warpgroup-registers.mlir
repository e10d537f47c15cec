// C = A * B + 1 by one warpgroup: A from registers, B with N contiguous, sums that start from values.
!a = !tile.view<bf16, "{offset=0, dims=[{extent=128, modes=[[128,64]]}, {extent=64, modes=[[64,1]]}]}">
!b = !tile.view<bf16, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
!c = !tile.view<f32, "{offset=0, dims=[{extent=128, modes=[[128,64]]}, {extent=64, modes=[[64,1]]}]}">
!sb = !tile.shared<1, bf16, "{shape=[64,64], order=[1,0], inner=[64,1], xor=[[6,7,3]]}">
!left = tensor<128x64xbf16, #tile.layout<"{shape=[128,64], register=[[0,1],[8,0],[0,8],[0,16],[0,32],[64,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>
!sum = tensor<128x64xf32, #tile.layout<"{shape=[128,64], register=[[0,1],[8,0],[0,8],[0,16],[0,32],[64,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>

tile.kernel @product grid = [1, 1, 1] warps = 4 (%a: !a, %b: !b, %c: !c) {
  %sb = tile.alloc : !sb
  %ring = tile.ring %sb : !sb -> !tile.ring<1>
  tile.barrier
  %c0 = arith.constant 0 : index
  %yes = arith.constant true
  %left = tile.load %a[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !a -> !left
  %ones = arith.constant dense<1.0> : !sum
  %begin = tile.begin_dot %ones : !sum to !tile.pending<!sum>
  tile.acquire %ring[%c0] : !tile.ring<1>
  tile.copy_bulk %b[%c0, %c0], %sb[%c0] signals %ring[%c0] divisors = [0, 0] in_bounds = [true, true] : !b, !sb, !tile.ring<1>
  tile.commit %ring[%c0] : !tile.ring<1>
  tile.wait %ring[%c0] : !tile.ring<1>
  %p = tile.dot_async %left, %sb[%c0], %begin if %yes tf32 = false : !left, !sb to !tile.pending<!sum>
  %sum = tile.await %p : !tile.pending<!sum> to !sum
  tile.store %sum, %c[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !sum, !c
  tile.return
}
