// Accesses whose tiles begin at a multiple of a vector before their row.

#include "Tilewright/Dialect/Tile/IR/AlignedAccess.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;

int64_t tile::alignedElems(Operation *op) {
  auto attr = op->getAttrOfType<IntegerAttr>(kAlignedAttrName);
  return attr ? attr.getInt() : 1;
}

void tile::setAligned(Operation *op, int64_t elems) {
  if (elems > 1)
    op->setAttr(kAlignedAttrName, IntegerAttr::get(IntegerType::get(op->getContext(), 64), elems));
}

int tile::alignedDim(ArrayRef<int64_t> shape) {
  const auto *dim = llvm::find_if(shape, [](int64_t size) { return size != 1; });
  return dim == shape.end() ? 0 : (int)(dim - shape.begin());
}

tile::VectorForm tile::vectorForm(Operation *op, const layout::StridedView &view, ArrayRef<int64_t> divisors,
                                  ArrayRef<int64_t> shape) {
  VectorForm form{view, layout::Shape(divisors.begin(), divisors.end())};
  int64_t elems = alignedElems(op);
  if (elems == 1)
    return form;
  std::vector<layout::ViewDim> dims(view.rank());
  for (layout::ViewDim &dim : dims)
    dim.extent = 1;
  int along = alignedDim(shape);
  dims[along].extent = (int64_t)llvm::alignTo(view.dim(along).extent, elems);
  dims[along].modes = {{dims[along].extent, 1}};
  form.view = layout::StridedView(dims);
  form.divisors[along] = elems;
  return form;
}

LogicalResult tile::verifyAligned(Operation *op, const layout::StridedView &view, ArrayRef<int64_t> shape) {
  if (!op->hasAttr(kAlignedAttrName))
    return success();
  int64_t elems = alignedElems(op);
  if (elems < 2 || !llvm::isPowerOf2_64((uint64_t)elems))
    return op->emitOpError() << kAlignedAttrName << " is an integer, a power of two of at least 2";
  int along = alignedDim(shape);
  if (llvm::count_if(shape, [](int64_t size) { return size != 1; }) != 1)
    return op->emitOpError() << "has " << kAlignedAttrName
                             << ", and its tile not several elements along one dimension alone";
  const layout::ViewDim &dim = view.dim(along);
  if (!dim.isIdentity() || dim.modes.size() != 1 || dim.modes.front().stride != 1 || dim.extent < elems)
    return op->emitOpError() << "has " << kAlignedAttrName << " = " << elems
                             << ", and its view no run of so many elements along dimension " << along;
  // Where a tile begins follows from one stride of each dimension.
  for (auto [d, other] : llvm::enumerate(view.dims()))
    if (other.extent != 1 && (!other.isIdentity() || other.modes.size() != 1))
      return op->emitOpError() << "has " << kAlignedAttrName << ", and dimension " << d
                               << " of its view no single stride";
  return success();
}
