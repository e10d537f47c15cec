// #ptx.tensor_map and the parameters of kernels that are no buffers: text, limits, and the driver API's
// numbers. What cuTensorMapEncodeTiled would refuse when a package is loaded is refused here, where it is
// written. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Dialect/Ptx/IR/Footprint.h"
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilewright::ptx;

static constexpr int64_t kMapBytes = 128;
static constexpr int64_t kMapAlignment = 64;

//===-- Text --------------------------------------------------------------------------------------------===//

Attribute TensorMapAttr::parse(AsmParser &parser, Type) {
  int64_t of = -1, offset = 0, swizzle = 0, interleave = 0, l2 = 0;
  Type element;
  SmallVector<int64_t> dims, strides, box, elementStrides;
  bool nan = false;
  SMLoc start = parser.getCurrentLocation();
  auto parseList = [&](SmallVector<int64_t> &list) {
    list.clear();
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                          [&] { return parser.parseInteger(list.emplace_back()); });
  };
  auto parsePart = [&]() -> ParseResult {
    StringRef key, word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (key == "of")
      return parser.parseInteger(of);
    if (key == "element")
      return parser.parseType(element);
    if (key == "dims")
      return parseList(dims);
    if (key == "strides")
      return parseList(strides);
    if (key == "box")
      return parseList(box);
    if (key == "element_strides")
      return parseList(elementStrides);
    if (key == "offset")
      return parser.parseInteger(offset);
    if (key == "swizzle")
      return parser.parseInteger(swizzle);
    if (key == "interleave")
      return parser.parseInteger(interleave);
    if (key == "l2")
      return parser.parseInteger(l2);
    if (key != "oob")
      return parser.emitError(loc, "a tensor map has no '") << key << "'";
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    nan = word == "nan";
    return nan || word == "zero"
               ? success()
               : ParseResult(parser.emitError(loc, "expected 'zero' or 'nan', got '") << word << "'");
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parsePart))
    return {};
  if (of < 0 || !element || dims.empty() || box.empty())
    return parser.emitError(start, "a tensor map has 'of', 'element', 'dims' and 'box'"), Attribute();
  auto emitError = [&] { return parser.emitError(start); };
  return TensorMapAttr::getChecked(emitError, parser.getContext(), of, element, ArrayRef<int64_t>(dims),
                                   ArrayRef<int64_t>(strides), ArrayRef<int64_t>(box),
                                   ArrayRef<int64_t>(elementStrides), offset, swizzle, interleave, l2, nan);
}

void TensorMapAttr::print(AsmPrinter &printer) const {
  auto list = [&](StringRef key, ArrayRef<int64_t> values) {
    if (!values.empty())
      printer << ", " << key << " = [" << values << "]";
  };
  auto number = [&](StringRef key, int64_t value) {
    if (value)
      printer << ", " << key << " = " << value;
  };
  printer << "<of = " << getOf() << ", element = " << getElement();
  list("dims", getDims());
  list("strides", getStrides());
  list("box", getBox());
  list("element_strides", getElementStrides());
  number("offset", getOffset());
  number("swizzle", getSwizzle());
  number("interleave", getInterleave());
  number("l2", getL2());
  printer << (getNan() ? ", oob = nan>" : ">");
}

//===-- The driver's numbers ----------------------------------------------------------------------------===//

/// CUtensorMapDataType, or nothing.
static std::optional<unsigned> dataTypeOf(Type element) {
  if (element.isBF16())
    return 9;
  if (isa<FloatTF32Type>(element))
    return 11;
  if (isa<FloatType>(element)) {
    switch (element.getIntOrFloatBitWidth()) {
    case 8:
      return 0;
    case 16:
      return 6;
    case 32:
      return 7;
    case 64:
      return 8;
    }
  }
  if (!element.isSignlessInteger())
    return std::nullopt;
  switch (element.getIntOrFloatBitWidth()) {
  case 8:
    return 0;
  case 16:
    return 1;
  case 32:
    return 3;
  case 64:
    return 5;
  }
  return std::nullopt;
}

