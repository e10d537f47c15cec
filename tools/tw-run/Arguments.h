// tw-run's command line.
#ifndef TILEWRIGHT_TOOLS_TWRUN_ARGUMENTS_H
#define TILEWRIGHT_TOOLS_TWRUN_ARGUMENTS_H

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::run {

/// Where a tensor's values come from.
struct ValueSource {
  enum Kind { File, Random, Zeros } kind = Zeros;
  std::string path;
  unsigned long long seed = 0;
};

struct Arguments {
  std::string package;
  std::string device = "auto"; ///< auto, cuda, emulator
  int ordinal = 0;
  std::string driverLibrary, emulatorLibrary;
  bool list = false;
  std::string entry; ///< Name or number; empty: the smallest that fits.
  std::map<std::string, ValueSource> inputs;
  std::optional<ValueSource> weights;
  bool verifyWeights = false;
  std::string outputFolder;
  std::map<std::string, std::string> expected; ///< Output name to .npy file.
  double rtol = 1e-5, atol = 1e-6;
  bool selfTest = false;
  double benchmarkSeconds = 0; ///< 0: no benchmark.
  bool profile = false;
  bool json = false;
  unsigned seed = 0;
  bool early = false, unchecked = false;
  int threads = 0;
  int repeat = 1;
  std::string batch;         ///< A file of runs, to be done in this process.
  std::string reproducer;    ///< Where a failure leaves what it takes to fail again.
  std::string runReproducer; ///< Such a file, to be run.
};

/// Fills `arguments`; when the program is to end now (help, version, a wrong command line) returns its exit
/// code.
std::optional<int> parseArguments(int argc, char **argv, Arguments &arguments);

} // namespace tilewright::run

#endif // TILEWRIGHT_TOOLS_TWRUN_ARGUMENTS_H
