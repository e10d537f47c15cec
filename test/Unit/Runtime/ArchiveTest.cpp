// The archive that users link: no symbol of the C++ library, under 400 KB stripped, and a C99 program with
// plain cc.
#include "RuntimeSample.h"

#include <array>
#include <cstdio>

using namespace tilewright;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILEWRIGHT_SANITIZED 1
#endif
#endif

/// What a shell command prints, both streams; its exit status in `status`.
static std::string shell(const std::string &command, int &status) {
  std::string text;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> piece;
  while (size_t n = fread(piece.data(), 1, piece.size(), pipe))
    text.append(piece.data(), n);
  status = pclose(pipe);
  return text;
}

class Archive : public RuntimeTest {
  void SetUp() override {
#ifdef TILEWRIGHT_SANITIZED
    GTEST_SKIP() << "the sanitizers add symbols of their own";
#endif
    RuntimeTest::SetUp();
  }
  void TearDown() override {
    if (driver)
      RuntimeTest::TearDown();
  }
};

TEST_F(Archive, UsesNoSymbolOfTheCxxLibrary) {
  int status = 0;
  std::string symbols = shell("nm --undefined-only --format=just-symbols '" TILEWRIGHT_ARCHIVE "'", status);
  ASSERT_EQ(status, 0) << symbols;
  std::istringstream lines(symbols);
  size_t seen = 0;
  for (std::string symbol; lines >> symbol; ++seen) {
    bool ours = symbol.rfind("_ZN10tilewright", 0) == 0 || symbol.rfind("_ZNK10tilewright", 0) == 0;
    EXPECT_TRUE(ours || symbol.rfind("_Z", 0) != 0) << symbol;
    for (const char *runtime : {"__cxa_", "__gxx_", "_Unwind_", "__dynamic_cast"})
      EXPECT_EQ(symbol.find(runtime), std::string::npos) << symbol;
  }
  EXPECT_GT(seen, 20u);
}

TEST_F(Archive, HasUnder400KilobytesStripped) {
  int status = 0;
  std::string stripped = folder.file("stripped.a");
  std::string text = shell(
      "cp '" TILEWRIGHT_ARCHIVE "' '" + stripped + "' && strip --strip-unneeded '" + stripped + "'", status);
  ASSERT_EQ(status, 0) << text;
  EXPECT_LT(readFile(stripped).size(), 400u * 1000);
}

TEST_F(Archive, LinksWithAPlainCCompiler) {
  int status = 0;
  std::string program = folder.file("main");
  std::string text = shell("cc -std=c99 -pedantic -Wall -Wextra -Werror -I '" TILEWRIGHT_INCLUDE
                           "' '" TILEWRIGHT_C_MAIN "' '" TILEWRIGHT_ARCHIVE "' -ldl -lpthread -o '" +
                               program + "'",
                           status);
  ASSERT_EQ(status, 0) << text;
  open(runtimePackage());
  text = shell("'" + program + "' '" + folder.file("a.tw") + "' '" TILEWRIGHT_STANDIN "'", status);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(text,
            "Stand-in GPU (sm_90), driver for CUDA 13.0\n"
            "y[0] = 1.0, y[5] = 6.0\n"
            "unknown name: there is no input or output 'nothing'; the package's inputs are 'x', 'scale', its "
            "outputs 'y', 'z'\n");
  // No shared library but libc's.
  text = shell("ldd '" + program + "'", status);
  EXPECT_EQ(text.find("stdc++"), std::string::npos) << text;
}
