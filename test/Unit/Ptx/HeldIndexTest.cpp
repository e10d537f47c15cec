// withHeldIndex: PTX whose code reads the block's index again, by hand-made cubins.
#include "../../../lib/Ptx/HeldIndex.h"
#include "../../../lib/Ptx/Cubin.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace tilewright::ptxstage;

/// A cubin whose code reads special registers: a header, two section headers, their names, the code.
static std::string cubinThatReads(std::initializer_list<uint8_t> registers) {
  constexpr size_t header = 64, section = 64;
  std::string names("\0.text.k", 9), code;
  for (uint8_t special : registers) {
    std::string read(kInstructionBytes, '\0');
    read[0] = 0x19, read[1] = 0x79, read[9] = (char)special;
    code += read;
  }
  std::string cubin(header + 2 * section, '\0');
  std::memcpy(cubin.data(),
              "\x7f"
              "ELF",
              4);
  auto put = [&](size_t at, uint64_t value, size_t bytes) { std::memcpy(&cubin[at], &value, bytes); };
  put(0x28, header, 8);
  put(0x3a, section, 2);
  put(0x3c, 2, 2);
  put(0x3e, 0, 2);
  put(header + 0x18, cubin.size(), 8);
  put(header + section, 1, 4);
  put(header + section + 0x18, cubin.size() + names.size(), 8);
  put(header + section + 0x20, code.size(), 8);
  return cubin + names + code;
}

static constexpr llvm::StringLiteral kPtx =
    "\n.reqntid 128, 1, 1\n{\n\tmov.u32 \t%r1, %ctaid.x;\n\tret;\n}\n";
static constexpr uint8_t tidX = 0x21, ctaidX = 0x25, ctaidY = 0x26;

TEST(HeldIndex, CountsReadsOfTheBlocksIndex) {
  EXPECT_EQ(blockIndexReads(cubinThatReads({tidX, tidX, ctaidX, ctaidY})), 1u);
  EXPECT_EQ(blockIndexReads(cubinThatReads({ctaidX, ctaidY, ctaidX, ctaidX})), 3u);
  EXPECT_EQ(blockIndexReads(cubinThatReads({})), 0u);
  EXPECT_EQ(blockIndexReads("\x7f"
                            "ELF"),
            0u);
  // Whatever is cut off: no read beyond the end.
  std::string whole = cubinThatReads({ctaidX, ctaidX});
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_LE(blockIndexReads(llvm::StringRef(whole).take_front(size)), 2u);
}

TEST(HeldIndex, HoldsWhatIsReadAgain) {
  std::string again = cubinThatReads({ctaidX, tidX, ctaidX});
  EXPECT_EQ(withHeldIndex(kPtx, again), "\n.reqntid 128, 1, 1\n{\n\tmov.u32 \t%r1, "
                                        "%ctaid.x;\n\tredux.sync.or.b32 \t%r1, %r1, -1;\n\tret;\n}\n");
  EXPECT_EQ(withHeldIndex(kPtx, cubinThatReads({ctaidX, tidX})), "");
  // Behind what is called as a branch begins, not behind a branch.
  std::string named = "\n.reqntid 128, 1, 1\n{\n\tld.param.b64 \t%rd1, [vibrate_param_0];\n"
                      "\tmov.u32 \t%r1, %ctaid.x;\n";
  EXPECT_NE(withHeldIndex(named, again), "");
  std::string behind = "\n.reqntid 128, 1, 1\n{\n\t@%p1 bra \t$L__BB0_2;\n\tmov.u32 \t%r1, %ctaid.x;\n";
  EXPECT_EQ(withHeldIndex(behind, again), "");
}

TEST(HeldIndex, LeavesIndicesThatNotAllThreadsRead) {
  std::string again = cubinThatReads({ctaidX, ctaidX});
  EXPECT_EQ(withHeldIndex("\n.reqntid 100, 1, 1\n{\n\tmov.u32 \t%r1, %ctaid.x;\n\tret;\n}\n", again), "");
  EXPECT_EQ(
      withHeldIndex("\n.reqntid 128, 1, 1\n{\n$L__BB0_1:\n\tmov.u32 \t%r1, %ctaid.x;\n\tret;\n}\n", again),
      "");
  EXPECT_EQ(withHeldIndex("{\n\tmov.u32 \t%r1, %ctaid.x;\n\tret;\n}\n", again), "");
}
