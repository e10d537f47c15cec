// Accesses of register tiles to shared memory by plain loads and stores: the offsets of every lane as terms.
#include "SharedAccess.h"
#include "Bits.h"
#include <algorithm>

using namespace tilewright::layout;

std::optional<OffsetForm> tilewright::layout::offsetForm(const SharedLayout &shared,
                                                         const LinearLayout &layout,
                                                         const std::vector<int> &registers) {
  int lanes = layout.numLanes(), warps = layout.numWarps();
  Coord element;
  auto offset = [&](int reg, int lane, int warp) {
    layout.apply({reg, lane, warp}, element);
    return shared.offsetOf(element);
  };
  std::vector<int64_t> base;
  for (int warp = 0; warp < warps; ++warp)
    for (int lane = 0; lane < lanes; ++lane)
      base.push_back(offset(0, lane, warp));

  OffsetForm form;
  std::array<std::vector<int64_t>, 4> bases;
  for (int lane = 1; lane < lanes; lane *= 2)
    bases[static_cast<size_t>(Hw::Lane)].push_back(base[lane]);
  for (int warp = 1; warp < warps; warp *= 2)
    bases[static_cast<size_t>(Hw::Warp)].push_back(base[size_t(warp) * lanes]);
  bool found = base[0] == 0;
  for (Join meaning : {Join::Add, Join::Xor}) {
    if (!found)
      break;
    form.base = bitSum(bases, meaning);
    bool holds = true;
    for (int warp = 0; warp < warps && holds; ++warp)
      for (int lane = 0; lane < lanes && holds; ++lane)
        holds = form.base.evaluate(lane, warp) == base[size_t(warp) * lanes + lane];
    if (holds)
      break;
    found = meaning != Join::Xor;
  }
  if (!found)
    return std::nullopt;

  int atomRegs = layout.atomRegisters();
  for (int reg : registers) {
    int64_t first = offset(reg, 0, 0), inAtom = offset(reg % atomRegs, 0, 0);
    // In order of preference: an immediate, a xor, both.
    std::pair<int64_t, int64_t> candidates[] = {{0, first}, {first, 0}, {inAtom, first - inAtom}};
    bool fits[] = {true, true, true};
    for (int warp = 0; warp < warps; ++warp)
      for (int lane = 0; lane < lanes; ++lane) {
        int64_t actual = offset(reg, lane, warp), from = base[size_t(warp) * lanes + lane];
        for (int i = 0; i < 3; ++i)
          fits[i] &= ((from ^ candidates[i].first) + candidates[i].second) == actual;
      }
    int best = fits[0] ? 0 : fits[1] ? 1 : 2;
    if (!fits[best])
      return std::nullopt;
    form.perRegister.push_back(candidates[best]);
  }
  return form;
}

VectorAccess tilewright::layout::sharedVectors(const LinearLayout &layout, int fastestDim,
                                               int64_t alignedElems, int elemBits, int maxBits) {
  if (layout.rank() == 0)
    return {1, {{0}}};
  // Elements below a byte are stored as bytes.
  int bits = std::max(elemBits, 8);
  return layout.vectorAccess(bits, fastestDim, static_cast<int>(std::min<int64_t>(alignedElems, 128) * bits),
                             maxBits);
}

std::optional<SharedAccess> tilewright::layout::sharedAccess(const SharedLayout &shared,
                                                             const LinearLayout &layout, int elemBits,
                                                             int maxBits) {
  if (shared.shape() != layout.shape())
    return std::nullopt;
  VectorAccess vectors = sharedVectors(layout, shared.fastestDim(), shared.vectorElems(), elemBits, maxBits);
  std::vector<int> firsts;
  for (const std::vector<int> &group : vectors.groups)
    firsts.push_back(group.front());
  std::optional<OffsetForm> form = offsetForm(shared, layout, firsts);
  if (!form)
    return std::nullopt;
  SharedAccess access;
  access.base = std::move(form->base);
  access.vectorElems = vectors.elems;
  for (size_t i = 0; i < vectors.groups.size(); ++i)
    access.instructions.push_back(
        {std::move(vectors.groups[i]), form->perRegister[i].first, form->perRegister[i].second});
  access.canonical = layout.canonicalRegisters();
  access.freeLanes = layout.freeBits(Hw::Lane);
  access.freeWarps = layout.freeBits(Hw::Warp);
  return access;
}
