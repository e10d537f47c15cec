// What an operator's handler sees of its node: operands as MLIR values, checked attributes, constants that
// shape arithmetic has folded, one way to say what is unsupported, and the builders of GraphBuilder.h.
#ifndef TILEWRIGHT_IMPORT_NODEIMPORT_H
#define TILEWRIGHT_IMPORT_NODEIMPORT_H

#include "GraphBuilder.h"
#include "OnnxModel.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

namespace tilewright::onnx {

/// A tensor of the model. Integers are signless in IR; whether ONNX calls them unsigned is kept beside them.
struct ImportedValue {
  mlir::Value value;
  bool isUnsigned = false;
};

/// An output that a handler has made. Without a word from it, an integer is unsigned when an operand of its
/// element type is.
struct Output {
  mlir::Value value;
  std::optional<bool> isUnsigned;
};

/// How an operator meets unsigned integers: refuses them, computes the same bits whatever the sign, or tells
/// them apart itself.
enum class Signedness { SignedOnly, SameBits, Aware };

/// The MLIR type of ONNX elements (null when not supported), with `isUnsigned` set.
mlir::Type elementType(mlir::MLIRContext *context, int32_t dataType, bool &isUnsigned);

/// `tensor` as dense elements of `type`. Its bytes have been checked against its shape.
mlir::DenseElementsAttr denseElements(const Tensor &tensor, mlir::RankedTensorType type);

class NodeImport : public GraphBuilder {
public:
  NodeImport(mlir::OpBuilder &builder, mlir::Location loc, const Node &node, int64_t opset,
             llvm::ArrayRef<ImportedValue> operands, std::optional<Dims> declared = std::nullopt)
      : GraphBuilder(builder, loc), node(node), opset(opset), operands(operands), declared(declared) {}

  const Node &node;
  /// Version of the operator set that the node belongs to.
  int64_t opset;
  /// Whether dimensions may be padded: counts of elements are then left to `graph-resolve-counts`.
  bool bucketed = false;
  /// The tensors behind references to weights, by key.
  const std::map<std::string, const Tensor *> *weights = nullptr;

  //===-- Operands --===//

  unsigned numOperands() const { return operands.size(); }
  bool has(unsigned i) const { return i < operands.size() && operands[i].value; }
  /// Operand `i`, null when absent.
  Value operand(unsigned i) const { return i < operands.size() ? operands[i].value : Value(); }
  bool isUnsigned(unsigned i) const { return i < operands.size() && operands[i].isUnsigned; }
  /// The constant integers of operand `i`; fails, naming `what`, when it is not constant.
  std::optional<Dims> constantInts(unsigned i, llvm::StringRef what);
  /// The constant floats of operand `i`, a constant or a small weight; fails, naming `what`, otherwise.
  std::optional<llvm::SmallVector<double>> constantFloats(unsigned i, llvm::StringRef what);
  /// The constant single number of operand `i`.
  std::optional<double> constantNumber(unsigned i, llvm::StringRef what);
  /// The constant integers of a rank 0 or rank 1 operand or, in older opsets, of attribute `name`; nothing
  /// when neither is there. Fails when the operand is not constant.
  std::optional<Dims> intsOperandOrAttribute(unsigned i, llvm::StringRef name);

  /// The static shape that the model declares for output #0, when operand `i` (`what`) would decide it but is
  /// known at run time only. A warning says that it is taken.
  std::optional<Dims> declaredInsteadOf(unsigned i, llvm::StringRef what);

  //===-- Attributes: the value, or `otherwise` when the node lacks it; another kind of value is a failure
  //--===//

  bool hasAttribute(llvm::StringRef name) const;
  int64_t intAttribute(llvm::StringRef name, int64_t otherwise);
  double floatAttribute(llvm::StringRef name, double otherwise);
  std::string stringAttribute(llvm::StringRef name, llvm::StringRef otherwise);
  std::optional<Dims> intsAttribute(llvm::StringRef name);
  const NodeAttribute *attribute(llvm::StringRef name, NodeAttribute::Kind kind);
  /// Accepts attributes that do not change what is computed here.
  void ignoreAttributes(std::initializer_list<llvm::StringRef> names);
  /// A name that was given but that no getter asked for; the empty string when there is none.
  llvm::StringRef unreadAttribute() const;

  //===-- Outcome --===//

  /// Records why the node cannot be imported. The first reason is kept.
  mlir::LogicalResult fail(const llvm::Twine &reason);
  bool failed() const { return !failure.empty(); }
  llvm::StringRef reason() const { return failure; }
  /// Adds the next output.
  mlir::LogicalResult yield(Value value, std::optional<bool> isUnsigned = std::nullopt) {
    results.push_back({value, isUnsigned});
    return mlir::success();
  }
  bool wantsOutput(unsigned i) const { return i < node.outputs.size() && !node.outputs[i].empty(); }
  llvm::SmallVector<Output> results;

  //===-- Checks --===//

  /// `axis`, counted from the end when negative, in [0, rank); fails naming both otherwise.
  std::optional<int64_t> axis(int64_t axis, int64_t rank);
  /// Distinct axes in increasing order.
  std::optional<Dims> axes(Shape axes, int64_t rank);
  /// The numpy broadcast of `a` and `b`.
  std::optional<Dims> broadcastShape(Shape a, Shape b);
  /// Broadcasts values of one element type to their common shape.
  mlir::LogicalResult broadcastTogether(llvm::MutableArrayRef<Value> values);
  mlir::LogicalResult expectFloat(Value value, llvm::StringRef what);
  mlir::LogicalResult expectSameElements(Value a, Value b);
  /// Whether a tensor of this shape can be addressed; fails otherwise.
  mlir::LogicalResult expectSize(Shape shape, Type element);

  //===-- Builders --===//

  /// The number of elements of `x` along `dims`, in the type of `like`: what a mean divides by.
  Value count(Value x, Shape dims, Value like);

private:
  llvm::ArrayRef<ImportedValue> operands;
  std::optional<Dims> declared;
  std::string failure;
  llvm::StringSet<> read;
};

/// Imports one node: yields its outputs, or fails with a reason.
using Handler = mlir::LogicalResult (*)(NodeImport &);

struct Operator {
  Handler handler;
  unsigned minOperands, maxOperands;
  Signedness signedness = Signedness::SignedOnly;
};
constexpr unsigned kVariadic = ~0u;

using OperatorTable = llvm::StringMap<Operator>;
void addArithmetic(OperatorTable &table);
void addActivations(OperatorTable &table);
void addAttention(OperatorTable &table);
void addComparison(OperatorTable &table);
void addConstants(OperatorTable &table);
void addEinsum(OperatorTable &table);
void addIndexing(OperatorTable &table);
void addLoss(OperatorTable &table);
void addMatmul(OperatorTable &table);
void addMovement(OperatorTable &table);
void addNormalization(OperatorTable &table);
void addPooling(OperatorTable &table);
void addQuantization(OperatorTable &table);
void addRecurrent(OperatorTable &table);
void addReduction(OperatorTable &table);
void addResize(OperatorTable &table);
void addSelection(OperatorTable &table);
void addSequences(OperatorTable &table);
void addShape(OperatorTable &table);
void addWindows(OperatorTable &table);

/// Every operator that can be imported, by name. If, Loop and model-local functions are the importer's own.
const OperatorTable &operatorTable();

} // namespace tilewright::onnx

#endif // TILEWRIGHT_IMPORT_NODEIMPORT_H
