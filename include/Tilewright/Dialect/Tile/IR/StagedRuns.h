// Which tiles go through shared memory as runs (tile-stage-runs): what the pass asks, and the model of tiles
// that counts on it.
#ifndef TILEWRIGHT_DIALECT_TILE_IR_STAGEDRUNS_H
#define TILEWRIGHT_DIALECT_TILE_IR_STAGEDRUNS_H

#include <cstdint>

namespace tilewright::tile {

/// Bytes of a run at least: less is loaded and stored sooner than a barrier is over.
inline constexpr int64_t kLeastRunBytes = 256;
/// Bytes of a tensor that is accessed in such runs at least: what takes less waits for its barriers rather
/// than for memory.
inline constexpr int64_t kLeastStagedBytes = 1 << 20;
/// Sectors that are touched over those that the elements fill, from which on they are many; and of tensors
/// that memory has to bring, of which no cache has the other parts. (H200, us, in pieces of 32 bits and
/// through shared memory: norms of 949976 rows of 31 fp32 with four results, 1.16, 242 and 159; functions of
/// 526848 rows of 93, 1.15, with another kernel 329 and 295; a transpose of 1.12 102 and 95; of 1 203 and
/// 205, 225 and 231, 150 and 158; of 10 MB, 1.13, 18.6 and 19.7.)
inline constexpr double kManyTouched = 1.25, kTouchedInMemory = 1.1;
inline constexpr int64_t kLeastInMemory = 16 << 20;
/// The same from which on whole vectors are stored so, too: of every other 32 bytes a half in each of two
/// sectors.
inline constexpr double kPartsOfSectors = 1.5;
/// Bytes of shared memory for each thread at most: as many as leave a multiprocessor most of its threads.
inline constexpr int64_t kMostBytesOfThread = 192;

} // namespace tilewright::tile

#endif // TILEWRIGHT_DIALECT_TILE_IR_STAGEDRUNS_H
