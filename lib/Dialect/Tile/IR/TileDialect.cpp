// Registration of the tile dialect; text forms and checks of its attributes and types.

#include "Tilewright/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

#include "Tilewright/Dialect/Tile/IR/TileDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Tilewright/Dialect/Tile/IR/TileAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "Tilewright/Dialect/Tile/IR/TileTypes.cpp.inc"

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Tilewright/Dialect/Tile/IR/TileAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "Tilewright/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Tilewright/Dialect/Tile/IR/TileOps.cpp.inc"
      >();
}

LayoutAttr tile::getLayout(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_if_present<LayoutAttr>(tensor.getEncoding()) : LayoutAttr();
}

LogicalResult tile::verifyLayouts(KernelOp kernel) {
  auto hasNone = [](Type type) {
    if (auto pending = dyn_cast<PendingType>(type))
      type = pending.getTile();
    return isa<RankedTensorType>(type) && !getLayout(type);
  };
  WalkResult walk = kernel.getBody().walk([&](Operation *op) {
    auto types = llvm::to_vector(op->getResultTypes());
    for (Region &region : op->getRegions())
      llvm::append_range(types, region.getArgumentTypes());
    const Type *found = llvm::find_if(types, hasNone);
    if (found == types.end())
      return WalkResult::advance();
    op->emitOpError() << "has a tile of type " << *found << " without a layout; run tile-assign-layouts";
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

int64_t tile::storageBits(Type elementType) {
  if (elementType.isIndex())
    return 64;
  return std::max<int64_t>(8, elementType.getIntOrFloatBitWidth());
}

std::vector<int> tile::storageWidths(ValueRange tiles) {
  std::vector<int> widths;
  for (Type type : tiles.getTypes())
    widths.push_back((int)storageBits(getElementTypeOrSelf(type)));
  return widths;
}

/// Parses the text form of a layout-library value from a string literal.
template <typename T> static FailureOr<T> parseQuoted(AsmParser &parser, StringRef what) {
  std::string text, error;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return failure();
  std::optional<T> value = T::parse(text, &error);
  if (!value) {
    parser.emitError(loc) << "malformed " << what << ": " << error;
    return failure();
  }
  return *value;
}

//===-- #tile.layout --------------------------------------------------------------------------------===//

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  auto layout = parseQuoted<layout::LinearLayout>(parser, "layout");
  if (failed(layout) || parser.parseGreater())
    return {};
  return get(parser.getContext(), *layout);
}

void LayoutAttr::print(AsmPrinter &printer) const { printer << "<\"" << getLayout().toString() << "\">"; }

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                         function_ref<InFlightDiagnostic()> emitError) const {
  layout::Shape own = getLayout().shape();
  if (ArrayRef<int64_t>(own) == shape)
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "layout of shape [";
  llvm::interleaveComma(own, diagnostic);
  diagnostic << "] on a tensor of shape [";
  llvm::interleaveComma(shape, diagnostic);
  return diagnostic << "]";
}

//===-- #tile.contract ------------------------------------------------------------------------------===//

LogicalResult ContractAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   std::optional<int64_t> registers, std::optional<int64_t> spills,
                                   std::optional<int64_t> shared, std::optional<int64_t> blocksPerSm,
                                   std::optional<ProductUnit> uses) {
  for (auto [name, limit] : {std::pair("registers", registers), std::pair("spills", spills),
                             std::pair("shared", shared), std::pair("blocks_per_sm", blocksPerSm)})
    if (limit && *limit < 0)
      return emitError() << "limit of " << name << " must not be negative, got " << *limit;
  if (uses && *uses != ProductUnit::Wgmma)
    return emitError() << "a contract can ask for wgmma, not for " << nameOf(*uses);
  return success();
}

//===-- #tile.cache ---------------------------------------------------------------------------------===//

static constexpr StringLiteral kNoAllocate = "no_allocate", kEvictFirst = "evict_first",
                               kEvictLast = "evict_last";

Attribute CacheAttr::parse(AsmParser &parser, Type) {
  bool noAllocate = false;
  L2Priority l2 = L2Priority::Normal;
  auto parseEntry = [&]() -> ParseResult {
    StringRef level, value;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&level) || parser.parseEqual() || parser.parseKeyword(&value))
      return failure();
    if (level == "l1" && value == kNoAllocate)
      return noAllocate = true, success();
    if (level == "l2" && (value == kEvictFirst || value == kEvictLast))
      return l2 = value == kEvictFirst ? L2Priority::EvictFirst : L2Priority::EvictLast, success();
    return parser.emitError(loc, "expected l1 = no_allocate, l2 = evict_first or l2 = evict_last, got ")
           << level << " = " << value;
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseEntry))
    return {};
  return get(parser.getContext(), noAllocate, l2);
}

