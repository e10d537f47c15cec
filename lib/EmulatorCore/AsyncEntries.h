// Entries for mbarriers, bulk copies, warpgroups and clusters.
#pragma once

#include "Tilewright/Emulator/Entries.h"

namespace tilewright::emulator {
void appendAsyncEntries(std::vector<Entry> &list);
} // namespace tilewright::emulator
