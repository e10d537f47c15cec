// After the first run nothing is allocated, on the device or on the host, and nobody waits between launches;
// copies go in their own queues, ordered against the kernels by events alone.
#include "RuntimeSample.h"

using namespace tilewright;
using SteadyState = RuntimeTest;

static int allocations;

// The linker sends the runtime's calls here (--wrap).
extern "C" {
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
int __real_posix_memalign(void **, size_t, size_t);
void *__wrap_malloc(size_t bytes) {
  ++allocations;
  return __real_malloc(bytes);
}
void *__wrap_calloc(size_t count, size_t bytes) {
  ++allocations;
  return __real_calloc(count, bytes);
}
void *__wrap_realloc(void *memory, size_t bytes) {
  ++allocations;
  return __real_realloc(memory, bytes);
}
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes) {
  ++allocations;
  return __real_posix_memalign(memory, alignment, bytes);
}
}

TEST_F(SteadyState, RunOnlyLaunches) {
  start(runtimePackage());
  EXPECT_GT(allocations, 0); // The count works.
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK) << error.message;
  driver->calls.clear();
  allocations = 0;
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(twrt_run(session, nullptr, &error), TWRT_OK) << error.message;
  EXPECT_EQ(driver->calls, (std::map<std::string, int>{{"cuCtxSetCurrent", 100}, {"cuGraphLaunch", 100}}));
  EXPECT_EQ(allocations, 0);
}

/// compute-sanitizer's initcheck found copies of the bytes that alignment leaves between outputs.
TEST_F(SteadyState, CopiesNoByteThatNothingHasWritten) {
  start(runtimePackage());
  float x[24] = {}, scale = 0, y[24];
  int64_t shape[] = {8, 3};
  twrt_host_tensor inputs[] = {{"x", TWRT_F32, 2, shape, x}, {"scale", TWRT_F32, 0, nullptr, &scale}};
  twrt_host_tensor output = {"y", TWRT_F32, 2, shape, y};
  for (int run = 0; run < 4; ++run) {
    driver->calls.clear();
    ASSERT_EQ(twrt_run_host(session, inputs, 2, &output, 1, &error), TWRT_OK) << error.message;
    // Each of the two sets is cleared once.
    EXPECT_EQ(driver->calls["cuMemcpyHtoDAsync_v2"], run < 2 ? 2 : 1) << run;
    void *begin, *next;
    uint64_t bytes;
    ASSERT_EQ(twrt_staging(session, "y", &begin, &bytes, &error), TWRT_OK);
    ASSERT_EQ(twrt_staging(session, "z", &next, &bytes, &error), TWRT_OK);
    for (uint8_t *gap = static_cast<uint8_t *>(begin) + 96; gap < next; ++gap)
      ASSERT_EQ(*gap, run < 1 ? *gap : 0);
  }
}

TEST_F(SteadyState, BindingAllocatesNothing) {
  start(runtimePackage());
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK) << error.message;
  alignas(256) float x[2][24] = {}, y[2][24];
  x[1][0] = 7;
  driver->calls.clear();
  allocations = 0;
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(twrt_bind(session, "x", x[i % 2], sizeof x[0], &error), TWRT_OK);
    ASSERT_EQ(twrt_bind(session, "y", y[i % 2], sizeof y[0], &error), TWRT_OK);
    ASSERT_EQ(twrt_run(session, nullptr, &error), TWRT_OK) << error.message;
  }
  EXPECT_EQ(allocations, 0);
  EXPECT_EQ(driver->calls["cuGraphLaunch"], 50);
  EXPECT_EQ(driver->calls["cuGraphExecMemcpyNodeSetParams"], 50);
  for (const char *function : {"cuMemAlloc_v2", "cuMemHostAlloc", "cuGraphCreate",
                               "cuGraphInstantiateWithFlags", "cuStreamSynchronize", "cuEventSynchronize"})
    EXPECT_EQ(driver->calls.count(function), 0u) << function;
  EXPECT_EQ(y[0][0], 0);
  EXPECT_EQ(y[1][0], 7);
}

