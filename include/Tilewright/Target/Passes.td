// Passes of the target stage that concern single operations: math expansion, and the stage's contract.
#ifndef TILEWRIGHT_TARGET_PASSES_TD
#define TILEWRIGHT_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def TargetExpandMath : Pass<"target-expand-math"> {
  let summary = "Expand math functions into arithmetic with stated error bounds";
  let description = [{
    Every transcendental function of `math` on f32, f64 or vectors of them becomes additions, products, fused
    multiply-adds, divisions and bit operations, each of which every machine rounds alike: the emulator and the
    GPU compute the same bits. The bounds are in docs/Math.md. 16-bit floats are computed in f32 and rounded
    once. `1 + erf(x)` and `1 - erf(x)` become `erfc`, which keeps its digits where they cancel. A cast of a
    rounded f32 to an integer of at most 16 bits becomes a sum whose low bits are the integer.

    An f32 operation with `fastmath<afn>` becomes PTX's approximation (`ptx.ex2`, `ptx.tanh`, …), whose bits
    only the GPU knows.

    With `on-chip`, f32 functions take the chip's approximations where their relative error carries over to the
    result (`exp`, `exp2`, `log`, `tanh`, `erf`, `erfc`, `rsqrt`, `sqrt`, and quotients that are not then rounded to
    an integer): a few ulps, in a half to a fifth of the instructions; fewer yet where the ops that compute an operand
    bound it.

    What NVPTX selects exactly stays: `sqrt`, `fma`, `floor`, `ceil`, `trunc`, `round`, `roundeven`, `absf`,
    `copysign`, integer counts. The remainder of f64 is not expanded, and
    `verify-target-form` rejects it.

    ```mlir
    func.func @inverse_root(%x: f32) -> f32 {
      %y = math.rsqrt %x : f32
      return %y : f32
    }
    ```
    ==>
    ```mlir
    func.func @inverse_root(%x: f32) -> f32 {
      %root = math.sqrt %x : f32
      %one = arith.constant 1.000000e+00 : f32
      %y = arith.divf %one, %root : f32
      return %y : f32
    }
    ```
  }];
  let options = [Option<"onChip", "on-chip", "bool", /*default=*/"false",
                        "f32 functions to a few ulps, with the chip's approximations">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect", "::tilewright::ptx::PtxDialect"];
}

def TargetExpandFloat8 : Pass<"target-expand-float8"> {
  let summary = "Expand conversions of 8-bit floats into arithmetic";
  let description = [{
    Chips before sm_89 have no `cvt` from and to f8E4M3FN and f8E5M2: the conversions of `nvvm` that the target stage
    writes become arithmetic of integers and fp32, with the same bits. It runs for such chips when PTX is written.

    ```mlir
    func.func @widen(%x: vector<2xi8>) -> vector<2xf16> {
      %y = nvvm.convert.f8x2.to.f16x2 %x : vector<2xi8> (f8E5M2) -> vector<2xf16>
      return %y : vector<2xf16>
    }
    ```
    ==>
    ```mlir
    ...
        %byte = llvm.extractelement %x[%zero : i32] : vector<2xi8>
        %bits = arith.extui %byte : i8 to i32
    ...
        %scaled = arith.mulf %small, %scale : f32
    ...
        %number = arith.bitcast %chosen : i32 to f32
        %narrow = arith.truncf %number : f32 to f16
    ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

def VerifyTargetForm : Pass<"verify-target-form"> {
  let summary = "Check that a kernel holds only what NVPTX can select";
  let description = [{
    The contract of the `target` stage: inside a gpu.module there are operations of `llvm`, `nvvm` and `ptx`
    alone; no inline assembly; of LLVM's intrinsics only those that NVPTX selects for the operand's type; every
    call reaches a function with a body. Each breach is an error at its operation. It changes nothing.
  }];
}

#endif // TILEWRIGHT_TARGET_PASSES_TD
