// The contents page of the compiler: import → graph → fuse → tile → schedule → target → ptx → package.
//
// For each stage one sentence, its options and the function that is the stage. Stages.cpp is the compiler top
// to bottom in the same order; Driver.h runs it. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_STAGES_H
#define TILEWRIGHT_PIPELINE_STAGES_H

#include "Tilewright/Fuse/Form.h"
#include "Tilewright/Pipeline/Packaging.h"
#include "Tilewright/Pipeline/ShapeBuckets.h"
#include "Tilewright/Ptx/Assemble.h"
#include "Tilewright/Target/Cuda/Arch.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace tilewright {

enum class Stage { Import, Graph, Fuse, Tile, Schedule, Target, Ptx, Package };

/// Every stage, in order.
constexpr std::array<Stage, 8> kStages = {Stage::Import,   Stage::Graph,  Stage::Fuse, Stage::Tile,
                                          Stage::Schedule, Stage::Target, Stage::Ptx,  Stage::Package};

/// `import`, `graph`, …: the word in flags, dump files, verifiers and docs.
llvm::StringRef stageName(Stage stage);
/// What holds when it ends, in one sentence.
llvm::StringRef stageSentence(Stage stage);
std::optional<Stage> parseStage(llvm::StringRef name);

/// import: one graph op per source node, located at its name; weights are references. The model becomes one
/// function for each shape bucket.
struct ImportStage {
  /// The file as the user named it; only its last component appears in results.
  std::string path;
  /// The model's bytes, when it was read from elsewhere (standard input).
  std::optional<llvm::StringRef> bytes;
  /// Sizes of the symbolic dimensions of inputs.
  std::vector<ShapeFlag> shapes;
};
mlir::OwningOpRef<mlir::ModuleOp> runImportStage(mlir::MLIRContext &context, const ImportStage &stage);

/// graph: a canonical tensor program: named patterns raised, movement removed, precision applied.
struct GraphStage {
  /// How products are formed: fp32 (or tf32x3), ieee, tf32, bf16 or fp16.
  std::string precision = "fp32";
  /// Whether formulas may be replaced by others that round differently.
  bool reorder = true;
};
void populateStage(mlir::OpPassManager &pm, const GraphStage &stage);

/// The element type that fp32 values between kernels are stored in under a precision policy, as FuseStage has
/// it.
std::string storageOf(llvm::StringRef precision);

/// fuse: the program cut into kernels, each with one anchor, and a plan that launches them.
struct FuseStage {
  /// Element type that fp32 values between kernels are stored in: fp32, bf16 or fp16.
  std::string storage = "fp32";
  /// Whether sums may be formed in any order.
  bool reorder = true;
  /// Scans of few long rows are one kernel, whose blocks look back at one another.
  bool lookBack = true;
  /// Also those that run across rows in memory.
  bool lookBackColumns = false;
  /// Products that follow one another become one kernel where what lies between them allows it.
  bool chainProducts = true;
  /// Kernels begin with what the one before them has gone through last.
  bool reverseKernels = true;
  /// Kernels say what may leave the L2 cache first, so that those that go backward find more there.
  bool cacheHints = true;
  /// Operands of large products get rows that the tensor memory accelerator can copy.
  bool alignOperands = false;
  /// The chip that times are modelled for; the first of the targets.
  std::string target = "sm_90a";
  /// What is done otherwise than the models say.
  fuse::Form form = {};
  /// Whether other forms are compiled too, and the one that is modelled to take least time is taken
  /// (ChooseForm.h), where kernels are assembled for one chip.
  bool choosesForm = false;
};
void populateStage(mlir::OpPassManager &pm, const FuseStage &stage);

/// tile: for each kernel what one thread block does, with layouts assigned.
struct TileStage {
  /// Bytes of shared memory that a block may take; 0: what every known chip has.
  int64_t sharedLimit = 0;
  /// The chips that kernels are for.
  std::vector<std::string> chips;
  /// Tuning records that kernels take their schedules from: a file, `builtin` or `none`.
  std::string records = "builtin";
};
void populateStage(mlir::OpPassManager &pm, const TileStage &stage);

/// schedule: memory spaces, swizzles, asynchronous copies and barriers made explicit, by one attribute.
struct ScheduleStage {
  /// Loads and stores of memory-bound kernels say what the caches need not keep.
  bool cacheHints = false;
  /// It is noted which bytes blocks touch, for launches that are interleaved.
  bool footprints = false;
};
void populateStage(mlir::OpPassManager &pm, const ScheduleStage &stage);

/// target: kernels of one thread, in llvm, nvvm and ptx ops; small ones that do not need one another are one.
struct TargetStage {
  /// Functions have the same bits on every machine; otherwise the chip's approximations serve where they are
  /// good to a few ulps.
  bool exactMath = false;
  /// Launches of small kernels become one where that is modelled to be faster.
  bool mergeLaunches = true;
  /// Launches that need one another, or read the same, become one, whose blocks go through the tensors slice
  /// by slice: none of them, those that only read the same (in the ptx stage, once it is known what registers
  /// they take), where that is modelled to pass fewer bytes through the memory, or wherever it can be done.
  enum class Interleaving { Off, Independent, On, Always };
  Interleaving interleaveLaunches = Interleaving::Off;
  bool interleavesAny() const { return interleaveLaunches >= Interleaving::On; }
  bool mergesAny() const { return mergeLaunches || interleavesAny(); }
  /// The chip that times are modelled for; the first of the targets.
  std::string target = "sm_90a";
  /// Kernels that are not merged.
  std::vector<std::string> alone;
};
void populateStage(mlir::OpPassManager &pm, const TargetStage &stage);
/// Its second half, which needs the whole program: launches are merged.
void populateMerging(mlir::OpPassManager &pm, const TargetStage &stage);

/// ptx: PTX, and a cubin where ptxas is found, of every kernel for every arch.
struct PtxStage {
  std::vector<const Arch *> archs;
  AssembleOptions assemble;
};
mlir::FailureOr<std::vector<AssembledKernel>> runPtxStage(mlir::ModuleOp module, const PtxStage &stage,
                                                          std::string &toolchain,
                                                          Assembler::Statistics *statistics = nullptr);
/// Says what `kernels`, those that stay, need of a multiprocessor, what ptxas says of them, and whether they
/// keep the memory busy.
void explainKernels(mlir::ModuleOp module, llvm::ArrayRef<AssembledKernel> kernels);

/// package: buffers planned, launches as data, kernels and weights in one file.
struct PackageStage {
  PackageInputs inputs;
  /// Few blocks that start while another kernel runs have a multiprocessor each.
  bool spreadBlocks = true;
};
void populateStage(mlir::OpPassManager &pm, const PackageStage &stage);

/// The options of all stages: what a command line comes to.
struct StageOptions {
  ImportStage import;
  GraphStage graph;
  FuseStage fuse;
  TileStage tile;
  ScheduleStage schedule;
  TargetStage target;
  PtxStage ptx;
  PackageStage package;
};

/// The pass that checks what a stage promises at its end; of ptx none.
void populateContract(mlir::OpPassManager &pm, Stage stage);

/// The passes of a stage: of import none, of ptx none, of package those that plan buffers. With `verify`, the
/// stage's contract is checked at the end.
void populateStage(mlir::OpPassManager &pm, Stage stage, const StageOptions &options, bool verify);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_STAGES_H
