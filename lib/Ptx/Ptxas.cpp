// ptxas: finding it, running it in a scratch directory, and reading registers, spills and messages from its
// log.
#include "Ptxas.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::ptxstage;
using llvm::StringRef;

extern char **environ;

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// `/usr/local/cuda-13.0/bin/ptxas` and its like, newest first.
static std::vector<std::string> versionedToolkits() {
  std::vector<std::pair<std::pair<unsigned, unsigned>, std::string>> found;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry("/usr/local", error), end; !error && entry != end;
       entry.increment(error)) {
    StringRef name = llvm::sys::path::filename(entry->path());
    unsigned major = 0, minor = 0;
    if (!name.consume_front("cuda-") || name.consumeInteger(10, major))
      continue;
    if (name.consume_front("."))
      name.consumeInteger(10, minor);
    found.push_back({{major, minor}, entry->path() + "/bin/ptxas"});
  }
  std::sort(found.rbegin(), found.rend());
  std::vector<std::string> paths;
  for (auto &[version, path] : found)
    paths.push_back(path);
  return paths;
}

std::string tilewright::findPtxas(StringRef option) {
  auto absolute = [](StringRef path) {
    llvm::SmallString<256> result(path);
    llvm::sys::fs::make_absolute(result);
    return result.str().str();
  };
  if (!option.empty())
    return llvm::sys::fs::can_execute(option) ? absolute(option) : "";
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    return absolute(*found);
  std::vector<std::string> candidates = {"/usr/local/cuda/bin/ptxas"};
  for (std::string &path : versionedToolkits())
    candidates.push_back(std::move(path));
  candidates.insert(candidates.end(), {"/opt/cuda/bin/ptxas", "/usr/lib/cuda/bin/ptxas"});
  for (const std::string &path : candidates)
    if (llvm::sys::fs::can_execute(path))
      return path;
  return "";
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

int ptxstage::runProcess(llvm::ArrayRef<std::string> arguments, const std::string &directory,
                         std::string &output) {
  output.clear();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    output = std::string("cannot make a pipe: ") + strerror(errno);
    return -1;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  if (!directory.empty())
    posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = -1;
  int error = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    output = "cannot run " + arguments[0] + ": " + strerror(error);
    return -1;
  }
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof(buffer))) != 0;) {
    if (count > 0)
      output.append(buffer, count);
    else if (errno != EINTR)
      break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  output += "\n" + arguments[0] + " was stopped by signal " + std::to_string(WTERMSIG(status));
  return -1;
}

