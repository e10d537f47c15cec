// Remarks: nothing without a listener, sentences with their arguments in YAML, an order that does not depend
// on when they were emitted.
#include "Tilewright/Remarks/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;

namespace {
struct RemarksTest : testing::Test {
  RemarksTest() {
    context.loadDialect<func::FuncDialect>();
    OpBuilder builder(&context);
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    function = func::FuncOp::create(builder, NameLoc::get(builder.getStringAttr("/layer/MatMul")), "k",
                                    builder.getFunctionType({}, {}));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};
} // namespace

TEST_F(RemarksTest, NoListenerNoRemark) {
  EXPECT_FALSE(remarksEnabled(&context));
  emitRemark(function, Remark::RingStages, 2, 3, 49152);
}

TEST_F(RemarksTest, SentenceAndArguments) {
  RemarkCollection collection(context);
  EXPECT_TRUE(remarksEnabled(&context));
  emitRemark(function, Remark::RingStages, 2, 3, 49152);
  std::string yaml = collection.toYaml();
  for (const char *line :
       {"--- !Passed\n", "Pass:            schedule\n", "Name:            RingStages\n",
        "Function:        k\n", "- String:          'loads run '\n", "- stages:          '3'\n",
        "- String:          ' stages ahead of the product, in '\n", "- bytes:           '49152'\n",
        "- Node:            '/layer/MatMul'\n"})
    EXPECT_NE(yaml.find(line), std::string::npos) << line << "is not in\n" << yaml;
}

TEST_F(RemarksTest, MissedOnesSayWhy) {
  RemarkCollection collection(context);
  emitRemark(function, Remark::FusionRefused, function.getOperation(), "softmax", "its index is not strided");
  std::string yaml = collection.toYaml();
  EXPECT_EQ(yaml.find("--- !Missed\n"), 0u) << yaml;
  EXPECT_NE(yaml.find("- op:              '/layer/MatMul'\n"), std::string::npos) << yaml;
}

TEST_F(RemarksTest, OrderIsByStageThenNode) {
  std::string forward, backward;
  for (bool reverse : {false, true}) {
    MLIRContext other;
    other.loadDialect<func::FuncDialect>();
    RemarkCollection collection(other);
    Location loc = UnknownLoc::get(&other);
    auto fused = [&](const char *function) {
      emitRemarkAt(loc, function, Remark::FusionRefused, {"a", "b", "c"});
    };
    auto ring = [&] { emitRemarkAt(loc, "a", Remark::RingStages, {2, 3, 100}); };
    if (reverse)
      ring(), fused("b"), fused("a");
    else
      fused("a"), fused("b"), ring();
    (reverse ? backward : forward) = collection.toYaml();
  }
  EXPECT_FALSE(forward.empty());
  EXPECT_EQ(forward, backward);
}
