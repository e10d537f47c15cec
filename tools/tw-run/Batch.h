// Many runs in one process: a file of command lines.
#ifndef TILEWRIGHT_TOOLS_TWRUN_BATCH_H
#define TILEWRIGHT_TOOLS_TWRUN_BATCH_H

#include "Arguments.h"

#include <string>
#include <vector>

namespace tilewright::run {

/// The runs of the file at `path`: on each line a JSON list of one run's arguments, the package first. A line
/// that is no such list, or names a flag that stands for a whole call, is a Failure.
std::vector<std::vector<std::string>> readBatch(const std::string &path);

} // namespace tilewright::run

#endif // TILEWRIGHT_TOOLS_TWRUN_BATCH_H
