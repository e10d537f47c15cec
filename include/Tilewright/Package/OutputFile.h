// Outputs appear whole or not at all. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PACKAGE_OUTPUTFILE_H
#define TILEWRIGHT_PACKAGE_OUTPUTFILE_H

#include <string>
#include <string_view>

namespace tilewright {

/// Writes `bytes` to `path`: to a file beside it, which is renamed when it is complete; what was there before
/// stays until then. What is there and is no regular file (a device, a pipe) is written to as it is. Returns
/// a sentence on failure, else an empty string.
std::string writeWholeFile(const std::string &path, std::string_view bytes);

/// Writes all of `bytes` to the descriptor `fd`, however often it takes; false, with errno, when it cannot.
bool writeAll(int fd, std::string_view bytes);

} // namespace tilewright

#endif // TILEWRIGHT_PACKAGE_OUTPUTFILE_H
