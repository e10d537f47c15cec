// The bundle's form. A line for every part, `part NAME BYTES`, or `file NAME BYTES SIZE offset+bytes,…` with
// what was left out, then its bytes and a line's end: people read it, and no parser has to look inside.
#include "Tilewright/Package/Reproducer.h"
#include "Tilewright/Package/OutputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright;

static constexpr const char *kMagic = "tilewright reproducer 1\n";
/// No model is larger; what a bundle claims beyond it is damage.
static constexpr uint64_t kLargestFile = uint64_t(1) << 40;
static constexpr size_t kMostFiles = 64;

//===-- Files -----------------------------------------------------------------------------------------===//

BundledFile tilewright::bundleFile(std::string name, std::string_view contents, std::vector<Hole> holes) {
  BundledFile file;
  file.name = std::move(name);
  file.size = contents.size();
  std::sort(holes.begin(), holes.end(), [](const Hole &a, const Hole &b) { return a.offset < b.offset; });
  uint64_t at = 0;
  for (const Hole &hole : holes) {
    if (hole.offset < at || hole.offset > contents.size() || hole.bytes > contents.size() - hole.offset)
      continue;
    file.bytes += contents.substr(at, hole.offset - at);
    file.holes.push_back(hole);
    at = hole.offset + hole.bytes;
  }
  file.bytes += contents.substr(at);
  return file;
}

static bool isName(std::string_view name) {
  return !name.empty() && name.size() <= 200 && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                  c == '_' || c == '-';
         });
}

/// The holes lie in the file, in order, and leave the bytes that there are.
static bool isSound(const BundledFile &file) {
  if (!isName(file.name) || file.size > kLargestFile)
    return false;
  uint64_t at = 0, left = file.size;
  for (const Hole &hole : file.holes) {
    if (hole.offset < at || hole.offset > file.size || hole.bytes > file.size - hole.offset)
      return false;
    at = hole.offset + hole.bytes;
    left -= hole.bytes;
  }
  return left == file.bytes.size();
}

//===-- Writing ---------------------------------------------------------------------------------------===//

static void appendPart(std::string &out, const char *name, const std::string &bytes) {
  out += std::string("part ") + name + " " + std::to_string(bytes.size()) + "\n" + bytes + "\n";
}

std::string tilewright::writeReproducer(const std::string &path, const Reproducer &reproducer) {
  std::string out = kMagic, arguments;
  for (const std::string &argument : reproducer.arguments)
    arguments += argument + "\n";
  appendPart(out, "tool", reproducer.tool);
  appendPart(out, "about", reproducer.about);
  appendPart(out, "arguments", arguments);
  appendPart(out, "log", reproducer.log);
  for (const BundledFile &file : reproducer.files) {
    out +=
        "file " + file.name + " " + std::to_string(file.bytes.size()) + " " + std::to_string(file.size) + " ";
    for (const Hole &hole : file.holes)
      out += std::to_string(hole.offset) + "+" + std::to_string(hole.bytes) + ",";
    out += "\n" + file.bytes + "\n";
  }
  return writeWholeFile(path, out);
}

//===-- Reading ---------------------------------------------------------------------------------------===//

/// Takes a number off the front of `text`.
static bool takeNumber(std::string_view &text, uint64_t &number) {
  number = 0;
  size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    if (digits > 15)
      return false;
    number = number * 10 + (text[digits] - '0');
  }
  text.remove_prefix(digits);
  return digits > 0;
}

static bool takeChar(std::string_view &text, char c) {
  if (text.empty() || text[0] != c)
    return false;
  text.remove_prefix(1);
  return true;
}

std::string tilewright::parseReproducer(std::string_view text, Reproducer &reproducer) {
  reproducer = {};
  std::string_view magic = kMagic;
  if (text.substr(0, magic.size()) != magic)
    return "it is no reproducer: its first line is not '" + std::string(magic.substr(0, magic.size() - 1)) +
           "'";
  size_t whole = text.size();
  text.remove_prefix(magic.size());
  while (!text.empty()) {
    std::string place = "the part at byte " + std::to_string(whole - text.size());
    size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return place + " is cut short";
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    bool isFile = line.substr(0, 5) == "file ";
    if (!isFile && line.substr(0, 5) != "part ")
      return place + " is neither 'part' nor 'file'";
    line.remove_prefix(5);
    BundledFile file;
    file.name = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(line.size(), file.name.size()));
    uint64_t bytes = 0;
    if (!takeChar(line, ' ') || !takeNumber(line, bytes) || bytes >= text.size() || text[bytes] != '\n')
      return place + " is cut short or has no size";
    file.bytes = text.substr(0, bytes);
    text.remove_prefix(bytes + 1);
    if (!isFile) {
      if (file.name == "tool")
        reproducer.tool = file.bytes;
      else if (file.name == "about")
        reproducer.about = file.bytes;
      else if (file.name == "log")
        reproducer.log = file.bytes;
      else if (file.name == "arguments") {
        std::istringstream lines(file.bytes);
        for (std::string argument; std::getline(lines, argument);)
          reproducer.arguments.push_back(argument);
      }
      continue;
    }
    bool sound = takeChar(line, ' ') && takeNumber(line, file.size) && takeChar(line, ' ');
    while (sound && !line.empty()) {
      Hole &hole = file.holes.emplace_back();
      sound = takeNumber(line, hole.offset) && takeChar(line, '+') && takeNumber(line, hole.bytes) &&
              takeChar(line, ',');
    }
    if (!sound || !isSound(file) || reproducer.files.size() >= kMostFiles)
      return place + ", a file, has a name, size or holes that do not fit";
    reproducer.files.push_back(std::move(file));
  }
  return "";
}

