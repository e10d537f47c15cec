// Which llvm operations keep their meaning on the host. The list is explicit: what is not on it is an error.
#include "HostModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tilewright::emulator;

bool tilewright::emulator::isHostOperation(Operation *op) {
  static const llvm::StringSet<> operations = {
      // Integers.
      "llvm.add", "llvm.sub", "llvm.mul", "llvm.udiv", "llvm.sdiv", "llvm.urem", "llvm.srem", "llvm.and",
      "llvm.or", "llvm.xor", "llvm.shl", "llvm.lshr", "llvm.ashr", "llvm.icmp",
      // Floats.
      "llvm.fadd", "llvm.fsub", "llvm.fmul", "llvm.fdiv", "llvm.frem", "llvm.fneg", "llvm.fcmp",
      // Casts.
      "llvm.trunc", "llvm.zext", "llvm.sext", "llvm.fptrunc", "llvm.fpext", "llvm.fptosi", "llvm.fptoui",
      "llvm.sitofp", "llvm.uitofp", "llvm.bitcast",
      // Values.
      "llvm.mlir.constant", "llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.zero", "llvm.freeze",
      "llvm.select", "llvm.extractvalue", "llvm.insertvalue", "llvm.extractelement", "llvm.insertelement",
      "llvm.shufflevector",
      // Addresses of private memory, address arithmetic.
      "llvm.alloca", "llvm.getelementptr",
      // Control flow.
      "llvm.br", "llvm.cond_br", "llvm.switch", "llvm.return",
      // Intrinsics that LLVM expands on any target, or that are functions of libm.
      "llvm.intr.abs", "llvm.intr.bitreverse", "llvm.intr.bswap", "llvm.intr.ceil", "llvm.intr.copysign",
      "llvm.intr.cos", "llvm.intr.ctlz", "llvm.intr.ctpop", "llvm.intr.cttz", "llvm.intr.exp",
      "llvm.intr.exp2", "llvm.intr.fabs", "llvm.intr.floor", "llvm.intr.fma", "llvm.intr.fmuladd",
      "llvm.intr.fshl", "llvm.intr.fshr", "llvm.intr.is.fpclass", "llvm.intr.log", "llvm.intr.log10",
      "llvm.intr.log2", "llvm.intr.maximum", "llvm.intr.maxnum", "llvm.intr.minimum", "llvm.intr.minnum",
      "llvm.intr.nearbyint", "llvm.intr.pow", "llvm.intr.rint", "llvm.intr.round", "llvm.intr.roundeven",
      "llvm.intr.sadd.sat", "llvm.intr.sin", "llvm.intr.smax", "llvm.intr.smin", "llvm.intr.sqrt",
      "llvm.intr.ssub.sat", "llvm.intr.tan", "llvm.intr.tanh", "llvm.intr.trunc", "llvm.intr.uadd.sat",
      "llvm.intr.umax", "llvm.intr.umin", "llvm.intr.usub.sat", "llvm.intr.sadd.with.overflow",
      "llvm.intr.uadd.with.overflow", "llvm.intr.smul.with.overflow", "llvm.intr.umul.with.overflow",
      "llvm.intr.ssub.with.overflow", "llvm.intr.usub.with.overflow", "llvm.intr.vector.reduce.add",
      "llvm.intr.vector.reduce.fadd", "llvm.intr.vector.reduce.fmul", "llvm.intr.vector.reduce.fmax",
      "llvm.intr.vector.reduce.fmin", "llvm.intr.vector.reduce.fmaximum", "llvm.intr.vector.reduce.fminimum",
      "llvm.intr.vector.reduce.and", "llvm.intr.vector.reduce.or", "llvm.intr.vector.reduce.xor",
      "llvm.intr.vector.reduce.mul", "llvm.intr.vector.reduce.smax", "llvm.intr.vector.reduce.smin",
      "llvm.intr.vector.reduce.umax", "llvm.intr.vector.reduce.umin", "llvm.intr.vector.insert",
      "llvm.intr.vector.extract", "llvm.intr.is.constant", "llvm.intr.expect"};
  return operations.contains(op->getName().getStringRef());
}
