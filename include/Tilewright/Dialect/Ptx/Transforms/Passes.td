// The passes on the ptx dialect.
#ifndef TILEWRIGHT_DIALECT_PTX_TRANSFORMS_PASSES_TD
#define TILEWRIGHT_DIALECT_PTX_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertPtxToLLVM : Pass<"convert-ptx-to-llvm"> {
  let summary = "Turn every ptx instruction into llvm.inline_asm";
  let description = [{
    The last step before LLVM IR: each op with the `PtxInstruction` interface becomes inline assembly with the
    text and constraints that it states. Vectors are unpacked into registers and packed again. It runs in the
    `ptx` stage only, since inline assembly cannot be emulated. It does not change numbers.

    ```mlir
    llvm.func @power_of_two(%x: f32) -> f32 {
      %y = ptx.ex2 %x ftz : f32
      llvm.return %y : f32
    }
    ```
    ==>
    ```mlir
    llvm.func @power_of_two(%x: f32) -> f32 {
      %y = llvm.inline_asm "ex2.approx.ftz.f32 $0, $1;", "=f,f" %x : (f32) -> f32
      llvm.return %y : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // TILEWRIGHT_DIALECT_PTX_TRANSFORMS_PASSES_TD
