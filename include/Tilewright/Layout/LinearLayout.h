// Layouts of register tiles: which thread holds which element of a tensor, as linear functions over bits.
//
// A GPU thread is named by its warp in the block and its lane in the warp, and it holds a tile's elements in
// numbered registers. A layout answers one question: which element does register r of lane l of warp w hold?
// In every layout that hardware uses, the bits of the answer are xors of bits of (r, l, w), so the whole
// layout is given by its values on single bits, the *bases* (arXiv 2505.23819). For example the accumulator
// of mma.sync.m16n8 (PTX ISA, "Matrix Fragments for mma.m16n8k16"), where lane = 4*g + t:
//
//             col 0    1    2    3    4    5    6    7
//     row g     t=0  t=0  t=1  t=1  t=2  t=2  t=3  t=3       c0 c1 of the four lanes of group g
//     row g+8   t=0  t=0  t=1  t=1  t=2  t=2  t=3  t=3       c2 c3 of the same lanes
//
//   register bit 0 -> (0,1)   c1 is one column right of c0
//   register bit 1 -> (8,0)   c2 is eight rows below c0
//   lane bits 0, 1 -> (0,2) (0,4)          t = lane % 4 counts pairs of columns
//   lane bits 2..4 -> (1,0) (2,0) (4,0)    g = lane / 4 counts rows
//
// so register 3 of lane 13 (t = 1, g = 3) holds (8,0) ^ (0,1) ^ (0,2) ^ (3,0) = (11,3). As text:
//
//   {shape=[16,8], register=[[0,1],[8,0]], lane=[[0,2],[0,4],[1,0],[2,0],[4,0]], warp=[]}
//
// The operands, with p = 32/elemBits elements to a 32-bit register (k = 8p: 16 for bf16, 8 for tf32, 32 for
// s8):
//
//   A (16 x 8p)    k: t*p+{0..p-1}   t*p+{0..p-1}+4p        B (8p x 8)     n: g
//     row g        a[0]              a[2]                     k = t*p+{0..p-1}        b[0]
//     row g+8      a[1]              a[3]                     k = t*p+{0..p-1}+4p     b[1]
//
// Three things happen besides:
//   * A zero basis means replication: both values of that bit hold the same element.
//   * Sizes that are no power of two: a layout covers a power-of-two ATOM, and each dimension has an
//   outermost
//     REPEAT count of any size: 64x176 is 11 repeats of a 64x16 atom along dim 1. Repeats live in registers:
//     register = repeatIndex * atomRegisters + atomRegister, repeatIndex row-major, last dim fastest.
//   * A tile larger than one instruction simply has more register bits, or warp bits.
//
// Everything the compiler wants to know is linear algebra on the bases: which elements a thread can load with
// one 128-bit access (register bits that count 1, 2, 4... along a dim), how a reduction goes (the register,
// lane and warp bits that move along that dim), what to do between two layouts (Conversion.h).
#ifndef TILEWRIGHT_LAYOUT_LINEARLAYOUT_H
#define TILEWRIGHT_LAYOUT_LINEARLAYOUT_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::layout {

/// A tensor coordinate, or a basis: one entry per dim.
using Coord = std::vector<int32_t>;
/// Sizes of a tensor, all >= 1.
using Shape = std::vector<int64_t>;
/// Entry i names the register that i is taken from.
using RegisterMap = std::vector<int32_t>;

/// The hardware coordinates, innermost first.
enum class Hw : uint8_t { Register, Lane, Warp, Block };
inline constexpr std::array<Hw, 4> allHw = {Hw::Register, Hw::Lane, Hw::Warp, Hw::Block};
const char *toString(Hw hw);

/// A point of the hardware: one register of one lane of one warp of one block (of a cluster).
struct HwCoord {
  int32_t reg = 0, lane = 0, warp = 0, block = 0;
  bool operator==(const HwCoord &o) const {
    return reg == o.reg && lane == o.lane && warp == o.warp && block == o.block;
  }
};

struct Projection;
struct VectorAccess;
class LayoutInverse;

class LinearLayout {
public:
  /// Bases of one hardware coordinate: bit -> tensor coordinate within the atom.
  using Bases = std::vector<Coord>;

  /// The rank-0 layout: one register of one lane of one warp.
  LinearLayout() = default;

