// The child that parses, and what its end means. The module comes back through a pipe.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ParseGuard.h"

#include "Tilewright/Package/OutputFile.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace tilewright;
using Clock = std::chrono::steady_clock;

//===-- In the child ------------------------------------------------------------------------------------===//

/// Exit codes of the child.
enum : int {
  kParsed = 0,
  kWrong = 1, ///< The program is wrong, which the child has explained.
  kMemory = 3,
  kLost = 4 ///< The module could not be sent.
};

/// The address space of this process.
static uint64_t addressSpaceBytes() {
  unsigned long pages = 0;
  if (std::FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return uint64_t(pages) * sysconf(_SC_PAGESIZE);
}

/// A crash ends the child without LLVM's report, which speaks to LLVM's developers.
static void limitThisProcess(ParseLimits limits) {
  for (int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU})
    std::signal(signal, SIG_DFL);
  rlimit none{0, 0};
  // The hard limit lies above the soft one: at the hard one the kernel kills without a reason.
  rlimit seconds{limits.seconds, limits.seconds + 2};
  rlim_t bytes = addressSpaceBytes() + limits.memoryBytes;
  rlimit memory{bytes, bytes};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_AS, &memory);
  std::set_new_handler([] { _exit(kMemory); });
  llvm::remove_bad_alloc_error_handler();
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { _exit(kMemory); });
}

[[noreturn]] static void parseAndSend(MLIRContext &parent, StringRef text, StringRef name, ParseLimits limits,
                                      int channel) {
  limitThisProcess(limits);
  MLIRContext context(parent.getDialectRegistry(), MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(parent.shouldPrintOpOnDiagnostic());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  llvm::errs().flush();
  if (!module)
    _exit(kWrong);
  std::string bytecode;
  llvm::raw_string_ostream stream(bytecode);
  if (failed(writeBytecodeToFile(*module, stream)) || !writeAll(channel, stream.str()))
    _exit(kLost);
  _exit(kParsed);
}

//===-- In the parent -----------------------------------------------------------------------------------===//

/// Reads until the child closes its end; false when it is still at it at `deadline` or sends more than it may
/// hold.
static bool receive(int channel, Clock::time_point deadline, uint64_t mostBytes, std::string &bytecode) {
  std::string buffer(1 << 16, '\0');
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || bytecode.size() > mostBytes)
      return false;
    pollfd waiting{channel, POLLIN, 0};
    if (poll(&waiting, 1, (int)std::min<long>(left, 60000)) <= 0)
      continue;
    ssize_t count = read(channel, buffer.data(), buffer.size());
    if (count == 0)
      return true;
    if (count > 0)
      bytecode.append(buffer.data(), count);
    else if (errno != EINTR)
      return true;
  }
}

/// Says how the child ended; success when it sent a module.
static LogicalResult explainEnd(Location loc, int status, bool inTime, ParseLimits limits) {
  auto damaged = [&](const Twine &what) {
    return emitError(loc) << "parsing " << what << ": the program is damaged";
  };
  if (!inTime)
    return damaged("did not end within " + Twine(limits.seconds * 10) + " seconds");
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return damaged("did not end within " + Twine(limits.seconds) + " seconds of processor time");
  if (WIFSIGNALED(status))
    return damaged("crashed (signal " + Twine(WTERMSIG(status)) + ", " + strsignal(WTERMSIG(status)) + ")");
  switch (WEXITSTATUS(status)) {
  case kParsed:
    return success();
  case kWrong:
    return failure();
  case kMemory:
    return damaged("needs more than " + Twine(limits.memoryBytes >> 20) + " MiB of memory");
  case kLost:
    return emitError(loc) << "parsing in a process of its own did not give the program back";
  default:
    return damaged("ended with code " + Twine(WEXITSTATUS(status)));
  }
}

OwningOpRef<ModuleOp> tilewright::parseInChild(Location loc, StringRef text, StringRef name,
                                               ParseLimits limits) {
  llvm::outs().flush();
  llvm::errs().flush();
  int ends[2];
  if (pipe(ends) != 0) {
    emitError(loc) << "cannot make a pipe to parse through: " << std::strerror(errno);
    return nullptr;
  }
  pid_t child = fork();
  if (child < 0) {
    emitError(loc) << "cannot start a process to parse in: " << std::strerror(errno);
    close(ends[0]), close(ends[1]);
    return nullptr;
  }
  if (child == 0) {
    close(ends[0]);
    parseAndSend(*loc->getContext(), text, name, limits, ends[1]);
  }
  close(ends[1]);
  std::string bytecode;
  bool inTime = receive(ends[0], Clock::now() + std::chrono::seconds(limits.seconds * 10), limits.memoryBytes,
                        bytecode);
  close(ends[0]);
  if (!inTime)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) {
      emitError(loc) << "lost the process that parses: " << std::strerror(errno);
      return nullptr;
    }
  if (failed(explainEnd(loc, status, inTime, limits)))
    return nullptr;
  return parseSourceString<ModuleOp>(bytecode, ParserConfig(loc->getContext()), name);
}
