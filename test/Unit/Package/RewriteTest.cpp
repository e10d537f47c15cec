// A package that is written where one lies: equal bytes leave the file as it is, and whatever else lies
// there, damaged, shorter or longer, becomes the new package.
#include "Sample.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <fstream>

using namespace tilewright::package;

static ino_t inodeOf(const std::string &path) {
  struct stat info = {};
  EXPECT_EQ(stat(path.c_str(), &info), 0);
  return info.st_ino;
}

TEST(Rewrite, LeavesAnEqualFileAndMakesItNew) {
  ScratchFolder folder;
  Package p = samplePackage();
  std::string path = folder.file("a.tw");
  WriteOptions external{"a.weights"};
  ASSERT_EQ(writePackage(p, sampleWeightSource(p), path, external), "");
  timespec past[2] = {{1000, 0}, {1000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), past, 0), 0);
  ino_t before = inodeOf(path), weights = inodeOf(folder.file("a.weights"));
  std::string bytes = readFile(path);
  ASSERT_EQ(writePackage(p, sampleWeightSource(p), path, external), "");
  EXPECT_EQ(inodeOf(path), before);
  EXPECT_EQ(inodeOf(folder.file("a.weights")), weights);
  EXPECT_EQ(readFile(path), bytes);
  struct stat info = {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_GT(info.st_mtime, 1000) << "a build system would run the compiler for ever";
}

TEST(Rewrite, ReplacesWhatDiffersAnywhere) {
  ScratchFolder folder;
  Package p = samplePackage();
  std::string path = folder.file("a.tw");
  ASSERT_EQ(writePackage(p, sampleWeightSource(p), path), "");
  const std::string good = readFile(path);
  auto attempt = [&](const std::string &old, const std::string &what) {
    std::ofstream(path, std::ios::binary) << old;
    ino_t before = inodeOf(path);
    ASSERT_EQ(writePackage(p, sampleWeightSource(p), path), "");
    EXPECT_EQ(readFile(path), good) << what;
    EXPECT_NE(inodeOf(path), before) << what;
  };
  for (size_t place = 0; place < good.size(); place += 1009) {
    std::string damaged = good;
    damaged[place] = char(damaged[place] ^ 1);
    attempt(damaged, "bit of byte " + std::to_string(place));
  }
  attempt(good.substr(0, good.size() - 1), "cut by one");
  attempt(good.substr(0, 100), "cut to 100");
  attempt("", "empty");
  attempt(good + "x", "longer by one");
}

TEST(Rewrite, WritesOtherWeightsAfterEqualKernels) {
  ScratchFolder folder;
  Package p = samplePackage();
  auto others = [&](size_t i, const ByteSink &sink, std::string &) {
    std::string bytes(p.weights[i].bytes, char('a' + i));
    return sink(bytes.data(), bytes.size());
  };
  ASSERT_EQ(writePackage(p, sampleWeightSource(p), folder.file("a.tw")), "");
  ASSERT_EQ(writePackage(p, others, folder.file("a.tw")), "");
  ASSERT_EQ(writePackage(p, others, folder.file("fresh.tw")), "");
  EXPECT_EQ(readFile(folder.file("a.tw")), readFile(folder.file("fresh.tw")));
}

TEST(Rewrite, NeverReplacesADeviceOrAPipe) {
  ScratchFolder folder;
  Package p = samplePackage();
  std::string pipe = folder.file("pipe"), device = folder.file("null");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(writePackage(p, sampleWeightSource(p), pipe),
            "cannot write '" + pipe + "': it exists and is no regular file");
  EXPECT_EQ(writePackage(p, sampleWeightSource(p), folder.path),
            "cannot write '" + folder.path + "': it exists and is no regular file");
  if (mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0)
    GTEST_SKIP() << "only root can make a device";
  EXPECT_EQ(writePackage(p, sampleWeightSource(p), device), "");
  struct stat info = {};
  ASSERT_EQ(stat(device.c_str(), &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode)) << "-o /dev/null replaced the device by a package";
}
