// Weights reach the device whole, from the package, from their own file, or from the caller; what is missing
// or another's is refused before the device is touched.
#include "RuntimeSample.h"

using namespace tilewright;

namespace {
class Weights : public RuntimeTest {
protected:
  /// The weight segment on the stand-in's device.
  std::string onDevice(uint64_t bytes) {
    for (auto [address, size] : driver->memory)
      if (size == bytes)
        return std::string(reinterpret_cast<const char *>(address), size);
    ADD_FAILURE() << "no allocation of " << bytes << " bytes";
    return "";
  }
};
} // namespace

TEST_F(Weights, EmbeddedOnesAreUploaded) {
  Package p = runtimePackage();
  start(p);
  std::string segment = onDevice(512);
  EXPECT_EQ(segment.substr(0, 16), weightBytes(p, 0));
  EXPECT_EQ(segment.substr(256, 32), weightBytes(p, 1));
}

TEST_F(Weights, LargeOnesGoInPieces) {
  Package p = runtimePackage();
  p.weights[1].bytes = (20 << 20) + 12; // Two and a half buffers.
  p.weights[1].shape = {5242883};
  start(p);
  std::string segment = onDevice(256 + (20 << 20) + 256);
  EXPECT_EQ(segment.substr(0, 16), weightBytes(p, 0));
  EXPECT_TRUE(segment.substr(256, p.weights[1].bytes) == weightBytes(p, 1));
  EXPECT_EQ(driver->calls["cuMemcpyHtoDAsync_v2"], 3);
}

TEST_F(Weights, ExternalOnesLieBesideThePackage) {
  Package p = runtimePackage();
  open(p, {"a.weights"});
  ASSERT_EQ(twrt_session_create(opened, &options, &session, &error), TWRT_OK) << error.message;
  EXPECT_EQ(onDevice(512).substr(256, 32), weightBytes(p, 1));
}

TEST_F(Weights, ExternalOnesMayLieElsewhere) {
  Package p = runtimePackage();
  open(p, {"a.weights"});
  std::string elsewhere = folder.file("moved");
  ASSERT_EQ(rename(folder.file("a.weights").c_str(), elsewhere.c_str()), 0);
  EXPECT_EQ(refusal(TWRT_ERROR_WEIGHTS), "the weights are in a file of their own, and '" +
                                             folder.file("a.weights") +
                                             "' cannot be opened: No such file or directory");
  options.weights_path = elsewhere.c_str();
  ASSERT_EQ(twrt_session_create(opened, &options, &session, &error), TWRT_OK) << error.message;
}

TEST_F(Weights, OthersAreRefused) {
  Package p = runtimePackage();
  open(p, {"a.weights"});
  std::string bytes = readFile(folder.file("a.weights"));
  bytes[260] ^= 1;
  writeFile(folder.file("a.weights"), bytes);
  std::string sentence = refusal(TWRT_ERROR_WEIGHTS);
  EXPECT_EQ(
      sentence.find("weight 'w1' is not the one the package was compiled with: its 32 bytes have hash "), 0u)
      << sentence;
  writeFile(folder.file("a.weights"), "short");
  EXPECT_EQ(refusal(TWRT_ERROR_WEIGHTS),
            "the weight file '" + folder.file("a.weights") + "' has 5 bytes; the package's weights have 512");
  EXPECT_EQ(driver->calls["cuInit"], 0);
}

TEST_F(Weights, EmbeddedOnesAreVerifiedOnRequest) {
  Package p = runtimePackage();
  open(p);
  twrt_package_close(opened);
  opened = nullptr;
  std::string bytes = readFile(folder.file("a.tw"));
  size_t at = bytes.find(weightBytes(p, 1));
  ASSERT_NE(at, std::string::npos);
  bytes[at] ^= 1;
  writeFile(folder.file("a.tw"), bytes);
  ASSERT_EQ(twrt_package_open(folder.file("a.tw").c_str(), &opened, &error), TWRT_OK) << error.message;
  options.verify_weights = 1;
  refusal(TWRT_ERROR_WEIGHTS);
}

TEST_F(Weights, TheCallersFunctionGivesThem) {
  Package p = runtimePackage();
  open(p, {"a.weights"});
  ASSERT_EQ(unlink(folder.file("a.weights").c_str()), 0);
  options.weight_reader = [](void *, uint32_t weight, uint64_t offset, void *to, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; ++i)
      static_cast<char *>(to)[i] = char(weight * 100 + offset + i);
    return 0;
  };
  ASSERT_EQ(twrt_session_create(opened, &options, &session, &error), TWRT_OK) << error.message;
  std::string segment = onDevice(512);
  EXPECT_EQ(segment[15], 15);
  EXPECT_EQ(segment[16], 0); // Between two weights.
  EXPECT_EQ(segment[256 + 31], char(131));
}

TEST_F(Weights, TheCallersFunctionMayFail) {
  open(runtimePackage());
  options.weight_reader = [](void *, uint32_t weight, uint64_t, void *, uint64_t) { return int(weight); };
  EXPECT_EQ(refusal(TWRT_ERROR_WEIGHTS), "the caller's source of weight 'w1' failed");
}
