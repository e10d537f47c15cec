// The worker's side: it reads requests from its standard input until that closes, and answers each with PTX,
// cubin and ptxas' log. When LLVM aborts the worker is gone, and the assembler says so.
#include "EmitPtx.h"
#include "OccupancyAim.h"
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

static Reply serve(const Request &request, const std::string &directory) {
  Reply reply;
  reply.ptx = emitPtx(request, reply.error);
  if (!reply.error.empty() || request.ptxas.empty())
    return reply;
  assembleForOccupancy(request, directory, reply);
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
