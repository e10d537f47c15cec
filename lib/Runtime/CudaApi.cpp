// Opens the CUDA driver and says in a sentence what is missing.
#include "CudaApi.h"

#include <dlfcn.h>
#include <initializer_list>

using namespace tilewright::runtime;
using namespace tilewright::runtime::cuda;

namespace {
/// A member of Api and the symbol that fills it.
struct Symbol {
  const char *member, *symbol;
  size_t offset;
};
} // namespace

#define TWRT_SYMBOL(member, symbol, parameters) {#member, #symbol, offsetof(Api, member)},
static const Symbol kNeeded[] = {TWRT_CUDA_FUNCTIONS(TWRT_SYMBOL)};
static const Symbol kOptional[] = {TWRT_CUDA_OPTIONAL_FUNCTIONS(TWRT_SYMBOL)};
#undef TWRT_SYMBOL

/// Resolves `symbol` into its member; false when the library lacks it.
static bool resolve(Api *api, const Symbol &symbol) {
  void *address = dlsym(api->library, symbol.symbol);
  memcpy(reinterpret_cast<char *>(api) + symbol.offset, &address, sizeof address);
  return address != nullptr;
}

static const char *symbolOf(const char *member) {
  for (const Symbol &symbol : kNeeded)
    if (strcmp(symbol.member, member) == 0)
      return symbol.symbol;
  for (const Symbol &symbol : kOptional)
    if (strcmp(symbol.member, member) == 0)
      return symbol.symbol;
  return member;
}

/// Starts the driver and checks its version; the functions used here are in every driver.
static twrt_status checkVersion(Api *api, int floor, bool programmatic, twrt_error *error) {
  TWRT_CUDA(*api, error, init, 0);
  int version = 0;
  TWRT_CUDA(*api, error, driverVersion, &version);
  int needed = floor > kOldestDriver ? floor : kOldestDriver;
  if (programmatic && needed < kOldestDriverForProgrammatic)
    needed = kOldestDriverForProgrammatic;
  if (version < needed)
    return fail(
        error, TWRT_ERROR_DRIVER_TOO_OLD,
        "the driver is too old: the package needs a driver for CUDA %d.%d or newer, this one is for CUDA "
        "%d.%d",
        needed / 1000, needed % 1000 / 10, version / 1000, version % 1000 / 10);
  return TWRT_OK;
}

static twrt_status resolveAll(Api *api, int floor, bool programmatic, twrt_error *error) {
  for (const char *member : {"init", "driverVersion", "errorName", "errorString"})
    for (const Symbol &symbol : kNeeded)
      if (strcmp(symbol.member, member) == 0 && !resolve(api, symbol))
        return fail(error, TWRT_ERROR_NO_DRIVER, "the driver library has no function %s", symbol.symbol);
  TWRT_TRY(checkVersion(api, floor, programmatic, error));
  for (const Symbol &symbol : kNeeded)
    if (!resolve(api, symbol))
      return fail(error, TWRT_ERROR_NO_DRIVER, "the driver library has no function %s", symbol.symbol);
  for (const Symbol &symbol : kOptional)
    if (!resolve(api, symbol) && programmatic)
      return fail(error, TWRT_ERROR_NO_DRIVER,
                  "the driver library has no function %s, which this package's programmatic edges need",
                  symbol.symbol);
  return TWRT_OK;
}

twrt_status tilewright::runtime::cuda::openApi(const char *library, int floor, bool programmatic, Api *api,
                                               twrt_error *error) {
  *api = {};
  const char *name = library ? library : "libcuda.so.1";
  api->library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!api->library)
    return fail(
        error, TWRT_ERROR_NO_DRIVER,
        "no CUDA driver: %s not found on this machine (%s); install the NVIDIA driver, or use the emulator",
        name, dlerror());
  twrt_status status = resolveAll(api, floor, programmatic, error);
  if (status != TWRT_OK)
    closeApi(api);
  return status;
}

void tilewright::runtime::cuda::closeApi(Api *api) {
  if (api->library)
    dlclose(api->library);
  *api = {};
}

twrt_status tilewright::runtime::cuda::failure(const Api &api, const char *call, Result result,
                                               twrt_error *error) {
  const char *name = nullptr, *text = nullptr;
  if (api.errorName(result, &name) != 0 || !name)
    name = "an unknown error";
  if (api.errorString(result, &text) != 0 || !text)
    text = "no description";
  twrt_status status = result == kOutOfMemory ? TWRT_ERROR_OUT_OF_MEMORY
                       : result == kNoDevice  ? TWRT_ERROR_NO_DEVICE
                                              : TWRT_ERROR_DEVICE;
  return fail(error, status, "%s failed: %s (%d, %s)", symbolOf(call), name, result, text);
}
