// What accesses to shared memory have in common. Internal to Layout.
#ifndef TILEWRIGHT_LIB_LAYOUT_SHAREDACCESS_H
#define TILEWRIGHT_LIB_LAYOUT_SHAREDACCESS_H

#include "Tilewright/Layout/SharedLayout.h"

namespace tilewright::layout {

/// Offsets of chosen registers over all lanes and warps: (base ^ constant) + added.
struct OffsetForm {
  BitSum base;
  std::vector<std::pair<int64_t, int64_t>> perRegister; // constant, added
};
/// Finds the form by evaluation and proves it by evaluating all lanes and warps; nullopt when there is none.
std::optional<OffsetForm> offsetForm(const SharedLayout &shared, const LinearLayout &layout,
                                     const std::vector<int> &registers);

/// The vector accesses of `layout` where aligned groups of alignedElems along fastestDim stay together.
VectorAccess sharedVectors(const LinearLayout &layout, int fastestDim, int64_t alignedElems, int elemBits,
                           int maxBits);

/// The part of an ldmatrix plan that does not depend on where rows lie.
struct LdmatrixRows {
  bool transposed = false;
  int count = 4;
  /// the element that each lane's row starts with; registers number the instructions
  LinearLayout rows;
  /// fragment register bits that number matrices, and instructions
  std::vector<int> matrixBits, outerBits;
};
/// nullopt when the fragment is none of ldmatrix with that dim fastest.
std::optional<LdmatrixRows> ldmatrixRows(const LinearLayout &fragment, int elemBits, int fastestDim);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LIB_LAYOUT_SHAREDACCESS_H
