// What a handler sees of an operation of an upstream dialect (linalg, tensor, tosa): its operands as values
// of the graph program, constants, the builders of GraphBuilder.h, and one way to say what is not understood.
//
// Scalars of the source program are tensors of rank 0 in the graph program, and `index` is i64 there.
#ifndef TILEWRIGHT_IMPORT_UPSTREAM_OPIMPORT_H
#define TILEWRIGHT_IMPORT_UPSTREAM_OPIMPORT_H

#include "../GraphBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace tilewright::upstream {

/// The graph program's type for a value of `type`: null when there is none, with `reason` set.
mlir::RankedTensorType graphType(mlir::Type type, std::string &reason);

/// `attr`, a number or dense elements, as dense elements of the graph program; null when it is neither.
mlir::DenseElementsAttr graphConstant(mlir::Attribute attr);

/// Constants that are weights, by their keys.
using Literals = llvm::MapVector<mlir::StringAttr, mlir::Attribute>;

class OpImport : public GraphBuilder {
public:
  OpImport(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op,
           const llvm::DenseMap<Value, Value> &values, Literals &literals)
      : GraphBuilder(builder, loc), op(op), values(values), literals(literals) {}

  mlir::Operation *op;

  /// What stands for a value of the source program.
  Value value(Value source) const { return values.lookup(source); }
  Value operand(unsigned i) const { return value(op->getOperand(i)); }
  /// The type of result `i` in the graph program; known to exist.
  mlir::RankedTensorType resultType(unsigned i = 0) const;
  Shape resultShape(unsigned i = 0) const { return resultType(i).getShape(); }

  /// The constant integers of a value of the source program; fails, naming `what`, when it is not constant.
  std::optional<Dims> constantInts(Value source, llvm::StringRef what);
  /// Yields a constant: as it is, or as a weight when it has more than a few different elements.
  mlir::LogicalResult yieldConstant(mlir::Attribute attr);
  /// The one element of a constant; fails, naming `what`, when it is not constant.
  mlir::TypedAttr constantElement(Value source, llvm::StringRef what);
  /// Whether a value of the source program is a constant of zeros.
  bool isZero(Value source) const;

  /// Broadcasts values to the first result's shape.
  llvm::SmallVector<Value> operandsInResultShape();
  /// A clone of the elementwise operation `source` on operands of one shape.
  Value elementwise(mlir::Operation *source, mlir::ValueRange operands);

  /// Adds a reason why the operation cannot be imported.
  mlir::LogicalResult fail(const llvm::Twine &reason);
  llvm::ArrayRef<std::string> reasons() const { return failures; }
  bool failed() const { return !failures.empty(); }
  /// Adds the next result.
  mlir::LogicalResult yield(Value value);

  llvm::SmallVector<Value> results;

private:
  const llvm::DenseMap<Value, Value> &values;
  Literals &literals;
  llvm::SmallVector<std::string> failures;
};

/// Imports one operation: yields its results, or fails with reasons.
using Handler = mlir::LogicalResult (*)(OpImport &);
using HandlerTable = llvm::StringMap<Handler>;

void addTensorOps(HandlerTable &table);
void addTosaElementwise(HandlerTable &table);
void addTosaMovement(HandlerTable &table);
void addTosaQuantized(HandlerTable &table);
void addTosaReductions(HandlerTable &table);
void addTosaWindows(HandlerTable &table);

/// linalg.generic and every named op that is one.
mlir::LogicalResult importStructured(OpImport &n);

/// Why the operation of an upstream dialect is refused where that is not for lack of work; empty otherwise.
llvm::StringRef refusal(llvm::StringRef operation);

/// Whether `op` computes each element from the operands' elements, in arith or math, on tensors or scalars.
bool isElementwiseArithmetic(mlir::Operation *op);

} // namespace tilewright::upstream

#endif // TILEWRIGHT_IMPORT_UPSTREAM_OPIMPORT_H
