// Shape flags: what parses, what does not, and the buckets that flags and a model's symbols make.
#include "Tilewright/Pipeline/ShapeBuckets.h"

#include <gtest/gtest.h>

using namespace tilewright;

static ShapeFlag parsed(llvm::StringRef text) {
  ShapeFlag flag;
  std::string error;
  EXPECT_TRUE(parseShapeFlag(text, flag, error)) << error;
  return flag;
}

static std::string errorOf(llvm::StringRef text) {
  ShapeFlag flag;
  std::string error;
  EXPECT_FALSE(parseShapeFlag(text, flag, error));
  return error;
}

TEST(ShapeFlag, ParsesSizesAndLists) {
  ShapeFlag flag = parsed("ids=[32,1,8]x128");
  EXPECT_EQ(flag.input, "ids");
  ASSERT_EQ(flag.dims.size(), 2u);
  EXPECT_EQ(flag.dims[0], (std::vector<int64_t>{1, 8, 32}));
  EXPECT_EQ(flag.dims[1], (std::vector<int64_t>{128}));
  EXPECT_EQ(formatShapeFlag(flag), "ids=[1,8,32]x128");
  EXPECT_TRUE(parsed("scalar=").dims.empty());
  EXPECT_EQ(parsed("a=b=4").input, "a=b");
}

TEST(ShapeFlag, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf("ids"), "'ids' is not of the form name=1x128 or name=[1,8]x[64,128]");
  EXPECT_EQ(errorOf("ids=1xfoo"), "'foo' in the shape of input 'ids' is neither a size nor a list of sizes");
  EXPECT_EQ(errorOf("ids=0"), "'0' in the shape of input 'ids' is neither a size nor a list of sizes");
  EXPECT_EQ(errorOf("ids=[1,8"), "'[1,8' in the shape of input 'ids' is neither a size nor a list of sizes");
}

static std::vector<ShapeBucket> buckets(llvm::ArrayRef<ShapeFlag> flags, const InputDims &inputs) {
  std::vector<ShapeBucket> result;
  std::string error;
  EXPECT_TRUE(expandBuckets(flags, inputs, result, error)) << error;
  return result;
}

TEST(ShapeBuckets, OneSizeIsOneBucketWithoutKey) {
  auto result = buckets({parsed("x=1x128")}, {});
  ASSERT_EQ(result.size(), 1u);
  EXPECT_TRUE(result[0].key.empty());
  EXPECT_EQ(result[0].shapes.at("x"), (llvm::SmallVector<int64_t>{1, 128}));
}

TEST(ShapeBuckets, NoFlagIsOneBucket) { EXPECT_EQ(buckets({}, {}).size(), 1u); }

TEST(ShapeBuckets, SymbolsTieInputsTogether) {
  InputDims inputs = {{"ids", {{-1, "batch"}, {-1, "seq"}}}, {"mask", {{-1, "batch"}, {1, ""}, {-1, "seq"}}}};
  auto result = buckets({parsed("ids=[1,8]x[16,64]")}, inputs);
  ASSERT_EQ(result.size(), 4u);
  const ShapeBucket &bucket = result[1];
  EXPECT_EQ(bucket.key, (std::vector<std::pair<std::string, int64_t>>{{"batch", 1}, {"seq", 64}}));
  EXPECT_EQ(bucket.shapes.at("ids"), (llvm::SmallVector<int64_t>{1, 64}));
  EXPECT_EQ(bucket.shapes.at("mask"), (llvm::SmallVector<int64_t>{1, 1, 64}));
  EXPECT_EQ(bucket.symbols.at("mask"), (std::vector<std::string>{"batch", "", "seq"}));
}

TEST(ShapeBuckets, EqualListsOfUnnamedDimensionsAreOne) {
  auto result = buckets({parsed("a=[1,8]x4"), parsed("b=[1,8]")}, {});
  ASSERT_EQ(result.size(), 2u);
  EXPECT_EQ(result[1].shapes.at("a")[0], 8);
  EXPECT_EQ(result[1].shapes.at("b")[0], 8);
  EXPECT_EQ(result[1].key[0].first, "a.0");
}

TEST(ShapeBuckets, RefusesContradictions) {
  std::vector<ShapeBucket> result;
  std::string error;
  InputDims inputs = {{"a", {{-1, "n"}}}, {"b", {{-1, "n"}}}};
  EXPECT_FALSE(expandBuckets({parsed("a=[1,2]"), parsed("b=[1,3]")}, inputs, result, error));
  EXPECT_EQ(error, "dimension 'n' has other sizes in input 'b' than in an input before it");
  EXPECT_FALSE(expandBuckets({parsed("a=1"), parsed("a=2")}, {}, result, error));
  EXPECT_EQ(error, "input 'a' has two shapes");
  EXPECT_FALSE(
      expandBuckets({parsed("a=[1,2,3,4,5,6,7]x[1,2,3,4,5,6,8]x[1,2,3,4,5,6,9]")}, {}, result, error));
  EXPECT_EQ(error, "the shapes make more than 256 buckets");
}