  /// From its parts; `bases` are indexed by Hw. Checks that shape[d] is a power of two times repeat[d] and
  /// that every basis lies in the atom; when not, returns nullopt and says why in `error`. The result is
  /// canonical: factors of two are moved from the innermost repeats to register bits, so equal functions
  /// compare equal.
  static std::optional<LinearLayout> create(Shape shape, std::array<Bases, 4> bases, Shape repeat,
                                            std::string *error = nullptr);

  // ---- Makers. All are total for any shape >= 1 and surjective, with 32 lanes; warp counts are powers of
  // two.

  /// Threads and warps tile the shape in the `order` of dims (fastest first); what is left repeats in
  /// registers. Post: every element is held; along d one warp-tile is
  /// elemsPerThread[d]*threadsPerWarp[d]*warps[d], cut to the power-of-two factor of shape[d] (then zero
  /// bases replicate). The arguments are powers of two.
  static LinearLayout blocked(const Shape &shape, const Shape &elemsPerThread, const Shape &threadsPerWarp,
                              const Shape &warps, const std::vector<int> &order);

  /// The best blocked layout for a global access whose fastest dim is order[0]: a vector of up to
  /// maxVectorBits along it, then lanes along it, then along the next dims; warps go to the slower dims
  /// first. `contiguity` and `divisibility` (elements, per dim; empty means unlimited) come from StridedView
  /// and bound the vector. Post: contiguity(order[0]) is the widest power of two that all bounds allow.
  static LinearLayout coalesced(const Shape &shape, int elemBits, int numWarps, const std::vector<int> &order,
                                int maxVectorBits = 128, const Shape &contiguity = {},
                                const Shape &divisibility = {});
  /// Order with the last dim fastest: rank-1, ..., 0.
  static std::vector<int> rowMajorOrder(int rank);

  /// Fragments of mma.sync m16n8, tables above. The last two dims are the matrix, any dims before are batches
  /// held in registers. Warps are arranged warpsM x warpsN, row-major (warpsN fastest); warps along a dim the
  /// operand does not have replicate. elemBits of operands: 8, 16, 32. Register bits: within the fragment as
  /// in the PTX ISA, then tiles along the last dim, then along the one before.
  static LinearLayout mmaAccumulator(const Shape &shape, int warpsM, int warpsN);
  /// The accumulator of warpgroup products: warpsM, whole warpgroups, along M, and above them warpsN groups
  /// of these along N, which share its columns 8 at a time.
  static LinearLayout wgmmaAccumulator(const Shape &shape, int warpsM, int warpsN = 1);
  /// The groups along N of such a layout of `warps` warps; nullopt for others.
  std::optional<int> wgmmaGroupsAlongN(int warps) const;
  static LinearLayout mmaOperandA(const Shape &shapeMxK, int elemBits, int warpsM, int warpsN);
  static LinearLayout mmaOperandB(const Shape &shapeKxN, int elemBits, int warpsM, int warpsN);

  // ---- Data.

  int rank() const { return static_cast<int>(atomShape.size()); }
  /// shape[d] == atom()[d] * repeat()[d].
  Shape shape() const;
  const Shape &atom() const { return atomShape; }
  const Shape &repeat() const { return repeatCounts; }
  const Bases &bases(Hw hw) const { return hwBases[static_cast<size_t>(hw)]; }
  /// Number of values of a hardware coordinate; for Register with repeats.
  int size(Hw hw) const;
  int numRegisters() const { return size(Hw::Register); }
  int numLanes() const { return size(Hw::Lane); }
  int numWarps() const { return size(Hw::Warp); }
  int numThreads() const { return numLanes() * numWarps(); }
  int atomRegisters() const;

  /// The element held at a point of the hardware.
  Coord apply(int reg, int lane, int warp, int block = 0) const {
    return apply(HwCoord{reg, lane, warp, block});
  }
  Coord apply(const HwCoord &hw) const {
    Coord out;
    apply(hw, out);
    return out;
  }
  /// The same into `out`, whose memory is used again: for loops over all points.
  void apply(const HwCoord &hw, Coord &out) const;
  /// The register whose offset (its element at lane 0, warp 0, block 0) is `offset`; the lowest such.
  /// Lowerings find an instruction's registers by it: c2 of mma tile (i, j) is the one at (16*i + 8, 8*j)
  /// for one warp; with warps the tiles are 16*warpsM and 8*warpsN apart.
  std::optional<int> registerAt(const Coord &offset) const;
  /// As many elements again along `dim`, each with the thread that has the one a shape before it, in a
  /// register bit above those of the atom. nullopt where the layout repeats along `dim`.
  std::optional<LinearLayout> twice(int dim) const;
  /// Two elements for each one along `dim`, in its thread: of every 2 * `by` places the first `by` are those
  /// of one tile of this layout, the others those of another one. The register bit that tells the tiles apart
  /// is behind the bits of elements side by side. nullopt where a thread would have too many, and where the
  /// layout repeats tiles of less than `by`, a power of two, along `dim`.
  std::optional<LinearLayout> interleaved(int dim, int64_t by = 1) const;
  /// The same shape among the same registers, lanes and warps, of which each thread has up to `count`
  /// neighbours along `dim`, a power of two: of the bits along `dim` those of registers come first. The
  /// layout itself where bits of `dim` move along other dimensions, too.
  LinearLayout withRun(int dim, int64_t count) const;
  /// What interleaved(dim, by) gives this layout of; nullopt where nothing does.
  std::optional<LinearLayout> everyOther(int dim, int64_t by = 1) const;

