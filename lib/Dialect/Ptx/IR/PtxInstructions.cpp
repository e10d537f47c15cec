// The PtxInstruction side of every ptx op: PTX text, inline assembly constraints, emulator symbol; and the
// table of how values lie in registers, on which the three agree with convert-ptx-to-llvm.
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/Twine.h"

using namespace mlir;
using namespace tilewright::ptx;

// Constraint letters of NVPTX (LLVM's NVPTXTargetLowering): b predicate, h 16, r 32, l 64 bits, f f32, d f64.
std::optional<Registers> tilewright::ptx::registersOf(Type type) {
  MLIRContext *context = type.getContext();
  auto integer = [&](unsigned bits) -> Type { return IntegerType::get(context, bits); };
  if (isa<LLVM::LLVMPointerType>(type))
    return Registers{type, 1, 'l', 64};
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type)) {
    // Accumulators of a warpgroup product.
    ArrayRef<Type> fields = record.getBody();
    if (record.isIdentified() || fields.size() < 2 || !llvm::all_equal(fields) ||
        !(fields[0].isF32() || fields[0].isInteger(32)))
      return std::nullopt;
    return Registers{fields[0], static_cast<unsigned>(fields.size()), fields[0].isF32() ? 'f' : 'r', 32};
  }
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
  case LoadCache::NoAllocate:
    return ".L1::no_allocate";
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

/// `@$5 `, or nothing where the predicate is the constant true.
static std::string guard(Value predicate, unsigned number) {
  return matchPattern(predicate, m_One()) ? "" : "@$" + std::to_string(number) + " ";
}

std::string ArriveClusterOp::ptxText() {
  return std::string("fence.release.sync_restrict::shared::cta.cluster; barrier.cluster.arrive.relaxed") +
         (getAligned() ? ".aligned;" : ";");
}
std::string ArriveClusterOp::ptxConstraints() { return "~{memory}"; }
StringRef ArriveClusterOp::emulatorSymbol() { return "tw_emu_cluster_arrive"; }

std::string StoreAsyncOp::ptxText() {
  unsigned count = registersOf(getValue().getType())->count;
  auto number = [&](unsigned n) { return std::to_string(count + n); };
  return guard(getPredicate(), count + 1) + "st.async.shared::cluster.mbarrier::complete_tx::bytes" +
         accessSuffix(*registersOf(getValue().getType())) + " [$" + number(0) + "], " +
         registerList(0, count) + ", [$" + number(2) + "];";
}
std::string StoreAsyncOp::ptxConstraints() { return constraints(*this) + ",~{memory}"; }
StringRef StoreAsyncOp::emulatorSymbol() { return "tw_emu_store_async"; }

std::string RaiseFlagOp::ptxText() { return "st.release.gpu.global.u32 [$0], 1;"; }
std::string RaiseFlagOp::ptxConstraints() { return "l,~{memory}"; }
StringRef RaiseFlagOp::emulatorSymbol() { return "tw_emu_raise_flag"; }

std::string LowerFlagOp::ptxText() {
  return "{\n\t.reg .pred down;\n\t.reg .b32 flag;\nWAIT:\n\tld.acquire.gpu.global.u32 flag, [$0];\n\t"
         "setp.eq.u32 down, flag, 0;\n\t@down bra WAIT;\n\tst.relaxed.gpu.global.u32 [$0], 0;\n\t}";
}
std::string LowerFlagOp::ptxConstraints() { return "l,~{memory}"; }
StringRef LowerFlagOp::emulatorSymbol() { return "tw_emu_lower_flag"; }

std::string TakeTicketOp::ptxText() { return "atom.relaxed.gpu.global.add.u64 $0, [$1], 1;"; }
std::string TakeTicketOp::ptxConstraints() { return "=l,l,~{memory}"; }
StringRef TakeTicketOp::emulatorSymbol() { return "tw_emu_take_ticket"; }

