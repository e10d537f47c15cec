// The emulator as a device, through a stand-in library: the same sessions, launches in order, its sentences
// passed on.
#include "RuntimeSample.h"

using namespace tilewright;

namespace {
class EmulatorDevice : public RuntimeTest {
protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    options.device = TWRT_DEVICE_EMULATOR;
    options.emulator_library = TILEWRIGHT_STANDIN_EMULATOR;
  }
  /// y = x + 2 through the arena, and then a copy of y to z.
  static Package package() {
    Package p;
    p.program = "emulated";
    p.emulation = "one kernel";
    Kernel k;
    k.name = "add_one";
    p.kernels = {k};
    Entry e;
    e.name = "main";
    e.inputs = {{"x", DType::F32, {4}, {}, PaddingRule::Exact, ""}};
    e.outputs = {{"y", DType::F32, {4}, {}, PaddingRule::Exact, ""},
                 {"z", DType::F32, {4}, {}, PaddingRule::Exact, ""}};
    e.arenaBytes = 64;
    Launch a, b, c, d;
    a.parameters = {Parameter::input(0), Parameter::arena(32), Parameter::value<uint32_t>(4)};
    b.parameters = {Parameter::arena(32), Parameter::output(0), Parameter::value<uint32_t>(4)};
    b.dependencies = {{0, false}};
    c.kind = LaunchKind::Memset;
    c.destination = {AddressBase::Output, 1, 8}, c.bytes = 8, c.value = 0x40400000, c.elementBytes = 4;
    d.kind = LaunchKind::Memcpy;
    d.destination = {AddressBase::Output, 1, 0}, d.source = {AddressBase::Output, 0, 4}, d.bytes = 8;
    e.launches = {a, b, c, d};
    p.entries = {e};
    return p;
  }
};
} // namespace

TEST_F(EmulatorDevice, RunsLaunchesInOrder) {
  start(package());
  EXPECT_STREQ(twrt_session_device(session), "emulator on this machine's CPU (seed 0, late completion)");
  std::vector<float> x = {1, 2, 3, 4}, y(4), z(4);
  int64_t shape[] = {4};
  twrt_host_tensor input = {"x", TWRT_F32, 1, shape, x.data()};
  twrt_host_tensor outputs[] = {{"y", TWRT_F32, 1, shape, y.data()}, {"z", TWRT_F32, 1, shape, z.data()}};
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(twrt_run_host(session, &input, 1, outputs, 2, &error), TWRT_OK) << error.message;
    EXPECT_EQ(y, (std::vector<float>{3, 4, 5, 6}));
    EXPECT_EQ(z, (std::vector<float>{4, 5, 3, 3}));
  }
}

TEST_F(EmulatorDevice, GivesTheKernelsTheirRegions) {
  Package p = package();
  p.entries[0].launches[0].parameters[1] = Parameter::input(0); // A kernel that writes to an input.
  start(p);
  std::vector<float> x(4);
  int64_t shape[] = {4};
  twrt_host_tensor input = {"x", TWRT_F32, 1, shape, x.data()};
  EXPECT_EQ(twrt_run_host(session, &input, 1, nullptr, 0, &error), TWRT_ERROR_DEVICE);
  EXPECT_STREQ(error.message,
               "kernel 'add_one' (launch 0) failed in the emulator: kernel 'add_one' was given memory "
               "outside its regions");
}

TEST_F(EmulatorDevice, PassesTheEmulatorsSentencesOn) {
  Package p = package();
  p.kernels[0].name = "fails";
  start(p);
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK);
  EXPECT_EQ(twrt_run(session, nullptr, &error), TWRT_ERROR_DEVICE);
  EXPECT_STREQ(error.message,
               "kernel 'fails' (launch 0) failed in the emulator: thread (3,0,0) read out of bounds");
  EXPECT_EQ(twrt_run(session, &error, &error), TWRT_ERROR_ARGUMENT);
}

