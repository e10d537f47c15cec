// The shape flag's two spellings and its errors.

#include "Tilewright/Import/Onnx.h"

#include "gtest/gtest.h"

using namespace tilewright;

TEST(InputShape, ReadsBothSpellings) {
  InputShapes shapes;
  std::string error;
  EXPECT_TRUE(parseInputShape("ids=1x128", shapes, error));
  EXPECT_TRUE(parseInputShape("mask=[2, 64]", shapes, error));
  EXPECT_TRUE(parseInputShape("scalar=", shapes, error));
  EXPECT_EQ(shapes["ids"], (llvm::SmallVector<int64_t>{1, 128}));
  EXPECT_EQ(shapes["mask"], (llvm::SmallVector<int64_t>{2, 64}));
  EXPECT_TRUE(shapes["scalar"].empty());
}

TEST(InputShape, SaysWhatIsWrong) {
  InputShapes shapes;
  std::string error;
  EXPECT_FALSE(parseInputShape("ids", shapes, error));
  EXPECT_EQ(error, "'ids' is not of the form name=1x128");
  EXPECT_FALSE(parseInputShape("ids=1xn", shapes, error));
  EXPECT_EQ(error, "'ids=1xn': 'n' is not the size of a dimension; expected name=1x128");
  EXPECT_FALSE(parseInputShape("ids=-1", shapes, error));
  EXPECT_TRUE(parseInputShape("ids=1", shapes, error));
  EXPECT_FALSE(parseInputShape("ids=2", shapes, error));
  EXPECT_EQ(error, "two shapes are given for input 'ids'");
}
