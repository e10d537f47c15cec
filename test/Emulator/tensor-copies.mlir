// Bulk copies: values of boxes with and without swizzle, partly outside the tensor, in one to five dimensions; plain
// copies; stores, which clip, and reductions. All but the order of work is the same with early completion.
// RUN: tw-emulate %s --kernel=swizzled --shared=4096 --arg=bf16:1024:iota:ro --arg=bf16:512:zeros --print=1 | FileCheck %s --check-prefix=SWIZZLED
// RUN: tw-emulate %s --kernel=line --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 | FileCheck %s --check-prefix=LINE
// RUN: tw-emulate %s --kernel=corner --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 --early | FileCheck %s --check-prefix=CORNER
// RUN: tw-emulate %s --kernel=nans --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 | FileCheck %s --check-prefix=NANS
// RUN: tw-emulate %s --kernel=volume --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 | FileCheck %s --check-prefix=VOLUME
// RUN: tw-emulate %s --kernel=five --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 --early | FileCheck %s --check-prefix=FIVE
// RUN: tw-emulate %s --kernel=every_other --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 | FileCheck %s --check-prefix=EVERY-OTHER
// RUN: tw-emulate %s --kernel=turned_32 --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 | FileCheck %s --check-prefix=TURNED-32
// RUN: tw-emulate %s --kernel=turned_64 --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 --early | FileCheck %s --check-prefix=TURNED-64
// RUN: tw-emulate %s --kernel=plain --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 | FileCheck %s --check-prefix=PLAIN
// RUN: tw-emulate %s --kernel=clipped --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 | FileCheck %s --check-prefix=CLIPPED
// RUN: tw-emulate %s --kernel=added --shared=8192 --arg=f32:1024:iota:ro --arg=f32:128:-1 --print=1 --early | FileCheck %s --check-prefix=ADDED

gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

  // Byte `offset` of shared memory; whether this is thread 0.
  llvm.func @at(%offset: i32) -> !llvm.ptr<3> {
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %p = llvm.getelementptr %s[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    llvm.return %p : !llvm.ptr<3>
  }
  llvm.func @is(%thread: i32) -> i1 {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %is = llvm.icmp "eq" %t, %thread : i32
    llvm.return %is : i1
  }

  // A box of 8 rows of 64 in a matrix of 16 x 64; thread t writes chunk t of shared memory out as it lies there:
  // chunk c of row r is at c ^ r.
  // SWIZZLED: 128 129 130 131 132 133 134 135 136 137
  llvm.func @swizzled(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16, dims = [64, 16], strides = [128], box = [64, 8], swizzle = 128>}) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %ticks = llvm.mlir.constant(10000000 : i32) : i32
    %bytes = llvm.mlir.constant(1024 : i32) : i32
    %full = llvm.mlir.constant(2048 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %bar = llvm.getelementptr %s[%full] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^init, ^ready
  ^init:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32 loc("full")
    nvvm.fence.mbarrier.init
    llvm.br ^ready
  ^ready:
    nvvm.barrier0
    llvm.cond_br %first, ^load, ^wait
  ^load:
    nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %map, %bar, box[%zero, %two] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr loc("load")
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<8xbf16>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<8xbf16>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<8xbf16>
    llvm.store %v, %o : vector<8xbf16>, !llvm.ptr<1>
    llvm.return
  }

  // One dimension: what lies past its end is zero.
  // LINE: 245 246 247 248 249 0 0 0 0 0 0 0 -1
  llvm.func @line(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [250], box = [12]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c48 = llvm.mlir.constant(48 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %at0 = llvm.mlir.constant(245 : i32) : i32
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c48 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%at0] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "ult" %t, %c3 : i32
    llvm.cond_br %inside, ^out, ^end
  ^out:
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Before the beginning of both dimensions.
  // CORNER: 0 0 0 0 0 0 0 1 0 0 16 17 0 0 32 33
  // CORNER-NEXT: -1
  llvm.func @corner(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [16, 10], strides = [64], box = [4, 4]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %at0 = llvm.mlir.constant(-2 : i32) : i32
    %at1 = llvm.mlir.constant(-1 : i32) : i32
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c64 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%at0, %at1] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "ult" %t, %c4 : i32
    llvm.cond_br %inside, ^out, ^end
  ^out:
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // The same with NaNs, past the end.
  // NANS: 158 159{{( -?nan)+}} -1
  llvm.func @nans(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [16, 10], strides = [64], box = [4, 2], oob = nan>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %at0 = llvm.mlir.constant(14 : i32) : i32
    %at1 = llvm.mlir.constant(9 : i32) : i32
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c32 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%at0, %at1] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "ult" %t, %c2 : i32
    llvm.cond_br %inside, ^out, ^end
  ^out:
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Three dimensions.
  // VOLUME: 44 45 46 47 0 0 0 0 56 57 58 59 0 0 0 0
  llvm.func @volume(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [4, 3, 5], strides = [16, 48], box = [4, 2, 2]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %at0 = llvm.mlir.constant(0 : i32) : i32
    %at1 = llvm.mlir.constant(2 : i32) : i32
    %at2 = llvm.mlir.constant(3 : i32) : i32
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c64 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%at0, %at1, %at2] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "ult" %t, %c4 : i32
    llvm.cond_br %inside, ^out, ^end
  ^out:
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Five dimensions.
  // FIVE: 20 21 22 23 28 29 30 31 52 53 54 55 60 61 62 63
  llvm.func @five(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [4, 2, 2, 2, 2], strides = [16, 32, 64, 128], box = [4, 1, 2, 1, 2]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %at0 = llvm.mlir.constant(0 : i32) : i32
    %at1 = llvm.mlir.constant(1 : i32) : i32
    %at2 = llvm.mlir.constant(0 : i32) : i32
    %at3 = llvm.mlir.constant(1 : i32) : i32
    %at4 = llvm.mlir.constant(0 : i32) : i32
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c64 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%at0, %at1, %at2, %at3, %at4] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "ult" %t, %c4 : i32
    llvm.cond_br %inside, ^out, ^end
  ^out:
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Every other row.
  // EVERY-OTHER: 12 13 14 15 20 21 22 23 28 29 30 31 -1
  llvm.func @every_other(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [4, 20], strides = [16], box = [4, 6], element_strides = [1, 2]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c48 = llvm.mlir.constant(48 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %at0 = llvm.mlir.constant(0 : i32) : i32
    %at1 = llvm.mlir.constant(3 : i32) : i32
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c48 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%at0, %at1] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "ult" %t, %c3 : i32
    llvm.cond_br %inside, ^out, ^end
  ^out:
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Rows of 32 bytes: the halves change places from the fifth on.
  // TURNED-32: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
  // TURNED-32-NEXT: 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  // TURNED-32-NEXT: 36 37 38 39 32 33 34 35 44 45 46 47 40 41 42 43
  llvm.func @turned_32(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [8, 20], strides = [32], box = [8, 8], swizzle = 32>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %at0 = llvm.mlir.constant(0 : i32) : i32
    %at1 = llvm.mlir.constant(0 : i32) : i32
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c256 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%at0, %at1] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "ult" %t, %c16 : i32
    llvm.cond_br %inside, ^out, ^end
  ^out:
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Rows of 64 bytes.
  // TURNED-64: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
  // TURNED-64-NEXT: 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  // TURNED-64-NEXT: 36 37 38 39 32 33 34 35 44 45 46 47 40 41 42 43
  llvm.func @turned_64(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [16, 20], strides = [64], box = [16, 4], swizzle = 64>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.prefetch tensormap, %map : !llvm.ptr
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^after1
  ^after1:
    nvvm.barrier0
    %at0 = llvm.mlir.constant(0 : i32) : i32
    %at1 = llvm.mlir.constant(0 : i32) : i32
    %is2 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is2, ^do2, ^after2
  ^do2:
    nvvm.mbarrier.arrive.expect_tx %bar, %c256 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %buf, %map, %bar, box[%at0, %at1] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^after2
  ^after2:
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "ult" %t, %c16 : i32
    llvm.cond_br %inside, ^out, ^end
  ^out:
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
    %o = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xf32>
    llvm.store %v, %o : vector<4xf32>, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // A plain copy there and, of every other word, back.
  // PLAIN: 32 -1 34 -1 36 -1 38 -1 40 -1 42 -1 44 -1 46 -1
  llvm.func @plain(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c1000 = llvm.mlir.constant(1000 : i32) : i32
    %c4096 = llvm.mlir.constant(4096 : i32) : i32
    %bar = llvm.call @at(%c4096) : (i32) -> !llvm.ptr<3>
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %from = llvm.getelementptr %x[%c32] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    nvvm.mbarrier.arrive.expect_tx %bar, %c64 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.shared.cluster.global %buf, %from, %bar, %c64 : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.mbarrier.try_wait.parity %bar, %c0, %c1000 : !llvm.ptr<3>, i32, i32
    %mask = llvm.mlir.constant(3855 : i16) : i16
    nvvm.cp.async.bulk.global.shared.cta %y, %buf, %c64 byte_mask = %mask : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // A store writes what lies in the tensor.
  // CLIPPED: -1 -1 -1 -1 8 9 -1 -1 -1 -1 -1 -1 12 13 -1 -1
  // CLIPPED-NEXT: -1 -1 -1 -1 -1 -1
  llvm.func @clipped(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [6, 4], strides = [32], box = [4, 4]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %f = llvm.sitofp %t : i32 to f32
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %f, %p : f32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %at0 = llvm.mlir.constant(4 : i32) : i32
    %at1 = llvm.mlir.constant(-2 : i32) : i32
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.global.shared.cta %map, %buf, box[%at0, %at1] : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^after1
  ^after1:
    llvm.return
  }

  // A reduction adds.
  // ADDED: -1 -1 -1 -1 -1 -1 -1 -1 -1 0 1 2 3 4 5 6
  // ADDED-NEXT: 7 8 9 10
  llvm.func @added(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
      ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [8, 4], strides = [32], box = [8, 4]>}) attributes {nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %buf = llvm.call @at(%c0) : (i32) -> !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %f = llvm.sitofp %t : i32 to f32
    %p = llvm.getelementptr %buf[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %f, %p : f32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %at0 = llvm.mlir.constant(0 : i32) : i32
    %at1 = llvm.mlir.constant(1 : i32) : i32
    %is1 = llvm.call @is(%c0) : (i32) -> i1
    llvm.cond_br %is1, ^do1, ^after1
  ^do1:
    nvvm.cp.async.bulk.tensor.reduce %map, %buf, box[%at0, %at1] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^after1
  ^after1:
    llvm.return
  }
}
