// Which tiles of a product the multiprocessors of one graphics processing cluster (GPC) have at a time.
//
// Multiprocessors of a GPC share its port to L2, and what several of them ask for at about the same time
// comes through it once. So a walk over the tiles by which the blocks of each GPC have few rows and columns
// among them loads less: 4928x320x6592 in tiles of 64x192, whose 5 by 26 tiles go along rows or along
// columns, takes an H200 47.5 or 31.0 us, 320x2400x2752 in 64x96 12.4 or 8.9. The GPC with most to load
// counts: rows in groups of four of five leave one GPC the fifth ones, and take 45.1 and 11.5.
#ifndef TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_TILEORDER_H
#define TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_TILEORDER_H

#include <cstdint>

namespace tilewright {

/// How blocks take the tiles of a product.
struct TileWalk {
  /// Clusters of tiles below and beside one another, and such products.
  int64_t rows, columns, batch = 1;
  /// Rows of tiles that are walked together; 0: one row after the other.
  int64_t group = 0;
  /// Tiles of a cluster, or blocks that have the parts of one.
  int64_t clusterM = 1, clusterN = 1, parts = 1;
  /// Blocks that run at once, and of these on one multiprocessor.
  int64_t grid = 1, resident = 1;
};

/// Rows and columns of operands that the busiest GPC loads in a round, tiles of `bm` by `bn` elements; the
/// mean of the first rounds. Blocks of a launch fill one GPC after the other, clusters go to each in turn
/// (seen by %smid on an H200).
double busiestLoad(const TileWalk &walk, int64_t bm, int64_t bn);

} // namespace tilewright

#endif // TILEWRIGHT_LIB_CONVERSION_GRAPHTOTILE_TILEORDER_H
