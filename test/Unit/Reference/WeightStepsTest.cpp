// The steps of a weight's recipe, in order.
#include "Tilewright/Reference/Reference.h"

#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::reference;

namespace {
struct WeightStepsTest : ::testing::Test {
  WeightStepsTest() { context.loadDialect<graph::GraphDialect>(); }

  graph::WeightAttr weight(ArrayRef<Attribute> steps) {
    return graph::WeightAttr::get(&context, "w", RankedTensorType::get({2, 3}, builder.getF32Type()), "",
                                  builder.getArrayAttr(steps));
  }
  /// The elements after `steps` of [[0, 1.001, 2], [3, 4, 5]].
  std::vector<double> apply(ArrayRef<Attribute> steps, bool keepWide = false) {
    float stored[] = {0, 1.001f, 2, 3, 4, 5};
    auto tensor =
        applyWeightSteps(weight(steps), {reinterpret_cast<const char *>(stored), sizeof(stored)}, keepWide);
    EXPECT_TRUE((bool)tensor);
    std::vector<double> values;
    for (int64_t i = 0; i < tensor->type.getNumElements(); ++i)
      values.push_back(tensor->at(i));
    std::string error;
    RankedTensorType expected = graph::weightTypeAfterSteps(weight(steps), error);
    EXPECT_EQ(tensor->type.getShape(), expected.getShape());
    return values;
  }

  MLIRContext context;
  Builder builder{&context};
};
} // namespace

TEST_F(WeightStepsTest, TransposesAndReshapes) {
  double x = 1.001f;
  auto transpose = DenseI64ArrayAttr::get(&context, {1, 0});
  auto flat = graph::ReshapeStepAttr::get(&context, {6});
  auto wide = graph::ReshapeStepAttr::get(&context, {1, 3, 2});
  EXPECT_EQ(apply({transpose}), (std::vector<double>{0, 3, x, 4, 2, 5}));
  EXPECT_EQ(apply({transpose, flat}), (std::vector<double>{0, 3, x, 4, 2, 5}));
  EXPECT_EQ(apply({wide, DenseI64ArrayAttr::get(&context, {2, 0, 1})}),
            (std::vector<double>{0, 2, 4, x, 3, 5}));
}

TEST_F(WeightStepsTest, CastsRoundUnlessKeptWide) {
  Attribute narrow = TypeAttr::get(builder.getBF16Type());
  EXPECT_EQ(apply({narrow})[1], 1.0);
  EXPECT_EQ(apply({narrow}, /*keepWide=*/true)[1], (double)1.001f);
}

TEST_F(WeightStepsTest, SizesMustAgree) {
  char few[4] = {};
  auto tensor = applyWeightSteps(weight({}), few, false);
  ASSERT_FALSE((bool)tensor);
  EXPECT_EQ(llvm::toString(tensor.takeError()), "weight 'w' has 4 bytes, its type tensor<2x3xf32> needs 24");
}

TEST_F(WeightStepsTest, RandomWeightsDependOnKeyAndSeed) {
  WeightSource source = randomWeights(1), same = randomWeights(1), other = randomWeights(2);
  auto a = source(weight({})), b = same(weight({TypeAttr::get(builder.getBF16Type())})),
       c = other(weight({}));
  ASSERT_TRUE(a && b && c);
  EXPECT_TRUE(*a == *b) << "a recipe's steps do not change what is stored";
  EXPECT_FALSE(*a == *c);
}
