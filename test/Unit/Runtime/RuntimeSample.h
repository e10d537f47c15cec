// Packages and sessions for the runtime's tests: small launch tables whose effect the stand-in driver shows.
#ifndef TILEWRIGHT_TEST_RUNTIME_SAMPLE_H
#define TILEWRIGHT_TEST_RUNTIME_SAMPLE_H

#include "../../Runtime/StandIn.h"
#include "../Package/Sample.h"
#include "Tilewright/Runtime/tilewright_runtime.h"

#include <gtest/gtest.h>

#include <cstring>
#include <dlfcn.h>

namespace tilewright {

using namespace package;

/// Entries for batch 2 and 8 over rows of 3 floats. Launches: a memset of the arena, "first" (clusters of
/// two, weight, input, arena, true batch), "second" (programmatic on the first), and copies of input `x` to
/// output `y` and of the weight to output `z`.
inline Package runtimePackage() {
  Package p;
  p.program = "runtime sample";
  for (const char *name : {"first", "second"}) {
    Kernel k;
    k.name = name;
    const char *text = "first 8 8 8 4\nsecond 8 128 4\n";
    k.images = {{"sm_80", ImageKind::Cubin, text + std::string("# sm_80"), 20, 0},
                {"sm_90a", ImageKind::Cubin, text + std::string("# sm_90a"), 20, 0},
                {"sm_90a", ImageKind::Ptx, text + std::string("# ptx"), -1, -1}};
    k.block = {64, 1, 1};
    k.anchor = "elementwise";
    p.kernels.push_back(k);
  }
  p.weights = {{"w0", DType::F32, {4}, 16}, {"w1", DType::F32, {8}, 32}};
  for (int64_t batch : {8, 2}) {
    Entry e;
    e.name = "main[batch=" + std::to_string(batch) + "]";
    e.bucket = {{"batch", batch}};
    float one = 1;
    e.inputs = {{"x", DType::F32, {batch, 3}, {"batch", ""}, PaddingRule::Fill, std::string((char *)&one, 4)},
                {"scale", DType::F32, {}, {}, PaddingRule::Exact, ""}};
    e.outputs = {{"y", DType::F32, {batch, 3}, {"batch", ""}, PaddingRule::Exact, ""},
                 {"z", DType::F32, {8}, {}, PaddingRule::Exact, ""}};
    e.arenaBytes = 1000;
    Launch clear;
    clear.kind = LaunchKind::Memset;
    clear.destination = {AddressBase::Arena, 0, 512}, clear.bytes = 16, clear.value = 5,
    clear.elementBytes = 4;
    Launch first;
    first.kernel = 0;
    first.grid = {4, 3, 2}, first.block = {64, 1, 1}, first.cluster = {2, 1, 1}, first.sharedBytes = 100000;
    first.parameters = {Parameter::weight(1, 4), Parameter::input(0, 4), Parameter::arena(256),
                        Parameter::trueDim(0, 4)};
    first.dependencies = {{0, false}};
    Launch second;
    second.kernel = 1;
    second.block = {32, 2, 1};
    TensorMap map;
    map.dataType = 7, map.rank = 1, map.base = {AddressBase::Output, 0, 0}, map.dims = {6}, map.box = {4};
    map.swizzle = 2;
    second.parameters = {Parameter::output(1), Parameter::tensorMap(map), Parameter::value<float>(0.5f)};
    second.dependencies = {{0, false}, {1, true}};
    Launch copy;
    copy.kind = LaunchKind::Memcpy;
    copy.destination = {AddressBase::Output, 0, 0}, copy.source = {AddressBase::Input, 0, 0};
    copy.bytes = uint64_t(batch) * 12;
    copy.dependencies = {{2, false}};
    Launch weight = copy;
    weight.destination = {AddressBase::Output, 1, 0}, weight.source = {AddressBase::Weight, 1, 0};
    weight.bytes = 32;
    e.launches = {clear, first, second, copy, weight};
    p.entries.push_back(e);
  }
  return p;
}

/// The bytes of weight `index`, as the source of these tests gives them.
inline std::string weightBytes(const Package &p, size_t index) {
  std::string bytes;
  sampleWeights(
      index,
      [&](const void *data, size_t n) {
        bytes.append(static_cast<const char *>(data), n);
        return true;
      },
      p.weights[index].bytes);
  return bytes;
}

/// A package on disk and open, a stand-in driver, and a session on it.
class RuntimeTest : public testing::Test {
protected:
  void SetUp() override {
    void *library = dlopen(TILEWRIGHT_STANDIN, RTLD_NOW);
    ASSERT_NE(library, nullptr) << dlerror();
    driver = reinterpret_cast<standin::Driver *(*)()>(dlsym(library, "standInDriver"))();
    driver->reset();
    twrt_session_options_init(&options);
    options.driver_library = TILEWRIGHT_STANDIN;
  }
  void TearDown() override {
    twrt_session_destroy(session);
    twrt_package_close(opened);
    EXPECT_EQ(driver->live, 0) << "something was not given back to the driver";
    EXPECT_TRUE(driver->memory.empty());
    driver->reset();
  }

  /// Writes and opens the package; a later call replaces an earlier package.
  void open(const Package &p, const WriteOptions &write = {}) {
    twrt_package_close(opened);
    std::string path = folder.file("a.tw");
    ASSERT_EQ(writePackage(p, sampleWeightSource(p), path, write), "");
    ASSERT_EQ(twrt_package_open(path.c_str(), &opened, &error), TWRT_OK) << error.message;
  }
  void start(const Package &p) {
    open(p);
    ASSERT_EQ(twrt_session_create(opened, &options, &session, &error), TWRT_OK) << error.message;
  }
  /// The sentence of a session that cannot be created.
  std::string refusal(twrt_status status) {
    error = {};
    EXPECT_EQ(twrt_session_create(opened, &options, &session, &error), status) << error.message;
    EXPECT_EQ(session, nullptr);
    EXPECT_EQ(error.status, status);
    return error.message;
  }

  ScratchFolder folder;
  standin::Driver *driver = nullptr;
  twrt_package *opened = nullptr;
  twrt_session *session = nullptr;
  twrt_session_options options;
  twrt_error error = {};
};

template <typename T> T valueOf(const std::string &bytes) {
  T value;
  EXPECT_EQ(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

} // namespace tilewright

#endif // TILEWRIGHT_TEST_RUNTIME_SAMPLE_H
