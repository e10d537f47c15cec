// The launch table becomes a CUDA graph node by node: parameters, addresses, edges, cluster size, and updates
// when something is bound.
#include "RuntimeSample.h"

using namespace tilewright;
using LaunchGraph = RuntimeTest;

TEST_F(LaunchGraph, LoadsTheBestImageOnce) {
  start(runtimePackage());
  ASSERT_EQ(driver->loaded.size(), 1u); // Two kernels share it.
  EXPECT_EQ(driver->loaded[0], "first 8 8 8 4\nsecond 8 128 4\n# sm_90a");
}

TEST_F(LaunchGraph, TakesAnOlderMinorVersionsCubin) {
  Package p = runtimePackage();
  for (Entry &e : p.entries)
    e.launches[1].cluster = {1, 1, 1};
  driver->minor = 9, driver->major = 8;
  start(p);
  ASSERT_EQ(driver->loaded.size(), 1u);
  EXPECT_EQ(driver->loaded[0], "first 8 8 8 4\nsecond 8 128 4\n# sm_80");
}

TEST_F(LaunchGraph, TakesPtxOnANewerDevice) {
  Package p = runtimePackage();
  for (Kernel &k : p.kernels)
    k.images.push_back({"sm_80", ImageKind::Ptx, "first 8 8 8 4\nsecond 8 128 4\n# newer", -1, -1});
  driver->major = 12;
  start(p);
  ASSERT_EQ(driver->loaded.size(), 1u);
  EXPECT_EQ(driver->loaded[0], "first 8 8 8 4\nsecond 8 128 4\n# newer");
}

/// "first" has code for sm_90a alone, in clusters and after a programmatic edge; "old" does its work
/// elsewhere.
static Package packageWithVariants() {
  Package p = runtimePackage();
  Kernel old = p.kernels[0];
  old.name = "old";
  old.images = {{"sm_80", ImageKind::Cubin, "old 8 4\n", 20, 0}};
  p.kernels[0].images.erase(p.kernels[0].images.begin());
  p.kernels.push_back(old);
  for (Entry &e : p.entries) {
    Launch &first = e.launches[1], variant;
    variant.kernel = 2, variant.grid = {9, 1, 1}, variant.block = {96, 1, 1}, variant.sharedBytes = 50000;
    variant.parameters = {Parameter::input(0), Parameter::value<uint32_t>(7)};
    variant.dependencies = first.dependencies;
    first.variants = {variant};
  }
  return p;
}

TEST_F(LaunchGraph, TakesTheVariantForTheDevice) {
  driver->major = 8, driver->minor = 6;
  start(packageWithVariants());
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK) << error.message;
  const std::vector<standin::Node> &nodes = driver->executables[0]->nodes;
  EXPECT_EQ(nodes[1].function, "old");
  EXPECT_EQ(nodes[1].grid[0], 9u);
  EXPECT_EQ(nodes[1].block[0], 96u);
  EXPECT_EQ(nodes[1].cluster[0], 1u);
  EXPECT_EQ(nodes[1].sharedBytes, 50000u);
  EXPECT_EQ(driver->attributes["old.8"], 50000);
  EXPECT_EQ(driver->attributes.count("first.8"), 0u);
  ASSERT_EQ(nodes[1].parameters.size(), 2u);
  EXPECT_EQ(valueOf<uint32_t>(nodes[1].parameters[1]), 7u);
  twrt_launch_info info;
  ASSERT_EQ(twrt_session_get_launch(session, 0, 1, &info), TWRT_OK);
  EXPECT_EQ(info.kernel, 2u);
  EXPECT_EQ(info.grid[0], 9u);
  EXPECT_EQ(twrt_session_get_launch(session, 0, 5, &info), TWRT_ERROR_ARGUMENT);
  // It moves with what is bound, like any launch.
  alignas(256) float x[24] = {};
  ASSERT_EQ(twrt_bind(session, "x", x, sizeof x, &error), TWRT_OK) << error.message;
  ASSERT_EQ(twrt_run(session, nullptr, &error), TWRT_OK) << error.message;
  EXPECT_EQ(valueOf<uint64_t>(nodes[1].parameters[0]), reinterpret_cast<uint64_t>(x));
}

TEST_F(LaunchGraph, TakesTheLaunchItselfWhereItsCodeIsBest) {
  start(packageWithVariants());
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK) << error.message;
  EXPECT_EQ(driver->executables[0]->nodes[1].function, "first");
  EXPECT_EQ(driver->attributes["first.8"], 100000);
}

TEST_F(LaunchGraph, RefusesADeviceWithoutAVariant) {
  driver->major = 7, driver->minor = 5;
  open(packageWithVariants());
  EXPECT_NE(
      refusal(TWRT_ERROR_ARCH).find("(sm_75): kernel 'first' has images for sm_90a (cubin), sm_90a (ptx)"),
      std::string::npos);
}