std::string tilewright::readReproducer(const std::string &path, Reproducer &reproducer) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return "cannot open '" + path + "': " + std::strerror(errno);
  // A folder can be opened; what is left unread by a stream would throw.
  in.peek();
  if (in.bad())
    return "cannot read '" + path + "': " + std::strerror(errno);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  std::string error = parseReproducer(text, reproducer);
  return error.empty() ? "" : "'" + path + "': " + error;
}

//===-- Running ---------------------------------------------------------------------------------------===//

/// Writes all of `bytes` at `offset`.
static bool writeAt(int fd, std::string_view bytes, uint64_t offset) {
  while (!bytes.empty()) {
    ssize_t count = pwrite(fd, bytes.data(), bytes.size(), (off_t)offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return false;
    bytes.remove_prefix(count);
    offset += count;
  }
  return true;
}

std::string tilewright::unpackReproducer(const Reproducer &reproducer, const std::string &folder) {
  for (const BundledFile &file : reproducer.files) {
    std::string path = folder + "/" + file.name;
    int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool written = fd >= 0 && ftruncate(fd, (off_t)file.size) == 0;
    uint64_t at = 0, taken = 0;
    std::string_view bytes = file.bytes;
    for (const Hole &hole : file.holes) {
      written = written && writeAt(fd, bytes.substr(taken, hole.offset - at), at);
      taken += hole.offset - at;
      at = hole.offset + hole.bytes;
    }
    written = written && writeAt(fd, bytes.substr(taken), at);
    int reason = errno;
    if (fd >= 0 && close(fd) != 0)
      written = false, reason = errno;
    if (!written)
      return "cannot write '" + path + "': " + std::strerror(reason);
  }
  return "";
}

std::vector<std::string> tilewright::argumentsIn(const Reproducer &reproducer, const std::string &folder) {
  std::vector<std::string> arguments;
  for (std::string argument : reproducer.arguments) {
    for (size_t at = 0; (at = argument.find("{}/", at)) != std::string::npos; at += folder.size())
      argument.replace(at, 2, folder);
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

/// Starts this program again as `tool`; its exit code, or 128 and the signal that ended it.
static int runAgain(const std::string &tool, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), tool);
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    execv("/proc/self/exe", argv.data());
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (child > 0 && WIFSIGNALED(status)) {
    std::fprintf(stderr, "%s: stopped by signal %d (%s)\n", tool.c_str(), WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
  }
  return child > 0 ? WEXITSTATUS(status) : 127;
}

int tilewright::runReproducer(const std::string &path, const std::string &tool,
                              const std::vector<std::string> &flags, const std::vector<std::string> &own) {
  auto refuse = [&](const std::string &why) {
    std::fprintf(stderr, "%s: error: %s\n", tool.c_str(), why.c_str());
    return 2;
  };
  Reproducer reproducer;
  if (std::string error = readReproducer(path, reproducer); !error.empty())
    return refuse(error);
  if (reproducer.tool != tool)
    return refuse("'" + path + "' is for " + reproducer.tool);
  // A bundle may come from anywhere: it reads its own files and writes nothing.
  for (const std::string &argument : reproducer.arguments) {
    bool known = argument.compare(0, 3, "{}/") == 0;
    for (const std::string &flag : flags)
      known |= argument == flag || argument.compare(0, flag.size() + 1, flag + "=") == 0;
    if (!known)
      return refuse("'" + path + "' has the argument '" + argument + "', which a reproducer may not have");
  }
  const char *temporary = std::getenv("TMPDIR");
  std::string folder = std::string(temporary && *temporary ? temporary : "/tmp") + "/tilewright-XXXXXX";
  if (!mkdtemp(folder.data()))
    return refuse("cannot make the folder '" + folder + "': " + std::strerror(errno));
  std::string error = unpackReproducer(reproducer, folder);
  int code = 0;
  if (error.empty()) {
    std::fprintf(stderr, "%s: running '%s' again:\n%s", tool.c_str(), path.c_str(), reproducer.about.c_str());
    std::fflush(stderr);
    std::vector<std::string> arguments = argumentsIn(reproducer, folder);
    arguments.insert(arguments.end(), own.begin(), own.end());
    code = runAgain(tool, std::move(arguments));
  }
  for (const BundledFile &file : reproducer.files)
    unlink((folder + "/" + file.name).c_str());
  rmdir(folder.c_str());
  return error.empty() ? code : refuse(error);
}
