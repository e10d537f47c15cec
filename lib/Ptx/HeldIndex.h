// A block's index that ptxas shall not read again.
#ifndef TILEWRIGHT_LIB_PTX_HELDINDEX_H
#define TILEWRIGHT_LIB_PTX_HELDINDEX_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::ptxstage {

/// `ptx` with the block's index held in a register where `cubin`, made of it, reads it again; empty where it
/// does not, or nothing can be held.
///
/// Short of registers ptxas reads %ctaid anew behind its first use, and computes again what follows from it.
/// It may do so from a register that by then holds something else (13.0.88: of `ctaid * 128`, computed again
/// behind `ctaid = ctaid * 1664 + lane`, which took the place; a result's rows were not stored). An index
/// that went through redux.sync (PTX ISA, "Parallel Synchronization and Communication Instructions") is no
/// special register any more: the warp's threads have one index, whose bits or'ed are the index.
std::string withHeldIndex(llvm::StringRef ptx, llvm::StringRef cubin);

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_HELDINDEX_H
