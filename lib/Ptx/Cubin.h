// What a cubin's code says of itself.
#ifndef TILEWRIGHT_LIB_PTX_CUBIN_H
#define TILEWRIGHT_LIB_PTX_CUBIN_H

#include "llvm/ADT/StringRef.h"

namespace tilewright::ptxstage {

/// Bytes of an instruction since sm_70.
inline constexpr size_t kInstructionBytes = 16;

/// The code of the one kernel in `cubin`, an ELF file: its section `.text.<name>`; empty where there is none.
llvm::StringRef codeIn(llvm::StringRef cubin);

/// How often `cubin` reads an index of the block, %ctaid, into a register of its own (S2R), at most of the
/// three dimensions.
unsigned blockIndexReads(llvm::StringRef cubin);

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_CUBIN_H