std::string ReturnTicketsOp::ptxText() { return "st.relaxed.gpu.global.u64 [$1], $0;"; }
std::string ReturnTicketsOp::ptxConstraints() { return "l,l,~{memory}"; }
StringRef ReturnTicketsOp::emulatorSymbol() { return "tw_emu_return_tickets"; }

std::string ArriveCounterOp::ptxText() { return "red.release.gpu.global.add.u32 [$0], 1;"; }
std::string ArriveCounterOp::ptxConstraints() { return "l,~{memory}"; }
StringRef ArriveCounterOp::emulatorSymbol() { return "tw_emu_arrive_counter"; }

std::string AwaitCounterOp::ptxText() {
  return "{\n\t.reg .pred early;\n\t.reg .b32 count;\nWAIT:\n\tld.acquire.gpu.global.u32 count, [$1];\n\t"
         "setp.ne.u32 early, count, $0;\n\t@early bra WAIT;\n\t}";
}
std::string AwaitCounterOp::ptxConstraints() { return "r,l,~{memory}"; }
StringRef AwaitCounterOp::emulatorSymbol() { return "tw_emu_await_counter"; }

std::string PublishWordOp::ptxText() {
  return "{\n\t.reg .b64 word;\n\tmov.b64 word, {$0, $1};\n\tst.relaxed.gpu.global.b64 [$2], word;\n\t}";
}
std::string PublishWordOp::ptxConstraints() { return "r,r,l,~{memory}"; }
StringRef PublishWordOp::emulatorSymbol() { return "tw_emu_publish_word"; }

// Everything is asked for again as long as one mark is missing: what differs in any of them is not zero.
std::string AwaitWordsOp::ptxText() {
  size_t count = getPointers().size();
  auto number = [](size_t n) { return std::to_string(n); };
  std::string mark = "$" + number(2 * count), text = "{\n\t.reg .pred late;\n\t.reg .b64 word<" +
                                                     number(count) + ">;\n\t.reg .b32 value<" +
                                                     number(count) + ">, found, missing;\n\t";
  for (size_t i = 0; i < count; ++i)
    text += "mov.b32 value" + number(i) + ", 0;\n\t";
  text += "@!$" + number(2 * count + 1) + " bra DONE;\nWAIT:\n\t";
  for (size_t i = 0; i < count; ++i)
    text += "ld.relaxed.gpu.global.b64 word" + number(i) + ", [$" + number(count + i) + "];\n\t";
  text += "mov.b32 missing, 0;\n\t";
  for (size_t i = 0; i < count; ++i)
    text += "mov.b64 {value" + number(i) + ", found}, word" + number(i) + ";\n\txor.b32 found, found, " +
            mark + ";\n\tor.b32 missing, missing, found;\n\t";
  text += "setp.ne.u32 late, missing, 0;\n\t@late bra WAIT;\nDONE:\n\t";
  for (size_t i = 0; i < count; ++i)
    text += "mov.b32 $" + number(i) + ", value" + number(i) + ";\n\t";
  return text + "}";
}
std::string AwaitWordsOp::ptxConstraints() { return constraints(*this) + ",~{memory}"; }
StringRef AwaitWordsOp::emulatorSymbol() { return "tw_emu_await_word"; }

std::string LoadOp::ptxText() {
  Registers registers = *registersOf(getResult().getType());
  // The fallback's registers, tied to the results, lie between predicate and policy.
  unsigned pointer = registers.count, predicate = pointer + 1, policy = predicate + 1 + registers.count;
  return (guard(getPredicate(), predicate) + "ld" + spaceName(getPointer().getType()) +
          cacheSuffix(getCache()) + (getPolicy() ? ".L2::cache_hint" : "") + accessSuffix(registers) + " " +
          registerList(0, registers.count) + ", [$" + Twine(pointer) + "]" +
          (getPolicy() ? ", $" + std::to_string(policy) : "") + ";")
      .str();
}

std::string LoadOp::ptxConstraints() { return constraints(*this, getFallbackMutable().getOperandNumber()); }

