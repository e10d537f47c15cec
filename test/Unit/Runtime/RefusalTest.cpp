// Every way a session can fail to start has its status and its sentence, which names what was needed and what
// was found; nothing is loaded before the checks, and nothing leaks after them.
#include "RuntimeSample.h"

using namespace tilewright;
using Refusal = RuntimeTest;

TEST_F(Refusal, NoDriver) {
  open(runtimePackage());
  options.driver_library = "/nowhere/libcuda.so.1";
  EXPECT_EQ(
      refusal(TWRT_ERROR_NO_DRIVER),
      "no CUDA driver: /nowhere/libcuda.so.1 not found on this machine (/nowhere/libcuda.so.1: cannot open "
      "shared object file: No such file or directory); install the NVIDIA driver, or use the emulator");
}

TEST_F(Refusal, NotADriver) {
  open(runtimePackage());
  options.driver_library = "libm.so.6";
  EXPECT_EQ(refusal(TWRT_ERROR_NO_DRIVER), "the driver library has no function cuInit");
}

TEST_F(Refusal, DriverTooOldForTheRuntime) {
  Package p = runtimePackage();
  for (Entry &e : p.entries)
    e.launches[2].dependencies = {{1, false}};
  open(p);
  driver->version = 11080;
  EXPECT_EQ(
      refusal(TWRT_ERROR_DRIVER_TOO_OLD),
      "the driver is too old: the package needs a driver for CUDA 12.0 or newer, this one is for CUDA 11.8");
}

TEST_F(Refusal, DriverTooOldForProgrammaticEdges) {
  open(runtimePackage());
  driver->version = 12020;
  EXPECT_EQ(
      refusal(TWRT_ERROR_DRIVER_TOO_OLD),
      "the driver is too old: the package needs a driver for CUDA 12.3 or newer, this one is for CUDA 12.2");
}

TEST_F(Refusal, DriverBelowThePackagesFloor) {
  Package p = runtimePackage();
  p.driverFloor = 12080;
  open(p);
  driver->version = 12040;
  EXPECT_EQ(
      refusal(TWRT_ERROR_DRIVER_TOO_OLD),
      "the driver is too old: the package needs a driver for CUDA 12.8 or newer, this one is for CUDA 12.4");
}

TEST_F(Refusal, NoDevice) {
  open(runtimePackage());
  driver->devices = 0;
  EXPECT_EQ(refusal(TWRT_ERROR_NO_DEVICE), "cuInit failed: CUDA_ERROR_NO_DEVICE (100, planted by the test)");
}

TEST_F(Refusal, OrdinalOutOfRange) {
  open(runtimePackage());
  options.ordinal = 3;
  EXPECT_EQ(refusal(TWRT_ERROR_NO_DEVICE), "there is no CUDA device 3: the driver sees 1");
}

TEST_F(Refusal, WrongArch) {
  open(runtimePackage());
  driver->major = 10, driver->minor = 0; // sm_90a runs on 9.0 alone, an sm_80 cubin on 8.x alone.
  EXPECT_EQ(refusal(TWRT_ERROR_ARCH), "the package has no code for Stand-in GPU (sm_100): kernel 'first' has "
                                      "images for sm_80 (cubin), sm_90a "
                                      "(cubin), sm_90a (ptx); compile with --target naming sm_100");
  EXPECT_EQ(driver->calls["cuModuleLoadDataEx"], 0);
  EXPECT_EQ(driver->calls["cuDevicePrimaryCtxRetain"], 0);
}

TEST_F(Refusal, ClustersOnAnOlderDevice) {
  open(runtimePackage());
  driver->major = 8, driver->minor = 6;
  EXPECT_EQ(refusal(TWRT_ERROR_ARCH),
            "the package launches clusters of 2 blocks, which need sm_90 or newer; Stand-in GPU is sm_86");
}

TEST_F(Refusal, MoreSharedMemoryThanTheDeviceHas) {
  open(runtimePackage());
  driver->sharedBytes = 99 * 1024;
  driver->planted = {};
  Package p = runtimePackage();
  p.entries[0].launches[1].sharedBytes = 101377;
  open(p);
  EXPECT_EQ(refusal(TWRT_ERROR_ARCH),
            "kernel 'first' needs 101377 bytes of shared memory a block; Stand-in GPU has 101376");
}

TEST_F(Refusal, OutOfMemoryBeforeAnythingIsLoaded) {
  open(runtimePackage());
  driver->freeBytes = 3000, driver->totalBytes = 100000;
  EXPECT_EQ(
      refusal(TWRT_ERROR_OUT_OF_MEMORY),
      "the package needs 3584 bytes of device memory (arena 1024, staging 2048, weights 512); Stand-in GPU "
      "(sm_90), driver for CUDA 13.0 has 3000 free of 100000");
  EXPECT_EQ(driver->calls["cuModuleLoadDataEx"], 0);
}

