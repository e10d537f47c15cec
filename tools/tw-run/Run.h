// A package and a session with owners, and the one way in which tw-run runs them.
#ifndef TILEWRIGHT_TOOLS_TWRUN_RUN_H
#define TILEWRIGHT_TOOLS_TWRUN_RUN_H

#include "Arguments.h"
#include "Tensor.h"

#include <memory>

namespace tilewright::run {

/// Throws a Failure with the error's sentence unless `status` is TWRT_OK.
void check(twrt_status status, const twrt_error &error);

struct PackageCloser {
  void operator()(twrt_package *package) const { twrt_package_close(package); }
};
struct SessionCloser {
  void operator()(twrt_session *session) const { twrt_session_destroy(session); }
};
using PackageHandle = std::unique_ptr<twrt_package, PackageCloser>;
using SessionHandle = std::unique_ptr<twrt_session, SessionCloser>;

PackageHandle openPackage(const std::string &path);

/// The session's options from the command line, the device chosen; `why` says which and, for auto, why.
twrt_session_options chooseDevice(const twrt_package *package, const Arguments &arguments, std::string &why);

/// Random weights by seed: the state behind twrt_session_options::weight_reader.
struct RandomWeights {
  const twrt_package *package;
  uint64_t seed;
};
int readRandomWeight(void *user, uint32_t weight, uint64_t offset, void *to, uint64_t bytes);

/// The inputs of one run, and the entry that they fit.
struct Inputs {
  uint32_t entry = 0;
  std::vector<Tensor> tensors;
  std::vector<std::string>
      assumed; ///< Inputs that the command line does not name: random, for measurements alone.
};

/// Reads or makes every input. Shapes that no file gives are those of the chosen entry.
Inputs makeInputs(const twrt_package *package, const Arguments &arguments);

/// The golden inputs of `entry`'s set number `set`.
Inputs goldenInputs(const twrt_package *package, uint32_t entry, uint32_t set);

/// Runs once and gives all outputs at their true shapes.
std::vector<Tensor> runOnce(const twrt_package *package, twrt_session *session, Inputs &inputs);

std::vector<twrt_host_tensor> views(std::vector<Tensor> &tensors);

} // namespace tilewright::run

#endif // TILEWRIGHT_TOOLS_TWRUN_RUN_H
