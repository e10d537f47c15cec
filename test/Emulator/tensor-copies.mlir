// Bulk tensor copies: values of boxes with and without swizzle, partly outside the tensor, in one to five
// dimensions; plain bulk copies; stores in groups.
// RUN: tw-emulate %s --kernel=swizzled --shared=4096 --arg=bf16:1024:iota:ro --arg=bf16:512:zeros --print=1 | FileCheck %s --check-prefix=SWIZZLED

gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>

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
}
