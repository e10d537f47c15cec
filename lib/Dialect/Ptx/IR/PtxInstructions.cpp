// The PtxInstruction side of every ptx op: PTX text, inline assembly constraints, emulator symbol; and the
// table of how values lie in registers, on which the three agree with convert-ptx-to-llvm.
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace tilewright::ptx;

// Constraint letters of NVPTX (LLVM's NVPTXTargetLowering): b predicate, h 16, r 32, l 64 bits, f f32, d f64.
std::optional<Registers> tilewright::ptx::registersOf(Type type) {
  MLIRContext *context = type.getContext();
  auto integer = [&](unsigned bits) -> Type { return IntegerType::get(context, bits); };
  if (isa<LLVM::LLVMPointerType>(type))
    return Registers{type, 1, 'l', 64};
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  int64_t elements = vector ? vector.getNumElements() : 1;
  if (!element.isIntOrFloat())
    return std::nullopt;
  unsigned elementBits = element.getIntOrFloatBitWidth();
  if (!vector && elementBits == 1)
    return Registers{type, 1, 'b', 1};
  int64_t bits = elementBits * elements;
  if (!llvm::is_contained({8, 16, 32, 64, 128}, bits))
    return std::nullopt;
  unsigned count = static_cast<unsigned>(elements);
  if (element.isF32())
    return Registers{element, count, 'f', 32};
  if (element.isF64())
    return Registers{element, count, 'd', 64};
  if (elementBits == 64)
    return Registers{element, count, 'l', 64};
  if (bits >= 32)
    return Registers{integer(32), static_cast<unsigned>(bits / 32), 'r', 32};
  return Registers{integer(16), 1, 'h', static_cast<unsigned>(bits)};
}

/// `{$2, $3}` for two registers numbered from 2, `$2` for one.
static std::string registerList(unsigned first, unsigned count) {
  std::string text = count > 1 ? "{" : "";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return count > 1 ? text + "}" : text;
}

/// `=f,=f,l,b,0,1`: the results' registers, then the operands'; operand number `tied` shares the results'.
static std::string constraints(Operation *op, int tied = -1) {
  SmallVector<std::string> items;
  for (Type type : op->getResultTypes()) {
    Registers registers = *registersOf(type);
    items.append(registers.count, std::string("=") + registers.constraint);
  }
  for (auto [number, type] : llvm::enumerate(op->getOperandTypes())) {
    Registers registers = *registersOf(type);
    for (unsigned i = 0; i < registers.count; ++i)
      items.push_back(static_cast<int>(number) == tied ? std::to_string(i)
                                                       : std::string(1, registers.constraint));
  }
  return llvm::join(items, ",");
}

