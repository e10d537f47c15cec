// The ptx dialect: one op per PTX instruction that upstream's nvvm lacks or gets wrong.
#ifndef TILEWRIGHT_DIALECT_PTX_IR_PTX_H
#define TILEWRIGHT_DIALECT_PTX_IR_PTX_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

#include "Tilewright/Dialect/Ptx/IR/PtxDialect.h.inc"
#include "Tilewright/Dialect/Ptx/IR/PtxEnums.h.inc"
#include "Tilewright/Dialect/Ptx/IR/PtxInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Tilewright/Dialect/Ptx/IR/PtxAttributes.h.inc"

#define GET_OP_CLASSES
#include "Tilewright/Dialect/Ptx/IR/PtxOps.h.inc"

namespace tilewright::ptx {

/// How a value of `type` lies in PTX registers: `count` registers of the LLVM scalar type `scalar`, which
/// inline assembly spells `constraint`. `memoryBits` is what one register moves in a load or store (8 for i8,
/// whose register has 16 bits).
struct Registers {
  mlir::Type scalar;
  unsigned count = 0;
  char constraint = 0;
  unsigned memoryBits = 0;
};

/// The registers of a scalar, pointer or 1-D vector; nothing when `type` fills no whole number of registers.
std::optional<Registers> registersOf(mlir::Type type);

/// Whether a kernel function is assembled for `arch`: it has no `ptx.archs`, or is among them.
bool assemblesFor(mlir::Operation *kernel, llvm::StringRef arch);

/// Whether `op` waits for the kernels before this one (griddepcontrol.wait).
bool isGridWait(mlir::Operation *op);

/// Whether a kernel function waits for the kernels before it (griddepcontrol.wait), so that it may be
/// launched while they still run.
bool waitsForPrerequisites(mlir::Operation *kernel);

} // namespace tilewright::ptx

#endif // TILEWRIGHT_DIALECT_PTX_IR_PTX_H