  // ---- Properties.

  /// Post: all hardware points hold different elements.
  bool isInjective() const;
  /// Post: every element is held somewhere.
  bool isSurjective() const;
  /// Both.
  bool isPermutation() const { return isInjective() && isSurjective(); }
  /// Mask of the bits of `hw` that are redundant: the points with all free bits zero hold each held element
  /// exactly once (bits are judged in the order register, lane, warp, block). So a store is predicated with
  /// (lane & freeBits(Lane)) == 0 && (warp & freeBits(Warp)) == 0 to write each element once. The register
  /// mask is over atom registers.
  uint32_t freeBits(Hw hw) const;
  /// Post: entry r is the lowest register that holds the same element as r in every thread.
  RegisterMap canonicalRegisters() const;

  /// Post: n = contiguity(d) is the largest power of two such that registers n*i .. n*i+n-1 of every thread
  /// hold consecutive elements along d, the first at a multiple of n.
  int contiguity(int dim) const;
  /// Groups of registers that one access of at most min(maxBits, alignmentBits) bits can serve along `dim`
  /// (register bits that count along it need not be the lowest). alignmentBits: what the start of every group
  /// in memory is known to be aligned to. Post: groups cover every canonical register once; group members
  /// hold consecutive elements from a multiple of elems. vectorWidth is the elements per access alone.
  VectorAccess vectorAccess(int elemBits, int dim, int alignmentBits = 128, int maxBits = 128) const;
  int vectorWidth(int elemBits, int dim, int alignmentBits = 128, int maxBits = 128) const;

  // ---- Algebra.

  /// Post: product.apply(a + |A|*b) == A(a) + A.shape * B(b), bitwise per hardware coordinate: this is the
  /// inner layout, `outer` places copies of it. nullopt when this layout has repeats (they must be
  /// outermost).
  std::optional<LinearLayout> product(const LinearLayout &outer) const;
  /// product() that must exist.
  LinearLayout operator*(const LinearLayout &outer) const;
  /// Post: divideLeft(A) is the B with A * B == *this, divideRight(B) the A; nullopt when there is none.
  std::optional<LinearLayout> divideLeft(const LinearLayout &inner) const;
  std::optional<LinearLayout> divideRight(const LinearLayout &outer) const;

  /// `inner` maps hardware to the points of this layout's hardware, seen as a tensor of shape
  /// [numRegisters, numLanes, numWarps, numBlocks]. Post: result.apply(h) == apply(inner.apply(h)). nullopt
  /// when shapes do not match, or inner's repeats differ from ours along dim 0.
  std::optional<LinearLayout> compose(const LinearLayout &inner) const;

  /// From an element to the canonical hardware point that holds it (all free bits zero). nullopt when some
  /// element is not held. Post: apply(invert()->at(c)) == c for every c.
  std::optional<LayoutInverse> invert() const;

  // ---- Reshaping.

  /// The layout of the tensor with `dim` (or all `dims`) reduced to size 1 and kept. Registers that become
  /// equal are removed. Post: result.layout.apply(result.map[r], l, w) == apply(r, l, w) with coordinate dim
  /// zeroed. Broadcast is the same question asked from the other side: to broadcast dim d up to the layout L,
  /// give the source the layout L.project(d).layout; register r of the result is then source register map[r].
  Projection project(int dim) const;
  Projection project(const std::vector<int> &dims) const;
  Projection expandSource(int dim) const;

