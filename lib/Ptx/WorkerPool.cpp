// Starts workers, hands them requests, collects replies, and replaces the dead. All of it runs on one thread
// around poll(2), so there is no order to get wrong and no lock.
#include "WorkerPool.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Regex.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilewright::ptxstage;
using llvm::StringRef;
using Clock = std::chrono::steady_clock;

extern char **environ;

struct WorkerPool::Worker {
  pid_t pid = -1;
  /// The worker's standard input and output.
  int channel = -1;
  /// Reads the worker's standard error.
  int errors = -1;
  std::string toSend;
  std::string received;
  std::string errorText;
  /// Index of the request at work; -1 when idle.
  ssize_t request = -1;
  Clock::time_point deadline;
  bool dead = false;

  ~Worker() {
    if (channel >= 0)
      close(channel);
    if (errors >= 0)
      close(errors);
  }
};

WorkerPool::WorkerPool(unsigned jobs, unsigned timeLimitSeconds)
    : jobs(std::max(1u, jobs)), timeLimitSeconds(timeLimitSeconds) {}

WorkerPool::~WorkerPool() {
  // An idle worker leaves when its input closes; one at work is not waited for.
  for (auto &worker : workers) {
    if (worker->request >= 0)
      kill(-worker->pid, SIGKILL);
    close(worker->channel);
    worker->channel = -1;
    while (waitpid(worker->pid, nullptr, 0) < 0 && errno == EINTR)
      continue;
  }
  if (!scratch.empty())
    llvm::sys::fs::remove_directories(scratch);
}

//===----------------------------------------------------------------------===//
// Birth and death
//===----------------------------------------------------------------------===//

std::unique_ptr<WorkerPool::Worker> WorkerPool::start(std::string &error) {
  auto fail = [&](const llvm::Twine &what, int number) {
    error = ("cannot start a ptx worker: " + what + ": " + strerror(number)).str();
    return nullptr;
  };
  if (scratch.empty()) {
    llvm::SmallString<128> path;
    if (std::error_code failed = llvm::sys::fs::createUniqueDirectory("tilewright-ptx", path))
      return fail("scratch directory", failed.value());
    scratch = path.str().str();
  }
  std::string directory = scratch + "/" + std::to_string(numStarted);
  if (std::error_code failed = llvm::sys::fs::create_directory(directory))
    return fail("scratch directory", failed.value());

  // A socket rather than two pipes: a write to a dead worker is an error code, not SIGPIPE.
  int channel[2], errors[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0)
    return fail("socket", errno);
  if (pipe2(errors, O_CLOEXEC) != 0) {
    int number = errno;
    close(channel[0]), close(channel[1]);
    return fail("pipe", number);
  }
  // By this link and not by name: the file may have been replaced by a newer one since this process started.
  static int anchor;
  std::string executable = "/proc/self/exe";
  if (access(executable.c_str(), X_OK) != 0)
    executable = llvm::sys::fs::getMainExecutable(workerProgram(), &anchor);
  std::string argument = workerArgument;
  char *argv[] = {executable.data(), argument.data(), directory.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, channel[1], 0);
  posix_spawn_file_actions_adddup2(&actions, channel[1], 1);
  posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
  // A group of its own, so that a worker's ptxas is stopped with it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  auto worker = std::make_unique<Worker>();
  int number = posix_spawn(&worker->pid, executable.c_str(), &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(channel[1]), close(errors[1]);
  worker->channel = channel[0], worker->errors = errors[0];
  if (number != 0)
    return fail(executable, number);
  fcntl(worker->channel, F_SETFL, O_NONBLOCK);
  fcntl(worker->errors, F_SETFL, O_NONBLOCK);
  ++numStarted;
  return worker;
}

/// Appends what `fd` has now; false once the other end is closed.
static bool drain(int fd, std::string &text) {
  char buffer[65536];
  while (true) {
    ssize_t count = read(fd, buffer, sizeof(buffer));
    if (count > 0)
      text.append(buffer, count);
    else if (count == 0)
      return false;
    else if (errno != EINTR)
      return errno == EAGAIN;
  }
}

/// The line of a dead worker's standard error that tells most: LLVM's error, else the last line. Addresses of
/// instruction nodes are taken out, since they differ from run to run.
static std::string lastWords(StringRef text) {
  StringRef best;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.trim();
    if (line.empty())
      continue;
    best = line;
    if (line.starts_with("LLVM ERROR:") || line.starts_with("error:"))
      break;
  }
  std::string words = best.str();
  llvm::Regex address("0x[0-9a-f]+:? ?");
  while (address.match(words))
    words = address.sub("", words);
  return words;
}

