// Values of shuffles, votes, matches and reductions as compiled from nvvm.
// RUN: tw-emulate %s --kernel=shuffles --arg=f32:64:zeros --print=0 | FileCheck %s --check-prefix=SHUFFLE
// RUN: tw-emulate %s --kernel=votes --arg=i32:7:zeros --print=0 | FileCheck %s --check-prefix=VOTE
// RUN: tw-emulate %s --kernel=sum --block=64 --grid=2 --arg=f32:128:iota --arg=f32:4:zeros --print=1 --seed=5 | FileCheck %s --check-prefix=SUM

gpu.module @kernels {
  // Lane i takes from lane i + 30, where that exists; then whether it does.
  // SHUFFLE: 30 31 2 3
  // SHUFFLE: 1 1 0 0
  llvm.func @shuffles(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %c30 = llvm.mlir.constant(30 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %x = llvm.sitofp %lane : i32 to f32
    %pair = nvvm.shfl.sync down %all, %x, %c30, %c31 {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    %v = llvm.extractvalue %pair[0] : !llvm.struct<(f32, i1)>
    %valid = llvm.extractvalue %pair[1] : !llvm.struct<(f32, i1)>
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %v, %p : f32, !llvm.ptr<1>
    %u = llvm.add %lane, %c32 : i32
    %q = llvm.getelementptr %out[%u] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %f = llvm.uitofp %valid : i1 to f32
    llvm.store %f, %q : f32, !llvm.ptr<1>
    llvm.return
  }
  // ballot(lane < 5), any, all, elected lane, lanes with the same lane / 4, sum of lanes, lanes below lane 3.
  // VOTE: 31 1 0 1 15 496 7
  llvm.func @votes(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %low = llvm.icmp "ult" %lane, %c5 : i32
    %ballot = nvvm.vote.sync ballot %all, %low -> i32
    %any = nvvm.vote.sync any %all, %low -> i1
    %every = nvvm.vote.sync all %all, %low -> i1
    %leader = nvvm.elect.sync -> i1
    %group = llvm.lshr %lane, %c2 : i32
    %same = nvvm.match.sync any %all, %group : i32 -> i32
    %sum = nvvm.redux.sync add %lane, %all : i32 -> i32
    %below = nvvm.read.ptx.sreg.lanemask.lt : i32
    %any32 = llvm.zext %any : i1 to i32
    %every32 = llvm.zext %every : i1 to i32
    %leader32 = llvm.zext %leader : i1 to i32
    %is3 = llvm.icmp "eq" %lane, %c3 : i32
    %is0 = llvm.icmp "eq" %lane, %zero : i32
    %p0 = llvm.getelementptr %out[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p1 = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p2 = llvm.getelementptr %out[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p3 = llvm.getelementptr %out[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p4 = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p5 = llvm.getelementptr %out[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %p6 = llvm.getelementptr %out[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    ptx.store %ballot, %p0, %is0 : i32, !llvm.ptr<1>
    ptx.store %any32, %p1, %is0 : i32, !llvm.ptr<1>
    ptx.store %every32, %p2, %is0 : i32, !llvm.ptr<1>
    ptx.store %leader32, %p3, %is0 : i32, !llvm.ptr<1>
    ptx.store %same, %p4, %is3 : i32, !llvm.ptr<1>
    ptx.store %sum, %p5, %is3 : i32, !llvm.ptr<1>
    ptx.store %below, %p6, %is3 : i32, !llvm.ptr<1>
    llvm.return
  }
  // A butterfly sum of each warp.
  // SUM: 496 1520 2544 3568
  llvm.func @sum(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %all = llvm.mlir.constant(-1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %start = llvm.mul %b, %n : i32
    %i = llvm.add %start, %t : i32
    %p = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %s16 = nvvm.shfl.sync bfly %all, %x, %c16, %c31 : f32 -> f32
    %x16 = llvm.fadd %x, %s16 : f32
    %s8 = nvvm.shfl.sync bfly %all, %x16, %c8, %c31 : f32 -> f32
    %x8 = llvm.fadd %x16, %s8 : f32
    %s4 = nvvm.shfl.sync bfly %all, %x8, %c4, %c31 : f32 -> f32
    %x4 = llvm.fadd %x8, %s4 : f32
    %s2 = nvvm.shfl.sync bfly %all, %x4, %c2, %c31 : f32 -> f32
    %x2 = llvm.fadd %x4, %s2 : f32
    %s1 = nvvm.shfl.sync bfly %all, %x2, %c1, %c31 : f32 -> f32
    %x1 = llvm.fadd %x2, %s1 : f32
    %w = llvm.lshr %i, %c5 : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %first = llvm.icmp "eq" %lane, %zero : i32
    %o = llvm.getelementptr %out[%w] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    ptx.store %x1, %o, %first : f32, !llvm.ptr<1>
    llvm.return
  }
}
