// The names of the entries that #tile.schedule may have, for what must know them all: the parser, and the
// test that draws schedules at random.
#ifndef TILEWRIGHT_DIALECT_TILE_IR_SCHEDULETEXT_H
#define TILEWRIGHT_DIALECT_TILE_IR_SCHEDULETEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::tile {

/// Names of the optional entries of a schedule, in the order of its text. The parser takes no other.
llvm::ArrayRef<llvm::StringRef> scheduleEntryNames();

} // namespace tilewright::tile

#endif // TILEWRIGHT_DIALECT_TILE_IR_SCHEDULETEXT_H