StringRef LoadOp::emulatorSymbol() {
  return symbol(*this, Twine(accessBytes(*registersOf(getResult().getType()))));
}

std::string StoreOp::ptxText() {
  Registers registers = *registersOf(getValue().getType());
  unsigned pointer = registers.count, predicate = pointer + 1, policy = predicate + 1;
  return (guard(getPredicate(), predicate) + "st" + spaceName(getPointer().getType()) +
          cacheSuffix(getCache()) + (getPolicy() ? ".L2::cache_hint" : "") + accessSuffix(registers) + " [$" +
          Twine(pointer) + "], " + registerList(0, registers.count) +
          (getPolicy() ? ", $" + std::to_string(policy) : "") + ";")
      .str();
}

std::string StoreOp::ptxConstraints() { return constraints(*this); }

StringRef StoreOp::emulatorSymbol() {
  return symbol(*this, Twine(accessBytes(*registersOf(getValue().getType()))));
}

std::string CachePolicyOp::ptxText() {
  return ("createpolicy.fractional.L2::" + stringifyEviction(getEviction()) + ".b64 $0, 1.0;").str();
}
std::string CachePolicyOp::ptxConstraints() { return constraints(*this); }
StringRef CachePolicyOp::emulatorSymbol() { return symbol(*this, stringifyEviction(getEviction())); }

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

std::string DivFullOp::ptxText() { return "div.full.f32 $0, $1, $2;"; }
std::string DivFullOp::ptxConstraints() { return constraints(*this); }
StringRef DivFullOp::emulatorSymbol() { return symbol(*this, "f32"); }

//===----------------------------------------------------------------------===//
// Conversion and matrix product
//===----------------------------------------------------------------------===//

std::string CvtRnaTf32Op::ptxText() { return "cvt.rna.tf32.f32 $0, $1;"; }
std::string CvtRnaTf32Op::ptxConstraints() { return constraints(*this); }
StringRef CvtRnaTf32Op::emulatorSymbol() { return symbol(*this, "f32"); }

std::string PackOp::ptxText() { return "mov.b64 $0, {$1, $2};"; }
std::string PackOp::ptxConstraints() { return constraints(*this); }
StringRef PackOp::emulatorSymbol() { return symbol(*this, "b64"); }

std::string MmaOp::ptxText() {
  std::string types = ("." + stringifyMmaType(getAType()) + "." + stringifyMmaType(getBType())).str();
  return "mma.sync.aligned.m16n8k32.row.col.f32" + types + ".f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, " +
         "{$8, $9}, {$10, $11, $12, $13};";
}
std::string MmaOp::ptxConstraints() { return constraints(*this); }
StringRef MmaOp::emulatorSymbol() {
  return symbol(*this, "m16n8k32_" + stringifyMmaType(getAType()) + "_" + stringifyMmaType(getBType()));
}

//===----------------------------------------------------------------------===//
// Warpgroup products
//===----------------------------------------------------------------------===//

static bool hasTwoBytes(WgmmaType type) { return type == WgmmaType::F16 || type == WgmmaType::BF16; }
static bool isInteger(WgmmaType type) { return type == WgmmaType::S8 || type == WgmmaType::U8; }

int64_t WgmmaOp::getN() { return int64_t(getResult().getType().getBody().size()) * 2; }
int64_t WgmmaOp::getK() { return hasTwoBytes(getAType()) ? 16 : getAType() == WgmmaType::TF32 ? 8 : 32; }

