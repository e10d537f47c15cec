// No bytes whatever crash the reader: cut, flipped or made up, with their hashes wrong or put right again.
#include "Sample.h"
#include "Tilewright/Package/Reader.h"

#include "Package_generated.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace tilewright::package;

namespace {
/// A package in memory, aligned as a mapping is.
class Damaged : public testing::Test {
protected:
  void SetUp() override {
    ScratchFolder folder;
    Package p = samplePackage();
    ASSERT_EQ(writePackage(p, sampleWeightSource(p), folder.file("a.tw")), "");
    good = readFile(folder.file("a.tw"));
  }
  /// The reader's sentence about `bytes`, or "" when it takes them; then every field is read.
  std::string read(const std::string &bytes) {
    void *memory = nullptr;
    EXPECT_EQ(posix_memalign(&memory, 4096, bytes.size() + 1), 0);
    std::memcpy(memory, bytes.data(), bytes.size());
    PackageView view;
    ReadError error;
    bool sound = openPackageMemory(memory, bytes.size(), view, error);
    if (sound) { // A write and a read through every offset would fault under the sanitizers.
      uint64_t sum = 0;
      for (const fb::Kernel *k : *view.table->kernels())
        for (const fb::Image *i : *k->images())
          sum += view.imageData()[i->offset() + i->bytes() - 1];
      for (const fb::Weight *w : *view.table->weights())
        sum += view.weightData() ? view.weightData()[w->offset() + w->bytes() - 1] : 0;
      EXPECT_NE(sum, ~uint64_t(0));
    }
    free(memory);
    EXPECT_EQ(sound, error.message[0] == 0);
    return error.message;
  }
  FileHeader header() const {
    FileHeader h;
    std::memcpy(&h, good.data(), sizeof h);
    return h;
  }
  static void setHeader(std::string &bytes, FileHeader h) {
    if (h.tableOffset <= bytes.size() && h.tableBytes <= bytes.size() - h.tableOffset)
      h.tableHash = contentHash(bytes.data() + h.tableOffset, h.tableBytes);
    h.headerHash = contentHash(&h, offsetof(FileHeader, headerHash));
    std::memcpy(bytes.data(), &h, sizeof h);
  }
  std::string good;
};
} // namespace

TEST_F(Damaged, SaysThatItIsNoPackage) {
  EXPECT_EQ(read(""), "not a Tilewright package: 0 bytes, the header alone has 64");
  EXPECT_EQ(read(std::string(4096, 'x')), "not a Tilewright package: the first bytes are not its magic");
}

TEST_F(Damaged, SaysThatItIsOfAnotherVersion) {
  FileHeader h = header();
  h.version = 2;
  setHeader(good, h);
  EXPECT_EQ(read(good), "the package has format version 2, this runtime reads version 1");
}

TEST_F(Damaged, SaysThatItIsCutShort) {
  EXPECT_NE(read(good.substr(0, good.size() - 1)).find("cut short"), std::string::npos);
  for (size_t length = 0; length < good.size(); length += 97)
    EXPECT_NE(read(good.substr(0, length)), "");
}

TEST_F(Damaged, SaysWhichPartIsDamaged) {
  std::string table = good, image = good, emulation = good;
  table[header().tableOffset + 40] ^= 1;
  EXPECT_EQ(read(table), "the package's table is damaged: its hash does not match");
  image[4096] ^= 1;
  EXPECT_EQ(read(image), "the package's image segment is damaged: its hash does not match");
  emulation[8192] ^= 1;
  EXPECT_EQ(read(emulation), "the package's emulation segment is damaged: its hash does not match");
}

TEST_F(Damaged, SurvivesEveryFlippedBitOfTheTableWithItsHashPutRight) {
  FileHeader h = header();
  for (uint64_t i = 0; i < h.tableBytes; ++i)
    for (int bit : {0, 3, 7}) {
      std::string bytes = good;
      bytes[h.tableOffset + i] ^= char(1 << bit);
      setHeader(bytes, h);
      read(bytes);
    }
}

TEST_F(Damaged, SurvivesRandomNumbersInTheTable) {
  std::mt19937_64 random(1);
  FileHeader h = header();
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (unsigned n = 1 + random() % 4; n; --n) {
      uint64_t at = h.tableOffset + random() % (h.tableBytes / 4) * 4;
      const uint32_t values[] = {0, 1, 0x7fffffff, 0xffffffff, uint32_t(random()), uint32_t(h.tableBytes)};
      uint32_t value = values[random() % 6];
      std::memcpy(bytes.data() + at, &value, 4);
    }
    setHeader(bytes, h);
    read(bytes);
  }
}

TEST_F(Damaged, SurvivesRandomHeaders) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20000; ++round) {
    FileHeader h = header();
    uint64_t *fields[] = {&h.fileBytes, &h.tableOffset, &h.tableBytes};
    const uint64_t values[] = {0, 4096, 8192, good.size(), ~uint64_t(0), ~uint64_t(0) - 4095, random()};
    *fields[random() % 3] = values[random() % 7];
    *fields[random() % 3] = values[random() % 7];
    std::string bytes = good;
    setHeader(bytes, h);
    read(bytes);
  }
}
