// The shared library as the runtime uses it: dlopen, three functions, sentences for errors.
#include "Tilewright/Emulator/tilewright_emulator.h"

#include <cstring>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace {
struct Library {
  void *handle = dlopen(TILEWRIGHT_EMULATOR_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  decltype(&twemu_load) load = reinterpret_cast<decltype(&twemu_load)>(dlsym(handle, "twemu_load"));
  decltype(&twemu_launch) launch = reinterpret_cast<decltype(&twemu_launch)>(dlsym(handle, "twemu_launch"));
  decltype(&twemu_unload) unload = reinterpret_cast<decltype(&twemu_unload)>(dlsym(handle, "twemu_unload"));
};
} // namespace

static const Library &library() {
  static const Library loaded;
  return loaded;
}

static const char *const kScale = R"(
gpu.module @scale {
  llvm.func @scale(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %factor: f32) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %e = llvm.intr.exp2(%v) : (f32) -> f32
    %w = llvm.fmul %e, %factor : f32
    llvm.store %w, %q : f32, !llvm.ptr<1> loc("scale/store")
    llvm.return
  }
})";

TEST(CApi, LoadLaunchUnload) {
  ASSERT_TRUE(library().handle) << dlerror();
  char error[512] = "";
  twemu_options options = {1, 0, 0, 1};
  twemu_module *module = nullptr;
  ASSERT_EQ(library().load(kScale, std::strlen(kScale), &options, &module, error, sizeof error), 0) << error;
  float x[64], y[64] = {}, factor = 3;
  for (int i = 0; i < 64; ++i)
    x[i] = float(i % 5);
  float *px = x, *py = y;
  void *arguments[] = {&px, &py, &factor};
  size_t bytes[] = {8, 8, 4};
  twemu_region regions[] = {{x, sizeof x, "input 'x'", 0}, {y, sizeof y, "output 'y'", 1}};
  unsigned grid[3] = {1, 1, 1}, block[3] = {64, 1, 1};
  ASSERT_EQ(
      library().launch(module, "scale", grid, block, 0, arguments, bytes, 3, regions, 2, error, sizeof error),
      0)
      << error;
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(y[i], 3.0f * float(1 << i % 5));

  block[0] = 65;
  EXPECT_NE(
      library().launch(module, "scale", grid, block, 0, arguments, bytes, 3, regions, 2, error, sizeof error),
      0);
  EXPECT_NE(std::strstr(error, "past the end of \"input 'x'\" (256 bytes)"), nullptr) << error;
  block[0] = 64;
  regions[1].writable = 0;
  EXPECT_NE(
      library().launch(module, "scale", grid, block, 0, arguments, bytes, 3, regions, 2, error, sizeof error),
      0);
  EXPECT_NE(std::strstr(error, "read-only [source: \"scale/store\", kernel scale, block (0,0,0)"), nullptr)
      << error;
  library().unload(module);
}

TEST(CApi, ErrorsFitTheBuffer) {
  char error[16];
  std::memset(error, 'x', sizeof error);
  twemu_module *module = nullptr;
  EXPECT_NE(library().load("junk", 4, nullptr, &module, error, sizeof error), 0);
  EXPECT_LT(strnlen(error, sizeof error), sizeof error);
  EXPECT_EQ(module, nullptr);
}
