// The child that parses first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParseGuard.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;

/// Processor time that parsing may take; the largest dump of a model takes well under a second.
static constexpr rlim_t kSeconds = 10;
/// How the child says that the program is wrong, which it has explained.
static constexpr int kWrong = 1;

/// Runs in the child. A crash there ends it without LLVM's report, which speaks to LLVM's developers.
[[noreturn]] static void parseAndExit(MLIRContext &parent, StringRef text, StringRef name) {
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU})
    std::signal(signal, SIG_DFL);
  rlimit none{0, 0}, seconds{kSeconds, kSeconds};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &seconds);
  MLIRContext context(parent.getDialectRegistry(), MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  llvm::errs().flush();
  _exit(module ? 0 : kWrong);
}

bool tilewright::parsesInChild(Location loc, StringRef text, StringRef name) {
  llvm::outs().flush();
  llvm::errs().flush();
  pid_t child = fork();
  if (child < 0) {
    emitError(loc) << "cannot start a process to parse in: " << std::strerror(errno);
    return false;
  }
  if (child == 0)
    parseAndExit(*loc->getContext(), text, name);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) {
      emitError(loc) << "lost the process that parses: " << std::strerror(errno);
      return false;
    }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return true;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    emitError(loc) << "parsing did not end within " << kSeconds << " seconds: the program is damaged";
  else if (WIFSIGNALED(status))
    emitError(loc) << "parsing crashed (signal " << WTERMSIG(status) << "): the program is damaged";
  else if (WEXITSTATUS(status) != kWrong)
    emitError(loc) << "parsing ended with code " << WEXITSTATUS(status) << ": the program is damaged";
  return false;
}
