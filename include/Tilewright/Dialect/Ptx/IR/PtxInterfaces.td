// The one interface of the ptx dialect: an op that is one PTX instruction.
#ifndef TILEWRIGHT_DIALECT_PTX_IR_PTXINTERFACES_TD
#define TILEWRIGHT_DIALECT_PTX_IR_PTXINTERFACES_TD

include "mlir/IR/OpBase.td"

def Ptx_PtxInstruction : OpInterface<"PtxInstruction"> {
  let cppNamespace = "::tilewright::ptx";
  let description = [{
    What `convert-ptx-to-llvm` and the emulator ask of an op.

    Registers: PTX knows scalars only, so a vector operand or result is passed as the registers that
    `registerTypes` names (`vector<8xbf16>` is four 32-bit registers). In the text, `$0, $1, …` number the
    result's registers first, then the operands' registers in operand order.

    Emulator: `emulatorSymbol` names a C function. Ops without memory effects take their operands and return
    their result: `float tw_emu_ptx_ex2_f32(float)`; 16-bit floats travel as `uint16_t`, packed pairs as
    `uint32_t`, vectors of registers by pointer, result first. A load is
    `void tw_emu_ptx_load_<bytes>(void *result, const void *pointer, bool predicate, const void *fallback)`,
    a store `void tw_emu_ptx_store_<bytes>(const void *value, void *pointer, bool predicate)`.
    An `ftz` instruction has `_ftz` in its symbol.
  }];
  let methods = [
    InterfaceMethod<"The instruction as inline assembly text.", "std::string", "ptxText">,
    InterfaceMethod<"LLVM inline assembly constraints: outputs, then inputs, then tied inputs.",
                    "std::string", "ptxConstraints">,
    InterfaceMethod<"The C function that stands for this op in the emulator (uniqued in the context).",
                    "::llvm::StringRef", "emulatorSymbol">,
    InterfaceMethod<"Must the instruction keep its place and not be deleted?", "bool", "hasPtxSideEffects",
                    (ins), [{}], [{ return !::mlir::isMemoryEffectFree($_op); }]>
  ];
}

#endif // TILEWRIGHT_DIALECT_PTX_IR_PTXINTERFACES_TD
