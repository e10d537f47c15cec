// What packaging refuses in kernels written by hand.
// REQUIRES: ptxas
// RUN: split-file %s %t
// RUN: not tw-compile %t/extent.mlir -o %t/x.tw --start-from=ptx 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not tw-compile %t/buffer.mlir -o %t/x.tw --start-from=ptx 2>&1 | FileCheck %s --check-prefix=BUFFER
// RUN: not tw-compile %t/count.mlir -o %t/x.tw --start-from=ptx 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not tw-compile %t/length.mlir -o %t/x.tw --start-from=ptx 2>&1 | FileCheck %s --check-prefix=LENGTH

// EXTENT: extent.mlir:2:{{.*}}: error: tensor map reaches 16512 bytes into buffer 0, which has 16384
//--- extent.mlir
gpu.module @k {
  llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
                       ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16, dims = [64, 129], strides = [128],
                                                        box = [64, 32]>}) attributes {
        nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<128x64xbf16> {plan.name = "x"}) -> (tensor<128x64xbf16> {plan.name = "y"}) {
  %0 = plan.launch @k(%x) : (tensor<128x64xbf16>) -> tensor<128x64xbf16>
  plan.return %0 : tensor<128x64xbf16>
}

// BUFFER: buffer.mlir:2:{{.*}}: error: tensor map over buffer 2, its launch gives 2
//--- buffer.mlir
gpu.module @k {
  llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
                       ptx.tensor_map = #ptx.tensor_map<of = 2, element = bf16, dims = [64], box = [64]>})
      attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<64xbf16> {plan.name = "x"}) -> (tensor<64xbf16> {plan.name = "y"}) {
  %0 = plan.launch @k(%x) : (tensor<64xbf16>) -> tensor<64xbf16>
  plan.return %0 : tensor<64xbf16>
}

// COUNT: count.mlir:2:{{.*}}: error: kernel has 3 parameters for buffers, its launch gives 2
//--- count.mlir
gpu.module @k {
  llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>)
      attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<64xbf16> {plan.name = "x"}) -> (tensor<64xbf16> {plan.name = "y"}) {
  %0 = plan.launch @k(%x) : (tensor<64xbf16>) -> tensor<64xbf16>
  plan.return %0 : tensor<64xbf16>
}

// LENGTH: length.mlir:2:{{.*}}: error: takes the true length of "seq", which is no dimension of the program's bucket
//--- length.mlir
gpu.module @k {
  llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %n: i32 {ptx.true_length = "seq"})
      attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 128>} {
    llvm.return
  }
}
plan.program @main(%x: tensor<64xbf16> {plan.name = "x"}) -> (tensor<64xbf16> {plan.name = "y"}) {
  %0 = plan.launch @k(%x) : (tensor<64xbf16>) -> tensor<64xbf16>
  plan.return %0 : tensor<64xbf16>
}
