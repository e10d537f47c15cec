// A recording stand-in for libcuda.so.1: it counts calls, keeps "device" memory on the host, records graphs
// node by node, runs their memsets and copies when they are launched, and fails where a test has planted an
// error. Tests name it in twrt_session_options::driver_library.
//
// Its "images" are text, a line for each kernel: its name, then the bytes of each parameter ("scale 8 8 4"),
// so that parameters can be recorded.
#ifndef TILEWRIGHT_TEST_RUNTIME_STANDIN_H
#define TILEWRIGHT_TEST_RUNTIME_STANDIN_H

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace standin {

/// A node of a graph as the driver was told.
struct Node {
  std::string kind; ///< "kernel", "memset", "memcpy"
  std::string function;
  unsigned grid[3] = {}, block[3] = {}, cluster[3] = {1, 1, 1}, sharedBytes = 0;
  std::vector<std::string> parameters; ///< Their bytes.
  uint64_t destination = 0, source = 0, bytes = 0;
  unsigned value = 0, elementBytes = 1;
  std::map<size_t, bool> dependencies; ///< Node index to whether the edge is programmatic.
};

struct Graph {
  std::vector<Node> nodes;
};

/// What the driver pretends to be, what it was asked, and what it is to refuse.
struct Driver {
  int version = 13000, devices = 1, major = 9, minor = 0, sharedBytes = 232448;
  uint64_t freeBytes = uint64_t(1) << 33, totalBytes = uint64_t(1) << 34;
  std::string jitLog;

  std::map<std::string, int> calls;      ///< By symbol.
  std::map<std::string, int> planted;    ///< Symbol to the result it gives from now on.
  std::vector<std::string> log;          ///< Streams' operations in order: "copyIn s1 64", "launch s0", …
  std::map<std::string, int> attributes; ///< "scale.8" to the value set.
  std::vector<std::string> loaded;       ///< Images.

  std::map<uint64_t, uint64_t> memory; ///< Live allocations: address to bytes.
  int live = 0;                        ///< Everything created and not destroyed: memory, modules, streams, …
  std::vector<std::unique_ptr<Graph>> executables; ///< In order of instantiation; readable until reset.

  void reset() { *this = Driver(); }
};

} // namespace standin

/// The one driver of the library.
extern "C" standin::Driver *standInDriver();

#endif // TILEWRIGHT_TEST_RUNTIME_STANDIN_H