unsigned TensorMapAttr::driverDataType() const { return *dataTypeOf(getElement()); }
unsigned TensorMapAttr::driverSwizzle() const {
  return getSwizzle() == 0 ? 0 : llvm::Log2_64(getSwizzle() / 16);
}
unsigned TensorMapAttr::driverL2() const { return getL2() == 0 ? 0 : llvm::Log2_64(getL2() / 32); }

static int64_t bytesOf(Type element) {
  return isa<FloatTF32Type>(element) ? 4 : element.getIntOrFloatBitWidth() / 8;
}

int64_t TensorMapAttr::elementBytes() const { return bytesOf(getElement()); }

int64_t TensorMapAttr::extentBytes() const {
  int64_t last = getOffset() + getDims()[0] * elementBytes();
  for (auto [dim, stride] : llvm::zip_equal(getDims().drop_front(), getStrides()))
    last += (dim - 1) * stride;
  return last;
}

//===-- Limits ------------------------------------------------------------------------------------------===//

LogicalResult TensorMapAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t of, Type element,
                                    ArrayRef<int64_t> dims, ArrayRef<int64_t> strides, ArrayRef<int64_t> box,
                                    ArrayRef<int64_t> elementStrides, int64_t offset, int64_t swizzle,
                                    int64_t interleave, int64_t l2, bool nan) {
  size_t rank = dims.size();
  if (rank < 1 || rank > 5) // tensor_map_c1
    return emitError() << "a tensor map has 1 to 5 dimensions, got " << rank;
  if (strides.size() != rank - 1 || box.size() != rank ||
      (!elementStrides.empty() && elementStrides.size() != rank)) // tensor_map_c2
    return emitError() << "a tensor map of " << rank << " dimensions has " << rank - 1
                       << " strides and a box of " << rank << ", got " << strides.size() << " strides, "
                       << box.size() << " in the box and " << elementStrides.size() << " element strides";
  if (!dataTypeOf(element)) // tensor_map_c3
    return emitError() << "a tensor map has no elements of type " << element;
  if (!llvm::is_contained({0, 16, 32}, interleave) || !llvm::is_contained({0, 32, 64, 128}, swizzle) ||
      !llvm::is_contained({0, 64, 128, 256}, l2)) // tensor_map_c4
    return emitError() << "swizzle " << swizzle << " (0, 32, 64, 128), interleave " << interleave
                       << " (0, 16, 32) or l2 " << l2 << " (0, 64, 128, 256) is not possible";
  if (interleave && rank < 3) // tensor_map_c5
    return emitError() << "an interleaved tensor map has 3 to 5 dimensions, got " << rank;
  if (interleave == 32 && swizzle != 32) // tensor_map_c5
    return emitError() << "interleave 32 goes with swizzle 32, got " << swizzle;
  if (nan && !isa<FloatType>(element)) // tensor_map_c6
    return emitError() << "elements of type " << element << " have no NaN to fill with";
  int64_t alignment = interleave == 32 ? 32 : 16;
  if (of < 0 || offset < 0 || offset % alignment != 0) // tensor_map_c7
    return emitError() << "offset " << offset << " in buffer " << of << " is not a multiple of " << alignment;
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] < 1 || dims[i] > int64_t(1) << 32) // tensor_map_c8
      return emitError() << "dimension " << i << " of " << dims[i] << " elements is not within 1 to 2^32";
    if (box[i] < 1 || box[i] > 256) // tensor_map_c9
      return emitError() << "box of " << box[i] << " elements in dimension " << i
                         << " is not within 1 to 256";
    int64_t step = elementStrides.empty() ? 1 : elementStrides[i];
    if (step < 1 || step > 8) // tensor_map_c10
      return emitError() << "element stride " << step << " in dimension " << i << " is not within 1 to 8";
    if (i > 0 && (strides[i - 1] < 0 || strides[i - 1] % alignment != 0 ||
                  strides[i - 1] >= int64_t(1) << 40)) // tensor_map_c11
      return emitError() << "stride of " << strides[i - 1] << " bytes in dimension " << i
                         << " is not a multiple of " << alignment << " below 2^40";
  }
  int64_t inner = box[0] * bytesOf(element);
  if (!interleave && inner % 16 != 0) // tensor_map_c12
    return emitError() << "the box has " << inner << " bytes in dimension 0, not a multiple of 16";
  if (!interleave && swizzle && inner > swizzle) // tensor_map_c13
    return emitError() << "the box has " << inner << " bytes in dimension 0, more than the swizzle's "
                       << swizzle;
  return success();
}

