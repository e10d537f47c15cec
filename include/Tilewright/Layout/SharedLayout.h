// Layouts of tiles in shared memory: where each element lies, and what an access costs in banks.
//
// Shared memory has 32 banks of 4 bytes. A warp's access is served in wavefronts: lanes that touch different
// words of one bank wait for each other. A row-major bf16 tile of 64 columns has rows of 128 bytes, so the 8
// rows that one ldmatrix phase reads all start in bank 0: 8 wavefronts instead of 1. The cure is to xor the
// number of the row into the number of the 16-byte chunk within the row:
//
//   chunk:    0 1 2 3 4 5 6 7            offset ^= ((offset >> 6) & 7) << 3      (in elements)
//   row 0     0 1 2 3 4 5 6 7
//   row 1     1 0 3 2 5 4 7 6            ... reading down any column now meets 8 different chunks.
//   row 2     2 3 0 1 6 7 4 5
//
// Offsets are computed in a form that a lowering emits as it stands: a dot product of block and in-block
// coordinates with strides, then a list of xor terms. Sizes that are no power of two are either blocks side
// by side (80 columns are 5 blocks of 16, each swizzled) or rows with a padded stride.
#ifndef TILEWRIGHT_LAYOUT_SHAREDLAYOUT_H
#define TILEWRIGHT_LAYOUT_SHAREDLAYOUT_H

#include "Tilewright/Layout/LaneMap.h"
#include "Tilewright/Layout/LinearLayout.h"

namespace tilewright::layout {

/// offset ^= ((offset >> shiftFrom) & mask) << shiftTo, on the offset before any swizzle, in elements.
/// shiftFrom is above the target bits, so a list of terms is a bijection.
struct XorTerm {
  int shiftFrom = 0;
  uint32_t mask = 0;
  int shiftTo = 0;
  bool operator==(const XorTerm &o) const {
    return shiftFrom == o.shiftFrom && mask == o.mask && shiftTo == o.shiftTo;
  }
};

class SharedLayout {
public:
  SharedLayout() = default;

  /// Dims in `order` (fastest first), no padding, no swizzle. rowPad adds elements to the stride of the
  /// second fastest dim.
  static SharedLayout plain(const Shape &shape, const std::vector<int> &order, int64_t rowPad = 0);
  /// The same with pads[i] elements added to the stride of order[i], beyond what lies inside of it.
  static SharedLayout padded(const Shape &shape, const std::vector<int> &order,
                             const std::vector<int64_t> &pads);
  /// Blocks of blockShape (each dividing shape) laid one after the other, row-major in `order`; the swizzle
  /// acts inside a block. pads[i], where given, are elements added to the stride of blocks along order[i],
  /// beyond what lies inside of it.
  static SharedLayout blockedBy(const Shape &shape, const Shape &blockShape, const std::vector<int> &order,
                                const std::vector<int64_t> &pads = {});
  /// The classic parameters: groups of `vec` elements, row / perPhase modulo maxPhase is xored into the
  /// group. All powers of two; the block's fastest dim must be a power of two. nullopt when it does not fit.
  std::optional<SharedLayout> withSwizzle(int64_t vec, int64_t perPhase, int64_t maxPhase) const;

  /// What the tensor memory accelerator writes and warpgroup products read: rows along order[0] in blocks of
  /// the widest span of 128, 64 or 32 bytes that divides them, block after block, 16-byte chunks swizzled
  /// inside the span; rows of 16 bytes have no swizzle. nullopt when a row is no multiple of 16 bytes.
  static std::optional<SharedLayout> tma(const Shape &shape, int elemBits, const std::vector<int> &order);

  /// Any xor terms. nullopt when a source bit is not above all target bits.
  std::optional<SharedLayout> withXor(std::vector<XorTerm> terms) const;

  /// A part of this one with the same strides, from any place on that of dims which are split starts a block,
  /// in whole blocks of them. nullopt where it is none, or the layout is swizzled.
  std::optional<SharedLayout> part(const Shape &partShape) const;

