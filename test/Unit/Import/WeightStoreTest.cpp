// Weights from safetensors files through their steps, checked against the plain meaning of each step.

#include "Tilewright/Import/WeightStore.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstring>
#include <numeric>

using namespace mlir;
using namespace tilewright;

namespace {
class WeightStoreTest : public ::testing::Test {
protected:
  WeightStoreTest() : builder(&context) { context.loadDialect<graph::GraphDialect>(); }
  ~WeightStoreTest() override {
    for (const std::string &path : written)
      llvm::sys::fs::remove(path);
  }

  /// Writes one fp32 tensor "w" of 0, 1, 2, … and opens a store on it.
  void write(llvm::ArrayRef<int64_t> shape) {
    int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
    values.resize(count);
    std::iota(values.begin(), values.end(), 0.0f);
    std::string dims;
    for (int64_t dim : shape)
      dims += (dims.empty() ? "" : ",") + std::to_string(dim);
    std::string header = "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":[" + dims +
                         "],\"data_offsets\":[0," + std::to_string(4 * count) + "]}}";
    writeFile(header, {(const char *)values.data(), size_t(4 * count)});
    llvm::Error error = store.addFile(written.back());
    ASSERT_FALSE((bool)error) << llvm::toString(std::move(error));
  }

  void writeFile(const std::string &header, llvm::StringRef data) {
    llvm::SmallString<128> path;
    int fd;
    ASSERT_FALSE((bool)llvm::sys::fs::createTemporaryFile("weights", "safetensors", fd, path));
    llvm::raw_fd_ostream file(fd, /*shouldClose=*/true);
    char length[8];
    llvm::support::endian::write64le(length, header.size());
    file.write(length, 8);
    file << header << data;
    written.push_back(path.str().str());
  }

  graph::WeightAttr weight(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<Attribute> steps,
                           llvm::StringRef hash = "") {
    return graph::WeightAttr::get(&context, "w", RankedTensorType::get(shape, builder.getF32Type()), hash,
                                  builder.getArrayAttr(steps));
  }

  std::vector<float> floats(graph::WeightAttr weight) {
    llvm::Expected<std::vector<char>> bytes = store.readAll(weight);
    if (!bytes) {
      ADD_FAILURE() << llvm::toString(bytes.takeError());
      return {};
    }
    std::vector<float> result(bytes->size() / 4);
    std::memcpy(result.data(), bytes->data(), bytes->size());
    return result;
  }

  std::string failure(graph::WeightAttr weight) {
    llvm::Expected<std::vector<char>> bytes = store.readAll(weight);
    return bytes ? "" : llvm::toString(bytes.takeError());
  }

  MLIRContext context;
  OpBuilder builder;
  WeightStore store;
  std::vector<float> values;
  std::vector<std::string> written;
};
} // namespace

TEST_F(WeightStoreTest, GivesBytesAsTheyAre) {
  write({2, 3});
  EXPECT_EQ(floats(weight({2, 3}, {})), values);
}

TEST_F(WeightStoreTest, TransposesAndReshapes) {
  write({2, 3, 4});
  std::vector<float> moved = floats(weight({2, 3, 4}, {builder.getDenseI64ArrayAttr({2, 0, 1})}));
  ASSERT_EQ(moved.size(), 24u);
  for (int64_t k = 0; k < 4; ++k)
    for (int64_t i = 0; i < 2; ++i)
      for (int64_t j = 0; j < 3; ++j)
        EXPECT_EQ(moved[(k * 2 + i) * 3 + j], values[(i * 3 + j) * 4 + k]);
  // [2,3,4] -> [6,4] -> [4,6] -> [2,2,6] -> [6,2,2]
  std::vector<float> twice = floats(
      weight({2, 3, 4},
             {graph::ReshapeStepAttr::get(&context, {6, 4}), builder.getDenseI64ArrayAttr({1, 0}),
              graph::ReshapeStepAttr::get(&context, {2, 2, 6}), builder.getDenseI64ArrayAttr({2, 1, 0})}));
  for (int64_t a = 0; a < 6; ++a)
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t c = 0; c < 2; ++c) {
        int64_t linear = (c * 2 + b) * 6 + a, row = linear / 6, column = linear % 6;
        EXPECT_EQ(twice[(a * 2 + b) * 2 + c], values[column * 4 + row]);
      }
}

TEST_F(WeightStoreTest, CastsInOrder) {
  write({1024});
  // 257 is not a bf16 number: casting there and back rounds it to 256.
  std::vector<float> back =
      floats(weight({1024}, {TypeAttr::get(builder.getBF16Type()), TypeAttr::get(builder.getF32Type())}));
  EXPECT_EQ(back[256], 256.0f);
  EXPECT_EQ(back[257], 256.0f);
  EXPECT_EQ(back[259], 260.0f);
}

TEST_F(WeightStoreTest, HandsOutBoundedChunks) {
  write({1000, 700});
  size_t total = 0, largest = 0;
  llvm::Error error = store.read(
      weight({1000, 700}, {builder.getDenseI64ArrayAttr({1, 0}), TypeAttr::get(builder.getF64Type())}),
      [&](llvm::ArrayRef<char> chunk) {
        double first;
        std::memcpy(&first, chunk.data(), 8);
        int64_t place = int64_t(total / 8);
        EXPECT_EQ(first, double(place % 1000 * 700 + place / 1000));
        total += chunk.size();
        largest = std::max(largest, chunk.size());
        return llvm::Error::success();
      });
  EXPECT_FALSE((bool)error);
  EXPECT_EQ(total, 8u * 700000);
  EXPECT_LE(largest, size_t(1) << 20);
}

TEST_F(WeightStoreTest, SaysWhatDoesNotFit) {
  write({2, 3});
  EXPECT_NE(failure(weight({3, 2}, {})).find("weight 'w' is 2x3 of FLOAT in its file"), std::string::npos);
  EXPECT_EQ(failure(weight({2, 3}, {}, std::string(64, '0'))),
            "weight 'w' has changed in its file since the model was imported");
  EXPECT_EQ(failure(graph::WeightAttr::get(&context, "v", RankedTensorType::get({2}, builder.getF32Type()),
                                           "", builder.getArrayAttr({}))),
            "weight 'v' is in none of the weight files");
}

TEST_F(WeightStoreTest, RefusesMalformedFiles) {
  const std::pair<const char *, const char *> cases[] = {
      {"{", "is not a safetensors file"},
      {"[]", "its header is no JSON object"},
      {"{\"w\":{}}", "tensor 'w' lacks dtype, shape or data_offsets"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,9]}}", "do not fit"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,0]}}", "do not fit"},
      {"{\"w\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}", "do not fit"}};
  for (auto [header, expected] : cases) {
    writeFile(header, "12345678");
    llvm::Error error = store.addFile(written.back());
    EXPECT_NE(llvm::toString(std::move(error)).find(expected), std::string::npos) << header;
  }
}