TEST_F(LaunchGraph, OptsIntoSharedMemory) {
  start(runtimePackage());
  EXPECT_EQ(driver->attributes["first.8"], 100000);
  EXPECT_EQ(driver->attributes.count("second.8"), 0u);
  EXPECT_EQ(driver->attributes.count("first.14"), 0u); // Clusters of two are portable.
}

TEST_F(LaunchGraph, HasEveryNodeAsTheTableSays) {
  start(runtimePackage());
  ASSERT_EQ(twrt_prepare(session, 1, &error), TWRT_OK) << error.message;
  ASSERT_EQ(driver->executables.size(), 1u);
  const std::vector<standin::Node> &nodes = driver->executables[0]->nodes;
  ASSERT_EQ(nodes.size(), 5u);
  void *x, *y, *z;
  uint64_t bytes;
  ASSERT_EQ(twrt_staging(session, "x", &x, &bytes, &error), TWRT_OK);
  EXPECT_EQ(bytes, 24u);
  ASSERT_EQ(twrt_staging(session, "y", &y, &bytes, &error), TWRT_OK);
  ASSERT_EQ(twrt_staging(session, "z", &z, &bytes, &error), TWRT_OK);
  ASSERT_EQ(driver->memory.size(), 2u); // One block for arena and staging, one for the weights.

  EXPECT_EQ(nodes[0].kind, "memset");
  EXPECT_EQ(nodes[0].bytes, 16u);
  EXPECT_EQ(nodes[0].value, 5u);
  EXPECT_EQ(nodes[0].elementBytes, 4u);
  uint64_t arena = nodes[0].destination - 512;
  EXPECT_EQ(driver->memory.count(arena), 1u);

  const standin::Node &first = nodes[1];
  EXPECT_EQ(first.function, "first");
  EXPECT_EQ(first.grid[0], 4u);
  EXPECT_EQ(first.grid[1], 3u);
  EXPECT_EQ(first.grid[2], 2u);
  EXPECT_EQ(first.block[0], 64u);
  EXPECT_EQ(first.cluster[0], 2u);
  EXPECT_EQ(first.cluster[1], 1u);
  EXPECT_EQ(first.sharedBytes, 100000u);
  EXPECT_EQ(first.dependencies, (std::map<size_t, bool>{{0, false}}));
  ASSERT_EQ(first.parameters.size(), 4u);
  uint64_t weight = valueOf<uint64_t>(first.parameters[0]);
  EXPECT_EQ(std::memcmp(reinterpret_cast<void *>(weight), weightBytes(runtimePackage(), 1).data() + 4, 28),
            0);
  EXPECT_EQ(valueOf<uint64_t>(first.parameters[1]), reinterpret_cast<uint64_t>(x) + 4);
  EXPECT_EQ(valueOf<uint64_t>(first.parameters[2]), arena + 256);
  EXPECT_EQ(valueOf<int32_t>(first.parameters[3]), 2);

  const standin::Node &second = nodes[2];
  EXPECT_EQ(second.cluster[0], 1u);
  EXPECT_EQ(second.block[1], 2u);
  EXPECT_EQ(second.dependencies, (std::map<size_t, bool>{{0, false}, {1, true}}));
  EXPECT_EQ(valueOf<uint64_t>(second.parameters[0]), reinterpret_cast<uint64_t>(z));
  uint64_t map[5];
  std::memcpy(map, second.parameters[1].data(), sizeof map);
  EXPECT_EQ(map[0], reinterpret_cast<uint64_t>(y));
  EXPECT_EQ(map[1], 7u);
  EXPECT_EQ(map[3], 6u);
  EXPECT_EQ(map[4], 2u);
  EXPECT_EQ(valueOf<float>(second.parameters[2]), 0.5f);

  EXPECT_EQ(nodes[3].kind, "memcpy");
  EXPECT_EQ(nodes[3].source, reinterpret_cast<uint64_t>(x));
  EXPECT_EQ(nodes[3].destination, reinterpret_cast<uint64_t>(y));
  EXPECT_EQ(nodes[3].bytes, 24u);
}

