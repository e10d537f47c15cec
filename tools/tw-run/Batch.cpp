// The file of a batch: a line of JSON for each run.
#include "Batch.h"
#include "Tensor.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>

using namespace tilewright::run;

/// Flags of a whole call.
static const char *const kNotInABatch[] = {
    "--batch", "--list", "--reproducer", "--run-reproducer", "--help", "--version", "-h"};

std::vector<std::vector<std::string>> tilewright::run::readBatch(const std::string &path) {
  std::ifstream in(path);
  if (!in)
    throw Failure(fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
  // A folder can be opened, but not read.
  in.peek();
  if (in.bad())
    throw Failure(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  std::vector<std::vector<std::string>> runs;
  std::string line;
  for (size_t number = 1; std::getline(in, line); ++number) {
    if (line.empty())
      continue;
    auto list = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!list.is_array() || list.empty())
      throw Failure(fmt::format("'{}' line {} is no JSON list of arguments", path, number));
    std::vector<std::string> &run = runs.emplace_back();
    for (const auto &argument : list) {
      if (!argument.is_string())
        throw Failure(fmt::format("'{}' line {}: argument {} is no string", path, number, run.size() + 1));
      std::string text = argument.get<std::string>();
      for (const char *flag : kNotInABatch)
        if (text.substr(0, text.find('=')) == flag)
          throw Failure(fmt::format("'{}' line {}: {} stands in no batch", path, number, flag));
      run.push_back(std::move(text));
    }
  }
  return runs;
}
