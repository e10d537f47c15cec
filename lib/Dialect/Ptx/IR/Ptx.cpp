// The ptx dialect: registration, attributes and the verifiers of ops. The PTX text of the ops is in
// PtxInstructions.cpp.
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::ptx;

#include "Tilewright/Dialect/Ptx/IR/PtxDialect.cpp.inc"
#include "Tilewright/Dialect/Ptx/IR/PtxEnums.cpp.inc"
#include "Tilewright/Dialect/Ptx/IR/PtxInterfaces.cpp.inc"

/// `, shared = 49152, cluster = [2, 1, 1]`, each part optional, in this order.
static ParseResult parseLaunchOptions(AsmParser &parser, int64_t &shared, SmallVector<int64_t> &cluster) {
  shared = 0;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef keyword;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return failure();
    if (keyword == "shared") {
      if (parser.parseInteger(shared))
        return failure();
    } else if (keyword == "cluster") {
      auto parseDim = [&] { return parser.parseInteger(cluster.emplace_back()); };
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim))
        return failure();
    } else {
      return parser.emitError(loc, "expected 'shared' or 'cluster', got '") << keyword << "'";
    }
  }
  return success();
}

static void printLaunchOptions(AsmPrinter &printer, int64_t shared, ArrayRef<int64_t> cluster) {
  if (shared != 0)
    printer << ", shared = " << shared;
  if (!cluster.empty())
    printer << ", cluster = [" << cluster << "]";
}

#define GET_ATTRDEF_CLASSES
#include "Tilewright/Dialect/Ptx/IR/PtxAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "Tilewright/Dialect/Ptx/IR/PtxOps.cpp.inc"

void PtxDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Tilewright/Dialect/Ptx/IR/PtxAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Tilewright/Dialect/Ptx/IR/PtxOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult PtxDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == getLaunchAttrName()) { // launch_c1
    if (!isa<LaunchAttr>(attribute.getValue()))
      return op->emitError("attribute 'ptx.launch' must be #ptx.launch<…>, got ") << attribute.getValue();
  } else if (name == getResourcesAttrName()) { // resources_c1
    if (!isa<ResourcesAttr>(attribute.getValue()))
      return op->emitError("attribute 'ptx.resources' must be #ptx.resources<…>, got ")
             << attribute.getValue();
  } else if (name == getArchsAttrName()) { // archs_c1
    auto archs = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!archs || archs.empty() || !llvm::all_of(archs, llvm::IsaPred<StringAttr>))
      return op->emitError("attribute 'ptx.archs' must be a non-empty array of strings, got ")
             << attribute.getValue();
  } else {
    return op->emitError("the ptx dialect has no attribute '") << name << "'";
  }
  if (!isa<FunctionOpInterface>(op))
    return op->emitError("attribute '") << name << "' belongs on a kernel function";
  return success();
}

LogicalResult LaunchAttr::verify(function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> grid,
                                 int64_t block, int64_t shared, ArrayRef<int64_t> cluster) {
  if (grid.size() != 3) // launch_c2
    return emitError() << "grid needs 3 dimensions, got " << grid.size();
  for (int64_t dim : grid)
    if (dim < 1)
      return emitError() << "grid dimension " << dim << " is not positive";
  if (grid[0] > INT32_MAX || grid[1] > 65535 || grid[2] > 65535) // launch_c3
    return emitError() << "grid " << grid[0] << "x" << grid[1] << "x" << grid[2]
                       << " exceeds 2147483647x65535x65535";
  if (block < 1 || block > 1024) // launch_c4
    return emitError() << "block of " << block << " threads is not within 1 to 1024";
  if (shared < 0) // launch_c5
    return emitError() << "shared memory of " << shared << " bytes is negative";
  if (cluster.empty())
    return success();
  if (cluster.size() != 3) // launch_c6
    return emitError() << "cluster needs 3 dimensions, got " << cluster.size();
  int64_t blocks = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (cluster[dim] < 1)
      return emitError() << "cluster dimension " << cluster[dim] << " is not positive";
    if (grid[dim] % cluster[dim] != 0) // launch_c7
      return emitError() << "grid dimension " << grid[dim] << " is not a multiple of cluster dimension "
                         << cluster[dim];
    blocks *= cluster[dim];
  }
  if (blocks > 16) // launch_c8
    return emitError() << "cluster of " << blocks << " blocks exceeds 16";
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers of ops
//===----------------------------------------------------------------------===//

