// Tensor maps and other parameters of kernels that are no buffers print as they parse, as text and as bytecode.
// RUN: tw-opt %s | tw-opt | FileCheck %s
// RUN: tw-opt %s --emit-bytecode | tw-opt | FileCheck %s

gpu.module @load {
  // CHECK: llvm.func @load
  // CHECK-SAME: ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16, dims = [64, 128], strides = [128], box = [64, 64], swizzle = 128, l2 = 128>
  // CHECK-SAME: ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [100, 8, 4], strides = [416, 3328], box = [32, 8, 1], element_strides = [1, 2, 1], offset = 64, swizzle = 32, interleave = 32, oob = nan>
  // CHECK-SAME: ptx.true_length = "seq"
  // CHECK-SAME: ptx.archs = ["sm_90a", "sm_100a"]
  llvm.func @load(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
      %a: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
                     ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16, dims = [64, 128], strides = [128],
                                                      box = [64, 64], swizzle = 128, l2 = 128, oob = zero>},
      %b: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
                     ptx.tensor_map = #ptx.tensor_map<of = 1, element = f32, dims = [100, 8, 4],
                                                      strides = [416, 3328], box = [32, 8, 1], offset = 64,
                                                      element_strides = [1, 2, 1], swizzle = 32, interleave = 32,
                                                      oob = nan>},
      %n: i32 {ptx.true_length = "seq"}) attributes {
        nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>, ptx.archs = ["sm_90a", "sm_100a"]} {
    llvm.return
  }
}