  int rank() const { return static_cast<int>(tensorShape.size()); }
  const Shape &shape() const { return tensorShape; }
  const std::vector<int> &order() const { return dimOrder; }
  int fastestDim() const { return dimOrder.empty() ? 0 : dimOrder.front(); }

  /// offset = sum over d of (c[d] % block[d]) * innerStride[d] + (c[d] / block[d]) * outerStride[d], then
  /// every xor term. block[d] == shape[d] means that the dim is not split (outerStride[d] is then unused).
  const Shape &block() const { return blockShape; }
  const Shape &innerStride() const { return inner; }
  const Shape &outerStride() const { return outer; }
  const std::vector<XorTerm> &swizzle() const { return xorTerms; }

  /// Post: injective over the tensor, and below sizeElems().
  int64_t offsetOf(const Coord &coord) const;
  /// Post: coordOf(offsetOf(c)) == c; nullopt for an offset in the padding.
  std::optional<Coord> coordOf(int64_t offset) const;
  /// Elements of storage, padding included.
  int64_t sizeElems() const;
  int64_t sizeBytes(int elemBits) const { return (sizeElems() * elemBits + 7) / 8; }
  /// Number of consecutive elements along the fastest dim that stay consecutive, from a multiple of it.
  int64_t vectorElems() const;

