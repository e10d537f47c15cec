// The reference: an import- or graph-stage module run on the CPU through upstream's linalg, independent of
// every kernel. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_REFERENCE_REFERENCE_H
#define TILEWRIGHT_REFERENCE_REFERENCE_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Reference/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <memory>
#include <optional>

namespace tilewright::reference {

/// In what the reference computes.
enum class Precision {
  Native, ///< in the program's types, each rounding where the program has it
  F64,    ///< everything in fp64, casts between floats left out
};

/// How far the steps of a program are off their exact values, at random (Monte Carlo arithmetic).
struct Rounding {
  /// What an fp32 result may be off by, as a part of it; narrower types have their own half unit.
  double unitOfF32 = 0x1p-24;
  /// What the operands of products may be off by at least (rounded to tf32, say).
  double unitOfFactors = 0;
};

struct ReferenceOptions {
  Precision precision = Precision::Native;
  /// The function that is run.
  std::string entry = "main";
  /// Under `Precision::F64`: steps that round.
  std::optional<Rounding> rounding = std::nullopt;
};

/// The stored bytes of the tensor that a weight names, in `weight.getType()`, before its steps: the reference
/// applies them itself. The bytes must live until the program is compiled.
using WeightSource = std::function<llvm::Expected<llvm::ArrayRef<char>>(graph::WeightAttr weight)>;

/// A source whose tensors are uniform in [-0.1, 0.1), drawn from `seed` and the weight's key; equal on all
/// machines.
WeightSource randomWeights(uint64_t seed);

/// The entry function of a module, compiled for this CPU to run on any inputs.
class CompiledReference {
public:
  /// The module stays as it is; its context must outlive what is compiled.
  static llvm::Expected<CompiledReference> compile(mlir::ModuleOp module, const WeightSource &weights,
                                                   const ReferenceOptions &options = {});
  CompiledReference(CompiledReference &&);
  ~CompiledReference();

  /// Runs the function on `inputs`, which have the argument types. The results have the function's types, or
  /// f64 elements under `Precision::F64`. Under `ReferenceOptions::rounding`, `seed` says how far each step
  /// is off.
  llvm::Expected<std::vector<HostTensor>> run(llvm::ArrayRef<HostTensor> inputs, uint64_t seed = 0) const;

private:
  struct State;
  explicit CompiledReference(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Compiles the entry function of `module` and runs it once.
llvm::Expected<std::vector<HostTensor>> runReference(mlir::ModuleOp module, llvm::ArrayRef<HostTensor> inputs,
                                                     const WeightSource &weights,
                                                     const ReferenceOptions &options = {});

/// The stored tensor of `weight` after its steps. With `keepWide`, casts are left out and floats are f64.
llvm::Expected<HostTensor> applyWeightSteps(graph::WeightAttr weight, llvm::ArrayRef<char> stored,
                                            bool keepWide);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_REFERENCE_H