  /// Post: result.apply(h)[i] == apply(h)[perm[i]], except that registers keep their numbers only when `map`
  /// is the identity: repeats are numbered row-major, so transposing several repeated dims renumbers
  /// registers (register r of the result is register map[r] of this one).
  LinearLayout transpose(const std::vector<int> &perm, RegisterMap *map = nullptr) const;
  /// Drop dims of size 1; insert dims of size 1 so that they are at `dims` of the result. Registers stay.
  LinearLayout dropUnitDims(const std::vector<int> &dims) const;
  LinearLayout addUnitDims(const std::vector<int> &dims) const;
  /// The same threads seen on a tensor of another shape with the same row-major order of elements.
  /// Post: rowMajorIndex(result.apply(h)) == rowMajorIndex(apply(h)); nullopt when that is not linear in bits
  /// (a repeated dim can be split or merged only at its outer end).
  std::optional<LinearLayout> reshape(const Shape &newShape) const;

  // ---- Text, equality.

  /// {shape=[64,176], register=[[0,1],[8,0]], lane=[...], warp=[...], block=[...], repeat=[1,11]}; `block`
  /// and `repeat` are left out when trivial. parse(toString()) == *this.
  std::string toString() const;
  static std::optional<LinearLayout> parse(std::string_view text, std::string *error = nullptr);

  bool operator==(const LinearLayout &o) const {
    return atomShape == o.atomShape && repeatCounts == o.repeatCounts && hwBases == o.hwBases;
  }
  bool operator!=(const LinearLayout &o) const { return !(*this == o); }
  /// The same on every platform and run.
  size_t hash() const;

private:
  void canonicalize();

  Shape atomShape;
  Shape repeatCounts;
  std::array<Bases, 4> hwBases;
};

/// A layout with dims reduced to 1, and where each register goes: map[old register] = new register.
struct Projection {
  LinearLayout layout;
  RegisterMap map;
};

/// Vector accesses of one thread: `groups[g]` are the registers of access g, in element order.
struct VectorAccess {
  int elems = 1;
  std::vector<std::vector<int>> groups;
};

/// The inverse of a surjective layout.
class LayoutInverse {
public:
  HwCoord at(const Coord &element) const;

private:
  friend class LinearLayout;
  Shape atom, repeat;
  int atomRegisters = 1;
  /// hardware point (packed bits: register, lane, warp, block) of each bit of each dim of the atom
  std::vector<std::vector<uint64_t>> columns;
  std::array<int, 4> hwBits{};
};

/// How to reduce a tile along some dims. In order: fold each group of registers from left to right; for each
/// lane bit in `halvings` share the results with the lane that differs in it: the one whose bit is 0 keeps
/// the lower half of each repeat's registers, the other one the upper half, and combines them with those that
/// the other lane gives away, so that half as many registers are left; for each mask in `laneMasks` combine
/// with the value of lane ^ mask; then, when warpMasks is not empty, go through shared memory. There the
/// partial results are a tensor with one more, last dim that numbers them: store by layout `partials`
/// (threads with its free bits set do not store), barrier, load by layout `gather`, whose register r *
/// numPartials + p is partial p of its result r, and fold those from 0 up. Where each thread would fold many,
/// `gather` divides the results among all threads: they are stored by `folded`, and loaded by `result` behind
/// another barrier. Post: every element of the tile enters each result exactly once, and all replicas agree.
struct ReductionPlan {
  LinearLayout result;
  std::vector<std::vector<int>> registerGroups;
  std::vector<int> halvings;
  std::vector<int> laneMasks;
  std::vector<int> warpMasks;
  LinearLayout partials, gather;
  int numPartials = 1;
  std::optional<LinearLayout> folded;
  bool needsSharedMemory() const { return !warpMasks.empty(); }
};

/// nullopt when the layout is not surjective, or one bit moves along reduced and kept dims at once in a way
/// that ties registers to lanes (then convert to a blocked layout first).
std::optional<ReductionPlan> reductionPlan(const LinearLayout &layout, const std::vector<int> &dims);

/// The threads that fold what each of `blocks` blocks of a cluster holds of the results of `plan`, and hand
/// it to the others of their block; nullopt where every thread folds its own.
std::optional<LinearLayout> foldedAcrossBlocks(const ReductionPlan &plan, int64_t blocks);

} // namespace tilewright::layout

template <> struct std::hash<tilewright::layout::LinearLayout> {
  size_t operator()(const tilewright::layout::LinearLayout &layout) const { return layout.hash(); }
};

#endif // TILEWRIGHT_LAYOUT_LINEARLAYOUT_H
