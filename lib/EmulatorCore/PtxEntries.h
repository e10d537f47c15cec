// Entries that map numbers to numbers: the ptx dialect's approximations, conversions, and what the host's
// code generator calls for 16-bit floats.
#pragma once

#include "Tilewright/Emulator/Entries.h"

namespace tilewright::emulator {
void appendNumberEntries(std::vector<Entry> &list);
} // namespace tilewright::emulator
