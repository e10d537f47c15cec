// Short builders of graph programs that fold while they build, for every importer: movement, products and
// reductions, arithmetic of any element type, and casts with all their edges defined.
#ifndef TILEWRIGHT_IMPORT_GRAPHBUILDER_H
#define TILEWRIGHT_IMPORT_GRAPHBUILDER_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace tilewright {

class GraphBuilder {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;
  using Shape = llvm::ArrayRef<int64_t>;
  using Dims = llvm::SmallVector<int64_t>;

  GraphBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;

  //===-- What values are --===//

  static mlir::RankedTensorType typeOf(Value value);
  static Shape shapeOf(Value value) { return typeOf(value).getShape(); }
  static int64_t rankOf(Value value) { return typeOf(value).getRank(); }
  static Type elementOf(Value value) { return typeOf(value).getElementType(); }
  static bool isFloat(Value value) { return mlir::isa<mlir::FloatType>(elementOf(value)); }
  static bool isBool(Value value) { return elementOf(value).isInteger(1); }
  /// A float of fewer than 32 bits: reductions over it are formed in fp32.
  static bool isNarrowFloat(Value value);
  static std::string text(Shape shape);
  static std::string text(Type type);
  static std::string text(double number);

  //===-- Builders --===//

  template <typename Op, typename... Args> Value create(Args &&...args) {
    return builder.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }
  /// `Op` of one operand and a result of the same type.
  template <typename Op> Value unary(Value x) { return create<Op>(x); }
  Value constant(Shape shape, Type element, double number);
  Value constantLike(Value value, double number) {
    return constant(shapeOf(value), elementOf(value), number);
  }
  Value intsConstant(Shape shape, llvm::ArrayRef<int64_t> values, Type element);
  Value floatsConstant(Shape shape, llvm::ArrayRef<double> values, Type element);
  Value reshape(Value x, Shape shape);
  Value transpose(Value x, Shape permutation);
  Value slice(Value x, Shape offsets, Shape sizes, Shape strides);
  /// Elements [offset, offset + size) along one dimension.
  Value sliceDim(Value x, int64_t dim, int64_t offset, int64_t size, int64_t stride = 1);
  Value concat(mlir::ValueRange values, int64_t dim);
  /// Numpy broadcast, aligned at the last dimension.
  Value broadcast(Value x, Shape shape);
  /// Operand dimension i becomes dimension dims[i].
  Value broadcastDims(Value x, Shape dims, Shape shape);
  Value gather(Value x, Value indices, int64_t dim);
  /// Elements at known places of a dimension: `x`, a slice, each repeated, or a gather.
  Value pick(Value x, int64_t dim, Shape places);
  Value matmul(Value a, Value b);
  Value reduce(graph::ReduceKind kind, Value x, Shape dims, bool keepDims);
  Value iota(Shape shape, int64_t dim, Type element);

  // Arithmetic on two values of one type.
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  /// Integers divide towards zero; by zero they give 0.
  Value div(Value a, Value b, bool isUnsigned = false);
  /// What division towards zero leaves, with the sign of `a`; of integers by zero it is 0.
  Value remainder(Value a, Value b, bool isUnsigned = false);
  Value max(Value a, Value b, bool isUnsigned = false);
  Value min(Value a, Value b, bool isUnsigned = false);
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b);
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b);
  Value select(Value condition, Value a, Value b);
  /// 1 / (1 + exp(-x)).
  Value sigmoid(Value x);
  /// log(1 + exp(x)) without overflow.
  Value softplus(Value x);
  /// log(sum(exp(x - max))) + max over `dims`, which are kept, without overflow. A maximum that is infinite
  /// is replaced by zero, so that the difference is no NaN.
  Value logSumExp(Value x, Shape dims);
  /// ONNX's Cast between any two supported element types.
  Value castTo(Value x, Type element, bool fromUnsigned = false, bool toUnsigned = false);
  /// fp32 for narrow floats, `x` itself otherwise.
  Value widen(Value x);

private:
  Value floatToInt(Value x, Type element, bool toUnsigned);
};

} // namespace tilewright

#endif // TILEWRIGHT_IMPORT_GRAPHBUILDER_H