LogicalResult WgmmaOp::verify() {
  WgmmaType a = getAType(), b = getBType();
  auto isFp8 = [](WgmmaType type) { return type == WgmmaType::E4M3 || type == WgmmaType::E5M2; };
  if (a != b && !(isFp8(a) && isFp8(b)) && !(isInteger(a) && isInteger(b))) // wgmma_c1
    return emitOpError() << "has no form for " << stringifyWgmmaType(a) << " and " << stringifyWgmmaType(b);
  if (getResult().getType().getBody()[0].isF32() == isInteger(a)) // wgmma_c2
    return emitOpError() << "of " << stringifyWgmmaType(a) << " does not sum in "
                         << getResult().getType().getBody()[0];
  int64_t n = getN(), step = isInteger(a) && n > 32 ? 16 : 8;
  if (n < 8 || n > 256 || n % step != 0) // wgmma_c3
    return emitOpError() << "has 8 to 256 columns in steps of " << step << ", got " << n;
  if ((getAMn() || getBMn()) && !hasTwoBytes(a)) // wgmma_c4
    return emitOpError() << "takes operands of " << stringifyWgmmaType(a) << " with K contiguous only";
  if (getAMn() && !getA().getType().isInteger(64)) // wgmma_c5
    return emitOpError("has no order of dimensions for a left operand in registers");
  if (getAccumulate() && getOverwrite()) // wgmma_c6
    return emitOpError("has both 'if' and 'overwrite'");
  return success();
}

/// `m64n128k16.f32.bf16.bf16`
static std::string wgmmaShape(WgmmaOp op, StringRef separator) {
  auto name = [](WgmmaType type) { return stringifyWgmmaType(type).str(); };
  return "m64n" + std::to_string(op.getN()) + "k" + std::to_string(op.getK()) + separator.str() +
         (isInteger(op.getAType()) ? "s32" : "f32") + separator.str() + name(op.getAType()) +
         separator.str() + name(op.getBType());
}

std::string WgmmaOp::ptxText() {
  // Operands after the results: a, b, the accumulators (tied), the predicate.
  unsigned results = getResult().getType().getBody().size();
  unsigned a = results, aCount = isa<VectorType>(getA().getType()) ? 4 : 1, b = a + aCount;
  unsigned predicate = b + 1 + results;
  std::string scale = getAccumulate() ? "$" + std::to_string(predicate) : "p";
  std::string text = "wgmma.mma_async.sync.aligned." + wgmmaShape(*this, ".") + " " +
                     registerList(0, results) + ", " + registerList(a, aCount) + ", $" + std::to_string(b) +
                     ", " + scale;
  if (!isInteger(getAType()))
    text += ", 1, 1";
  if (hasTwoBytes(getAType())) {
    if (aCount == 1)
      text += getAMn() ? ", 1" : ", 0";
    text += getBMn() ? ", 1" : ", 0";
  }
  text += ";";
  if (getAccumulate())
    return text;
  return std::string("{ .reg .pred p; setp.ne.b32 p, ") + (getOverwrite() ? "0" : "1") + ", 0; " + text +
         " }";
}
std::string WgmmaOp::ptxConstraints() {
  return constraints(*this, getAccumulatorMutable().getOperandNumber());
}
StringRef WgmmaOp::emulatorSymbol() { return symbol(*this, wgmmaShape(*this, "_")); }

std::string WgmmaWaitOp::ptxText() {
  return "wgmma.wait_group.sync.aligned " + std::to_string(getPending()) + ";";
}
std::string WgmmaWaitOp::ptxConstraints() {
  return constraints(*this, getValuesMutable().getOperandNumber());
}
StringRef WgmmaWaitOp::emulatorSymbol() { return symbol(*this, "group"); }

std::string PinOp::ptxText() { return ""; }
std::string PinOp::ptxConstraints() { return constraints(*this, 0); }
StringRef PinOp::emulatorSymbol() { return symbol(*this, "registers"); }

std::string HoldOp::ptxText() {
  std::string text = "{ .reg .pred p; setp.ne.b32 p, 0, 0; ";
  for (unsigned i = 0; i < getNumOperands(); ++i)
    text += "setp.eq.or.b32 p, $" + std::to_string(i) + ", 0x7fb1d1e5, p; ";
  return text + "@p nanosleep.u32 32; }";
}
std::string HoldOp::ptxConstraints() { return constraints(*this); }
StringRef HoldOp::emulatorSymbol() { return symbol(*this, "values"); }
