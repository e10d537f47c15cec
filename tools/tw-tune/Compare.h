// Inputs from a seed, and whether two results are equal within what rounding allows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TOOLS_TW_TUNE_COMPARE_H
#define TILEWRIGHT_TOOLS_TW_TUNE_COMPARE_H

#include "Tilewright/Runtime/tilewright_runtime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::tune {

/// `bytes` of elements: floats close to standard normal, 8-bit integers of the whole range, truth values,
/// 32-bit and 64-bit integers below `limit` where there is one; others 0.
std::vector<uint8_t> randomBytes(twrt_dtype dtype, uint64_t bytes, uint64_t seed, uint64_t limit = 0);

/// What is wrong with `result` beside `reference`, or empty. Both sum in fp32, in other orders.
std::string compare(twrt_dtype dtype, const std::vector<uint8_t> &result,
                    const std::vector<uint8_t> &reference);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TOOLS_TW_TUNE_COMPARE_H
