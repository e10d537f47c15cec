// Accesses of register tiles to shared memory: the offsets of every lane as terms, by plain loads and stores
// or by ldmatrix.
#include "Bits.h"
#include "Tilewright/Layout/SharedLayout.h"
#include <algorithm>

using namespace tilewright::layout;

namespace {
/// Offsets of chosen registers over all lanes and warps: (base ^ constant) + added.
struct OffsetForm {
  BitSum base;
  std::vector<std::pair<int64_t, int64_t>> perRegister; // constant, added
};
} // namespace

/// Finds the form by evaluation and proves it by evaluating all lanes and warps; nullopt when there is none.
static std::optional<OffsetForm> offsetForm(const SharedLayout &shared, const LinearLayout &layout,
                                            const std::vector<int> &registers) {
  int lanes = layout.numLanes(), warps = layout.numWarps();
  auto offset = [&](int reg, int lane, int warp) { return shared.offsetOf(layout.apply(reg, lane, warp)); };
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

std::optional<SharedAccess> tilewright::layout::sharedAccess(const SharedLayout &shared,
                                                             const LinearLayout &layout, int elemBits,
                                                             int maxBits) {
  if (shared.shape() != layout.shape())
    return std::nullopt;
  int bits = std::max(elemBits, 8);
  VectorAccess vectors;
  if (layout.rank() == 0)
    vectors.groups = {{0}};
  else
    vectors =
        layout.vectorAccess(bits, shared.fastestDim(),
                            static_cast<int>(std::min<int64_t>(shared.vectorElems(), 128) * bits), maxBits);
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

/// The dim along which all `bases` step by step, 2*step, 4*step...; -1 when they do not.
static int steppingDim(const std::vector<Coord> &bases, int32_t step) {
  int dim = -1;
  for (const Coord &basis : bases) {
    for (size_t d = 0; d < basis.size(); ++d) {
      if (basis[d] == 0)
        continue;
      if (basis[d] != step || (dim >= 0 && dim != static_cast<int>(d)))
        return -1;
      dim = static_cast<int>(d);
    }
    if (isZero(basis))
      return -1;
    step *= 2;
  }
  return dim;
}

std::optional<LdmatrixPlan> tilewright::layout::ldmatrixPlan(const SharedLayout &shared,
                                                             const LinearLayout &fragment, int elemBits) {
  if (shared.shape() != fragment.shape() || fragment.numLanes() != 32 ||
      (elemBits != 8 && elemBits != 16 && elemBits != 32))
    return std::nullopt;
  // The fragment's packed dim x: elements of a 32-bit register, then lane bits 0 and 1. Dim y: lane
  // bits 2..4.
  int packed = 32 / elemBits, packedBits = log2Of(packed);
  const LinearLayout::Bases &registers = fragment.bases(Hw::Register), &lanes = fragment.bases(Hw::Lane);
  if (static_cast<int>(registers.size()) < packedBits)
    return std::nullopt;
  std::vector<Coord> alongX(registers.begin(), registers.begin() + packedBits);
  alongX.insert(alongX.end(), lanes.begin(), lanes.begin() + 2);
  int x = steppingDim(alongX, 1), y = steppingDim({lanes.begin() + 2, lanes.end()}, 1);
  if (x < 0 || y < 0 || x == y)
    return std::nullopt;

  LdmatrixPlan plan;
  plan.elemsPerMatrix = packed;
  int fastest = shared.fastestDim();
  plan.transposed = fastest != x;
  if (plan.transposed && (fastest != y || elemBits != 16))
    return std::nullopt;
  int32_t rowElems = 128 / elemBits;
  if (shared.vectorElems() < rowElems || fragment.atom()[fastest] < rowElems)
    return std::nullopt;

  // Lanes 8*i .. 8*i+7 give the rows of matrix i; the next register bits number the matrices.
  uint32_t freeRegisters = fragment.freeBits(Hw::Register);
  std::vector<int> matrixBits;
  std::array<LinearLayout::Bases, 4> rows;
  int rowDim = plan.transposed ? x : y;
  for (int32_t step : {1, 2, 4}) {
    Coord basis(fragment.rank(), 0);
    basis[rowDim] = step;
    rows[static_cast<size_t>(Hw::Lane)].push_back(std::move(basis));
  }
  std::vector<int> outerBits;
  for (int bit = packedBits; bit < static_cast<int>(registers.size()); ++bit) {
    if ((freeRegisters >> bit) & 1)
      continue;
    // Each row starts at a multiple of 16 bytes, and matrices do not interleave.
    if (registers[bit][fastest] % rowElems != 0 || registers[bit][rowDim] % 8 != 0)
      return std::nullopt;
    (matrixBits.size() < 2 ? matrixBits : outerBits).push_back(bit);
  }
  for (int bit : matrixBits)
    rows[static_cast<size_t>(Hw::Lane)].push_back(registers[bit]);
  while (rows[static_cast<size_t>(Hw::Lane)].size() < 5)
    rows[static_cast<size_t>(Hw::Lane)].push_back(Coord(fragment.rank(), 0));
  for (int bit : outerBits)
    rows[0].push_back(registers[bit]);
  for (const Coord &basis : fragment.bases(Hw::Warp)) {
    if (basis[fastest] % rowElems != 0 || basis[rowDim] % 8 != 0)
      return std::nullopt;
    rows[static_cast<size_t>(Hw::Warp)].push_back(basis);
  }
  std::optional<LinearLayout> rowLayout =
      LinearLayout::create(fragment.shape(), std::move(rows), fragment.repeat());
  if (!rowLayout || rowLayout->atom() != fragment.atom())
    return std::nullopt;
  plan.rows = *rowLayout;
  plan.count = 1 << matrixBits.size();
  std::vector<int> all;
  for (int r = 0; r < plan.rows.numRegisters(); ++r)
    all.push_back(r);
  std::optional<OffsetForm> form = offsetForm(shared, plan.rows, all);
  if (!form)
    return std::nullopt;
  plan.rowAddress = std::move(form->base);
  int rowRegs = plan.rows.atomRegisters();
  for (int r : all) {
    LdmatrixInstruction &instruction = plan.instructions.emplace_back();
    instruction.count = plan.count;
    instruction.constant = form->perRegister[r].first;
    instruction.added = form->perRegister[r].second;
    int first = r / rowRegs * fragment.atomRegisters();
    for (size_t bit = 0; bit < outerBits.size(); ++bit)
      if ((r >> bit) & 1)
        first += 1 << outerBits[bit];
    for (int matrix = 0; matrix < plan.count; ++matrix)
      for (int e = 0; e < packed; ++e) {
        int reg = first + e;
        for (size_t bit = 0; bit < matrixBits.size(); ++bit)
          if ((matrix >> bit) & 1)
            reg += 1 << matrixBits[bit];
        instruction.registers.push_back(reg);
      }
  }
  plan.canonical = fragment.canonicalRegisters();
  return plan;
}