/// Loads and stores move 1, 2, 4, 8 or 16 bytes (access_c1).
static LogicalResult verifyAccessType(Operation *op, Type type) {
  if (registersOf(type))
    return success();
  int64_t bits = cast<VectorType>(type).getNumElements() * cast<VectorType>(type).getElementTypeBitWidth();
  return op->emitOpError("moves 8, 16, 32, 64 or 128 bits, but ") << type << " has " << bits;
}

/// Policies are about lines of the L2 cache (policy_c1).
static LogicalResult verifyPolicy(Operation *op, Value policy, LLVM::LLVMPointerType pointer) {
  if (policy && pointer.getAddressSpace() != 1)
    return op->emitOpError("takes a policy in global memory (address space 1) only, got address space ")
           << pointer.getAddressSpace();
  return success();
}

LogicalResult LoadOp::verify() {
  if (getCache() != LoadCache::Default && getPointer().getType().getAddressSpace() != 1) // load_c1
    return emitOpError("takes a cache operator in global memory (address space 1) only, got address space ")
           << getPointer().getType().getAddressSpace();
  if (failed(verifyPolicy(*this, getPolicy(), getPointer().getType())))
    return failure();
  return verifyAccessType(*this, getResult().getType());
}

LogicalResult StoreOp::verify() {
  if (getCache() != StoreCache::Default && getPointer().getType().getAddressSpace() != 1) // store_c1
    return emitOpError("takes a cache operator in global memory (address space 1) only, got address space ")
           << getPointer().getType().getAddressSpace();
  if (failed(verifyPolicy(*this, getPolicy(), getPointer().getType())))
    return failure();
  return verifyAccessType(*this, getValue().getType());
}

/// Flags are those of blocks, which share global memory alone.
static LogicalResult verifyFlag(Operation *op, LLVM::LLVMPointerType pointer) {
  if (pointer.getAddressSpace() != 1)
    return op->emitOpError() << "takes a flag in global memory (1), not in address space "
                             << pointer.getAddressSpace();
  return success();
}

LogicalResult RaiseFlagOp::verify() { return verifyFlag(*this, getPointer().getType()); }
LogicalResult LowerFlagOp::verify() { return verifyFlag(*this, getPointer().getType()); }
LogicalResult TakeTicketOp::verify() { return verifyFlag(*this, getPointer().getType()); }
LogicalResult ReturnTicketsOp::verify() { return verifyFlag(*this, getPointer().getType()); }
LogicalResult ArriveCounterOp::verify() { return verifyFlag(*this, getPointer().getType()); }
LogicalResult AwaitCounterOp::verify() { return verifyFlag(*this, getPointer().getType()); }
LogicalResult PublishWordOp::verify() { return verifyFlag(*this, getPointer().getType()); }

LogicalResult AwaitWordsOp::verify() {
  for (Value pointer : getPointers())
    if (failed(verifyFlag(*this, cast<LLVM::LLVMPointerType>(pointer.getType()))))
      return failure();
  auto vector = dyn_cast<VectorType>(getResult().getType());
  size_t values = vector ? (size_t)vector.getNumElements() : 1;
  if (values != getPointers().size()) // word_c1
    return emitOpError() << "awaits " << getPointers().size() << " words and gives " << values << " values";
  return success();
}

LogicalResult Ex2Op::verify() {
  Type type = getElementTypeOrSelf(getResult().getType());
  if (type.isBF16() && !getFtz()) // ex2_c1
    return emitOpError("has bf16 forms only with 'ftz'");
  if (type.isF16() && getFtz()) // ex2_c2
    return emitOpError("has no 'ftz' form for f16");
  return success();
}
