// What verify-target-form lets pass, NVPTX selects: every allowed intrinsic, for every type and chip.
#include "Tilewright/Dialect/Ptx/IR/Ptx.h"
#include "Tilewright/Ptx/Assemble.h"
#include "Tilewright/Target/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;

/// A kernel that applies `operations` (of %x and %y, each giving %rN) to `type` and stores every result.
static std::string kernelText(StringRef type, ArrayRef<std::string> operations) {
  std::string text = "gpu.module @m { llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {\n"
                     "%q = llvm.getelementptr %p[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n";
  text +=
      ("%x = llvm.load %p : !llvm.ptr<1> -> " + type + "\n%y = llvm.load %q : !llvm.ptr<1> -> " + type + "\n")
          .str();
  for (auto [index, operation] : llvm::enumerate(operations)) {
    std::string number = std::to_string(index), body = operation;
    for (size_t at; (at = body.find("TYPE")) != std::string::npos;)
      body.replace(at, 4, type.str());
    text += "%r" + number + " = " + body + "\n%p" + number + " = llvm.getelementptr %p[" +
            std::to_string(64 + 32 * index) +
            "] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\nllvm.store volatile %r" + number + ", %p" + number +
            " : " + type.str() + ", !llvm.ptr<1>\n";
  }
  return text + "llvm.return\n} }\n";
}

static std::vector<std::string> floatOperations() {
  std::vector<std::string> operations;
  for (std::string name :
       {"ceil", "fabs", "floor", "nearbyint", "rint", "round", "roundeven", "sqrt", "trunc"})
    operations.push_back("llvm.intr." + name + "(%x) : (TYPE) -> TYPE");
  for (std::string name : {"copysign", "maximum", "maxnum", "minimum", "minnum"})
    operations.push_back("llvm.intr." + name + "(%x, %y) : (TYPE, TYPE) -> TYPE");
  for (std::string name : {"fma", "fmuladd"})
    operations.push_back("llvm.intr." + name + "(%x, %y, %x) : (TYPE, TYPE, TYPE) -> TYPE");
  for (std::string name : {"fadd", "fdiv", "fmul", "fsub"})
    operations.push_back("llvm." + name + " %x, %y : TYPE");
  return operations;
}

static std::vector<std::string> integerOperations(bool bytes) {
  std::vector<std::string> operations;
  for (std::string name : {"smax", "smin", "umax", "umin", "sadd.sat", "ssub.sat", "uadd.sat", "usub.sat"})
    operations.push_back("llvm.intr." + name + "(%x, %y) : (TYPE, TYPE) -> TYPE");
  for (std::string name : {"bitreverse", "ctpop", "bswap"})
    if (name != "bswap" || !bytes)
      operations.push_back("llvm.intr." + name + "(%x) : (TYPE) -> TYPE");
  for (std::string name : {"ctlz", "cttz"})
    operations.push_back("\"llvm.intr." + name + "\"(%x) <{is_zero_poison = false}> : (TYPE) -> TYPE");
  operations.push_back("\"llvm.intr.abs\"(%x) <{is_int_min_poison = false}> : (TYPE) -> TYPE");
  for (std::string name : {"fshl", "fshr"})
    operations.push_back("llvm.intr." + name + "(%x, %y, %x) : (TYPE, TYPE, TYPE) -> TYPE");
  for (std::string name : {"sdiv", "udiv", "srem", "urem"})
    operations.push_back("llvm." + name + " %x, %y : TYPE");
  return operations;
}

static void assembleForEveryArch(StringRef type, ArrayRef<std::string> operations) {
  DialectRegistry registry;
  registry.insert<gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect, ptx::PtxDialect>();
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(kernelText(type, operations), &context);
  ASSERT_TRUE(module);
  EXPECT_TRUE(succeeded(verifyTargetForm(*module)));
  std::vector<const Arch *> archs;
  for (const Arch &arch : allArchs())
    archs.push_back(&arch);
  AssembleOptions options;
  options.jobs = 2;
  Assembler assembler(options);
  EXPECT_TRUE(succeeded(assembler.assemble({*module->getOps<gpu::GPUModuleOp>().begin()}, archs)))
      << type.str();
}

TEST(Selectable, Floats) {
  for (StringRef type : {"f16", "bf16", "f32", "f64", "vector<2xf16>", "vector<2xbf16>", "vector<4xf32>"})
    assembleForEveryArch(type, floatOperations());
}

TEST(Selectable, Integers) {
  for (StringRef type : {"i8", "i16", "i32", "i64"})
    assembleForEveryArch(type, integerOperations(type == "i8"));
}