TEST_F(LaunchGraph, BindUpdatesTheNodesThatUseTheTensorAndNoOther) {
  start(runtimePackage());
  ASSERT_EQ(twrt_prepare(session, 1, &error), TWRT_OK) << error.message;
  std::string before = driver->executables[0]->nodes[2].parameters[1];
  alignas(256) float y[6] = {}, x[6] = {1, 2, 3, 4, 5, 6};
  driver->calls.clear();
  ASSERT_EQ(twrt_bind(session, "y", y, sizeof y, &error), TWRT_OK) << error.message;
  ASSERT_EQ(twrt_bind(session, "x", x, sizeof x, &error), TWRT_OK) << error.message;
  EXPECT_TRUE(driver->calls.empty()); // Nothing happens until the next run.
  ASSERT_EQ(twrt_run(session, nullptr, &error), TWRT_OK) << error.message;
  EXPECT_EQ(driver->calls,
            (std::map<std::string, int>{{"cuCtxSetCurrent", 1},
                                        {"cuGraphExecKernelNodeSetParams_v2", 2}, // x; y's tensor map
                                        {"cuGraphExecMemcpyNodeSetParams", 1},    // x to y
                                        {"cuTensorMapEncodeTiled", 1},
                                        {"cuGraphLaunch", 1}}));
  const std::vector<standin::Node> &nodes = driver->executables[0]->nodes;
  EXPECT_EQ(valueOf<uint64_t>(nodes[1].parameters[1]), reinterpret_cast<uint64_t>(x) + 4);
  EXPECT_EQ(valueOf<float>(nodes[2].parameters[2]), 0.5f);
  EXPECT_EQ(nodes[1].cluster[0], 2u);
  EXPECT_EQ(y[5], 6);

  driver->calls.clear();
  ASSERT_EQ(twrt_bind(session, "y", nullptr, 0, &error), TWRT_OK);
  ASSERT_EQ(twrt_run(session, nullptr, &error), TWRT_OK) << error.message;
  EXPECT_EQ(nodes[2].parameters[1], before);
}

TEST_F(LaunchGraph, BindRefusesUnknownNamesAndShortMemory) {
  start(runtimePackage());
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK);
  EXPECT_EQ(twrt_bind(session, "ids", &error, 8, &error), TWRT_ERROR_UNKNOWN_NAME);
  EXPECT_STREQ(
      error.message,
      "there is no input or output 'ids'; the package's inputs are 'x', 'scale', its outputs 'y', 'z'");
  EXPECT_EQ(twrt_bind(session, "y", &error, 95, &error), TWRT_ERROR_SHAPE);
  EXPECT_STREQ(error.message, "'y' is bound to 95 bytes; entry 'main[batch=8]' needs 96");
  // Enough for the small bucket, and refused when the large one is to run.
  ASSERT_EQ(twrt_prepare(session, 1, &error), TWRT_OK);
  ASSERT_EQ(twrt_bind(session, "y", &error, 24, &error), TWRT_OK);
  EXPECT_EQ(twrt_prepare(session, 0, &error), TWRT_ERROR_SHAPE);
  EXPECT_STREQ(error.message, "'y' is bound to 24 bytes; entry 'main[batch=8]' needs 96");
}

TEST_F(LaunchGraph, TrueLengthsAreScalarsThatRunsUpdate) {
  start(runtimePackage());
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK);
  ASSERT_EQ(twrt_set_true_dim(session, "batch", 5, &error), TWRT_OK);
  ASSERT_EQ(twrt_run(session, nullptr, &error), TWRT_OK) << error.message;
  EXPECT_EQ(valueOf<int32_t>(driver->executables[0]->nodes[1].parameters[3]), 5);
  EXPECT_EQ(driver->calls["cuGraphExecKernelNodeSetParams_v2"], 1);
  ASSERT_EQ(twrt_set_true_dim(session, "batch", 9, &error), TWRT_OK);
  EXPECT_EQ(twrt_run(session, nullptr, &error), TWRT_ERROR_SHAPE);
  EXPECT_STREQ(error.message, "batch is set to 9; the current bucket holds 8");
  EXPECT_EQ(twrt_set_true_dim(session, "seq", 9, &error), TWRT_ERROR_UNKNOWN_NAME);
}

TEST_F(LaunchGraph, RunNeedsAPreparedEntry) {
  start(runtimePackage());
  EXPECT_EQ(twrt_run(session, nullptr, &error), TWRT_ERROR_ARGUMENT);
  EXPECT_STREQ(error.message, "no entry is prepared: call twrt_prepare first");
  EXPECT_EQ(twrt_prepare(session, 2, &error), TWRT_ERROR_ARGUMENT);
}

TEST_F(LaunchGraph, TimesRunsAndSingleLaunches) {
  start(runtimePackage());
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK);
  double us[4];
  ASSERT_EQ(twrt_time_runs(session, 4, us, &error), TWRT_OK) << error.message;
  EXPECT_EQ(us[3], 250);
  ASSERT_EQ(twrt_time_launch(session, 1, 10, 4, us, &error), TWRT_OK) << error.message;
  EXPECT_EQ(us[0], 25);
  const std::vector<standin::Node> &chain = driver->executables.back()->nodes;
  ASSERT_EQ(chain.size(), 10u);
  EXPECT_EQ(chain[9].dependencies, (std::map<size_t, bool>{{8, false}}));
  EXPECT_EQ(chain[9].cluster[0], 2u);
  EXPECT_EQ(twrt_time_launch(session, 5, 10, 4, us, &error), TWRT_ERROR_ARGUMENT);
}
