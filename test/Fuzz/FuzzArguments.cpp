// tw-run's command line, one argument a line: it is taken, or the program would end with a sentence and
// code 2. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FuzzTarget.h"

#include "Arguments.h"

#include <iostream>
#include <sstream>
#include <vector>

using namespace tilewright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<std::string> lines = {"tw-run"};
  std::istringstream in(std::string(reinterpret_cast<const char *>(data), size));
  for (std::string line; std::getline(in, line) && lines.size() < 64;)
    lines.push_back(line.c_str()); // an argument ends at its zero
  std::vector<char *> argv;
  for (std::string &line : lines)
    argv.push_back(line.data());
  argv.push_back(nullptr);
  // CLI11 speaks to the standard streams.
  std::ostringstream out;
  std::streambuf *streams[] = {std::cout.rdbuf(out.rdbuf()), std::cerr.rdbuf(out.rdbuf())};
  run::Arguments arguments;
  std::optional<int> code = run::parseArguments((int)lines.size(), argv.data(), arguments);
  std::cout.rdbuf(streams[0]);
  std::cerr.rdbuf(streams[1]);
  fuzz::require(!code || *code == 0 || *code == 2, "a wrong command line has code 2");
  fuzz::require(!code || !out.str().empty(), "ended without a sentence");
  return 0;
}