Reply WorkerPool::bury(Worker &worker, bool timedOut) {
  kill(-worker.pid, SIGKILL);
  int status = 0;
  while (waitpid(worker.pid, &status, 0) < 0 && errno == EINTR)
    continue;
  drain(worker.errors, worker.errorText);
  worker.dead = true;
  ++numLost;
  Reply reply;
  if (timedOut) {
    reply.error = "the worker exceeded the time limit of " + std::to_string(timeLimitSeconds) + " s";
    return reply;
  }
  if (WIFSIGNALED(status))
    reply.error = "the worker was stopped by signal " + std::to_string(WTERMSIG(status)) + " (" +
                  strsignal(WTERMSIG(status)) + ")";
  else
    reply.error = "the worker left with status " + std::to_string(WEXITSTATUS(status));
  if (std::string words = lastWords(worker.errorText); !words.empty())
    reply.error += ": " + words;
  return reply;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Sends what is left of the request; false when the worker is gone.
static bool sendSome(int channel, std::string &toSend) {
  while (!toSend.empty()) {
    ssize_t count = send(channel, toSend.data(), toSend.size(), MSG_NOSIGNAL);
    if (count > 0)
      toSend.erase(0, count);
    else if (errno != EINTR)
      return errno == EAGAIN;
  }
  return true;
}

std::vector<Reply> WorkerPool::run(const std::vector<Request> &requests) {
  std::vector<Reply> replies(requests.size());
  size_t next = 0, done = 0;
  while (done < requests.size()) {
    while (next < requests.size()) {
      auto idle = llvm::find_if(workers, [](auto &worker) { return worker->request < 0; });
      if (idle == workers.end()) {
        if (workers.size() >= jobs)
          break;
        std::string error;
        std::unique_ptr<Worker> worker = start(error);
        if (!worker) {
          replies[next++].error = error;
          ++done;
          continue;
        }
        workers.push_back(std::move(worker));
        idle = std::prev(workers.end());
      }
      Worker &worker = **idle;
      worker.request = next;
      worker.toSend.clear(), worker.received.clear(), worker.errorText.clear();
      appendField(worker.toSend, encode(requests[next++]));
      worker.deadline = Clock::now() + std::chrono::seconds(timeLimitSeconds);
    }
    if (done < requests.size())
      pollOnce(replies, done);
  }
  return replies;
}

/// Waits until a worker has something to say or runs out of time, and deals with it.
void WorkerPool::pollOnce(std::vector<Reply> &replies, size_t &done) {
  std::vector<pollfd> fds;
  Clock::time_point soonest = Clock::time_point::max();
  for (auto &worker : workers) {
    if (worker->request < 0)
      continue;
    short events = worker->toSend.empty() ? POLLIN : POLLIN | POLLOUT;
    fds.push_back({worker->channel, events, 0});
    fds.push_back({worker->errors, POLLIN, 0});
    soonest = std::min(soonest, worker->deadline);
  }
  auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(soonest - Clock::now()).count() + 1;
  poll(fds.data(), fds.size(), static_cast<int>(std::clamp<long>(wait, 0, 1000)));

  for (auto &worker : workers) {
    if (worker->request < 0)
      continue;
    bool alive = sendSome(worker->channel, worker->toSend);
    alive &= drain(worker->channel, worker->received);
    drain(worker->errors, worker->errorText);
    std::string frame;
    StringRef rest = worker->received;
    std::optional<Reply> reply;
    if (takeField(rest, frame))
      reply = decodeReply(frame);
    else if (!alive)
      reply = bury(*worker, /*timedOut=*/false);
    else if (Clock::now() >= worker->deadline)
      reply = bury(*worker, /*timedOut=*/true);
    else
      continue;
    replies[worker->request] = reply ? std::move(*reply) : bury(*worker, /*timedOut=*/false);
    worker->request = -1;
    ++done;
  }
  llvm::erase_if(workers, [](auto &worker) { return worker->dead; });
}
