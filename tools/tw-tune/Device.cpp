// Devices of tw-tune: CUDA through the driver's own interface, and the emulator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Device.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>

using namespace tilewright;
using namespace tilewright::tune;

std::string tune::bindAll(twrt_session *session, const twrt_package *package, const Addresses &addresses) {
  twrt_tensor_info info;
  twrt_error error = {};
  size_t place = 0;
  for (bool output : {false, true}) {
    auto get = output ? twrt_output_get_info : twrt_input_get_info;
    for (uint32_t slot = 0; get(package, 0, slot, &info) == TWRT_OK; ++slot)
      if (twrt_bind(session, info.name, addresses[place++], info.bytes, &error) != TWRT_OK)
        return error.message;
  }
  return "";
}

namespace {

//===-- CUDA --------------------------------------------------------------------------------------------===//

using CUdeviceptr = unsigned long long;

/// The functions of the driver that are used, and the primary context.
class CudaDevice final : public Device {
public:
  std::string start();
  std::string allocate(uint64_t bytes, void *&pointer) override;
  std::string fill(void *pointer, int byte, uint64_t bytes) override;
  std::string write(void *pointer, const void *from, uint64_t bytes) override;
  std::string read(void *to, void *pointer, uint64_t bytes) override;
  std::string record(twrt_session *session, const twrt_package *package, const std::vector<Addresses> &sets,
                     void *&chain) override;
  std::string window(void *chain, unsigned repeats, double &microseconds) override;

private:
  struct Chain {
    void *executable;
    size_t calls;
  };
  template <typename... Parameters> std::string call(const char *name, Parameters... parameters) {
    void *symbol = dlsym(library, name);
    if (!symbol)
      return std::string("the CUDA driver has no ") + name;
    int code = reinterpret_cast<int (*)(Parameters...)>(symbol)(parameters...);
    return code == 0 ? "" : std::string(name) + " failed with " + std::to_string(code);
  }

  void *library = nullptr, *begin = nullptr, *end = nullptr, *stream = nullptr;
};

/// The version of the kernel module, as `580.159.04`; empty where it does not say.
std::string moduleVersion() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word)
    if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos)
      return word;
  return "";
}

std::string CudaDevice::start() {
  library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library)
    return std::string("there is no CUDA driver: ") + dlerror();
  void *context = nullptr;
  char name[128] = {};
  int version = 0;
  std::string why = call("cuInit", 0u);
  if (why.empty())
    why = call("cuDevicePrimaryCtxRetain", &context, 0);
  if (why.empty())
    why = call("cuCtxSetCurrent", context);
  if (why.empty())
    why = call("cuDeviceGetName", &name[0], (int)sizeof name, 0);
  if (why.empty())
    why = call("cuDriverGetVersion", &version);
  for (void **event : {&begin, &end})
    if (why.empty())
      why = call("cuEventCreate", event, 0u);
  if (why.empty())
    why = call("cuStreamCreate", &stream, 1u);
  gpu = name;
  driver = moduleVersion();
  if (driver.empty())
    driver = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  return why;
}

std::string CudaDevice::allocate(uint64_t bytes, void *&pointer) {
  CUdeviceptr address = 0;
  std::string why = call("cuMemAlloc_v2", &address, (size_t)bytes);
  pointer = reinterpret_cast<void *>(address);
  return why;
}
/// The streams of sessions do not wait for the default one, on which memory is filled and written.
std::string CudaDevice::fill(void *pointer, int byte, uint64_t bytes) {
  std::string why = call("cuMemsetD8_v2", (CUdeviceptr)pointer, (unsigned char)byte, (size_t)bytes);
  return why.empty() ? call("cuCtxSynchronize") : why;
}
std::string CudaDevice::write(void *pointer, const void *from, uint64_t bytes) {
  std::string why = call("cuMemcpyHtoD_v2", (CUdeviceptr)pointer, from, (size_t)bytes);
  return why.empty() ? call("cuCtxSynchronize") : why;
}
std::string CudaDevice::read(void *to, void *pointer, uint64_t bytes) {
  return call("cuMemcpyDtoH_v2", to, (CUdeviceptr)pointer, (size_t)bytes);
}

std::string CudaDevice::record(twrt_session *session, const twrt_package *package,
                               const std::vector<Addresses> &sets, void *&chain) {
  void *parent = nullptr, *before = nullptr;
  auto made = std::make_unique<Chain>(Chain{nullptr, sets.size()});
  std::string why = call("cuGraphCreate", &parent, 0u);
  for (const Addresses &addresses : sets) {
    void *graph = nullptr, *node = nullptr;
    twrt_error error = {};
    if (why.empty())
      why = bindAll(session, package, addresses);
    if (!why.empty())
      break;
    // Built over what is bound now, and copied into its node.
    if (twrt_graph(session, &graph, &error) != TWRT_OK)
      return error.message;
    why = call("cuGraphAddChildGraphNode", &node, parent, before ? &before : (void **)nullptr,
               (size_t)(before ? 1 : 0), graph);
    before = node;
  }
  if (why.empty())
    why = call("cuGraphInstantiateWithFlags", &made->executable, parent, 0ull);
  chain = made.release();
  return why;
}

std::string CudaDevice::window(void *chain, unsigned repeats, double &microseconds) {
  Chain *graph = static_cast<Chain *>(chain);
  float milliseconds = 0;
  std::string why = call("cuEventRecord", begin, stream);
  for (unsigned i = 0; i < repeats && why.empty(); ++i)
    why = call("cuGraphLaunch", graph->executable, stream);
  if (why.empty())
    why = call("cuEventRecord", end, stream);
  if (why.empty())
    why = call("cuEventSynchronize", end);
  if (why.empty())
    why = call("cuEventElapsedTime", &milliseconds, begin, end);
  microseconds = milliseconds * 1e3 / (double)(repeats * graph->calls);
  return why;
}

//===-- Emulator ----------------------------------------------------------------------------------------===//

class EmulatorDevice final : public Device {
public:
  EmulatorDevice() { gpu = "emulator", driver = "none"; }
  std::string allocate(uint64_t bytes, void *&pointer) override {
    pointer = std::aligned_alloc(1024, (bytes + 1023) / 1024 * 1024);
    return pointer ? "" : "out of memory";
  }
  std::string fill(void *pointer, int byte, uint64_t bytes) override {
    std::memset(pointer, byte, bytes);
    return "";
  }
  std::string write(void *pointer, const void *from, uint64_t bytes) override {
    std::memcpy(pointer, from, bytes);
    return "";
  }
  std::string read(void *to, void *pointer, uint64_t bytes) override {
    std::memcpy(to, pointer, bytes);
    return "";
  }
  std::string record(twrt_session *session, const twrt_package *, const std::vector<Addresses> &,
                     void *&chain) override {
    chain = session;
    return "";
  }
  std::string window(void *chain, unsigned repeats, double &microseconds) override {
    twrt_session *session = static_cast<twrt_session *>(chain);
    twrt_error error = {};
    auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < repeats; ++i)
      if (twrt_run(session, nullptr, &error) != TWRT_OK || twrt_sync(session, &error) != TWRT_OK)
        return error.message;
    std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
    microseconds = passed.count() / repeats;
    return "";
  }
};
} // namespace

std::unique_ptr<Device> Device::open(bool emulator, std::string &error) {
  if (emulator)
    return std::make_unique<EmulatorDevice>();
  auto cuda = std::make_unique<CudaDevice>();
  error = cuda->start();
  return cuda;
}
