// The files of the kernel cache: what is kept and found, what is refused, and what goes first when room is
// made.
#include "Tilewright/Ptx/ContentCache.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <thread>

using namespace tilewright;
namespace fs = llvm::sys::fs;

namespace {
/// A cache folder that goes with the test.
class ContentCacheTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(fs::createUniqueDirectory("content-cache", path));
    folder = path.str().str();
  }
  void TearDown() override { fs::remove_directories(folder); }

  /// Makes a file of `bytes`, last used `age` seconds ago.
  void make(const std::string &name, size_t bytes, int age) {
    std::error_code error;
    {
      llvm::raw_fd_ostream out(folder + "/" + name, error);
      out << std::string(bytes, 'x');
    }
    timespec times[2];
    times[0].tv_sec = times[1].tv_sec = time(nullptr) - age;
    times[0].tv_nsec = times[1].tv_nsec = 0;
    ASSERT_EQ(utimensat(AT_FDCWD, (folder + "/" + name).c_str(), times, 0), 0);
  }
  bool has(const std::string &name) { return fs::exists(folder + "/" + name); }

  std::string folder;
};
} // namespace

TEST_F(ContentCacheTest, FindsWhatWasKeptAndNothingElse) {
  ContentCache cache({folder}, "kernel");
  EXPECT_FALSE(cache.lookup("a"));
  cache.insert("a", "data");
  EXPECT_EQ(cache.lookup("a"), "data");
  EXPECT_FALSE(ContentCache({folder}, "target").lookup("a"));
  EXPECT_FALSE(ContentCache({""}, "kernel").isOn());
}

TEST_F(ContentCacheTest, KeysTellPartsApart) {
  EXPECT_EQ(ContentCache::key({"ab", "c"}), ContentCache::key({"ab", "c"}));
  EXPECT_NE(ContentCache::key({"ab", "c"}), ContentCache::key({"a", "bc"}));
}

TEST_F(ContentCacheTest, DamageIsAbsence) {
  ContentCache cache({folder}, "kernel");
  cache.insert("a", std::string(1000, 'd'));
  std::string path = folder + "/a.kernel";
  auto good = (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  for (size_t place : {size_t(0), size_t(20), good.size() - 1}) {
    std::string damaged = good;
    damaged[place] ^= 1;
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << damaged;
    EXPECT_FALSE(cache.lookup("a")) << place;
  }
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << good.substr(0, good.size() / 2);
  EXPECT_FALSE(cache.lookup("a"));
}

TEST_F(ContentCacheTest, AFileUnderAnothersNameIsAbsence) {
  ContentCache cache({folder}, "kernel");
  cache.insert("a", "data");
  ASSERT_FALSE(fs::copy_file(folder + "/a.kernel", folder + "/b.kernel"));
  EXPECT_FALSE(cache.lookup("b"));
}

TEST_F(ContentCacheTest, WhatIsNoFileOrTooLargeIsAbsence) {
  ASSERT_EQ(mkfifo((folder + "/pipe.kernel").c_str(), 0600), 0);
  ASSERT_FALSE(fs::create_directory(folder + "/folder.kernel"));
  EXPECT_FALSE(ContentCache({folder}, "kernel").lookup("pipe"));
  EXPECT_FALSE(ContentCache({folder}, "kernel").lookup("folder"));
  ContentCache small({folder, 100}, "target");
  small.insert("a", std::string(1000, 'd'));
  EXPECT_FALSE(small.lookup("a"));
}

TEST_F(ContentCacheTest, WhatWasNotUsedForLongestGoesFirst) {
  make("old.kernel", 100, 3000);
  make("older.target", 100, 4000);
  make("new.kernel", 100, 1000);
  make("mine.txt", 1000, 9000);
  make("writing.tmp", 100, 10);
  make("left.tmp", 100, 9000);
  trimCache(folder, 250);
  EXPECT_TRUE(has("new.kernel"));
  EXPECT_TRUE(has("old.kernel"));
  EXPECT_FALSE(has("older.target"));
  EXPECT_TRUE(has("mine.txt"));
  EXPECT_TRUE(has("writing.tmp"));
  EXPECT_FALSE(has("left.tmp"));
  trimCache(folder, 1000);
  EXPECT_TRUE(has("old.kernel"));
}

TEST_F(ContentCacheTest, UseMakesAFileNew) {
  {
    ContentCache cache({folder}, "kernel");
    cache.insert("used", std::string(100, 'a'));
    cache.insert("unused", std::string(100, 'b'));
  }
  for (const char *name : {"used.kernel", "unused.kernel"}) {
    timespec past[2] = {{1000, 0}, {1000, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, (folder + "/" + name).c_str(), past, 0), 0);
  }
  ContentCache cache({folder}, "kernel");
  EXPECT_TRUE(cache.lookup("used"));
  trimCache(folder, 200);
  EXPECT_TRUE(has("used.kernel"));
  EXPECT_FALSE(has("unused.kernel"));
}

TEST_F(ContentCacheTest, ManyWritersAndTrimmers) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        ContentCache cache({folder, 5000}, "kernel");
        std::string key = std::to_string((i * 7 + t) % 20), data(200, char('a' + (i * 7 + t) % 20));
        cache.insert(key, data);
        if (auto found = cache.lookup(key)) {
          EXPECT_EQ(*found, data);
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  uint64_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; it != end; it.increment(error))
    total += it->status()->getSize();
  EXPECT_LE(total, 5000u);
}
