// One program checked on values: the CPU reference in fp64 against the compiled kernels on the emulator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TEST_CHECKPROGRAM_H
#define TILEWRIGHT_TEST_CHECKPROGRAM_H

#include "Tilewright/Pipeline/Stages.h"
#include "Tilewright/Reference/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::check {

struct CheckOptions {
  double rtol = 1e-5, atol = 1e-6;
  /// `atol` is a share of a result's largest element, where that is above 1.
  bool scaled = false;
  /// Whether differences that rounding of the inputs and of the steps makes as well are right: for programs
  /// that nobody has chosen, whose values may hang on it.
  bool rounded = false;
  /// Of the inputs; each input has a seed of its own that follows from it.
  uint64_t seed = 0;
  /// How the inputs without a `check.data` are made, "random" included.
  std::string data = "random";
  /// As --precision of tw-compile.
  std::string precision = "fp32";
  /// As --form of tw-compile.
  fuse::Form form = {};
  /// Order of warps and blocks on the emulator.
  unsigned emulatorSeed = 0;
  bool earlyCompletion = false;
  /// The schedule of kernels around a product, or of scans when it looks back; absent, it is chosen.
  mlir::Attribute schedule;
  /// Scans of few long rows stay one kernel.
  bool lookBack = false;
  /// Kernels that need one another are one launch wherever that can be, which runs twice.
  bool interleave = false;
  /// A program of the same inputs and results that says what is right in place of the program itself.
  mlir::ModuleOp reference;
  /// Whether the reference runs what import made of an upstream program, for which upstream has no lowering.
  bool referenceOfGraph = false;
  /// The seed of random schedules that the kernels get, or -1.
  int64_t scheduleSeed = -1;
  /// The chip that kernels are scheduled for; null: for any, with nothing that only some chips have
  /// (clusters, products of warpgroups, tensor maps), where `archs` names none.
  const Arch *target = nullptr;
  /// Chips to assemble every kernel for; a spilled register is a failure.
  std::vector<const Arch *> archs;
};

enum class Verdict {
  Equal,
  Different, ///< other values than the reference's
  Refused,   ///< a located error of the compiler
  Broken     ///< the reference, the package or the emulator failed
};

struct Outcome {
  Verdict verdict = Verdict::Equal;
  /// What happened, in a sentence or more; for equal results the largest difference.
  std::string text;
  /// Kernels, copies and fills of one run.
  unsigned launches = 0;
};

/// A module of `func` alone, called main, without the attributes meant for this tool.
mlir::OwningOpRef<mlir::ModuleOp> extractProgram(mlir::func::FuncOp func);

/// The inputs of `func`: `check.data` of the argument, or the options' data.
llvm::Expected<std::vector<reference::HostTensor>> makeInputs(mlir::func::FuncOp func,
                                                              const CheckOptions &options);

/// The weights of `program`: from the files that it names, or random.
llvm::Expected<reference::WeightSource> weightsOf(mlir::ModuleOp program, uint64_t seed);

/// The options of every stage, as tw-compile would set them.
StageOptions stageOptions(const CheckOptions &options);

/// Runs the passes of one stage, and its contract.
mlir::LogicalResult runStage(mlir::ModuleOp program, Stage stage, const StageOptions &stages);

/// Runs `program`, as the target stage left it, on the emulator; `results` have the right types.
Outcome runTarget(mlir::ModuleOp program, llvm::ArrayRef<reference::HostTensor> inputs,
                  std::vector<reference::HostTensor> &results, const CheckOptions &options);

/// Compiles `program`, which is changed by it, runs it and compares with the reference.
Outcome checkProgram(mlir::ModuleOp program, llvm::ArrayRef<reference::HostTensor> inputs,
                     const CheckOptions &options);

} // namespace tilewright::check

#endif // TILEWRIGHT_TEST_CHECKPROGRAM_H
