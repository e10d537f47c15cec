// On a real GPU of sm_90 or newer: a graph built node by node from a table, with clusters, more than 48 KB of
// shared memory, and a programmatic edge that really lets the second kernel start before the first ends; then
// bindings. Skipped, with the runtime's own sentence, where there is none.
#include "../Package/Sample.h"
#include "Tilewright/Runtime/tilewright_runtime.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <numeric>

using namespace tilewright::package;

// "produce" doubles x into the arena, writes 100 * cluster size + rank for each block, triggers its
// dependents and then waits, in one thread and for a bounded time, until "consume" has raised a flag: it can
// see that only when both run at once. "consume" raises the flag, waits for "produce" to end, and adds one.
static const char kPtx[] = R"(
.version 7.8
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 dynamic[];

.visible .entry produce(.param .u64 x, .param .u64 middle, .param .u64 info, .param .u64 flag, .param .u64 seen,
                        .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %block, %threads, %thread, %i, %n, %a, %b, %k;
  .reg .b64 %x, %middle, %info, %flag, %seen, %o, %at;
  .reg .f32 %f;
  ld.param.u64 %x, [x];
  ld.param.u64 %middle, [middle];
  ld.param.u64 %info, [info];
  ld.param.u64 %flag, [flag];
  ld.param.u64 %seen, [seen];
  ld.param.u32 %n, [count];
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  griddepcontrol.launch_dependents;
  mad.lo.u32 %i, %block, %threads, %thread;
  setp.ge.u32 %p, %i, %n;
  @%p bra VALUES_DONE;
  mul.wide.u32 %o, %i, 4;
  add.u64 %at, %x, %o;
  ld.global.f32 %f, [%at];
  add.f32 %f, %f, %f;
  mov.u32 %a, dynamic;
  mad.lo.u32 %a, %thread, 4, %a;
  st.shared.f32 [%a+99488], %f;
  add.u64 %at, %middle, %o;
  st.global.f32 [%at], %f;
VALUES_DONE:
  setp.ne.u32 %p, %thread, 0;
  @%p bra DONE;
  mov.u32 %a, %cluster_nctaid.x;
  mov.u32 %b, %cluster_ctarank;
  mad.lo.u32 %a, %a, 100, %b;
  mul.wide.u32 %o, %block, 4;
  add.u64 %at, %info, %o;
  st.global.u32 [%at], %a;
  setp.ne.u32 %p, %block, 0;
  @%p bra DONE;
  mov.u32 %k, 0;
POLL:
  ld.volatile.global.u32 %a, [%flag];
  setp.ne.u32 %p, %a, 0;
  @%p bra SEEN;
  add.u32 %k, %k, 1;
  nanosleep.u32 1000;
  setp.lt.u32 %p, %k, 20000;
  @%p bra POLL;
SEEN:
  st.global.u32 [%seen], %a;
DONE:
  ret;
}

.visible .entry consume(.param .u64 middle, .param .u64 y, .param .u64 flag, .param .u32 count)
{
  .reg .pred %p;
  .reg .b32 %block, %threads, %thread, %i, %n, %a;
  .reg .b64 %middle, %y, %flag, %o, %at;
  .reg .f32 %f;
  ld.param.u64 %middle, [middle];
  ld.param.u64 %y, [y];
  ld.param.u64 %flag, [flag];
  ld.param.u32 %n, [count];
  mov.u32 %a, 1;
  st.volatile.global.u32 [%flag], %a;
  griddepcontrol.wait;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %i, %block, %threads, %thread;
  setp.ge.u32 %p, %i, %n;
  @%p bra DONE;
  mul.wide.u32 %o, %i, 4;
  add.u64 %at, %middle, %o;
  ld.global.f32 %f, [%at];
  add.f32 %f, %f, 0f3F800000;
  add.u64 %at, %y, %o;
  st.global.f32 [%at], %f;
DONE:
  ret;
}
)";

constexpr uint32_t kCount = 512, kBlocks = 4;

