// Cuts of rows and columns. As many pieces as keep the chip busy, equal where that is possible, in whole
// vectors and full rounds of blocks.

#include "RowCuts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::fuse;

/// Elements of a piece: fewer are not worth a block of their own.
static constexpr int64_t kLeastPiece = 2048;
/// Rounds that the blocks of a cut take, as a share of those that full ones would: more are left to a few
/// blocks at the end, while all other multiprocessors wait.
static constexpr double kMostRagged = 1.25;

bool RowCuts::isRagged(int64_t count) const {
  return (double)llvm::alignTo(count, blocks) > kMostRagged * (double)count;
}

int64_t fuse::runOf(ArrayRef<int64_t> shape, int64_t dim, int64_t pieces) {
  int64_t run = std::max<int64_t>(1, shape[dim] / pieces);
  for (int64_t size : shape.drop_front(dim + 1))
    run *= size;
  return run;
}

std::optional<Cut> RowCuts::cutOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims, bool evenly,
                                  int64_t longRow, int64_t *many, bool keepsRuns, bool readsOnce) const {
  int64_t rank = shape.size(), running = 1, inner = 1, longest = -1;
  bool keepsLast = false;
  for (int64_t d = rank - 1; d >= 0; --d) {
    bool reduced = llvm::is_contained(dims, d);
    if (!reduced) {
      // Columns side by side share a block.
      keepsLast |= running == 1 && longest < 0;
      running *= shape[d];
      inner = longest < 0 ? running : inner;
    } else if (longest < 0 || shape[d] > shape[longest]) {
      longest = d;
    }
  }
  if (longest < 0)
    return std::nullopt;
  int64_t rows = keepsLast && inner ? running / inner * llvm::divideCeil(inner, columnsOfBlock) : running,
          row = 1;
  for (int64_t dim : dims)
    row *= shape[dim];
  int64_t least = keepsLast ? kLeastPiece / kColumns : kLeastPiece;
  // Worth two more kernels only where the chip would wait: half of it, or, for rows that are read several
  // times, a part of it after each round. A block of columns side by side goes through the rows of all of
  // them; it is left whole where most multiprocessors have one.
  bool areFew = keepsLast && 4 * rows <= 3 * blocks && longRow == kLongRow;
  int64_t together = areFew ? std::min(inner, columnsOfBlock) : 1;
  int64_t most = readsOnce && isRagged(rows) ? 4 * blocks : 2 * blocks;
  if (rows == 0 || rows > most || (2 * rows > blocks && row * together < 2 * kLongRow) ||
      row <= (keepsLast ? longRow / kColumns : longRow))
    return std::nullopt;
  // Several rounds of blocks for many rows, so that the last one is short.
  int64_t wanted = std::min((2 * rows > blocks ? 8 : 2) * blocks / rows, row / least);
  if (many)
    *many = wanted;
  // Of a row that would be cut into short runs of memory another dimension is cut.
  for (int64_t dim : keepsRuns ? dims : ArrayRef<int64_t>())
    if (wanted > 1 && runOf(shape, longest, wanted) < kLeastRun && shape[dim] >= wanted &&
        runOf(shape, dim, wanted) >= kLeastRun)
      longest = dim;
  wanted = std::min(wanted, shape[longest]);
  if (wanted < 2)
    return std::nullopt;
  // Rows that begin at whole vectors may be cut at such; others begin anywhere, wherever they are cut.
  int64_t beside = runOf(shape, longest, shape[longest]), outer = 1;
  for (int64_t size : shape.take_front(longest))
    outer *= size;
  bool begins = !keepsLast && (outer == 1 || shape[longest] * beside % vector == 0);
  Cut best;
  for (int64_t pieces = std::max<int64_t>(2, wanted / 2); pieces <= std::min(2 * wanted, shape[longest]);
       ++pieces) {
    Cut cut{longest, pieces, shape[longest] / pieces, shape[longest] % pieces};
    // Of columns, whose blocks are few, by the ratio.
    auto distance = [&](int64_t count) {
      return keepsLast ? std::abs(std::log((double)count / (double)wanted))
                       : std::abs((double)(count - wanted));
    };
    bool nearer = distance(pieces) < distance(best.pieces);
    // Without a rest, with rows that stay aligned, and rounds that are full. Pieces that begin anywhere are
    // loaded an element at a time, which costs more than a rest.
    auto cost = [&](const Cut &c) {
      return (c.rest ? evenly ? 8 : 2 : 0) + (c.length % 8 ? 1 : 0) +
             (begins && c.length * beside % vector ? 2 : 0) + (isRagged(rows * c.pieces) ? 3 : 0);
    };
    if (best.length == 0 || cost(cut) < cost(best) || (cost(cut) == cost(best) && nearer))
      best = cut;
  }
  return best.length == 0 || (evenly && best.rest) ? std::nullopt : std::optional(best);
}

std::optional<JoinedCut> RowCuts::joinedCutOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims,
                                              int64_t wanted) const {
  std::optional<JoinedCut> best;
  for (int64_t first = 0, rank = shape.size(), last; first < rank; first = last + 1) {
    last = first;
    if (!llvm::is_contained(dims, first))
      continue;
    int64_t all = shape[first];
    while (last + 1 < rank && llvm::is_contained(dims, last + 1))
      all *= shape[++last];
    if (last == first)
      continue;
    int64_t outer = 1;
    for (int64_t d = first; d <= last && outer <= 2 * wanted; outer *= shape[d++])
      for (int64_t part = 1; part <= shape[d] && outer * part <= 2 * wanted; ++part) {
        int64_t pieces = outer * part;
        if (shape[d] % part != 0 || 2 * pieces < wanted)
          continue;
        // Rounds that are full, where all blocks have parts of one row.
        auto ragged = [&](int64_t count) { return wanted > blocks && isRagged(count); };
        bool nearer = best && std::abs(pieces - wanted) < std::abs(best->pieces - wanted);
        if (!best || std::pair(ragged(pieces), !nearer) < std::pair(ragged(best->pieces), true))
          best = JoinedCut{first, last, pieces, all / pieces};
      }
  }
  return best;
}