TEST_F(EmulatorDevice, EncodesTensorMapsWhereTheirTensorsLie) {
  Package p = package();
  p.kernels.push_back(p.kernels[0]);
  p.kernels[1].name = "through_map";
  TensorMap map;
  map.dataType = 7, map.rank = 1, map.base = {AddressBase::Output, 0, 0}, map.dims = {4}, map.box = {4};
  Launch through;
  through.kernel = 1;
  through.parameters = {Parameter::tensorMap(map)};
  through.dependencies = {{1, false}};
  p.entries[0].launches.push_back(through);
  start(p);
  std::vector<float> x = {1, 2, 3, 4}, y(4), bound(4);
  int64_t shape[] = {4};
  twrt_host_tensor input = {"x", TWRT_F32, 1, shape, x.data()}, output = {"y", TWRT_F32, 1, shape, y.data()};
  ASSERT_EQ(twrt_run_host(session, &input, 1, &output, 1, &error), TWRT_OK) << error.message;
  EXPECT_EQ(y, (std::vector<float>{103, 4, 5, 6}));
  ASSERT_EQ(twrt_bind(session, "y", bound.data(), 16, &error), TWRT_OK) << error.message;
  ASSERT_EQ(twrt_run_host(session, &input, 1, nullptr, 0, &error), TWRT_OK) << error.message;
  EXPECT_EQ(bound, (std::vector<float>{103, 4, 5, 6}));

  twrt_session_destroy(session);
  session = nullptr;
  p.entries[0].launches.back().parameters[0].map.interleave = 1;
  start(p);
  EXPECT_EQ(twrt_prepare(session, 0, &error), TWRT_ERROR_DEVICE);
  EXPECT_STREQ(error.message, "the emulator cannot encode a tensor map: interleave 1 is not emulated");
}

/// The library reads clusters from the kernels; the device passes such launches on.
TEST_F(EmulatorDevice, TakesClusters) {
  Package p = package();
  p.entries[0].launches[0].cluster = {2, 1, 1}, p.entries[0].launches[0].grid = {4, 1, 1};
  start(p);
  ASSERT_EQ(twrt_prepare(session, 0, &error), TWRT_OK);
  EXPECT_EQ(twrt_run(session, nullptr, &error), TWRT_OK) << error.message;
}

/// The emulator itself, where this build has it: a launch by the C ABI, and a fault located in the source
/// program.
TEST_F(EmulatorDevice, RunsTheRealOne) {
  options.emulator_library = TILEWRIGHT_EMULATOR;
  if (access(options.emulator_library, F_OK) != 0)
    GTEST_SKIP() << "this build has no " << options.emulator_library;
  Package p = package();
  p.emulation = R"(gpu.module @kernels {
  llvm.func @add_one(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>, %count: i32) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %from[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %to[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32 loc("add/load")
    %w = llvm.fadd %v, %one : f32
    llvm.store %w, %q : f32, !llvm.ptr<1>
    llvm.return
  }
})";
  for (int i : {0, 1})
    p.entries[0].launches[i].block = {4, 1, 1};
  start(p);
  std::vector<float> x = {1, 2, 3, 4}, y(4), z(4);
  int64_t shape[] = {4};
  twrt_host_tensor input = {"x", TWRT_F32, 1, shape, x.data()};
  twrt_host_tensor outputs[] = {{"y", TWRT_F32, 1, shape, y.data()}, {"z", TWRT_F32, 1, shape, z.data()}};
  ASSERT_EQ(twrt_run_host(session, &input, 1, outputs, 2, &error), TWRT_OK) << error.message;
  EXPECT_EQ(y, (std::vector<float>{3, 4, 5, 6}));
  EXPECT_EQ(z, (std::vector<float>{4, 5, 3, 3}));

  twrt_session_destroy(session);
  session = nullptr;
  p.entries[0].launches[0].block = {5, 1, 1};
  start(p);
  EXPECT_EQ(twrt_run_host(session, &input, 1, outputs, 2, &error), TWRT_ERROR_DEVICE);
  std::string sentence = error.message;
  EXPECT_EQ(sentence.find(
                "kernel 'add_one' (launch 0) failed in the emulator: out-of-bounds global load of 4 bytes at "
                "offset 16, 4 bytes past the end of \"x\" (16 bytes) [source: \"add/load\""),
            0u)
      << sentence;
}

TEST_F(EmulatorDevice, SaysWhatIsMissing) {
  Package p = package();
  open(p);
  options.emulator_library = "/nowhere/emulator.so";
  EXPECT_EQ(refusal(TWRT_ERROR_NO_EMULATION), "the emulator's library cannot be opened: "
                                              "/nowhere/emulator.so: cannot open shared object file: No such "
                                              "file or directory");
  options.emulator_library = "libm.so.6";
  EXPECT_EQ(refusal(TWRT_ERROR_NO_EMULATION), "libm.so.6 is no emulator library: it lacks a twemu_ function");
  options.emulator_library = TILEWRIGHT_STANDIN_EMULATOR;
  p.emulation = "nothing";
  open(p);
  EXPECT_EQ(refusal(TWRT_ERROR_DEVICE),
            "the emulator cannot load the package's kernels: the module has no kernel");
  p.emulation.clear();
  open(p);
  EXPECT_EQ(refusal(TWRT_ERROR_NO_EMULATION),
            "the package has no emulation segment: it was compiled with --emulation=off, or stripped");
}
