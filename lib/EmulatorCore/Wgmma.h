// The product of a warpgroup, once all its threads have come.
#pragma once

#include "Tilewright/Emulator/Machine.h"

namespace tilewright::emulator {

/// Computes the wgmma that `threads` (128 of them) request, and marks what it reads for `agent`.
void multiply(Block &block, Thread *threads, uint32_t agent, int site);

} // namespace tilewright::emulator
