// Host tensors find the smallest bucket that fits, are padded by its rule, and come back at their true
// shapes; what does not fit is refused with the shapes that would.
#include "RuntimeSample.h"

#include <numeric>

using namespace tilewright;

namespace {
class Buckets : public RuntimeTest {
protected:
  /// Runs x of `rows` rows; y has as many.
  twrt_status run(int64_t rows, std::vector<float> &y) {
    std::vector<float> x(rows * 3);
    std::iota(x.begin(), x.end(), 10.f);
    y.assign(rows * 3, 0);
    int64_t shape[] = {rows, 3};
    twrt_host_tensor inputs[] = {{"x", TWRT_F32, 2, shape, x.data()}, scaleTensor};
    twrt_host_tensor outputs[] = {{"y", TWRT_F32, 2, shape, y.data()}};
    return twrt_run_host(session, inputs, 2, outputs, 1, &error);
  }
  float scale = 2;
  twrt_host_tensor scaleTensor = {"scale", TWRT_F32, 0, nullptr, &scale};
};
} // namespace

TEST_F(Buckets, PicksTheSmallestThatFits) {
  open(runtimePackage());
  for (auto [rows, expected] : {std::pair<int64_t, uint32_t>{1, 1}, {2, 1}, {3, 0}, {8, 0}}) {
    int64_t shape[] = {rows, 3};
    twrt_host_tensor x = {"x", TWRT_F32, 2, shape, nullptr};
    uint32_t entry = 9;
    ASSERT_EQ(twrt_pick_entry(opened, &x, 1, &entry, &error), TWRT_OK) << error.message;
    EXPECT_EQ(entry, expected) << rows;
    int64_t out[2];
    ASSERT_EQ(twrt_output_true_shape(opened, entry, &x, 1, 0, out, &error), TWRT_OK);
    EXPECT_EQ(out[0], rows);
    EXPECT_EQ(out[1], 3);
  }
}

TEST_F(Buckets, PadsSlicesAndTellsTheKernels) {
  start(runtimePackage());
  std::vector<float> y;
  ASSERT_EQ(run(5, y), TWRT_OK) << error.message;
  std::vector<float> expected(15);
  std::iota(expected.begin(), expected.end(), 10.f);
  EXPECT_EQ(y, expected);
  // Two graphs, one for each staging set; the first set ran.
  ASSERT_EQ(driver->executables.size(), 2u);
  for (const std::unique_ptr<standin::Graph> &graph : driver->executables) {
    EXPECT_EQ(valueOf<int32_t>(graph->nodes[1].parameters[3]), 5);
    EXPECT_EQ(graph->nodes[3].bytes, 96u);
  }
  const float *padded = reinterpret_cast<const float *>(driver->executables[1]->nodes[3].source);
  EXPECT_EQ(padded[14], 24);
  for (int i = 15; i < 24; ++i)
    EXPECT_EQ(padded[i], 1) << i; // The padding value.
}

TEST_F(Buckets, GivesOutputsOfFixedShape) {
  start(runtimePackage());
  float x[3] = {}, z[8];
  int64_t xShape[] = {1, 3}, zShape[] = {8};
  twrt_host_tensor inputs[] = {{"x", TWRT_F32, 2, xShape, x}, scaleTensor};
  twrt_host_tensor outputs[] = {{"z", TWRT_F32, 1, zShape, z}};
  ASSERT_EQ(twrt_run_host(session, inputs, 2, outputs, 1, &error), TWRT_OK) << error.message;
  EXPECT_EQ(std::memcmp(z, weightBytes(runtimePackage(), 1).data(), 32), 0);
}

TEST_F(Buckets, RefusesWhatNoBucketHolds) {
  start(runtimePackage());
  std::vector<float> y;
  EXPECT_EQ(run(9, y), TWRT_ERROR_SHAPE);
  EXPECT_STREQ(error.message,
               "no bucket fits inputs of batch=9; the package has the buckets (batch=8) (batch=2)");
  EXPECT_EQ(driver->calls["cuGraphLaunch"], 0);
}

