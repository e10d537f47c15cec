// Kernels written by hand that copy by tensor maps, in clusters, the second one launched before the end of the first:
// through package and runtime, where the maps are encoded over inputs, outputs and the arena.
// REQUIRES: emulator, ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/m.tw --start-from=ptx --target=sm_90a --dump-stages=%t/dumps
// RUN: FileCheck %s --input-file=%t/dumps/07-package.json --check-prefix=PACKAGE
// PACKAGE: "tensor map over input 0"
// PACKAGE: "tensor map over output 0"
// PACKAGE: "tensor map over arena+0"
// PACKAGE: "programmatic": [
// RUN: tw-run %t/m.tw --device=emulator --input x=random:3 --output %t/out --profile | FileCheck %s
// CHECK: output y
// The input, negated three times and once.
// RUN: tw-compile %S/Inputs/negate.mlir -o %t/plain.tw
// RUN: tw-run %t/plain.tw --device=emulator --input x=random:3 --expect y=%t/out/y.npy --expect n=%t/out/n.npy --rtol=0 --atol=0

gpu.module @negate {
  llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
  llvm.func @negate(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %from: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
                        ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16, dims = [64, 128], strides = [128],
                                                         box = [64, 32], swizzle = 128, l2 = 128>},
      %to: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
                      ptx.tensor_map = #ptx.tensor_map<of = 1, element = bf16, dims = [64, 128], strides = [128],
                                                       box = [64, 32], swizzle = 128>}) attributes {
        nvvm.kernel, ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 256, shared = 4112, cluster = [2, 1, 1]>} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %rows = llvm.mlir.constant(32 : i32) : i32
    %bytes = llvm.mlir.constant(4096 : i32) : i32
    %ticks = llvm.mlir.constant(10000000 : i32) : i32
    %signs = llvm.mlir.constant(dense<-2147450880> : vector<4xi32>) : vector<4xi32>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %row = llvm.mul %block, %rows : i32
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %bar = llvm.getelementptr %s[%bytes] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    %first = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %first, ^init, ^ready
  ^init:
    nvvm.prefetch tensormap, %from : !llvm.ptr
    nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
    nvvm.fence.mbarrier.init
    llvm.br ^ready
  ^ready:
    nvvm.barrier0
    nvvm.griddepcontrol wait
    nvvm.griddepcontrol launch_dependents
    llvm.cond_br %first, ^load, ^wait
  ^load:
    nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %s, %from, %bar, box[%zero, %row] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %bar, %zero, %ticks : !llvm.ptr<3>, i32, i32
    // The sign does not care where the swizzle has put its number.
    %p = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    %v = llvm.load %p : !llvm.ptr<3> -> vector<4xi32>
    %n = llvm.xor %v, %signs : vector<4xi32>
    llvm.store %n, %p : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    llvm.cond_br %first, ^store, ^end
  ^store:
    nvvm.cp.async.bulk.tensor.global.shared.cta %to, %s, box[%zero, %row] : !llvm.ptr, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    llvm.br ^end
  ^end:
    llvm.return
  }
}
plan.program @main(%x: tensor<128x64xbf16> {plan.name = "x"})
    -> (tensor<128x64xbf16> {plan.name = "n"}, tensor<128x64xbf16> {plan.name = "y"}) {
  %0 = plan.launch @negate(%x) : (tensor<128x64xbf16>) -> tensor<128x64xbf16>
  %1 = plan.launch @negate(%0) : (tensor<128x64xbf16>) -> tensor<128x64xbf16>
  %2 = plan.launch @negate(%1) : (tensor<128x64xbf16>) -> tensor<128x64xbf16>
  plan.return %0, %2 : tensor<128x64xbf16>, tensor<128x64xbf16>
}
