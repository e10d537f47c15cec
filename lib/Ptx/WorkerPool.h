// The assembler's side of the worker processes.
#ifndef TILEWRIGHT_LIB_PTX_WORKERPOOL_H
#define TILEWRIGHT_LIB_PTX_WORKERPOOL_H

#include "Wire.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::ptxstage {

/// True once `maybeRunPtxWorker` was called: without it a worker would run the program itself again.
bool canStartWorkers();
/// How this process was called, to find the program where there is no /proc.
const char *workerProgram();

/// Worker processes that live from one batch of requests to the next. One thread drives them all.
class WorkerPool {
public:
  WorkerPool(unsigned jobs, unsigned timeLimitSeconds);
  ~WorkerPool();

  /// Sends every request to a worker and returns the replies in the same order. A worker that dies or exceeds
  /// the time limit gives a reply with `error` set, and a new worker takes its place.
  std::vector<Reply> run(const std::vector<Request> &requests);

  unsigned started() const { return numStarted; }
  unsigned lost() const { return numLost; }

private:
  struct Worker;

  std::unique_ptr<Worker> start(std::string &error);
  void pollOnce(std::vector<Reply> &replies, size_t &done);
  Reply bury(Worker &worker, bool timedOut);

  unsigned jobs;
  unsigned timeLimitSeconds;
  unsigned numStarted = 0;
  unsigned numLost = 0;
  /// Holds one scratch directory a worker; removed at the end.
  std::string scratch;
  std::vector<std::unique_ptr<Worker>> workers;
};

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_WORKERPOOL_H
