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

/// Rounds of the blocks of columns that are cut, and pieces beyond which there are no more than two rounds.
static constexpr int64_t kColumnRounds = 5, kMostPieces = 32;
/// Rounds of blocks of one for each multiprocessor where other kernels read the same.
static constexpr int64_t kRoundsBeside = 16;
/// Columns that a block has at least, where wider ones are blocks for less than half of the multiprocessors.
static constexpr int64_t kFewestColumns = 16;
/// Bytes a nanosecond of memory; nanoseconds that pieces have to save, and bytes from which on few blocks of
/// columns are cut anyway: of less what they save is the start of the other kernel. (H200, us, in one kernel
/// and in pieces: 2500x2560 bf16 5.2 and 6.1, 3001x3001 8.8 and 10.4, 1335x3693 5.8 and 6.4, 4096x4096 12.3
/// and 11.5, 5000x5000 19.8 and 16.1, 5001x5001 22.8 and 20.6, 7777x777 17.0 and 7.0, 5001x10001 41.9 and
/// 35.6.)
static constexpr double kMemory = 4600, kLeastSaved = 3000, kLeastCutBytes = 24e6;

/// Whether the columns of `rows` blocks, `inner` of them side by side and `elems` elements of all, are worth
/// two kernels: where multiprocessors have no block, or less of them than others.
bool RowCuts::isWorthCutting(int64_t rows, int64_t inner, int64_t elems) const {
  constexpr double kVectorBytes = 16, kWordBytes = 4;
  double bytes = (double)elems * (vector > 1 ? kVectorBytes / (double)vector : kWordBytes);
  int64_t narrow = rows / std::max<int64_t>(1, (int64_t)llvm::divideCeil(inner, columnsOfBlock));
  for (int64_t width = columnsOfBlock; width >= kFewestColumns; width /= 2)
    if (int64_t count = narrow * (int64_t)llvm::divideCeil(inner, width);
        2 * count >= blocks || width == kFewestColumns) {
      narrow = count;
      break;
    }
  double saved = bytes / kMemory * ((double)llvm::alignTo(narrow, blocks) / (double)narrow - 1);
  bool areFew = 4 * rows <= 3 * blocks;
  return (saved > kLeastSaved && (areFew || isAlone)) || (areFew && bytes >= kLeastCutBytes);
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
  // times, a part of it after each round.
  bool areColumns = keepsLast && longRow == kLongRow;
  int64_t most = readsOnce && isRagged(rows) ? 4 * blocks : 2 * blocks;
  if (rows == 0 || row <= (keepsLast ? longRow / kColumns : longRow) ||
      (areColumns ? !isBeside && !isWorthCutting(rows, inner, running * row)
                  : rows > most || (2 * rows > blocks && row < 2 * kLongRow)))
    return std::nullopt;
  // Several rounds of blocks for many rows, so that the last one is short.
  int64_t wanted = std::min((isBeside            ? kRoundsBeside
                             : 2 * rows > blocks ? 8
                                                 : 2) *
                                blocks / rows,
                            row / least);
  if (areColumns && !isBeside)
    wanted = std::min(std::min(kColumnRounds * blocks / rows, std::max(2 * blocks / rows, kMostPieces)),
                      row / least);
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
      return (c.rest ? evenly       ? 8
                       : areColumns ? 1
                                    : 2
                     : 0) +
             (c.length % 8 ? 1 : 0) + (begins && c.length * beside % vector ? 2 : 0) +
             (isRagged(rows * c.pieces) ? 3 : 0);
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