  /// {shape=[64,80], order=[1,0], block=[64,16], inner=[16,1], outer=[0,1024], xor=[[6,1,3]]}
  std::string toString() const;
  static std::optional<SharedLayout> parse(std::string_view text, std::string *error = nullptr);
  bool operator==(const SharedLayout &o) const {
    return tensorShape == o.tensorShape && dimOrder == o.dimOrder && blockShape == o.blockShape &&
           inner == o.inner && outer == o.outer && xorTerms == o.xorTerms;
  }
  bool operator!=(const SharedLayout &o) const { return !(*this == o); }
  size_t hash() const;

private:
  Shape tensorShape;
  std::vector<int> dimOrder;
  Shape blockShape, inner, outer;
  std::vector<XorTerm> xorTerms;
};

/// One instruction of a thread on shared memory: its registers in element order, and its offset:
/// (base ^ constant) + added, in elements; with join Add the constant is zero.
struct SharedInstruction {
  std::vector<int> registers;
  int64_t constant = 0;
  int64_t added = 0;
  bool operator==(const SharedInstruction &o) const {
    return registers == o.registers && constant == o.constant && added == o.added;
  }
};

/// How a register tile is loaded from or stored to shared memory, ready to emit. offset(instruction) =
/// (base.evaluate(lane, warp) ^ instruction.constant) + instruction.added.
/// Post: for every lane, warp and register the offset is shared.offsetOf(layout.apply(register, lane, warp)).
struct SharedAccess {
  BitSum base;
  /// elements per instruction; consecutive registers of an instruction are consecutive in memory
  int vectorElems = 1;
  std::vector<SharedInstruction> instructions;
  /// entry r is the register that is loaded in place of r (loads), or stored for it (stores)
  RegisterMap canonical;
  /// a store is done by threads with (lane & freeLanes) == 0 && (warp & freeWarps) == 0
  uint32_t freeLanes = 0, freeWarps = 0;
};
/// nullopt when offsets are not linear in the lane's bits (padded strides with lanes across a block edge).
std::optional<SharedAccess> sharedAccess(const SharedLayout &shared, const LinearLayout &layout, int elemBits,
                                         int maxBits = 128);

/// One ldmatrix: matrix i fills the 32-bit register made of registers[i * perMatrix .. + perMatrix).
struct LdmatrixInstruction {
  /// 1, 2 or 4 matrices; registers.size() == count * elements per 32-bit register
  int count = 4;
  std::vector<int> registers;
  int64_t constant = 0;
  int64_t added = 0;
};
/// How an mma operand is read by ldmatrix. The address of lane l is
/// (rowAddress.evaluate(l, warp) ^ constant) + added, in elements of the layout's element type.
/// Post (simulated): after it every register holds shared[layout.apply(register, lane, warp)].
struct LdmatrixPlan {
  bool transposed = false;
  int count = 4;
  int elemsPerMatrix = 2;
  BitSum rowAddress;
  std::vector<LdmatrixInstruction> instructions;
  RegisterMap canonical;
  /// which element each lane's row starts with (registers number the instructions); for cost models and tests
  LinearLayout rows;
};
/// nullopt when the fragment is no ldmatrix fragment on this shared layout (then use sharedAccess). Plain for
/// the fragment's packed dim fastest, `.trans` for the other dim fastest (16-bit elements only).
std::optional<LdmatrixPlan> ldmatrixPlan(const SharedLayout &shared, const LinearLayout &fragment,
                                         int elemBits);

/// An access whose cost counts.
struct SharedUse {
  enum Kind : uint8_t {
    /// by registers, as wide as layout and shared memory allow, up to maxBits
    Registers,
    /// by ldmatrix, transposed or not as the order asks; falls back to Registers when it is none
    Ldmatrix,
  };
  Kind kind = Registers;
  LinearLayout layout;
  int maxBits = 128;
  /// How often it is executed, relative to the other uses.
  int64_t weight = 1;
};

/// What one use costs over all warps: instructions, wavefronts, and the least wavefronts that the bytes moved
/// by each instruction would need. 128-bit accesses are served in quarter-warps, 64-bit in half-warps.
struct BankCost {
  int64_t instructions = 0;
  int64_t wavefronts = 0;
  int64_t idealWavefronts = 0;
  int64_t conflicts() const { return wavefronts - idealWavefronts; }
};
BankCost bankCost(const SharedLayout &shared, const SharedUse &use, int elemBits);
/// Extra wavefronts, the sum over all warps and instructions.
int64_t bankConflicts(const SharedLayout &shared, const SharedUse &use, int elemBits);

/// The layout with the fewest weighted wavefronts over all uses; on equal wavefronts the fewest instructions,
/// then the smallest storage, then the fewest xor terms. `order` (fastest first) fixes the order of dims;
/// asynchronous copies and ldmatrix need 16 bytes of a row to stay together, so groups of `keepBytes` are
/// never split.
SharedLayout bestSwizzle(const Shape &shape, int elemBits, const std::vector<SharedUse> &uses,
                         const std::vector<int> &order, int keepBytes = 16);
/// The same, free to choose the order (row-major, with the last two dims exchanged, or where conflicts are
/// left with another dim in front) and to split rows down to 4 bytes: for staging buffers that plain loads
/// and stores use.
SharedLayout bestSwizzle(const Shape &shape, int elemBits, const std::vector<SharedUse> &uses);

/// The same for tiles of elements of several widths in bits, of which the first decides: all have accesses.
SharedLayout bestSwizzle(const Shape &shape, const std::vector<int> &widths,
                         const std::vector<SharedUse> &uses);

/// Where warps leave the partial results of a reduction, a buffer for each width of its states: stored by
/// `plan.partials`, loaded by `plan.gather`.
SharedLayout partialsLayout(const ReductionPlan &plan, const std::vector<int> &widths);
/// Where threads leave the results that they folded: stored by `plan.folded`, loaded by `plan.result`.
SharedLayout foldedLayout(const ReductionPlan &plan, const std::vector<int> &widths);
/// Where a warp leaves its totals of a scan, which threads hold and read by `kept`.
SharedLayout totalsLayout(const LinearLayout &kept, const std::vector<int> &widths);

} // namespace tilewright::layout

template <> struct std::hash<tilewright::layout::SharedLayout> {
  size_t operator()(const tilewright::layout::SharedLayout &layout) const { return layout.hash(); }
};

#endif // TILEWRIGHT_LAYOUT_SHAREDLAYOUT_H
