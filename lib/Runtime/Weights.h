// Where a session's weights come from, checked before the device is opened, and their way to the device.
#ifndef TILEWRIGHT_LIB_RUNTIME_WEIGHTS_H
#define TILEWRIGHT_LIB_RUNTIME_WEIGHTS_H

#include "Device.h"

namespace tilewright::runtime {

/// A mapped segment, or the caller's function.
struct WeightSource {
  const uint8_t *segment = nullptr;
  void *mapping = nullptr; ///< To unmap; null when the segment is the package's own.
  uint64_t mappedBytes = 0;
  twrt_weight_reader reader = nullptr;
  void *user = nullptr;

  ~WeightSource();
};

/// Finds the weights the options name and checks their size, and their hashes when they lie in a file of
/// their own or the options ask for it.
twrt_status openWeights(const twrt_package &package, const twrt_session_options &options,
                        WeightSource &source, twrt_error *error);

/// Copies the weight segment to `address` through two page-locked buffers and waits.
twrt_status uploadWeights(Device *device, const twrt_package &package, const WeightSource &source,
                          uint64_t address, twrt_error *error);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_LIB_RUNTIME_WEIGHTS_H
