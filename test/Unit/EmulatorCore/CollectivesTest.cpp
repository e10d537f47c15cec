// Shuffles, votes, matches and reductions against their definition in the PTX ISA, over all lanes.
#include "KernelFixture.h"

using namespace tilewright::emulator;

namespace {
struct ShuffleResult {
  uint32_t value, valid;
};
} // namespace

static std::vector<ShuffleResult> shuffleAll(ShuffleKind kind, uint32_t offset, uint32_t clamp) {
  KernelFixture kernel;
  std::vector<ShuffleResult> results(32);
  Fault fault = kernel.run([&](Thread &self) {
    uint32_t *in = self.registers.in;
    in[0] = 100 + self.registers.lane;
    in[1] = offset;
    in[2] = clamp;
    in[3] = uint32_t(kind);
    callCollective(self, CollectiveKind::Shuffle);
    results[self.registers.lane] = {self.registers.out[0], self.registers.out[1]};
  });
  EXPECT_FALSE(fault) << fault.sentence;
  return results;
}

TEST(Shuffle, WholeWarp) {
  for (uint32_t offset = 0; offset < 32; ++offset) {
    auto up = shuffleAll(ShuffleKind::Up, offset, 0), down = shuffleAll(ShuffleKind::Down, offset, 31),
         butterfly = shuffleAll(ShuffleKind::Butterfly, offset, 31),
         index = shuffleAll(ShuffleKind::Index, offset, 31);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(up[lane].valid, lane >= offset);
      EXPECT_EQ(up[lane].value, 100 + (lane >= offset ? lane - offset : lane));
      EXPECT_EQ(down[lane].valid, lane + offset < 32);
      EXPECT_EQ(down[lane].value, 100 + (lane + offset < 32 ? lane + offset : lane));
      EXPECT_EQ(butterfly[lane].value, 100 + (lane ^ offset));
      EXPECT_EQ(index[lane].value, 100 + offset);
    }
  }
}

TEST(Shuffle, SegmentsOfEight) {
  // Segment mask 0b11000 in bits 12..8, clamp 7: __shfl_*_sync with width 8.
  constexpr uint32_t clamp = 0x1800 | 7, clampUp = 0x1800;
  for (uint32_t offset = 0; offset < 8; ++offset) {
    auto up = shuffleAll(ShuffleKind::Up, offset, clampUp),
         down = shuffleAll(ShuffleKind::Down, offset, clamp),
         index = shuffleAll(ShuffleKind::Index, offset, clamp);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      uint32_t base = lane & 24, inside = lane & 7;
      EXPECT_EQ(up[lane].value, 100 + (inside >= offset ? lane - offset : lane));
      EXPECT_EQ(down[lane].value, 100 + (inside + offset < 8 ? lane + offset : lane));
      EXPECT_EQ(index[lane].value, 100 + base + offset);
    }
  }
}

static uint32_t voteOf(VoteKind kind, uint32_t predicates, uint32_t mask) {
  KernelFixture kernel;
  uint32_t result = 0;
  Fault fault = kernel.run([&](Thread &self) {
    if (!(mask >> self.registers.lane & 1))
      return;
    self.registers.in[0] = predicates >> self.registers.lane & 1;
    self.registers.in[1] = uint32_t(kind);
    callCollective(self, CollectiveKind::Vote, mask);
    result = self.registers.out[0];
  });
  // Lanes outside the mask exit, which is allowed.
  EXPECT_FALSE(fault) << fault.sentence;
  return result;
}

TEST(Vote, Kinds) {
  EXPECT_EQ(voteOf(VoteKind::Ballot, 0x12345678, ~0u), 0x12345678u);
  EXPECT_EQ(voteOf(VoteKind::Ballot, 0x12345678, 0x0000FFFF), 0x5678u);
  EXPECT_EQ(voteOf(VoteKind::Any, 0, ~0u), 0u);
  EXPECT_EQ(voteOf(VoteKind::Any, 4, ~0u), 1u);
  EXPECT_EQ(voteOf(VoteKind::All, ~0u, ~0u), 1u);
  EXPECT_EQ(voteOf(VoteKind::All, 0xFFFF, 0xFFFF), 1u);
  EXPECT_EQ(voteOf(VoteKind::All, 0xFFFE, 0xFFFF), 0u);
  EXPECT_EQ(voteOf(VoteKind::Uniform, 0, ~0u), 1u);
  EXPECT_EQ(voteOf(VoteKind::Uniform, 1, ~0u), 0u);
}

