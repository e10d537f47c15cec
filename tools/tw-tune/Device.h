// A device that candidates run on: memory, and the time of one package over rotated data. On CUDA the driver
// is opened at run time, calls over all data sets are one graph, and events give its time; on the emulator
// times are this machine's. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TOOLS_TW_TUNE_DEVICE_H
#define TILEWRIGHT_TOOLS_TW_TUNE_DEVICE_H

#include "Tilewright/Runtime/tilewright_runtime.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::tune {

/// Where a session's inputs and outputs lie, in the order of the package's slots: inputs, then outputs.
using Addresses = std::vector<void *>;

class Device {
public:
  virtual ~Device() = default;
  /// Null, with a sentence in `error`, when there is none.
  static std::unique_ptr<Device> open(bool emulator, std::string &error);

  /// Name and driver for records.
  std::string gpu, driver;

  /// The functions below return a sentence on failure, else an empty string.
  virtual std::string allocate(uint64_t bytes, void *&pointer) = 0;
  virtual std::string fill(void *pointer, int byte, uint64_t bytes) = 0;
  virtual std::string write(void *pointer, const void *from, uint64_t bytes) = 0;
  virtual std::string read(void *to, void *pointer, uint64_t bytes) = 0;

  /// Makes window() run `session` once over each of `sets`, one after the other.
  virtual std::string record(twrt_session *session, const twrt_package *package,
                             const std::vector<Addresses> &sets, void *&chain) = 0;
  /// Microseconds of one call, over `repeats` runs of the chain.
  virtual std::string window(void *chain, unsigned repeats, double &microseconds) = 0;
};

/// Binds a session's inputs and outputs; a sentence on failure.
std::string bindAll(twrt_session *session, const twrt_package *package, const Addresses &addresses);

} // namespace tilewright::tune

#endif // TILEWRIGHT_TOOLS_TW_TUNE_DEVICE_H
