// Host tensors: rounding, generation, comparison, and .npy files.
#include "Tilewright/Reference/HostTensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright::reference;

namespace {
struct HostTensorTest : ::testing::Test {
  MLIRContext context;
  Builder builder{&context};

  HostTensor make(ArrayRef<int64_t> shape, Type element, StringRef description) {
    auto tensor = makeTensor(RankedTensorType::get(shape, element), description);
    EXPECT_TRUE((bool)tensor) << (tensor ? "" : llvm::toString(tensor.takeError()));
    return *tensor;
  }
  std::string messageOf(StringRef description) {
    auto tensor = makeTensor(RankedTensorType::get({2}, builder.getF32Type()), description);
    return tensor ? "" : llvm::toString(tensor.takeError());
  }
};
} // namespace

TEST_F(HostTensorTest, NarrowFloatsRoundToNearestEven) {
  HostTensor tensor = makeZeros(RankedTensorType::get({4}, builder.getBF16Type()));
  tensor.set(0, 1.00390625); // halfway between 1 and 1.0078125: to even
  tensor.set(1, 1.01171875); // halfway between 1.0078125 and 1.015625: to even
  tensor.set(2, -3.38e38);
  tensor.set(3, NAN);
  EXPECT_EQ(tensor.at(0), 1.0);
  EXPECT_EQ(tensor.at(1), 1.015625);
  EXPECT_NEAR(tensor.at(2), -3.38e38, 1e36);
  EXPECT_TRUE(std::isnan(tensor.at(3)));
  HostTensor half = makeZeros(RankedTensorType::get({1}, builder.getF16Type()));
  half.set(0, 65536.0);
  EXPECT_TRUE(std::isinf(half.at(0)));
}

TEST_F(HostTensorTest, IntegersKeepTheirSign) {
  HostTensor tensor = make({3}, builder.getI8Type(), "splat:-3");
  EXPECT_EQ(tensor.at(2), -3.0);
  HostTensor flags = make({2}, builder.getI1Type(), "splat:7");
  EXPECT_EQ(flags.at(0), 1.0);
  EXPECT_EQ(flags.bytes.size(), 2u);
}

TEST_F(HostTensorTest, RandomDataIsTheSameEverywhere) {
  HostTensor a = make({4}, builder.getF64Type(), "random:1"), b = make({4}, builder.getF64Type(), "random:1");
  EXPECT_EQ(a.bytes, b.bytes);
  // The first splitmix64 value of seed 1 is 0x910a2dec89025cc1.
  EXPECT_DOUBLE_EQ(a.at(0), -1.0 + 2.0 * (double)(0x910a2dec89025cc1ull >> 11) * 0x1p-53);
  HostTensor bounded = make({1000}, builder.getI64Type(), "random:2:5:8");
  for (int64_t i = 0; i < 1000; ++i) {
    EXPECT_GE(bounded.at(i), 5.0);
    EXPECT_LE(bounded.at(i), 7.0);
  }
}

TEST_F(HostTensorTest, DescriptionsAreChecked) {
  EXPECT_NE(messageOf("random:1:2").find("is not random[:SEED[:LOW:HIGH]]"), std::string::npos);
  EXPECT_NE(messageOf("splat").find("is none of zeros, splat:V"), std::string::npos);
  EXPECT_NE(messageOf("/nothing/here.npy").find("No such file"), std::string::npos);
}

TEST_F(HostTensorTest, ComparisonHandlesSpecialNumbers) {
  auto type = RankedTensorType::get({4}, builder.getF32Type());
  HostTensor a = makeZeros(type), b = makeZeros(type);
  a.set(0, NAN), b.set(0, NAN);
  a.set(1, INFINITY), b.set(1, INFINITY);
  a.set(2, 1.0), b.set(2, 1.5);
  Difference difference = compare(a, b, /*rtol=*/0.1, /*atol=*/0.0);
  EXPECT_EQ(difference.index, 2);
  EXPECT_DOUBLE_EQ(difference.absolute, 0.5);
  EXPECT_GT(difference.worst, 1.0);
  a.set(3, NAN);
  EXPECT_TRUE(std::isinf(compare(a, b, 0.1, 0.0).worst));
}

TEST_F(HostTensorTest, NpyFilesRoundTrip) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("tensor", "npy", path));
  struct Case {
    Type element;
    SmallVector<int64_t> shape;
  };
  for (const Case &test : {Case{builder.getF32Type(), {2, 3}}, Case{builder.getF16Type(), {5}},
                           Case{builder.getI64Type(), {}}, Case{builder.getI1Type(), {1, 4}},
                           Case{builder.getBF16Type(), {3, 1, 2}}, Case{builder.getF64Type(), {0}}}) {
    HostTensor tensor = make(test.shape, test.element, "random:9");
    ASSERT_EQ(llvm::toString(writeNpy(tensor, path)), "");
    auto read = readNpy(tensor.type, path);
    ASSERT_TRUE((bool)read) << llvm::toString(read.takeError());
    EXPECT_EQ(read->bytes, tensor.bytes);
  }
  HostTensor tensor = make({2, 3}, builder.getF32Type(), "iota");
  ASSERT_EQ(llvm::toString(writeNpy(tensor, path)), "");
  auto wrong = readNpy(RankedTensorType::get({3, 2}, builder.getF32Type()), path);
  ASSERT_FALSE((bool)wrong);
  EXPECT_NE(llvm::toString(wrong.takeError()).find("has shape (2, 3), expected tensor<3x2xf32>"),
            std::string::npos);
  llvm::sys::fs::remove(path);
}