//===-- Parameters of kernels ---------------------------------------------------------------------------===//

static LogicalResult verifyMapParameter(Operation *op, unsigned index, Type type, DictionaryAttr attributes) {
  auto array = LLVM::LLVMArrayType();
  if (auto byval = attributes.getAs<TypeAttr>(LLVM::LLVMDialect::getByValAttrName()))
    array = dyn_cast<LLVM::LLVMArrayType>(byval.getValue());
  auto align = attributes.getAs<IntegerAttr>(LLVM::LLVMDialect::getAlignAttrName());
  bool isMap = isa<LLVM::LLVMPointerType>(type) && array && array.getElementType().isInteger(8) &&
               array.getNumElements() == kMapBytes && align && align.getInt() >= kMapAlignment &&
               attributes.contains("nvvm.grid_constant");
  if (!isMap) // tensor_map_c15
    return op->emitError() << "parameter " << index
                           << " has 'ptx.tensor_map', so it must be a pointer with llvm.byval = "
                              "!llvm.array<128 x i8>, llvm.align of 64 and nvvm.grid_constant";
  return success();
}

LogicalResult PtxDialect::verifyRegionArgAttribute(Operation *op, unsigned region, unsigned index,
                                                   NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || region != 0 || index >= function.getNumArguments())
    return op->emitError("attribute '")
           << attribute.getName().strref() << "' belongs on parameters of kernels";
  Type type = function.getArgument(index).getType();
  if (attribute.getName() == getTensorMapAttrName()) {
    if (!isa<TensorMapAttr>(attribute.getValue())) // tensor_map_c14
      return op->emitError() << "parameter " << index << ": 'ptx.tensor_map' must be #ptx.tensor_map<…>, got "
                             << attribute.getValue();
    return verifyMapParameter(op, index, type, function.getArgAttrDict(index));
  }
  if (attribute.getName() == getTrueLengthAttrName()) {
    auto name = dyn_cast<StringAttr>(attribute.getValue());
    if (!name || name.empty() || !(type.isInteger(32) || type.isInteger(64))) // true_length_c1
      return op->emitError() << "parameter " << index
                             << ": 'ptx.true_length' names a dimension on an i32 or i64, got "
                             << attribute.getValue() << " on " << type;
    return success();
  }
  if (attribute.getName() == getWorkspaceAttrName()) {
    auto range = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    bool isRange = range && range.size() == 2 && range[0] >= 0 && range[1] > 0;
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(type);
    if (!isRange || !pointer || pointer.getAddressSpace() != 1) // workspace_c1
      return op->emitError() << "parameter " << index
                             << ": 'ptx.workspace' gives an offset and a number of bytes for a pointer to "
                                "global memory, got "
                             << attribute.getValue() << " on " << type;
    return success();
  }
  if (attribute.getName() == getFootprintAttrName()) {
    if (!Footprint::decode(attribute.getValue())) // footprint_c1
      return op->emitError() << "parameter " << index
                             << ": 'ptx.footprint' must be an array of accesses (Footprint.h), got "
                             << attribute.getValue();
    return success();
  }
  return op->emitError("the ptx dialect has no attribute '")
         << attribute.getName().strref() << "' for parameters";
}
