// The digest of a kernel: its operations in order, values by number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Analysis/KernelContent.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tilewright;

namespace {
/// Writes operations as text in which values have numbers and locations do not appear.
struct ContentWriter {
  llvm::raw_string_ostream &os;
  DenseMap<Value, unsigned> numbers;

  /// With what an absent one stands for: products are as IEEE 754 has them behind the graph stage.
  static DictionaryAttr attributesOf(Operation &op) {
    NamedAttrList attributes(op.getAttrDictionary());
    if (auto product = dyn_cast<graph::MatmulOp>(op); product && !product.getPrecision())
      attributes.set(product.getPrecisionAttrName(),
                     graph::PrecisionAttr::get(op.getContext(), graph::Precision::IEEE));
    return attributes.getDictionary(op.getContext());
  }
  void define(ValueRange values) {
    for (Value value : values) {
      os << "%" << numbers.try_emplace(value, numbers.size()).first->second << ":" << value.getType() << " ";
    }
  }
  void write(Operation &op) {
    define(op.getResults());
    os << "= " << op.getName() << " ";
    for (Value operand : op.getOperands())
      os << "%" << numbers.lookup(operand) << " ";
    os << attributesOf(op) << "\n";
    for (Region &region : op.getRegions())
      for (Block &block : region) {
        define(block.getArguments());
        os << "{\n";
        for (Operation &inner : block)
          write(inner);
        os << "}\n";
      }
  }
};
} // namespace

static std::string elementTypes(TypeRange types) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(types, os, [&](Type type) { os << getElementTypeOrSelf(type); }, ",");
  return text;
}

static std::string extents(ArrayRef<int64_t> shape) {
  return shape.empty() ? "scalar"
                       : llvm::join(llvm::map_range(shape, [](int64_t n) { return std::to_string(n); }), "x");
}

KernelContent tilewright::contentOf(graph::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  StringRef anchor = graph::stringifyAnchor(kernel.getAnchor());
  os << anchor << "\n";
  ContentWriter writer{os, DenseMap<Value, unsigned>()};
  Block &body = kernel.getBody().front();
  writer.define(body.getArguments());
  for (Operation &op : body)
    writer.write(op);

  KernelContent content;
  content.digest = llvm::formatv("{0:x-16}", llvm::xxh3_64bits(text)).str();
  content.anchor = anchor.str();
  content.types = elementTypes(kernel.getArgumentTypes()) + ":" + elementTypes(kernel.getResultTypes());
  if (kernel.getResultTypes().size())
    content.shape = extents(cast<ShapedType>(kernel.getResultTypes().front()).getShape());
  kernel.walk([&](graph::MatmulOp product) {
    SmallVector<int64_t> shape(cast<ShapedType>(product.getType()).getShape());
    shape.push_back(cast<ShapedType>(product.getLhs().getType()).getShape().back());
    content.shape = extents(shape);
  });
  return content;
}
