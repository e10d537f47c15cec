// What a failed run leaves behind when --reproducer asks for it.
#ifndef TILEWRIGHT_TOOLS_TWRUN_REPRODUCE_H
#define TILEWRIGHT_TOOLS_TWRUN_REPRODUCE_H

#include "Arguments.h"

namespace tilewright::run {

/// Writes to arguments.reproducer what it takes to fail again: the package with its weights left out, the
/// inputs up to 16 MiB (others become random), the flags, the device and what was said. Before the run
/// `message` is empty: a crash leaves that. Throws Failure.
void keepReproducer(const Arguments &arguments, const std::string &device, const std::string &message);

/// Runs the bundle at arguments.runReproducer; the exit code.
int runReproducerOf(const Arguments &arguments);

} // namespace tilewright::run

#endif // TILEWRIGHT_TOOLS_TWRUN_REPRODUCE_H
