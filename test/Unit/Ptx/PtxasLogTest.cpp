// Reading what `ptxas -v` prints: resources, performance warnings with their codes, errors with their place.
#include "../../../lib/Ptx/Ptxas.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::ptxstage;

TEST(PtxasLog, ReadsResourcesAndCodes) {
  KernelResources resources;
  std::vector<PtxasMessage> messages;
  parsePtxasLog(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
      "ptxas info    : Function properties for k\n"
      "    1744 bytes stack frame, 2304 bytes spill stores, 3300 bytes spill loads\n"
      "ptxas info    : Used 254 registers, used 1 barriers, 1744 bytes cumulative stack size, 512 bytes "
      "smem\n"
      "ptxas info    : Compile time = 21.5 ms\n",
      resources, messages);
  EXPECT_EQ(resources.registers, 254u);
  EXPECT_EQ(resources.stackBytes, 1744u);
  EXPECT_EQ(resources.spillStores, 2304u);
  EXPECT_EQ(resources.spillLoads, 3300u);
  EXPECT_EQ(resources.staticShared, 512u);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].code, "C7510");
  EXPECT_EQ(messages[0].text, "Potential Performance Loss: wgmma.mma_async instructions are serialized");
  EXPECT_EQ(messages[1].code, "spill");
}

TEST(PtxasLog, ReadsErrors) {
  KernelResources resources;
  std::vector<PtxasMessage> messages;
  parsePtxasLog("ptxas kernel.ptx, line 12; error   : Unknown symbol 'foo'\n"
                "ptxas warning : Unresolved extern variable\n"
                "ptxas fatal   : Ptx assembly aborted due to errors\n",
                resources, messages);
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].severity, PtxasMessage::Severity::Error);
  EXPECT_EQ(messages[0].text, "kernel.ptx, line 12: Unknown symbol 'foo'");
  EXPECT_EQ(messages[1].severity, PtxasMessage::Severity::Warning);
  EXPECT_EQ(messages[2].severity, PtxasMessage::Severity::Error);
}
