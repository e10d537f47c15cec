// Random schedules for the kernels of random programs: what the verifier takes must compute the right values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TEST_RANDOMSCHEDULE_H
#define TILEWRIGHT_TEST_RANDOMSCHEDULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace tilewright::check {

/// A module with one function, main, of one anchor and its neighbours: a product, a reduction or norm, a
/// transpose or elementwise ops.
mlir::OwningOpRef<mlir::ModuleOp> makeAnchorProgram(mlir::MLIRContext &context, uint64_t seed);

/// Gives every kernel of a fuse-stage program a random schedule that the attribute's verifier takes. `tiled`
/// is the program after the tile stage, whose own schedules say how many numbers there are. Returns the
/// schedules as text.
std::string setRandomSchedules(mlir::ModuleOp program, mlir::ModuleOp tiled, uint64_t seed);

/// Entries that #tile.schedule has and random schedules leave out, by name: none, or the table of
/// RandomSchedule.cpp lacks a line.
std::string unknownScheduleEntries();

} // namespace tilewright::check

#endif // TILEWRIGHT_TEST_RANDOMSCHEDULE_H
