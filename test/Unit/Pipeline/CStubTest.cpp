// The C stub of packages with several shapes, odd names and every element type; what it refuses.
#include "Tilewright/Pipeline/CStub.h"

#include <gtest/gtest.h>

using namespace tilewright;
using package::DType;

static package::Tensor tensor(std::string name, DType dtype, std::vector<int64_t> shape,
                              std::vector<std::string> symbols = {}) {
  package::Tensor tensor;
  tensor.name = std::move(name);
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.symbols = std::move(symbols);
  return tensor;
}

/// An entry main[n=SIZE] from [n, 4] to [n].
static package::Entry bucket(int64_t size) {
  package::Entry entry;
  entry.name = "main[n=" + std::to_string(size) + "]";
  entry.bucket = {{"n", size}};
  entry.inputs = {tensor("ids", DType::I64, {size, 4}, {"n", ""})};
  entry.outputs = {tensor("score", DType::BF16, {size}, {"n"})};
  return entry;
}

TEST(CStub, NamedDimensionsAreParameters) {
  package::Package package;
  package.entries = {bucket(8), bucket(2)};
  CStub stub;
  ASSERT_EQ(makeCStub(package, {"my-model", true}, stub), "");
  EXPECT_NE(stub.header.find(
                "twrt_status my_model_run(my_model *self, int64_t n, const int64_t *ids, uint16_t *score, "
                "twrt_error *error);"),
            std::string::npos)
      << stub.header;
  EXPECT_NE(stub.header.find("/*   n: 2, 8 */\n#define MY_MODEL_MAX_N 8"), std::string::npos) << stub.header;
  EXPECT_NE(stub.source.find("in0_shape[] = {n, 4}"), std::string::npos) << stub.source;
  EXPECT_NE(stub.source.find("#define MY_MODEL_PACKAGE \"my-model.tw\""), std::string::npos) << stub.source;
  EXPECT_EQ(stub.source.find('@'), std::string::npos) << stub.source;
}

TEST(CStub, EntriesThatAreNotOneFunctionAreRefused) {
  package::Package package;
  package.entries = {bucket(8), bucket(2)};
  package.entries[1].inputs[0].shape[1] = 5;
  CStub stub;
  EXPECT_EQ(makeCStub(package, {"m", true}, stub), "entries 'main[n=8]' and 'main[n=2]' differ in more than "
                                                   "the sizes of named dimensions, so one C function "
                                                   "cannot serve both");
  EXPECT_EQ(makeCStub({}, {"m", true}, stub), "the package has no entry");
}

TEST(CStub, NamesThatAreNoCNames) {
  EXPECT_EQ(cIdentifier("a/b.c-d"), "a_b_c_d");
  EXPECT_EQ(cIdentifier("2nd"), "_2nd");
  EXPECT_EQ(cIdentifier(""), "_");
  EXPECT_EQ(cIdentifier("return"), "return_");
  package::Package package;
  package::Entry &entry = package.entries.emplace_back();
  entry.inputs = {tensor("a.b", DType::F32, {}), tensor("a b", DType::Bool, {2}),
                  tensor("inputs", DType::F64, {2})};
  entry.outputs = {tensor("*/ x \"?", DType::F16, {2})};
  CStub stub;
  ASSERT_EQ(makeCStub(package, {"m", false}, stub), "");
  EXPECT_NE(
      stub.header.find("const float *a_b, const uint8_t *a_b_2, const double *inputs_2, uint16_t *___x___"),
      std::string::npos)
      << stub.header;
  EXPECT_EQ(stub.header.find("*/ x"), std::string::npos);
  EXPECT_NE(stub.source.find("{\"*/ x \\\"\\077\", TWRT_F16"), std::string::npos) << stub.source;
  EXPECT_NE(stub.source.find("{\"a.b\", TWRT_F32, 0, NULL, (void *)a_b}"), std::string::npos) << stub.source;
}
