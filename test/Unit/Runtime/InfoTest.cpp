// The getters give what the compiler wrote, and refuse indices out of range.
#include "RuntimeSample.h"

using namespace tilewright;
using Info = RuntimeTest;

TEST_F(Info, GivesEveryPart) {
  open(samplePackage());
  twrt_package_info package;
  twrt_package_get_info(opened, &package);
  EXPECT_STREQ(package.program, "sample");
  EXPECT_EQ(package.entries, 2u);
  EXPECT_EQ(package.weights, 2u);
  EXPECT_EQ(package.driver_floor, 12030u);
  EXPECT_EQ(package.external_weights, nullptr);
  EXPECT_EQ(package.emulation_bytes, samplePackage().emulation.size());

  twrt_entry_info entry;
  ASSERT_EQ(twrt_entry_get_info(opened, 1, &entry), TWRT_OK);
  EXPECT_STREQ(entry.name, "main[batch=8]");
  EXPECT_EQ(entry.launches, 4u);
  EXPECT_EQ(twrt_entry_get_info(opened, 2, &entry), TWRT_ERROR_ARGUMENT);
  const char *name;
  int64_t size;
  ASSERT_EQ(twrt_entry_get_bucket_dim(opened, 1, 0, &name, &size), TWRT_OK);
  EXPECT_STREQ(name, "batch");
  EXPECT_EQ(size, 8);

  twrt_tensor_info tensor;
  ASSERT_EQ(twrt_input_get_info(opened, 1, 1, &tensor), TWRT_OK);
  EXPECT_STREQ(tensor.name, "mask");
  EXPECT_EQ(tensor.dtype, TWRT_I64);
  EXPECT_EQ(tensor.bytes, 64u);
  EXPECT_TRUE(tensor.fills);
  EXPECT_EQ(twrt_output_get_info(opened, 1, 1, &tensor), TWRT_ERROR_ARGUMENT);

  twrt_kernel_info kernel;
  ASSERT_EQ(twrt_kernel_get_info(opened, 0, &kernel), TWRT_OK);
  EXPECT_STREQ(kernel.anchor, "elementwise");
  EXPECT_EQ(kernel.modelled_microseconds, 1.5);
  twrt_image_info image;
  ASSERT_EQ(twrt_kernel_get_image(opened, 0, 0, &image), TWRT_OK);
  EXPECT_STREQ(image.arch, "sm_80");
  EXPECT_TRUE(image.is_cubin);
  EXPECT_EQ(image.registers, 24);
  ASSERT_EQ(twrt_kernel_get_source_node(opened, 0, 1, &name), TWRT_OK);
  EXPECT_STREQ(name, "/Mul");

  twrt_launch_info launch;
  ASSERT_EQ(twrt_launch_get_info(opened, 0, 1, &launch), TWRT_OK);
  EXPECT_EQ(launch.cluster[0], 2u);
  EXPECT_EQ(twrt_launch_get_info(opened, 0, 4, &launch), TWRT_ERROR_ARGUMENT);
  twrt_weight_info weight;
  ASSERT_EQ(twrt_weight_get_info(opened, 1, &weight), TWRT_OK);
  EXPECT_EQ(weight.offset, 256u);
  twrt_golden_info golden;
  ASSERT_EQ(twrt_golden_get_info(opened, 1, &golden), TWRT_OK);
  EXPECT_EQ(std::string(static_cast<const char *>(golden.data), golden.bytes), std::string(20, 'y'));
  const char *value;
  ASSERT_EQ(twrt_manifest_get(opened, 1, &name, &value), TWRT_OK);
  EXPECT_STREQ(name, "options");
  EXPECT_STREQ(value, "--precision=fp32");
}

TEST_F(Info, ReadsAPackageInMemory) {
  open(samplePackage());
  twrt_package_close(opened);
  opened = nullptr;
  std::string bytes = readFile(folder.file("a.tw"));
  void *memory = nullptr;
  ASSERT_EQ(posix_memalign(&memory, 4096, bytes.size()), 0);
  std::memcpy(memory, bytes.data(), bytes.size());
  ASSERT_EQ(twrt_package_open_memory(memory, bytes.size(), &opened, &error), TWRT_OK) << error.message;
  twrt_package_close(opened);
  opened = nullptr;
  EXPECT_EQ(twrt_package_open_memory(static_cast<char *>(memory) + 1, bytes.size() - 1, &opened, &error),
            TWRT_ERROR_FORMAT);
  free(memory);
}

TEST_F(Info, NamesTypesAndStatuses) {
  EXPECT_STREQ(twrt_dtype_name(TWRT_BF16), "bf16");
  EXPECT_EQ(twrt_dtype_bytes(TWRT_I64), 8u);
  EXPECT_EQ(twrt_dtype_bytes(static_cast<twrt_dtype>(15)), 0u);
  for (unsigned i = 0; i <= unsigned(TWRT_BOOL); ++i) {
    EXPECT_STREQ(twrt_dtype_name(static_cast<twrt_dtype>(i)), dtypeName(static_cast<DType>(i)));
    EXPECT_EQ(twrt_dtype_bytes(static_cast<twrt_dtype>(i)), dtypeBytes(static_cast<DType>(i)));
  }
  EXPECT_STREQ(twrt_status_name(TWRT_ERROR_OUT_OF_MEMORY), "out of memory");
}