TEST_F(Buckets, RefusesWrongShapesTypesAndNames) {
  start(runtimePackage());
  float data[64] = {};
  int64_t wide[] = {2, 4}, good[] = {2, 3}, none[] = {0, 3};
  auto refused = [&](std::vector<twrt_host_tensor> inputs, std::vector<twrt_host_tensor> outputs,
                     twrt_status status, const char *sentence) {
    EXPECT_EQ(twrt_run_host(session, inputs.data(), inputs.size(), outputs.data(), outputs.size(), &error),
              status);
    EXPECT_STREQ(error.message, sentence);
  };
  twrt_host_tensor x = {"x", TWRT_F32, 2, good, data};
  refused({{"x", TWRT_F32, 2, wide, data}}, {}, TWRT_ERROR_SHAPE,
          "input 'x' has shape [2,4]; the package takes [batch,3]");
  refused({{"x", TWRT_F32, 1, good, data}}, {}, TWRT_ERROR_SHAPE,
          "input 'x' has shape [2]; the package takes [batch,3]");
  refused({{"x", TWRT_F32, 2, none, data}}, {}, TWRT_ERROR_SHAPE,
          "input 'x' has shape [0,3]; the package takes [batch,3]");
  refused({{"x", TWRT_F64, 2, good, data}}, {}, TWRT_ERROR_DTYPE,
          "input 'x' has elements of f64; the package takes f32");
  refused({{"ids", TWRT_F32, 2, good, data}}, {}, TWRT_ERROR_UNKNOWN_NAME,
          "there is no input 'ids'; the package's inputs are 'x', 'scale'");
  refused({x}, {}, TWRT_ERROR_MISSING_INPUT, "input 'scale' is missing: give it, or bind it");
  refused({x, scaleTensor, x}, {}, TWRT_ERROR_ARGUMENT, "3 inputs are given, some of them twice");
  refused({x, scaleTensor}, {{"x", TWRT_F32, 2, good, data}}, TWRT_ERROR_UNKNOWN_NAME,
          "there is no output 'x'; the package's outputs are 'y', 'z'");
  refused({x, scaleTensor}, {{"y", TWRT_F16, 2, good, data}}, TWRT_ERROR_DTYPE,
          "output 'y' has elements of f16; the package takes f32");
  refused({x, scaleTensor}, {{"y", TWRT_F32, 2, wide, data}}, TWRT_ERROR_SHAPE,
          "output 'y' is given room of shape [2,4]; it has shape [2,3]");
}

TEST_F(Buckets, PadsTheMiddleOfAThreeDimensionalTensor) {
  Package p;
  p.program = "3d";
  Entry e;
  e.name = "main";
  e.bucket = {{"batch", 3}, {"seq", 4}};
  e.inputs = {{"x", DType::I32, {3, 4, 2}, {"batch", "seq", ""}, PaddingRule::Fill, ""}};
  e.outputs = {{"y", DType::I32, {3, 4, 2}, {"batch", "seq", ""}, PaddingRule::Exact, ""},
               {"all", DType::I32, {24}, {""}, PaddingRule::Exact, ""}};
  Launch copy;
  copy.kind = LaunchKind::Memcpy;
  copy.source = {AddressBase::Input, 0, 0}, copy.bytes = 96;
  copy.destination = {AddressBase::Output, 0, 0};
  Launch all = copy;
  all.destination = {AddressBase::Output, 1, 0};
  e.launches = {copy, all};
  p.entries = {e};
  start(p);
  std::vector<int32_t> x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, y(12), whole(24);
  int64_t shape[] = {2, 3, 2}, flat[] = {24};
  twrt_host_tensor input = {"x", TWRT_I32, 3, shape, x.data()};
  twrt_host_tensor outputs[] = {{"y", TWRT_I32, 3, shape, y.data()},
                                {"all", TWRT_I32, 1, flat, whole.data()}};
  ASSERT_EQ(twrt_run_host(session, &input, 1, outputs, 2, &error), TWRT_OK) << error.message;
  EXPECT_EQ(y, x);
  EXPECT_EQ(whole, (std::vector<int32_t>{1,  2,  3, 4, 5, 6, 0, 0, 7, 8, 9, 10,
                                         11, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
}