static uint32_t reduceLanes(ReduxKind kind, uint32_t flags, std::function<uint32_t(uint32_t)> value) {
  KernelFixture kernel;
  uint32_t result = 0;
  kernel.run([&](Thread &self) {
    self.registers.in[0] = value(self.registers.lane);
    self.registers.in[1] = uint32_t(kind);
    self.registers.in[2] = flags;
    callCollective(self, CollectiveKind::Redux);
    result = self.registers.out[0];
  });
  return result;
}

static uint32_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, 4);
  return result;
}

TEST(Redux, Kinds) {
  auto ramp = [](uint32_t lane) { return lane - 5; };
  EXPECT_EQ(reduceLanes(ReduxKind::Add, 0, ramp), uint32_t(31 * 16 - 5 * 32));
  EXPECT_EQ(reduceLanes(ReduxKind::MaxSigned, 0, ramp), 26u);
  EXPECT_EQ(reduceLanes(ReduxKind::MinSigned, 0, ramp), uint32_t(-5));
  EXPECT_EQ(reduceLanes(ReduxKind::MaxUnsigned, 0, ramp), ~0u);
  EXPECT_EQ(reduceLanes(ReduxKind::MinUnsigned, 0, ramp), 0u);
  EXPECT_EQ(reduceLanes(ReduxKind::Xor, 0, [](uint32_t lane) { return 1u << lane; }), ~0u);
  EXPECT_EQ(reduceLanes(ReduxKind::Or, 0, [](uint32_t lane) { return lane; }), 31u);
  EXPECT_EQ(reduceLanes(ReduxKind::And, 0, [](uint32_t lane) { return lane | 8; }), 8u);
  auto floats = [](uint32_t lane) { return bits(lane == 3 ? -20.0f : float(lane) / 2); };
  EXPECT_EQ(reduceLanes(ReduxKind::MaxFloat, 0, floats), bits(15.5f));
  EXPECT_EQ(reduceLanes(ReduxKind::MaxFloat, 1, floats), bits(20.0f));
  EXPECT_EQ(reduceLanes(ReduxKind::MinFloat, 0, floats), bits(-20.0f));
}

TEST(Match, AnyAndAll) {
  KernelFixture kernel;
  kernel.run([&](Thread &self) {
    uint32_t lane = self.registers.lane;
    self.registers.in[0] = lane % 4;
    self.registers.in[1] = 0;
    self.registers.in[2] = 0;
    callCollective(self, CollectiveKind::Match);
    EXPECT_EQ(self.registers.out[0], 0x11111111u << lane % 4);
    self.registers.in[2] = 1;
    callCollective(self, CollectiveKind::Match);
    EXPECT_EQ(self.registers.out[0], 0u);
    EXPECT_EQ(self.registers.out[1], 0u);
    self.registers.in[0] = 9;
    callCollective(self, CollectiveKind::Match);
    EXPECT_EQ(self.registers.out[0], ~0u);
    EXPECT_EQ(self.registers.out[1], 1u);
  });
}

TEST(Collective, HalvesMeetIndependently) {
  for (uint64_t seed = 0; seed < 16; ++seed) {
    KernelFixture kernel;
    kernel.options.seed = seed;
    Fault fault = kernel.run([&](Thread &self) {
      uint32_t half = self.registers.lane / 16, mask = half ? 0xFFFF0000 : 0xFFFF;
      for (uint32_t i = 0; i < 3 + 4 * half; ++i) {
        self.registers.in[0] = 1;
        self.registers.in[1] = uint32_t(VoteKind::Ballot);
        callCollective(self, CollectiveKind::Vote, mask, int(half));
        EXPECT_EQ(self.registers.out[0], mask);
      }
    });
    EXPECT_FALSE(fault) << fault.sentence;
  }
}