static StringRef symbol(Operation *op, const Twine &suffix) {
  std::string name = ("tw_emu_ptx_" + op->getName().stripDialect() + "_" + suffix).str();
  return StringAttr::get(op->getContext(), name).getValue();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// `.v4.b32`, `.f32`, `.b8`: how many registers move, and what one holds in memory.
static std::string accessSuffix(Registers registers) {
  std::string suffix = registers.count > 1 ? ".v" + std::to_string(registers.count) : "";
  bool isFloat = registers.constraint == 'f' || registers.constraint == 'd';
  return suffix + (isFloat ? ".f" : ".b") + std::to_string(registers.memoryBits);
}

static StringRef spaceName(LLVM::LLVMPointerType pointer) {
  return pointer.getAddressSpace() == 3 ? ".shared" : ".global";
}

static unsigned accessBytes(Registers registers) { return registers.count * registers.memoryBits / 8; }

static StringRef cacheSuffix(LoadCache cache) {
  switch (cache) {
  case LoadCache::Default:
    return "";
  case LoadCache::CA:
    return ".ca";
  case LoadCache::CG:
    return ".cg";
  case LoadCache::CS:
    return ".cs";
  case LoadCache::CV:
    return ".cv";
  case LoadCache::NC:
    return ".nc";
  case LoadCache::NCNoAllocate:
    return ".nc.L1::no_allocate";
  }
  llvm_unreachable("every cache operator is listed");
}

static StringRef cacheSuffix(StoreCache cache) {
  switch (cache) {
  case StoreCache::Default:
    return "";
  case StoreCache::CG:
    return ".cg";
  case StoreCache::CS:
    return ".cs";
  case StoreCache::WT:
    return ".wt";
  }
  llvm_unreachable("every cache operator is listed");
}

std::string LoadOp::ptxText() {
  Registers registers = *registersOf(getResult().getType());
  unsigned pointer = registers.count, predicate = pointer + 1;
  return ("@$" + Twine(predicate) + " ld" + spaceName(getPointer().getType()) + cacheSuffix(getCache()) +
          accessSuffix(registers) + " " + registerList(0, registers.count) + ", [$" + Twine(pointer) + "];")
      .str();
}

std::string LoadOp::ptxConstraints() { return constraints(*this, getFallbackMutable().getOperandNumber()); }

StringRef LoadOp::emulatorSymbol() {
  return symbol(*this, Twine(accessBytes(*registersOf(getResult().getType()))));
}

std::string StoreOp::ptxText() {
  Registers registers = *registersOf(getValue().getType());
  unsigned pointer = registers.count, predicate = pointer + 1;
  return ("@$" + Twine(predicate) + " st" + spaceName(getPointer().getType()) + cacheSuffix(getCache()) +
          accessSuffix(registers) + " [$" + Twine(pointer) + "], " + registerList(0, registers.count) + ";")
      .str();
}

std::string StoreOp::ptxConstraints() { return constraints(*this); }

StringRef StoreOp::emulatorSymbol() {
  return symbol(*this, Twine(accessBytes(*registersOf(getValue().getType()))));
}

//===----------------------------------------------------------------------===//
// Approximate math
//===----------------------------------------------------------------------===//

/// `f32`, `bf16`, `f16x2`: the PTX name of a float or a pair of them.
static std::string floatName(Type type) {
  Type element = getElementTypeOrSelf(type);
  std::string name = element.isBF16() ? "bf16" : "f" + std::to_string(element.getIntOrFloatBitWidth());
  return isa<VectorType>(type) ? name + "x2" : name;
}

static std::string approxText(StringRef instruction, Type type, bool ftz) {
  return (instruction + ".approx" + (ftz ? ".ftz." : ".") + floatName(type) + " $0, $1;").str();
}

static StringRef approxSymbol(Operation *op, bool ftz) {
  return symbol(op, floatName(op->getResult(0).getType()) + (ftz ? "_ftz" : ""));
}

#define APPROXIMATION(OP, INSTRUCTION, FTZ)                                                                  \
  std::string OP::ptxText() { return approxText(INSTRUCTION, getResult().getType(), FTZ); }                  \
  std::string OP::ptxConstraints() { return constraints(*this); }                                            \
  StringRef OP::emulatorSymbol() { return approxSymbol(*this, FTZ); }

APPROXIMATION(Ex2Op, "ex2", getFtz())
APPROXIMATION(TanhOp, "tanh", false)
APPROXIMATION(Lg2Op, "lg2", getFtz())
APPROXIMATION(RcpOp, "rcp", getFtz())
APPROXIMATION(RsqrtOp, "rsqrt", getFtz())
APPROXIMATION(SqrtApproxOp, "sqrt", getFtz())
APPROXIMATION(SinOp, "sin", getFtz())
APPROXIMATION(CosOp, "cos", getFtz())
#undef APPROXIMATION

//===----------------------------------------------------------------------===//
// Conversion and matrix product
//===----------------------------------------------------------------------===//

std::string CvtRnaTf32Op::ptxText() { return "cvt.rna.tf32.f32 $0, $1;"; }
std::string CvtRnaTf32Op::ptxConstraints() { return constraints(*this); }
StringRef CvtRnaTf32Op::emulatorSymbol() { return symbol(*this, "f32"); }

std::string MmaOp::ptxText() {
  std::string types = ("." + stringifyMmaType(getAType()) + "." + stringifyMmaType(getBType())).str();
  return "mma.sync.aligned.m16n8k32.row.col.f32" + types + ".f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, " +
         "{$8, $9}, {$10, $11, $12, $13};";
}
std::string MmaOp::ptxConstraints() { return constraints(*this); }
StringRef MmaOp::emulatorSymbol() {
  return symbol(*this, "m16n8k32_" + stringifyMmaType(getAType()) + "_" + stringifyMmaType(getBType()));
}
