// How many blocks of a multiprocessor ptxas is asked to make room for.
#ifndef TILEWRIGHT_LIB_PTX_OCCUPANCYAIM_H
#define TILEWRIGHT_LIB_PTX_OCCUPANCYAIM_H

#include "Wire.h"

namespace tilewright::ptxstage {

/// Assembles `reply.ptx` in `directory` into `reply`, whose error is "ptxas" where that fails. A kernel whose
/// block is known and that says nothing of occupancy or registers is assembled again with `.minnctapersm`
/// (PTX ISA, "Performance-Tuning Directives") where ptxas spills for an occupancy of its own, has too few
/// registers for loads that stand together, or misses another block of a multiprocessor by a few.
void assembleForOccupancy(const Request &request, const std::string &directory, Reply &reply);

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_OCCUPANCYAIM_H