static Package gpuPackage() {
  Package p;
  p.program = "graph check";
  for (const char *name : {"produce", "consume"}) {
    Kernel k;
    k.name = name;
    k.images = {{"sm_90", ImageKind::Ptx, kPtx, -1, -1}};
    k.block = {128, 1, 1};
    p.kernels.push_back(k);
  }
  Entry e;
  e.name = "main";
  e.inputs = {{"x", DType::F32, {kCount}, {}, PaddingRule::Exact, ""}};
  e.outputs = {{"y", DType::F32, {kCount}, {}, PaddingRule::Exact, ""},
               {"info", DType::U32, {kBlocks}, {}, PaddingRule::Exact, ""},
               {"seen", DType::U32, {}, {}, PaddingRule::Exact, ""}};
  e.arenaBytes = 4096;
  Launch clear;
  clear.kind = LaunchKind::Memset;
  clear.destination = {AddressBase::Arena, 0, 2048}, clear.bytes = 4;
  Launch produce;
  produce.kernel = 0;
  produce.grid = {kBlocks, 1, 1}, produce.block = {128, 1, 1}, produce.cluster = {2, 1, 1};
  produce.sharedBytes = 100000;
  produce.parameters = {Parameter::input(0),    Parameter::arena(0),  Parameter::output(1),
                        Parameter::arena(2048), Parameter::output(2), Parameter::value<uint32_t>(kCount)};
  produce.dependencies = {{0, false}};
  Launch consume;
  consume.kernel = 1;
  consume.grid = {kBlocks, 1, 1}, consume.block = {128, 1, 1};
  consume.parameters = {Parameter::arena(0), Parameter::output(0), Parameter::arena(2048),
                        Parameter::value<uint32_t>(kCount)};
  consume.dependencies = {{1, true}};
  e.launches = {clear, produce, consume};
  p.entries = {e};
  return p;
}

namespace {
class Gpu : public testing::Test {
protected:
  void SetUp() override {
    Package p = gpuPackage();
    ASSERT_EQ(writePackage(p, nullptr, folder.file("a.tw")), "");
    ASSERT_EQ(twrt_package_open(folder.file("a.tw").c_str(), &package, &error), TWRT_OK) << error.message;
    twrt_session_options_init(&options);
    if (twrt_device_check(package, &options, &error) != TWRT_OK)
      GTEST_SKIP() << error.message;
    ASSERT_EQ(twrt_session_create(package, &options, &session, &error), TWRT_OK) << error.message;
    std::iota(x.begin(), x.end(), -100.f);
  }
  void TearDown() override {
    twrt_session_destroy(session);
    twrt_package_close(package);
  }
  void runHost() {
    twrt_host_tensor input = {"x", TWRT_F32, 1, &count, x.data()};
    twrt_host_tensor outputs[] = {{"y", TWRT_F32, 1, &count, y.data()},
                                  {"info", TWRT_U32, 1, &blocks, info.data()},
                                  {"seen", TWRT_U32, 0, nullptr, &seen}};
    ASSERT_EQ(twrt_run_host(session, &input, 1, outputs, 3, &error), TWRT_OK) << error.message;
  }
  void expectRight() {
    for (uint32_t i = 0; i < kCount; ++i)
      ASSERT_EQ(y[i], 2 * x[i] + 1) << i;
    EXPECT_EQ(info, (std::vector<uint32_t>{200, 201, 200, 201})); // Clusters of two.
    // compute-sanitizer runs kernels one after another.
    if (!getenv("TILEWRIGHT_ONE_KERNEL_AT_A_TIME"))
      EXPECT_EQ(seen, 1u) << "the second kernel did not start before the first ended";
  }

  ScratchFolder folder;
  twrt_package *package = nullptr;
  twrt_session *session = nullptr;
  twrt_session_options options;
  twrt_error error = {};
  int64_t count = kCount, blocks = kBlocks;
  std::vector<float> x = std::vector<float>(kCount), y = std::vector<float>(kCount);
  std::vector<uint32_t> info = std::vector<uint32_t>(kBlocks);
  uint32_t seen = 0;
};
} // namespace

TEST_F(Gpu, GraphFromTheTableRunsWithClustersAndAProgrammaticEdge) {
  for (int round = 0; round < 5; ++round) {
    std::fill(y.begin(), y.end(), 0.f);
    seen = 0;
    runHost();
    expectRight();
  }
}

TEST_F(Gpu, BindingMovesOutputsAndKeepsClustersAndEdges) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  auto allocate = reinterpret_cast<int (*)(uint64_t *, size_t)>(dlsym(driver, "cuMemAlloc_v2"));
  auto copyOut = reinterpret_cast<int (*)(void *, uint64_t, size_t)>(dlsym(driver, "cuMemcpyDtoH_v2"));
  auto copyIn = reinterpret_cast<int (*)(uint64_t, const void *, size_t)>(dlsym(driver, "cuMemcpyHtoD_v2"));
  runHost();
  uint64_t deviceX = 0, deviceY = 0;
  ASSERT_EQ(allocate(&deviceX, kCount * 4), 0);
  ASSERT_EQ(allocate(&deviceY, kCount * 4), 0);
  for (float &v : x)
    v += 1000;
  ASSERT_EQ(copyIn(deviceX, x.data(), kCount * 4), 0);
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK) << error.message;
  ASSERT_EQ(twrt_bind(session, "x", reinterpret_cast<void *>(deviceX), kCount * 4, &error), TWRT_OK);
  ASSERT_EQ(twrt_bind(session, "y", reinterpret_cast<void *>(deviceY), kCount * 4, &error), TWRT_OK);
  for (int round = 0; round < 3; ++round)
    ASSERT_EQ(twrt_run(session, nullptr, &error), TWRT_OK) << error.message;
  ASSERT_EQ(twrt_sync(session, &error), TWRT_OK) << error.message;
  ASSERT_EQ(copyOut(y.data(), deviceY, kCount * 4), 0);
  void *staged = nullptr;
  uint64_t bytes = 0;
  ASSERT_EQ(twrt_staging(session, "info", &staged, &bytes, &error), TWRT_OK);
  ASSERT_EQ(copyOut(info.data(), reinterpret_cast<uint64_t>(staged), bytes), 0);
  ASSERT_EQ(twrt_staging(session, "seen", &staged, &bytes, &error), TWRT_OK);
  ASSERT_EQ(copyOut(&seen, reinterpret_cast<uint64_t>(staged), bytes), 0);
  expectRight();
}

