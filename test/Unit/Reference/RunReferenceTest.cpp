// The reference as a function: values, independence from the module, and what it refuses.
#include "Tilewright/Reference/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::reference;

namespace {
struct RunReferenceTest : ::testing::Test {
  RunReferenceTest() {
    context.loadDialect<graph::GraphDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect>();
    module = parseSourceString<ModuleOp>(R"(
      func.func @main(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
        %w = graph.weight <"w", tensor<2x3xf32>, "", [array<i64: 1, 0>]> : tensor<3x2xf32>
        %y = graph.matmul %x, %w : tensor<2x3xf32>, tensor<3x2xf32> to tensor<2x2xf32>
        return %y : tensor<2x2xf32>
      })",
                                         &context);
  }
  HostTensor input() {
    return *makeTensor(RankedTensorType::get({2, 3}, Float32Type::get(&context)), "iota");
  }
  std::string messageOf(ArrayRef<HostTensor> inputs, const WeightSource &weights,
                        ReferenceOptions options = {}) {
    auto results = runReference(*module, inputs, weights, options);
    return results ? "" : llvm::toString(results.takeError());
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  /// [[1, 1, 1], [0, 1, 2]]
  float stored[6] = {1, 1, 1, 0, 1, 2};
  WeightSource weights = [this](graph::WeightAttr) -> llvm::Expected<ArrayRef<char>> {
    return ArrayRef<char>(reinterpret_cast<const char *>(stored), sizeof(stored));
  };
};
} // namespace

TEST_F(RunReferenceTest, ComputesInBothPrecisions) {
  for (Precision precision : {Precision::Native, Precision::F64}) {
    auto results = runReference(*module, input(), weights, {precision, "main"});
    ASSERT_TRUE((bool)results) << llvm::toString(results.takeError());
    ASSERT_EQ(results->size(), 1u);
    EXPECT_EQ((*results)[0].type.getElementType().isF64(), precision == Precision::F64);
    double expected[] = {3, 5, 12, 14};
    for (int64_t i = 0; i < 4; ++i)
      EXPECT_EQ((*results)[0].at(i), expected[i]);
  }
  // The module is as it was.
  unsigned weightOps = 0;
  module->walk([&](graph::WeightOp) { ++weightOps; });
  EXPECT_EQ(weightOps, 1u);
}

TEST_F(RunReferenceTest, RefusesWrongInputs) {
  EXPECT_EQ(messageOf({}, weights), "reference: 'main' takes 1 inputs, got 0");
  HostTensor wrong = makeZeros(RankedTensorType::get({3, 2}, Float32Type::get(&context)));
  EXPECT_EQ(messageOf(wrong, weights), "reference: input #0 is tensor<3x2xf32>, expected tensor<2x3xf32>");
  EXPECT_EQ(messageOf(input(), weights, {Precision::Native, "other"}),
            "reference: the module has no function 'other' with a body");
}

TEST_F(RunReferenceTest, ReportsTheWeightSourcesError) {
  EXPECT_EQ(messageOf(input(), WeightSource()), "reference: weight 'w' has no source");
  WeightSource failing = [](graph::WeightAttr weight) -> llvm::Expected<ArrayRef<char>> {
    return llvm::createStringError("no tensor '" + weight.getKey() + "'");
  };
  EXPECT_EQ(messageOf(input(), failing), "no tensor 'w'");
}
