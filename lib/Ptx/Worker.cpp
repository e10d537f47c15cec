// The worker's side: it reads requests from its standard input until that closes, and answers each with PTX,
// cubin and ptxas' log. When LLVM aborts the worker is gone, and the assembler says so.
#include "EmitPtx.h"
#include "Ptxas.h"
#include "Wire.h"
#include "WorkerPool.h"

#include "Tilewright/Package/OutputFile.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::ptxstage;

static bool readAll(int fd, char *data, size_t size) {
  while (size > 0) {
    ssize_t count = read(fd, data, size);
    if (count == 0 || (count < 0 && errno != EINTR))
      return false;
    if (count > 0)
      data += count, size -= count;
  }
  return true;
}

/// Bytes that the log tells of as spilled.
static unsigned spilledBytes(llvm::StringRef log) {
  KernelResources resources;
  std::vector<PtxasMessage> messages;
  parsePtxasLog(log, resources, messages);
  return resources.spillStores + resources.spillLoads;
}

/// `ptx` with `.minnctapersm 1` for a kernel whose block is known and that says nothing of occupancy or
/// registers; empty for others (PTX ISA, "Performance-Tuning Directives").
static std::string withoutOccupancyAim(llvm::StringRef ptx) {
  if (ptx.contains("\n.minnctapersm") || ptx.contains("\n.maxnreg"))
    return "";
  size_t block = ptx.find("\n.reqntid");
  size_t end = block == llvm::StringRef::npos ? block : ptx.find('\n', block + 1);
  if (end == llvm::StringRef::npos)
    return "";
  return (ptx.take_front(end) + "\n.minnctapersm 1" + ptx.drop_front(end)).str();
}

static Reply serve(const Request &request, const std::string &directory) {
  Reply reply;
  reply.ptx = emitPtx(request, reply.error);
  if (!reply.error.empty() || request.ptxas.empty())
    return reply;
  reply.cubin = runPtxas(request.ptxas, request.arch, reply.ptx, directory, reply.ptxasLog);
  if (reply.cubin.empty()) {
    reply.error = "ptxas";
    return reply;
  }
  // ptxas aims at an occupancy of its own, sometimes at the price of spills. One block is enough then.
  unsigned spilled = spilledBytes(reply.ptxasLog);
  if (std::string ptx = spilled ? withoutOccupancyAim(reply.ptx) : ""; !ptx.empty()) {
    std::string log, cubin = runPtxas(request.ptxas, request.arch, ptx, directory, log);
    if (!cubin.empty() && spilledBytes(log) < spilled) {
      reply.ptx = std::move(ptx);
      reply.cubin = std::move(cubin);
      reply.ptxasLog = std::move(log);
    }
  }
  return reply;
}

static int runWorker(const std::string &directory) {
  // What LLVM prints must not fall between frames: standard output goes where standard error goes.
  int replies = fcntl(1, F_DUPFD_CLOEXEC, 3);
  if (replies < 0 || dup2(2, 1) < 0)
    return 1;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_IGN);
  struct rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  while (true) {
    uint64_t size;
    if (!readAll(0, reinterpret_cast<char *>(&size), sizeof(size)))
      return 0;
    std::string frame(size, '\0');
    if (!readAll(0, frame.data(), size))
      return 1;
    std::optional<Request> request = decodeRequest(frame);
    if (!request)
      return 1;
    std::string out;
    appendField(out, encode(serve(*request, directory)));
    if (!writeAll(replies, out))
      return 1;
  }
}

/// argv[0] of this process; null when main has not called maybeRunPtxWorker.
static const char *programName = nullptr;

bool ptxstage::canStartWorkers() { return programName; }
const char *ptxstage::workerProgram() { return programName; }

int tilewright::maybeRunPtxWorker(int argc, char **argv) {
  programName = argv[0];
  if (argc != 3 || llvm::StringRef(argv[1]) != workerArgument)
    return -1;
  return runWorker(argv[2]);
}