TEST_F(Gpu, TwoSubmissionsInFlightGiveTheirOwnOutputs) {
  std::vector<float> second = x;
  for (float &v : second)
    v = -v;
  twrt_host_tensor inputs[] = {{"x", TWRT_F32, 1, &count, x.data()},
                               {"x", TWRT_F32, 1, &count, second.data()}};
  std::vector<float> other(kCount);
  twrt_host_tensor outputs[] = {{"y", TWRT_F32, 1, &count, y.data()},
                                {"y", TWRT_F32, 1, &count, other.data()}};
  uint32_t tickets[2];
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 2; ++i)
      ASSERT_EQ(twrt_submit(session, &inputs[i], 1, &tickets[i], &error), TWRT_OK) << error.message;
    for (int i = 0; i < 2; ++i)
      ASSERT_EQ(twrt_collect(session, tickets[i], &outputs[i], 1, &error), TWRT_OK) << error.message;
    for (uint32_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(y[i], 2 * x[i] + 1) << i;
      ASSERT_EQ(other[i], 2 * second[i] + 1) << i;
    }
  }
}

TEST_F(Gpu, TimesAreSensible) {
  if (getenv("TILEWRIGHT_ONE_KERNEL_AT_A_TIME"))
    GTEST_SKIP() << "times under a tool say nothing";
  runHost();
  double us[32];
  ASSERT_EQ(twrt_time_runs(session, 32, us, &error), TWRT_OK) << error.message;
  EXPECT_GT(us[31], 1);
  EXPECT_LT(us[31], 1e5);
  ASSERT_EQ(twrt_time_launch(session, 2, 50, 11, us, &error), TWRT_OK) << error.message;
  EXPECT_GT(us[5], 0.2);
  EXPECT_LT(us[5], 1000);
  std::printf("graph of 3 nodes %.2f us; one 'consume' in a chain of 50: %.2f us; device %s\n", us[31], us[5],
              twrt_session_device(session));
}

TEST_F(Gpu, RefusesWhatTheDeviceCannotDo) {
  twrt_session_options wrong = options;
  twrt_session *none = nullptr;
  wrong.ordinal = 99;
  EXPECT_EQ(twrt_session_create(package, &wrong, &none, &error), TWRT_ERROR_NO_DEVICE) << error.message;
  std::printf("%s\n", error.message);
  auto refused = [&](Package p, twrt_status status) {
    ASSERT_EQ(writePackage(p, nullptr, folder.file("b.tw")), "");
    twrt_package *other = nullptr;
    ASSERT_EQ(twrt_package_open(folder.file("b.tw").c_str(), &other, &error), TWRT_OK) << error.message;
    EXPECT_EQ(twrt_session_create(other, &options, &none, &error), status) << error.message;
    std::printf("%s\n", error.message);
    twrt_package_close(other);
  };
  Package p = gpuPackage();
  p.driverFloor = 99000;
  refused(p, TWRT_ERROR_DRIVER_TOO_OLD);
  p = gpuPackage();
  for (Kernel &k : p.kernels)
    k.images[0].arch = "sm_80", k.images[0].kind = ImageKind::Cubin;
  refused(p, TWRT_ERROR_ARCH);
  p = gpuPackage();
  p.entries[0].arenaBytes = uint64_t(1) << 44;
  refused(p, TWRT_ERROR_OUT_OF_MEMORY);
  p = gpuPackage();
  for (Kernel &k : p.kernels)
    k.images[0].bytes.replace(k.images[0].bytes.find("cluster_ctarank"), 15, "no_such_special");
  refused(p, TWRT_ERROR_DEVICE);
  p = gpuPackage();
  p.entries[0].launches[1].sharedBytes = 300000;
  refused(p, TWRT_ERROR_ARCH);
}

/// `RuntimeGpuTests --write-package FILE` leaves the tests' package, for tw-run on the same machine.
int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 3 || std::strcmp(argv[1], "--write-package") != 0)
    return RUN_ALL_TESTS();
  std::string error = writePackage(gpuPackage(), nullptr, argv[2]);
  std::printf("%s", error.c_str());
  return error.empty() ? 0 : 1;
}
