// Remarks: what the compiler decided and why, at the source node. Passes name a remark of Remarks.def and
// give its arguments; who listens (a YAML file, the terminal) is set up once per context. Nothing is
// formatted when no one listens.
//
//   emitRemark(op, Remark::RingStages, 3, 49152);
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_REMARKS_REMARKS_H
#define TILEWRIGHT_REMARKS_REMARKS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <type_traits>

namespace tilewright {

/// The remarks of Remarks.def.
enum class Remark {
#define TW_REMARK(id, kind, category, sentence) id,
#include "Tilewright/Remarks/Remarks.def"
};

/// One argument of a remark as text.
class RemarkValue {
public:
  RemarkValue(llvm::StringRef text) : text(text.str()) {}
  RemarkValue(const char *text) : text(text) {}
  RemarkValue(std::string text) : text(std::move(text)) {}
  RemarkValue(mlir::Type type);
  RemarkValue(mlir::Attribute attribute);
  /// The op's own name for a source node: its location's name, or its operation name.
  RemarkValue(mlir::Operation *op);
  RemarkValue(double number);
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  RemarkValue(T number) : text(std::to_string(number)) {}

  std::string text;
};

/// Whether anyone listens to remarks of this context.
bool remarksEnabled(mlir::MLIRContext *context);

/// Emits `remark` about `op` (at `loc`, in the enclosing function or kernel). The arguments are those of its
/// sentence in Remarks.def, in order; asserts that they are as many.
void emitRemarkWith(mlir::Operation *op, Remark remark, llvm::ArrayRef<RemarkValue> args);
void emitRemarkAt(mlir::Location loc, llvm::StringRef function, Remark remark,
                  llvm::ArrayRef<RemarkValue> args);

template <typename... Args> void emitRemark(mlir::Operation *op, Remark remark, Args &&...args) {
  if (remarksEnabled(op->getContext()))
    emitRemarkWith(op, remark, {RemarkValue(std::forward<Args>(args))...});
}

/// Collects every remark of `context` from now on and hands the collection to the caller, who writes it when
/// the compilation ends. Order does not depend on threads: by stage, function, node, then text.
class RemarkCollection {
public:
  /// Listens to `context`, which must outlive it.
  explicit RemarkCollection(mlir::MLIRContext &context);
  ~RemarkCollection();
  RemarkCollection(const RemarkCollection &) = delete;
  RemarkCollection &operator=(const RemarkCollection &) = delete;

  /// The remarks so far as a stream of YAML documents in the form of LLVM's optimization records.
  std::string toYaml() const;

  struct State;

private:
  std::shared_ptr<State> state;
};

/// What is said of a compilation that may come to nothing. It is told only where the compilation is adopted.
class TrialRemarks {
public:
  TrialRemarks();
  ~TrialRemarks();
  TrialRemarks(TrialRemarks &&);
  TrialRemarks &operator=(TrialRemarks &&);

  /// Runs `work` and keeps here what is said in `context` meanwhile. Trials may hold further ones, not run
  /// beside others.
  void during(mlir::MLIRContext &context, llvm::function_ref<void()> work);
  /// Tells what was kept, in the place of what the stages tile to target said of kernel `replaced`. How the
  /// model came to its schedule stays.
  void adopt(mlir::MLIRContext &context, llvm::StringRef replaced);

private:
  struct Records;
  std::unique_ptr<Records> records;
};

} // namespace tilewright

#endif // TILEWRIGHT_REMARKS_REMARKS_H
