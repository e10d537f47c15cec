// Tuning records: refused with a place and a sentence, or what was read is written and read again unchanged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"

#include "Tilewright/Tuner/Records.h"

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tuner::Records records;
  std::string error = records.parse({reinterpret_cast<const char *>(data), size}, "r");
  fuzz::require(error.empty() || error.compare(0, 2, "r:") == 0, "refused without a place");
  std::string text = records.text();
  tuner::Records again;
  fuzz::require(again.parse(text, "again").empty() || !error.empty(), "what was written is refused");
  if (error.empty())
    fuzz::require(again.text() == text, "records change when they are written and read");
  return 0;
}
