// Parsing in a child: a module comes back whole; a reader that aborts, loops or fills the memory is one
// sentence.
#include "ParseGuard.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;

namespace {
/// Its attributes do to their reader what damaged bytecode does to LLVM's.
struct RoughDialect : Dialect {
  explicit RoughDialect(MLIRContext *context) : Dialect("rough", context, TypeID::get<RoughDialect>()) {}
  static StringRef getDialectNamespace() { return "rough"; }

  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return {};
    if (keyword == "abort")
      std::abort();
    for (volatile unsigned round = 0; keyword == "loop"; round = round + 1)
      continue;
    std::vector<std::string> kept;
    while (keyword == "fill")
      kept.emplace_back(1 << 20, 'x');
    return parser.emitError(parser.getNameLoc(), "unknown keyword"), Attribute();
  }
};

struct ParseGuardTest : testing::Test {
  ParseGuardTest() {
    DialectRegistry registry;
    registry.insert<RoughDialect>();
    context.appendDialectRegistry(registry);
  }

  /// The module, and what was said in this process.
  OwningOpRef<ModuleOp> parse(StringRef text, ParseLimits limits = ParseLimits::forInput(0)) {
    said.clear();
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) { said += diagnostic.str(); });
    return parseInChild(UnknownLoc::get(&context), text, "input.mlir", limits);
  }

  MLIRContext context;
  std::string said;
};
} // namespace

TEST_F(ParseGuardTest, ModuleComesBackWithItsLocations) {
  OwningOpRef<ModuleOp> module = parse("\nmodule attributes {a.b = dense<[1, 2]> : tensor<2xi32>} {}\n");
  ASSERT_TRUE(module);
  EXPECT_TRUE((*module)->getAttrOfType<DenseElementsAttr>("a.b"));
  auto loc = dyn_cast<FileLineColLoc>(module->getLoc());
  ASSERT_TRUE(loc);
  EXPECT_EQ(loc.getFilename(), "input.mlir");
  EXPECT_EQ(loc.getLine(), 2u);
}

TEST_F(ParseGuardTest, WrongProgramIsExplainedByTheChild) {
  EXPECT_FALSE(parse("module {"));
  EXPECT_EQ(said, "");
}

TEST_F(ParseGuardTest, Abort) {
  EXPECT_FALSE(parse("module attributes {a.b = #rough.abort} {}"));
  EXPECT_EQ(said, "parsing crashed (signal 6, Aborted): the program is damaged");
}

TEST_F(ParseGuardTest, EndlessLoop) {
  EXPECT_FALSE(parse("module attributes {a.b = #rough.loop} {}", {1, 1 << 30}));
  EXPECT_EQ(said, "parsing did not end within 1 seconds of processor time: the program is damaged");
}

TEST_F(ParseGuardTest, TooMuchMemory) {
  EXPECT_FALSE(parse("module attributes {a.b = #rough.fill} {}", {20, 200 << 20}));
  EXPECT_EQ(said, "parsing needs more than 200 MiB of memory: the program is damaged");
}

TEST_F(ParseGuardTest, LimitsGrowWithTheInput) {
  EXPECT_EQ(ParseLimits::forInput(0).seconds, 10u);
  EXPECT_EQ(ParseLimits::forInput(40 << 20).seconds, 20u);
  EXPECT_EQ(ParseLimits::forInput(1 << 20).memoryBytes, (uint64_t(1) << 30) + (64 << 20));
}
