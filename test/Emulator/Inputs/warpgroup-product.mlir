// C = A * B of 64 rows and 64 columns by one warpgroup, in two steps of one span (128 bytes) along K, out of a ring of one
// slot. The words in capitals stand for the element type, that of the sums, K and a step of it, the bits of the swizzle.
!a = !tile.view<TYPE, "{offset=0, dims=[{extent=64, modes=[[64,K]]}, {extent=K, modes=[[K,1]]}]}">
!b = !tile.view<TYPE, "{offset=0, dims=[{extent=K, modes=[[K,1]]}, {extent=64, modes=[[64,K]]}]}">
!c = !tile.view<ACC, "{offset=0, dims=[{extent=64, modes=[[64,64]]}, {extent=64, modes=[[64,1]]}]}">
!sa = !tile.shared<1, TYPE, "{shape=[64,STEP], order=[1,0], inner=[STEP,1], xor=[[FROM,7,TO]]}">
!sb = !tile.shared<1, TYPE, "{shape=[STEP,64], order=[0,1], inner=[1,STEP], xor=[[FROM,7,TO]]}">
!sum = tensor<64x64xACC, #tile.layout<"{shape=[64,64], register=[[0,1],[8,0],[0,8],[0,16],[0,32]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[[16,0],[32,0]]}">>

tile.kernel @product grid = [1, 1, 1] warps = 4 (%a: !a, %b: !b, %c: !c) {
  %sa = tile.alloc : !sa
  %sb = tile.alloc : !sb
  %ring = tile.ring %sa, %sb : !sa, !sb -> !tile.ring<1>
  tile.barrier
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %span = arith.constant STEP : index
  %none = tile.begin_dot !tile.pending<!sum>
  %last = scf.for %slot = %c0 to %c2 step %c1 iter_args(%acc = %none) -> (!tile.pending<!sum>) {
    %k = arith.muli %slot, %span : index
    tile.acquire %ring[%slot] : !tile.ring<1>
    tile.copy_bulk %a[%c0, %k], %sa[%c0] signals %ring[%slot] divisors = [0, STEP] in_bounds = [true, true] : !a, !sa, !tile.ring<1>
    tile.copy_bulk %b[%k, %c0], %sb[%c0] signals %ring[%slot] divisors = [STEP, 0] in_bounds = [true, true] : !b, !sb, !tile.ring<1>
    tile.commit %ring[%slot] : !tile.ring<1>
    tile.wait %ring[%slot] : !tile.ring<1>
    %later = arith.cmpi ne, %slot, %c0 : index
    %next = tile.dot_async %sa[%c0], %sb[%c0], %acc if %later tf32 = TF32 : !sa, !sb to !tile.pending<!sum>
    tile.await_dots 0
    tile.release %ring[%slot] : !tile.ring<1>
    scf.yield %next : !tile.pending<!sum>
  }
  %sum = tile.await %last : !tile.pending<!sum> to !sum
  tile.store %sum, %c[%c0, %c0] divisors = [0, 0] in_bounds = [true, true] : !sum, !c
  tile.return
}