std::string ptxstage::runPtxas(const std::string &ptxas, StringRef arch, StringRef ptx,
                               const std::string &directory, std::string &log) {
  auto path = [&](StringRef file) { return directory + "/" + file.str(); };
  llvm::sys::fs::remove(path("kernel.cubin"));
  std::error_code error;
  {
    llvm::raw_fd_ostream file(path("kernel.ptx"), error);
    if (!error)
      file << ptx;
    file.close();
    if (!error && file.has_error()) {
      error = file.error();
      file.clear_error();
    }
  }
  if (error) {
    log = "ptxas fatal   : cannot write " + path("kernel.ptx") + ": " + error.message();
    return "";
  }
  int status = runProcess({ptxas, "-arch=" + arch.str(), "-O3", "-v", "kernel.ptx", "-o", "kernel.cubin"},
                          directory, log);
  auto cubin =
      llvm::MemoryBuffer::getFile(path("kernel.cubin"), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (status == 0 && cubin && (*cubin)->getBufferSize() > 0)
    return (*cubin)->getBuffer().str();
  if (log.empty())
    log = "ptxas fatal   : stopped with status " + std::to_string(status) + " and no message";
  return "";
}

std::string ptxstage::ptxasVersion(const std::string &ptxas) {
  std::string output;
  if (runProcess({ptxas, "--version"}, "", output) != 0)
    return "";
  // "Cuda compilation tools, release 13.0, V13.0.88"
  size_t at = output.find(", V");
  StringRef version = at == std::string::npos ? StringRef() : StringRef(output).drop_front(at + 3);
  version = version.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  return version.empty() ? "of unknown version" : version.str();
}

//===----------------------------------------------------------------------===//
// Reading the log
//===----------------------------------------------------------------------===//

/// The number that stands before `unit` in `line`: 24 for "24 bytes stack frame" and " bytes stack frame".
static bool numberBefore(StringRef line, StringRef unit, unsigned &number) {
  size_t at = line.find(unit);
  if (at == StringRef::npos)
    return false;
  StringRef digits = line.take_front(at);
  digits = digits.take_back(digits.size() - (digits.find_last_not_of("0123456789") + 1));
  return !digits.getAsInteger(10, number);
}

/// Splits "ptxas info    : text" and "ptxas kernel.ptx, line 12; error   : text" into severity and text;
/// false for lines that begin no message.
static bool splitMessage(StringRef line, PtxasMessage &message) {
  if (!line.consume_front("ptxas "))
    return false;
  size_t colon = line.find(": ");
  if (colon == StringRef::npos)
    return false;
  StringRef head = line.take_front(colon).rtrim(), text = line.drop_front(colon + 2).trim();
  StringRef place; // "kernel.ptx, line 12"
  if (size_t semicolon = head.find(';'); semicolon != StringRef::npos) {
    place = head.take_front(semicolon);
    head = head.drop_front(semicolon + 1).trim();
  }
  using Severity = PtxasMessage::Severity;
  if (head == "info")
    message.severity = Severity::Info;
  else if (head == "warning")
    message.severity = Severity::Warning;
  else if (head == "error" || head == "fatal")
    message.severity = Severity::Error;
  else
    return false;
  if (text.starts_with("(C")) {
    size_t close = text.find(')');
    message.code = text.substr(1, close - 1).str();
    text = text.drop_front(close + 1).ltrim();
  }
  message.text = place.empty() ? text.str() : (place + ": " + text).str();
  return true;
}

void ptxstage::parsePtxasLog(StringRef log, KernelResources &resources, std::vector<PtxasMessage> &messages) {
  while (!log.empty()) {
    StringRef line;
    std::tie(line, log) = log.split('\n');
    line = line.rtrim();
    unsigned stack = 0;
    if (numberBefore(line, " bytes stack frame", stack)) {
      // One line per function; the entry comes with those it calls, so the largest counts.
      unsigned stores = 0, loads = 0;
      numberBefore(line, " bytes spill stores", stores);
      numberBefore(line, " bytes spill loads", loads);
      resources.stackBytes = std::max(resources.stackBytes, stack);
      resources.spillStores += stores;
      resources.spillLoads += loads;
      continue;
    }
    PtxasMessage message;
    if (!splitMessage(line, message)) {
      if (StringRef(line).contains("was stopped by signal")) {
        message.severity = PtxasMessage::Severity::Error;
        message.text = line.str();
        messages.push_back(message);
      }
      continue;
    }
    StringRef text = message.text;
    if (text.starts_with("Used ") && text.contains(" registers")) {
      numberBefore(text, " registers", resources.registers);
      numberBefore(text, " bytes smem", resources.staticShared);
      continue;
    }
    // The rest of -v's routine lines: what is compiled, global memory, time taken.
    if (message.severity == PtxasMessage::Severity::Info && message.code.empty())
      continue;
    messages.push_back(message);
  }
  if (resources.spillStores + resources.spillLoads > 0) {
    PtxasMessage spill;
    spill.severity = PtxasMessage::Severity::Warning;
    spill.code = "spill";
    spill.text = "registers are spilled: " + std::to_string(resources.spillStores) + " bytes stored, " +
                 std::to_string(resources.spillLoads) + " bytes loaded";
    messages.push_back(spill);
  }
}
