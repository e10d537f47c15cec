// The multi-call binary of the static build: every tool in one file. It is the tool that it is called as
// (through a link), or that its first argument names: `tw-run model.tw` is `tilewright tw-run model.tw`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Ptx/Assemble.h"

#include <cstdio>
#include <cstring>

#define TOOL(name, function) int function(int argc, char **argv);
#include "Tools.def"

namespace {
struct Tool {
  const char *name;
  int (*run)(int argc, char **argv);
};
} // namespace

static constexpr Tool kTools[] = {
#define TOOL(name, function) {name, function},
#include "Tools.def"
};

/// The tool that `path` ends with, or null.
static const Tool *findTool(const char *path) {
  const char *slash = std::strrchr(path, '/');
  for (const Tool &tool : kTools)
    if (std::strcmp(tool.name, slash ? slash + 1 : path) == 0)
      return &tool;
  return nullptr;
}

static int usage(FILE *stream) {
  std::fputs("usage: tilewright TOOL [ARGUMENT…]; the tools are", stream);
  for (const Tool &tool : kTools)
    std::fprintf(stream, " %s", tool.name);
  std::fputs("\n", stream);
  return stream == stdout ? 0 : 2;
}

int main(int argc, char **argv) {
  // A worker of the ptx stage is this file under its own name, whichever tool started it.
  if (int code = tilewright::maybeRunPtxWorker(argc, argv); code >= 0)
    return code;
  if (const Tool *tool = argc > 0 ? findTool(argv[0]) : nullptr)
    return tool->run(argc, argv);
  if (argc < 2)
    return usage(stderr);
  if (std::strcmp(argv[1], "--help") == 0)
    return usage(stdout);
  if (const Tool *tool = findTool(argv[1]))
    return tool->run(argc - 1, argv + 1);
  std::fprintf(stderr, "tilewright: error: there is no tool '%s'\n", argv[1]);
  return usage(stderr);
}