TEST_F(SteadyState, SubmissionsNeitherAllocateNorSynchronizeTheDevice) {
  start(runtimePackage());
  float x[24] = {}, scale = 0, y[24];
  int64_t shapes[][2] = {{8, 3}, {5, 3}, {2, 3}};
  uint32_t tickets[2];
  auto submit = [&](int i) {
    twrt_host_tensor inputs[] = {{"x", TWRT_F32, 2, shapes[i % 3], x},
                                 {"scale", TWRT_F32, 0, nullptr, &scale}};
    ASSERT_EQ(twrt_submit(session, inputs, 2, &tickets[i % 2], &error), TWRT_OK) << error.message;
  };
  auto collect = [&](int i) {
    twrt_host_tensor output = {"y", TWRT_F32, 2, shapes[i % 3], y};
    ASSERT_EQ(twrt_collect(session, tickets[i % 2], &output, 1, &error), TWRT_OK) << error.message;
  };
  submit(0);
  for (int i = 1; i < 6; ++i) {
    submit(i);
    collect(i - 1);
  }
  driver->calls.clear();
  allocations = 0;
  for (int i = 6; i < 66; ++i) {
    submit(i);
    collect(i - 1);
  }
  EXPECT_EQ(allocations, 0);
  for (const char *function : {"cuMemAlloc_v2", "cuMemHostAlloc", "cuStreamSynchronize", "cuEventCreate",
                               "cuStreamCreate", "cuGraphInstantiateWithFlags", "cuGraphCreate"})
    EXPECT_EQ(driver->calls.count(function), 0u) << function;
  EXPECT_EQ(driver->calls["cuGraphLaunch"], 60);
  EXPECT_EQ(driver->calls["cuEventSynchronize"], 60); // One for each collected submission.
  collect(65);
}

TEST_F(SteadyState, CopiesGoInTheirOwnQueues) {
  start(runtimePackage());
  float x[6] = {}, scale = 0;
  int64_t shape[] = {2, 3};
  twrt_host_tensor inputs[] = {{"x", TWRT_F32, 2, shape, x}, {"scale", TWRT_F32, 0, nullptr, &scale}};
  uint32_t first, second, third;
  driver->log.clear();
  ASSERT_EQ(twrt_submit(session, inputs, 2, &first, &error), TWRT_OK) << error.message;
  ASSERT_EQ(twrt_submit(session, inputs, 2, &second, &error), TWRT_OK) << error.message;
  // Streams: 0 computes, 1 copies up, 2 copies down. The inputs go up in one piece; nothing of the second
  // run's upload waits for the first run. The gap between the outputs is written at each set's first use.
  int e = 2; // Events 0 and 1 were the weights'.
  auto name = [&](int n) { return " e" + std::to_string(e + n); };
  std::vector<std::string> expected;
  for (int set = 0; set < 2; ++set, e += 3)
    expected.insert(expected.end(), {"copyIn s0 232", "copyIn s1 260", "record s1" + name(0),
                                     "wait s0" + name(0), "launch s0", "record s0" + name(1),
                                     "wait s2" + name(1), "copyOut s2 288", "record s2" + name(2)});
  EXPECT_EQ(driver->log, expected);
  EXPECT_EQ(twrt_submit(session, inputs, 2, &third, &error), TWRT_ERROR_ARGUMENT);
  EXPECT_STREQ(error.message, "two submissions are in flight: collect ticket 1 first");
  EXPECT_EQ(twrt_collect(session, 7, nullptr, 0, &error), TWRT_ERROR_ARGUMENT);
  EXPECT_STREQ(error.message, "no submission with ticket 7 is in flight");
  EXPECT_EQ(twrt_collect(session, first, nullptr, 0, &error), TWRT_OK);
  EXPECT_EQ(twrt_collect(session, second, nullptr, 0, &error), TWRT_OK);
}

TEST_F(SteadyState, BoundTensorsAreNotCopied) {
  start(runtimePackage());
  alignas(256) float x[6] = {1, 2, 3, 4, 5, 6}, y[6] = {};
  float scale = 0;
  ASSERT_EQ(twrt_bind(session, "x", x, sizeof x, &error), TWRT_OK);
  ASSERT_EQ(twrt_bind(session, "y", y, sizeof y, &error), TWRT_OK);
  int64_t shape[] = {2, 3};
  // Only the bound input has the batch in its shape, so the largest bucket is not implied: the smallest runs.
  twrt_host_tensor inputs[] = {{"scale", TWRT_F32, 0, nullptr, &scale}};
  driver->log.clear();
  ASSERT_EQ(twrt_run_host(session, inputs, 1, nullptr, 0, &error), TWRT_OK) << error.message;
  ASSERT_EQ(driver->log.size(), 4u); // Nothing to overlap with: one queue, and one event to wait for.
  EXPECT_EQ(driver->log[0], "copyIn s0 4");
  EXPECT_EQ(driver->log[1], "launch s0");
  EXPECT_EQ(driver->log[2], "copyOut s0 32");
  EXPECT_EQ(y[5], 6);
  twrt_host_tensor both[] = {{"x", TWRT_F32, 2, shape, x}, {"scale", TWRT_F32, 0, nullptr, &scale}};
  EXPECT_EQ(twrt_run_host(session, both, 2, nullptr, 0, &error), TWRT_ERROR_ARGUMENT);
  EXPECT_STREQ(error.message, "input 'x' is given, but it is bound to device memory");
  twrt_host_tensor output = {"y", TWRT_F32, 2, shape, y};
  EXPECT_EQ(twrt_run_host(session, inputs, 1, &output, 1, &error), TWRT_ERROR_ARGUMENT);
  EXPECT_STREQ(error.message, "output 'y' is bound to device memory: it is not copied to the host");
}
