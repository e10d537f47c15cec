// The content hash gives the published XXH64 values, in one piece or in any pieces.
#include "Tilewright/Package/Hash.h"
#include "Tilewright/Package/Package.h"

#include <gtest/gtest.h>

#include <string>

using namespace tilewright::package;

TEST(ContentHash, GivesPublishedValues) {
  EXPECT_EQ(contentHash("", 0), 0xEF46DB3751D8E999ull);
  EXPECT_EQ(contentHash("a", 1), 0xD24EC4F1A98C6E5Bull);
  EXPECT_EQ(contentHash("abc", 3), 0x44BC2CF5AD770999ull);
}

TEST(ContentHash, IsTheSameInAnyPieces) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += char(i * 37);
  for (size_t length = 0; length <= text.size(); ++length)
    for (size_t piece : {1, 3, 31, 32, 33, 64}) {
      ContentHasher hasher;
      for (size_t at = 0; at < length; at += piece)
        hasher.add(text.data() + at, std::min(piece, length - at));
      ASSERT_EQ(hasher.value(), contentHash(text.data(), length)) << length << " in pieces of " << piece;
    }
}
