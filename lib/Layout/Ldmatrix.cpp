// Reading mma operands by ldmatrix: which fragments it fills, with which rows.
#include "Bits.h"
#include "SharedAccess.h"
#include <algorithm>

using namespace tilewright::layout;

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

std::optional<LdmatrixRows> tilewright::layout::ldmatrixRows(const LinearLayout &fragment, int elemBits,
                                                             int fastest) {
  if (fragment.numLanes() != 32 || (elemBits != 8 && elemBits != 16 && elemBits != 32))
    return std::nullopt;
  // The fragment's packed dim x: elements of a 32-bit register, then lane bits 0 and 1. Dim y: lane
  // bits 2..4.
  int packedBits = log2Of(32 / elemBits);
  const LinearLayout::Bases &registers = fragment.bases(Hw::Register), &lanes = fragment.bases(Hw::Lane);
  if (static_cast<int>(registers.size()) < packedBits)
    return std::nullopt;
  std::vector<Coord> alongX(registers.begin(), registers.begin() + packedBits);
  alongX.insert(alongX.end(), lanes.begin(), lanes.begin() + 2);
  int x = steppingDim(alongX, 1), y = steppingDim({lanes.begin() + 2, lanes.end()}, 1);
  if (x < 0 || y < 0 || x == y)
    return std::nullopt;

  LdmatrixRows out;
  out.transposed = fastest != x;
  if (out.transposed && (fastest != y || elemBits != 16))
    return std::nullopt;
  int32_t rowElems = 128 / elemBits;
  if (fragment.atom()[fastest] < rowElems)
    return std::nullopt;

  // Lanes 8*i .. 8*i+7 give the rows of matrix i; the next register bits number the matrices.
  int rowDim = out.transposed ? x : y;
  // Each row starts at a multiple of 16 bytes, and matrices do not interleave.
  auto startsMatrix = [&](const Coord &basis) {
    return basis[fastest] % rowElems == 0 && basis[rowDim] % 8 == 0;
  };
  std::array<LinearLayout::Bases, 4> rows;
  LinearLayout::Bases &laneRows = rows[static_cast<size_t>(Hw::Lane)];
  for (int32_t step : {1, 2, 4}) {
    laneRows.push_back(Coord(fragment.rank(), 0));
    laneRows.back()[rowDim] = step;
  }
  uint32_t freeRegisters = fragment.freeBits(Hw::Register);
  for (int bit = packedBits; bit < static_cast<int>(registers.size()); ++bit) {
    if ((freeRegisters >> bit) & 1)
      continue;
    if (!startsMatrix(registers[bit]))
      return std::nullopt;
    (out.matrixBits.size() < 2 ? out.matrixBits : out.outerBits).push_back(bit);
  }
  for (int bit : out.matrixBits)
    laneRows.push_back(registers[bit]);
  while (laneRows.size() < 5)
    laneRows.push_back(Coord(fragment.rank(), 0));
  for (int bit : out.outerBits)
    rows[0].push_back(registers[bit]);
  for (const Coord &basis : fragment.bases(Hw::Warp)) {
    if (!startsMatrix(basis))
      return std::nullopt;
    rows[static_cast<size_t>(Hw::Warp)].push_back(basis);
  }
  std::optional<LinearLayout> rowLayout =
      LinearLayout::create(fragment.shape(), std::move(rows), fragment.repeat());
  if (!rowLayout || rowLayout->atom() != fragment.atom())
    return std::nullopt;
  out.rows = std::move(*rowLayout);
  out.count = 1 << out.matrixBits.size();
  return out;
}

std::optional<LdmatrixPlan> tilewright::layout::ldmatrixPlan(const SharedLayout &shared,
                                                             const LinearLayout &fragment, int elemBits) {
  if (shared.shape() != fragment.shape() || shared.rank() == 0)
    return std::nullopt;
  std::optional<LdmatrixRows> rows = ldmatrixRows(fragment, elemBits, shared.fastestDim());
  if (!rows || shared.vectorElems() < 128 / elemBits)
    return std::nullopt;
  std::vector<int> all;
  for (int r = 0; r < rows->rows.numRegisters(); ++r)
    all.push_back(r);
  std::optional<OffsetForm> form = offsetForm(shared, rows->rows, all);
  if (!form)
    return std::nullopt;
  LdmatrixPlan plan;
  plan.transposed = rows->transposed;
  plan.count = rows->count;
  plan.elemsPerMatrix = 32 / elemBits;
  plan.rowAddress = std::move(form->base);
  int rowRegs = rows->rows.atomRegisters();
  for (int r : all) {
    LdmatrixInstruction &instruction = plan.instructions.emplace_back();
    instruction.count = plan.count;
    instruction.constant = form->perRegister[r].first;
    instruction.added = form->perRegister[r].second;
    int first = r / rowRegs * fragment.atomRegisters();
    for (size_t bit = 0; bit < rows->outerBits.size(); ++bit)
      if ((r >> bit) & 1)
        first += 1 << rows->outerBits[bit];
    for (int matrix = 0; matrix < plan.count; ++matrix)
      for (int e = 0; e < plan.elemsPerMatrix; ++e) {
        int reg = first + e;
        for (size_t bit = 0; bit < rows->matrixBits.size(); ++bit)
          if ((matrix >> bit) & 1)
            reg += 1 << rows->matrixBits[bit];
        instruction.registers.push_back(reg);
      }
  }
  plan.canonical = fragment.canonicalRegisters();
  plan.rows = std::move(rows->rows);
  return plan;
}
