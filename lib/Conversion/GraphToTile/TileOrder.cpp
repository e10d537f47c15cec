// Counts what the blocks of each GPC load, by windows over the numbers of blocks.

#include "TileOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;
using namespace tilewright;

/// Multiprocessors of a GPC, and GPCs of a chip (H100 and H200: 16 or 18 each).
static constexpr int64_t kGpcSMs = 16, kGpcs = 8;
/// Rounds that are looked at, and blocks from one window to the next: where a GPC's blocks begin is not
/// known.
static constexpr int64_t kRounds = 3, kWindowStep = 8;

namespace {
/// What a block multiplies: a row of tiles and a column of the batch, each of its part of K.
struct Operands {
  int64_t row, column;
};
} // namespace

static Operands operandsOf(const TileWalk &walk, int64_t block) {
  int64_t part = block % walk.parts, number = block / walk.parts;
  int64_t inside = number % (walk.clusterM * walk.clusterN);
  number /= walk.clusterM * walk.clusterN;
  int64_t product = number / (walk.rows * walk.columns);
  number %= walk.rows * walk.columns;
  int64_t group = walk.group ? std::min((int64_t)divideCeil(walk.group, walk.clusterM), walk.rows) : 1;
  int64_t first = number / (group * walk.columns) * group, inGroup = number % (group * walk.columns);
  int64_t height = std::min(group, walk.rows - first);
  int64_t row = (first + inGroup % height) * walk.clusterM + inside % walk.clusterM,
          column = inGroup / height * walk.clusterN + inside / walk.clusterM;
  int64_t of = product * walk.parts + part;
  return {of * walk.rows * walk.clusterM + row, of * walk.columns * walk.clusterN + column};
}

static int64_t countDifferent(SmallVectorImpl<int64_t> &values) {
  llvm::sort(values);
  return std::unique(values.begin(), values.end()) - values.begin();
}

double tilewright::busiestLoad(const TileWalk &walk, int64_t bm, int64_t bn) {
  int64_t cluster = walk.clusterM * walk.clusterN * walk.parts;
  int64_t total = walk.batch * walk.rows * walk.columns * cluster, grid = std::min(walk.grid, total);
  int64_t rounds = std::min<int64_t>(kRounds, (int64_t)divideCeil(total, grid));
  int64_t sum = 0;
  SmallVector<int64_t> rows, columns;
  for (int64_t round = 0; round < rounds; ++round) {
    int64_t begin = round * grid, blocks = std::min(grid, total - begin), most = 0;
    auto count = [&](int64_t first, int64_t end, int64_t run, int64_t apart) {
      rows.clear();
      columns.clear();
      for (int64_t block = first; block < end; block += apart)
        for (int64_t i = block; i < std::min(block + run, end); ++i) {
          Operands operands = operandsOf(walk, begin + i);
          rows.push_back(operands.row);
          columns.push_back(operands.column);
        }
      most = std::max(most, countDifferent(rows) * bm + countDifferent(columns) * bn);
    };
    if (cluster == 1) {
      int64_t window = kGpcSMs * walk.resident, step = kWindowStep * walk.resident;
      for (int64_t first = 0; first == 0 || first + window - step < blocks; first += step)
        count(first, std::min(first + window, blocks), window, window);
    } else {
      for (int64_t first = 0; first < std::min(kGpcs * cluster, blocks); first += cluster)
        count(first, blocks, cluster, kGpcs * cluster);
    }
    sum += most;
  }
  return (double)sum / (double)rounds;
}