void CacheAttr::print(AsmPrinter &printer) const {
  bool hasL2 = getL2() != L2Priority::Normal;
  printer << "<";
  if (getNoAllocate())
    printer << "l1 = " << kNoAllocate << (hasL2 ? ", " : "");
  if (hasL2)
    printer << "l2 = " << (getL2() == L2Priority::EvictFirst ? kEvictFirst : kEvictLast);
  printer << ">";
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == KernelOp::getContractAttrName() && !isa<ContractAttr>(attribute.getValue()))
    return op->emitOpError() << "'tile.contract' must be a #tile.contract, got " << attribute.getValue();
  if (attribute.getName() == CacheAttr::getAttrName()) { // cache_c1
    if (!isa<CacheAttr>(attribute.getValue()))
      return op->emitOpError() << "'tile.cache' must be a #tile.cache, got " << attribute.getValue();
    if (!isa<LoadOp, StoreOp, SendRunOp>(op)) // cache_c2
      return op->emitOpError("takes no 'tile.cache': it stands on a tile.load, tile.store or tile.send_run");
  }
  if (attribute.getName() == KernelOp::getClusterAttrName()) {
    auto kernel = dyn_cast<KernelOp>(op);
    auto blocks = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!kernel || !blocks || blocks.getInt() < 1 || blocks.getInt() > kMostClusterBlocks ||
        kernel.getGrid()[0] % blocks.getInt() != 0)
      return op->emitOpError() << "'tile.cluster' must be a number up to " << kMostClusterBlocks
                               << " that divides the grid's blocks in x, got " << attribute.getValue();
  }
  if (attribute.getName() == ReduceOp::getBlocksAttrName()) {
    auto kernel = op->getParentOfType<KernelOp>();
    auto blocks = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!isa<ReduceOp>(op) || !kernel || !blocks || blocks.getInt() < 1 ||
        kernel.getClusterBlocks() % blocks.getInt() != 0)
      return op->emitOpError()
             << "'tile.blocks' must be a number that divides the blocks of the kernel's clusters, got "
             << attribute.getValue();
  }
  return success();
}

//===-- !tile.view ----------------------------------------------------------------------------------===//

Type ViewType::parse(AsmParser &parser) {
  Type element;
  if (parser.parseLess() || parser.parseType(element) || parser.parseComma())
    return {};
  auto view = parseQuoted<layout::StridedView>(parser, "view");
  if (failed(view) || parser.parseGreater())
    return {};
  return get(parser.getContext(), element, *view);
}

void ViewType::print(AsmPrinter &printer) const {
  printer << "<" << getElementType() << ", \"" << getView().toString() << "\">";
}

int64_t ViewType::getRank() const { return getView().rank(); }

SmallVector<int64_t> ViewType::getShape() const { return llvm::to_vector(getView().shape()); }

//===-- !tile.shared --------------------------------------------------------------------------------===//

Type SharedType::parse(AsmParser &parser) {
  int64_t stages;
  Type element;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseInteger(stages) || parser.parseComma() || parser.parseType(element) ||
      parser.parseComma())
    return {};
  auto layout = parseQuoted<layout::SharedLayout>(parser, "shared layout");
  if (failed(layout) || parser.parseGreater())
    return {};
  if (stages < 1) {
    parser.emitError(loc) << "stages must be at least 1, got " << stages;
    return {};
  }
  return get(parser.getContext(), stages, element, *layout);
}

void SharedType::print(AsmPrinter &printer) const {
  printer << "<" << getStages() << ", " << getElementType() << ", \"" << getLayout().toString() << "\">";
}

SmallVector<int64_t> SharedType::getShape() const { return llvm::to_vector(getLayout().shape()); }

int64_t SharedType::getStageBytes() const {
  return llvm::alignTo(getLayout().sizeBytes(storageBits(getElementType())), 128);
}

//===-- !tile.ring ----------------------------------------------------------------------------------===//

LogicalResult RingType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages) {
  if (stages < 1 || stages > 16)
    return emitError() << "a ring has 1 to 16 stages, got " << stages;
  return success();
}
