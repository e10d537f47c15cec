// What a compilation made, for people and scripts: `--report=text|json`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_REPORT_H
#define TILEWRIGHT_PIPELINE_REPORT_H

#include "Tilewright/Analysis/Occupancy.h"
#include "Tilewright/Pipeline/Stages.h"

#include "llvm/Support/raw_ostream.h"

namespace tilewright {

/// One kernel for one arch.
struct KernelTarget {
  std::string arch;
  std::optional<KernelResources> resources; ///< Known when ptxas ran.
  std::optional<double> occupancy;          ///< Resident warps over the most that fit.
  std::optional<KernelOccupancy> residency; ///< The rest about it, where the kernel is at hand.
  std::string limiter;                      ///< What holds it back: memory, latency, few blocks, tail, …
};

/// A kernel that runs in some blocks of a merged one.
struct PartReport {
  std::string kernel;
  uint64_t firstBlock = 0, blocks = 0;
};

/// One kernel, in the order of first launch.
struct KernelReport {
  std::string name;
  std::vector<PartReport> parts; ///< Of a merged kernel.
  /// Of one whose parts are interleaved: how many slices of each; the blocks of parts are those of one.
  uint64_t slices = 0;
  std::vector<std::string> sourceNodes;
  std::string anchor;
  std::array<uint32_t, 3> grid{1, 1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t sharedBytes = 0; ///< Dynamic.
  unsigned launches = 0;    ///< In all programs.
  uint64_t flops = 0, bytesRead = 0, bytesWritten = 0;
  uint64_t dramRead = 0, dramWritten = 0; ///< Of all launches in all programs, as modelled.
  std::string bound;
  double predictedMicroseconds = 0;
  std::string scheduleFrom; ///< record, model, rule or program; empty: not known.
  std::vector<KernelTarget> targets;
};

/// One program: a shape bucket.
struct ProgramReport {
  std::string name;
  unsigned launches = 0; ///< Kernels, copies and fills of one forward.
  uint64_t arenaBytes = 0;
  double predictedMicroseconds = 0; ///< The sum over its kernels.
  /// What its launches read and write, and the least possible: inputs and weights as far as they are needed,
  /// once, and each output once.
  uint64_t movedBytes = 0, leastBytes = 0;
  /// The same through the memory behind the L2 cache, as modelled (plan-annotate-costs): results that the
  /// cache holds at the end count as written, what nobody needs any more does not (`deadBytes`).
  bool hasTraffic = false;
  uint64_t dramRead = 0, dramWritten = 0, deadBytes = 0;
};

struct CompileReport {
  std::string program;
  std::string toolchain;
  Assembler::Statistics assembly; ///< How many kernels were assembled, and how many the cache had.
  std::vector<KernelReport> kernels;
  std::vector<ProgramReport> programs;
  uint64_t weightBytes = 0;
  uint64_t packageBytes = 0;
  uint64_t emulationBytes = 0;
  uint64_t imageBytes = 0;
  std::vector<std::pair<Stage, double>> seconds; ///< Of the stages that ran.
  /// Adds to the seconds of a stage.
  void add(Stage stage, double more);
  uint64_t peakMemoryBytes = 0;       ///< Of this process; workers are apart.
  uint64_t peakWorkerMemoryBytes = 0; ///< Of the largest worker.
};

/// Fills kernels and programs from a package that was built from `module`.
void reportPackage(mlir::ModuleOp module, const package::Package &package,
                   llvm::ArrayRef<AssembledKernel> kernels, CompileReport &report);

void printReport(const CompileReport &report, llvm::raw_ostream &os);
void printReportJson(const CompileReport &report, llvm::raw_ostream &os);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_REPORT_H
