// What the emulator does not model is an error when the program is loaded, at the operation.
// RUN: split-file %s %t
// RUN: not tw-emulate %t/asm.mlir 2>&1 | FileCheck %s --check-prefix=ASM
// RUN: not tw-emulate %t/register.mlir 2>&1 | FileCheck %s --check-prefix=REGISTER
// RUN: not tw-emulate %t/budget.mlir 2>&1 | FileCheck %s --check-prefix=BUDGET
// RUN: not tw-emulate %t/shape.mlir 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not tw-emulate %t/call.mlir 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not tw-emulate %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE

//--- asm.mlir
// ASM: program:4:5: the emulator does not model 'llvm.inline_asm'
gpu.module @kernels {
  llvm.func @asm() attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "nop;", "" : () -> ()
    llvm.return
  }
}
//--- register.mlir
// REGISTER: "which SM": the emulator does not model 'nvvm.read.ptx.sreg.smid'
gpu.module @kernels {
  llvm.func @which() attributes {nvvm.kernel} {
    %sm = nvvm.read.ptx.sreg.smid : i32 loc("which SM")
    llvm.return
  }
}
//--- budget.mlir
// ptxas ignores setmaxnreg where it does not know the registers at entry.
// BUDGET: "more": 'nvvm.setmaxregister' has no effect in a kernel without nvvm.maxnreg, or nvvm.maxntid and nvvm.minctasm
gpu.module @kernels {
  llvm.func @budget() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>} {
    nvvm.setmaxregister increase 232 loc("more")
    llvm.return
  }
}
//--- shape.mlir
// SHAPE: the emulator does not model 'nvvm.ldmatrix' with a shape other than 8x8 of 16 bits
gpu.module @kernels {
  llvm.mlir.global external @smem() {addr_space = 3 : i32} : !llvm.array<0 x i8>
  llvm.func @shape() attributes {nvvm.kernel} {
    %s = llvm.mlir.addressof @smem : !llvm.ptr<3>
    %r = nvvm.ldmatrix %s {num = 1 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    llvm.return
  }
}
//--- call.mlir
// CALL: the emulator does not model calls of external function '__nv_expf'
gpu.module @kernels {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @call(%x: f32) attributes {nvvm.kernel} {
    %y = llvm.call @__nv_expf(%x) : (f32) -> f32
    llvm.return
  }
}
//--- none.mlir
// NONE: the program holds no kernel
gpu.module @kernels {
  llvm.func @function() {
    llvm.return
  }
}
