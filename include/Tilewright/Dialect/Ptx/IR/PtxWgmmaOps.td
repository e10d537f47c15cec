// Warpgroup products: wgmma with a left operand in registers and a choice at run time whether to accumulate, the
// wait that hands the accumulators on, and a place in the program that values may not move across.
#ifndef TILEWRIGHT_DIALECT_PTX_IR_PTXWGMMAOPS_TD
#define TILEWRIGHT_DIALECT_PTX_IR_PTXWGMMAOPS_TD

def Ptx_WgmmaType : I32EnumAttr<"WgmmaType", "element type of a wgmma operand", [
  I32EnumAttrCase<"F16", 0, "f16">,
  I32EnumAttrCase<"BF16", 1, "bf16">,
  I32EnumAttrCase<"TF32", 2, "tf32">,
  I32EnumAttrCase<"E4M3", 3, "e4m3">,
  I32EnumAttrCase<"E5M2", 4, "e5m2">,
  I32EnumAttrCase<"S8", 5, "s8">,
  I32EnumAttrCase<"U8", 6, "u8">
]> { let cppNamespace = "::tilewright::ptx"; let genSpecializedAttr = 0; }
def Ptx_WgmmaTypeAttr : EnumAttr<Ptx_Dialect, Ptx_WgmmaType, "wgmma_type">;

def Ptx_RegisterStruct : Type<And<[CPred<"::llvm::isa<::mlir::LLVM::LLVMStructType>($_self)">,
    CPred<"::tilewright::ptx::registersOf($_self).has_value()">]>,
  "literal struct of f32 or of i32", "::mlir::LLVM::LLVMStructType">;

def Ptx_WgmmaOp : Ptx_Op<"wgmma", [AllTypesMatch<["accumulator", "result"]>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "start `accumulator + a * b` of a warpgroup: `wgmma.mma_async.sync.aligned`";
  let description = [{
    The product of 64 rows that four warps start together (sm_90a). `b` is a descriptor of shared memory, `a` another,
    or four registers of this thread's fragment. The accumulator is a struct of n/2 registers, f32 or (of 8-bit
    integers) i32; n follows from it. The product is in flight until `ptx.wgmma_wait` or `nvvm.wgmma.wait.group` of its
    group: until then no register of it may be touched, and the shared memory not be written.

    Where `if` is given and false, or under `overwrite`, the result is `a * b` alone, and the accumulator's value does
    not matter. `a_mn`, `b_mn`: the operand's contiguous dimension is M or N, not K (16-bit types only).

    ```mlir
    %d = ptx.wgmma bf16 %a, bf16 %b, %acc if %accumulate : i64, !llvm.struct<(f32, f32, f32, f32)>
    %e = ptx.wgmma e4m3 %regs, e5m2 %b, %acc overwrite : vector<4xi32>, !llvm.struct<(f32, f32, f32, f32)>
    ```
    The emulator's symbol names shape, types and the places of operands, `tw_emu_ptx_wgmma_m64n8k16_f32_bf16_bf16`.
  }];
  let arguments = (ins
    Ptx_WgmmaTypeAttr:$a_type,
    AnyTypeOf<[I64, FixedVectorOfLengthAndType<[4], [I32]>]>:$a,
    Ptx_WgmmaTypeAttr:$b_type,
    I64:$b,
    Ptx_RegisterStruct:$accumulator,
    Optional<I1>:$accumulate,
    UnitAttr:$overwrite, UnitAttr:$a_mn, UnitAttr:$b_mn
  );
  let results = (outs Ptx_RegisterStruct:$result);
  let assemblyFormat = [{
    `` $a_type $a (`a_mn` $a_mn^)? `,` `` $b_type $b (`b_mn` $b_mn^)? `,` $accumulator (`if` $accumulate^)?
    (`overwrite` $overwrite^)? attr-dict `:` type($a) `,` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Shape of the product: 64 rows, `getN` columns, `getK` products of each.
    int64_t getN();
    int64_t getK();
    bool hasPtxSideEffects() { return true; }
  }];
}

def Ptx_WgmmaWaitOp : Ptx_Op<"wgmma_wait", [AllTypesMatch<["values", "result"]>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "`wgmma.wait_group`: at most `pending` groups of this warpgroup stay in flight";
  let description = [{
    The accumulators pass through, so that nothing that reads the result can come before the wait; `keep` are
    registers that products in flight still read (ptxas before 13.3 may otherwise reuse them too early).

    ```mlir
    %v = ptx.wgmma_wait 0, %d keep %regs : !llvm.struct<(f32, f32, f32, f32)>, vector<4xi32>
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<7>]>:$pending, Ptx_RegisterStruct:$values,
    Variadic<FixedVectorOfLengthAndType<[4], [I32]>>:$keep);
  let results = (outs Ptx_RegisterStruct:$result);
  let assemblyFormat = [{
    $pending `,` $values (`keep` $keep^)? attr-dict `:` type($result) (`,` type($keep)^)?
  }];
  let extraClassDeclaration = "bool hasPtxSideEffects() { return true; }";
}

def Ptx_PinOp : Ptx_Op<"pin", [AllTypesMatch<["operand", "result"]>, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the same registers; what defines them stays before this place, what reads the result behind it";
  let description = [{
    No instruction. Between `wgmma.fence` and its products nothing else may define their registers: values that are
    computed pass through here before the fence.

    ```mlir
    %y = ptx.pin %x : !llvm.struct<(f32, f32, f32, f32)>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Ptx_RegisterStruct, FixedVectorOfLengthAndType<[4], [I32]>]>:$operand);
  let results = (outs AnyTypeOf<[Ptx_RegisterStruct, FixedVectorOfLengthAndType<[4], [I32]>]>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
  let extraClassDeclaration = "bool hasPtxSideEffects() { return true; }";
}

def Ptx_HoldOp : Ptx_Op<"hold", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what the values are computed by stays before this place in ptxas' order, too";
  let description = [{
    ptxas computes behind a wait for products what needs none of them, and so what was to run beside them. It does
    not move what a conditional instruction depends on: each value is compared with the bits of one of the NaNs that no
    arithmetic gives, and only a thread that has these would sleep for some nanoseconds.

    ```mlir
    ptx.hold %sum, %other : f32, f32
    ```
  }];
  let arguments = (ins Variadic<AnyTypeOf<[F32, I32]>>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
  let extraClassDeclaration = "bool hasPtxSideEffects() { return true; }";
}

#endif // TILEWRIGHT_DIALECT_PTX_IR_PTXWGMMAOPS_TD