TEST_F(Refusal, OutOfMemoryWhenAnotherProgramWasFaster) {
  open(runtimePackage());
  driver->planted["cuMemAlloc_v2"] = 2;
  EXPECT_EQ(refusal(TWRT_ERROR_OUT_OF_MEMORY), "out of device memory: the arena with the staging needs 3072 "
                                               "bytes; 8589934592 of 17179869184 are free");
}

TEST_F(Refusal, ImageThatTheDriverRejects) {
  open(runtimePackage());
  driver->planted["cuModuleLoadDataEx"] = 218;
  driver->jitLog = "ptxas error: line 3";
  EXPECT_EQ(refusal(TWRT_ERROR_DEVICE), "kernel 'first' (sm_90a cubin, 37 bytes) cannot be loaded: "
                                        "cuModuleLoadDataEx failed: CUDA_ERROR_PLANTED "
                                        "(218, planted by the test): ptxas error: line 3");
}

TEST_F(Refusal, ImageWithoutTheKernel) {
  Package p = runtimePackage();
  p.kernels[1].name = "third";
  open(p);
  EXPECT_EQ(refusal(TWRT_ERROR_DEVICE), "the sm_90a image has no kernel 'third': cuModuleGetFunction failed: "
                                        "CUDA_ERROR_PLANTED (500, planted by the test)");
}

/// Whatever driver function fails, the session or the run fails with a sentence that names it.
TEST_F(Refusal, EveryDriverFunctionThatFails) {
  const char *const functions[] = {"cuInit",
                                   "cuDriverGetVersion",
                                   "cuDeviceGetCount",
                                   "cuDeviceGet",
                                   "cuDeviceGetName",
                                   "cuDeviceGetAttribute",
                                   "cuDevicePrimaryCtxRetain",
                                   "cuCtxSetCurrent",
                                   "cuMemGetInfo_v2",
                                   "cuMemAlloc_v2",
                                   "cuMemHostAlloc",
                                   "cuMemcpyHtoDAsync_v2",
                                   "cuMemcpyDtoHAsync_v2",
                                   "cuStreamCreate",
                                   "cuStreamSynchronize",
                                   "cuStreamWaitEvent",
                                   "cuEventCreate",
                                   "cuEventRecord",
                                   "cuEventSynchronize",
                                   "cuModuleLoadDataEx",
                                   "cuModuleGetFunction",
                                   "cuFuncSetAttribute",
                                   "cuGraphCreate",
                                   "cuGraphAddKernelNode_v2",
                                   "cuGraphAddMemsetNode",
                                   "cuGraphAddMemcpyNode",
                                   "cuGraphKernelNodeSetAttribute",
                                   "cuGraphAddDependencies_v2",
                                   "cuGraphInstantiateWithFlags",
                                   "cuGraphUpload",
                                   "cuGraphLaunch",
                                   "cuTensorMapEncodeTiled"};
  open(runtimePackage());
  for (const char *function : functions) {
    driver->planted = {{function, 719}};
    error = {};
    float x[6] = {}, scale = 0;
    int64_t shape[] = {2, 3};
    twrt_host_tensor inputs[] = {{"x", TWRT_F32, 2, shape, x}, {"scale", TWRT_F32, 0, nullptr, &scale}};
    uint32_t ticket = 0;
    twrt_status status = twrt_session_create(opened, &options, &session, &error);
    if (status == TWRT_OK)
      status = twrt_submit(session, inputs, 2, &ticket, &error);
    if (status == TWRT_OK)
      status = twrt_collect(session, ticket, nullptr, 0, &error);
    EXPECT_EQ(status, TWRT_ERROR_DEVICE) << function;
    EXPECT_NE(std::string(error.message).find(std::string(function) + " failed: CUDA_ERROR_PLANTED (719"),
              std::string::npos)
        << function << ": " << error.message;
    driver->planted = {};
    twrt_session_destroy(session);
    session = nullptr;
    EXPECT_EQ(driver->live, 0) << function;
  }
}

TEST_F(Refusal, PackagesThatAreNone) {
  writeFile(folder.file("b.tw"), "not a package, but long enough to have a header of sixty-four bytes, see");
  EXPECT_EQ(twrt_package_open(folder.file("b.tw").c_str(), &opened, &error), TWRT_ERROR_FORMAT);
  EXPECT_EQ(error.message,
            "'" + folder.file("b.tw") + "': not a Tilewright package: the first bytes are not its magic");
  EXPECT_EQ(twrt_package_open("/nowhere.tw", &opened, &error), TWRT_ERROR_IO);
  EXPECT_STREQ(error.message, "cannot open '/nowhere.tw': No such file or directory");
  EXPECT_EQ(twrt_package_open(nullptr, &opened, nullptr), TWRT_ERROR_ARGUMENT);
}

TEST_F(Refusal, CheckAnswersWithoutAContext) {
  open(runtimePackage());
  EXPECT_EQ(twrt_device_check(opened, &options, &error), TWRT_OK) << error.message;
  EXPECT_EQ(driver->calls["cuDevicePrimaryCtxRetain"], 0);
  driver->major = 7;
  EXPECT_EQ(twrt_device_check(opened, &options, &error), TWRT_ERROR_ARCH);
}
