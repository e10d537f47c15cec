// Blocks of a cluster: stores to one another's shared memory, and the cluster's barrier.

#include "Async.h"

#include <map>

using namespace mlir;
using namespace tilewright;
using layout::SharedLayout;

/// The address space of shared memory of all blocks of a cluster.
static constexpr unsigned kClusterMemory = 7;

Value tilewright::peerPointer(OpBuilder &builder, Location loc, Value own, Value block) {
  auto cluster = LLVM::LLVMPointerType::get(builder.getContext(), kClusterMemory);
  return NVVM::MapaOp::create(builder, loc, cluster, own, block);
}

namespace {

/// The block that each access of a pushed tile goes to: the part of its coordinate along the dimension that
/// is cut.
class PartOfAccess {
public:
  PartOfAccess(OpBuilder &builder, Location loc, const layout::LinearLayout &layout, int dim, int64_t size)
      : builder(builder), loc(loc), layout(layout), dim(dim), size(size), map(layout::laneMap(layout)) {}

  /// The part of register `r`: of the thread's own part, `offset` parts on; of all threads the same where
  /// `isFixed`.
  struct Part {
    bool isFixed;
    int64_t offset;
    bool operator<(const Part &other) const {
      return std::tie(isFixed, offset) < std::tie(other.isFixed, other.offset);
    }
  };
  /// Nothing where it has to be computed for each access.
  std::optional<Part> partOf(int r) const {
    int64_t constant = map.constants[r][dim] + map.repeatOffsets[r][dim], first = coordinate(r, 0, 0) / size;
    bool isFixed = true, isShifted = true;
    for (int warp = 0; warp < layout.numWarps(); ++warp)
      for (int lane = 0; lane < layout.numLanes(); ++lane) {
        int64_t part = coordinate(r, lane, warp) / size;
        isFixed &= part == first;
        isShifted &= part == map.base[dim].evaluate(lane, warp) / size + constant / size;
      }
    if (isFixed)
      return Part{true, first};
    if (isShifted)
      return Part{false, constant / size};
    return std::nullopt;
  }
  Value emit(const Part &part) {
    if (part.isFixed)
      return constantInt(builder, loc, part.offset);
    return addInt(builder, loc, divided(threads()), part.offset);
  }
  Value emitOf(int r) {
    Value base = threads();
    int64_t constant = map.constants[r][dim];
    Value sum =
        map.join[dim] == layout::Join::Xor
            ? arith::XOrIOp::create(builder, loc, base, constantInt(builder, loc, constant)).getResult()
            : addInt(builder, loc, base, constant);
    return divided(addInt(builder, loc, sum, map.repeatOffsets[r][dim]));
  }

private:
  int64_t coordinate(int r, int lane, int warp) const { return layout.apply(r, lane, warp)[dim]; }
  Value threads() {
    Value base = ThreadIndex(builder, loc).emit(map.base[dim]);
    return base ? base : constantInt(builder, loc, 0);
  }
  Value divided(Value coordinate) {
    return arith::DivUIOp::create(builder, loc, coordinate, constantInt(builder, loc, size));
  }

  OpBuilder &builder;
  Location loc;
  const layout::LinearLayout &layout;
  int dim;
  int64_t size;
  layout::LaneMap map;
};

/// Waits for what is pushed have the default scope, as those for copies that other blocks multicast.
struct PushPartsPattern : OpConversionPattern<tile::PushPartsOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::PushPartsOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    tile::SharedType buffer = op.getBuffer().getType();
    const SharedLayout &shared = buffer.getLayout();
    int dim = (int)op.getDim();
    int64_t size = shared.shape()[dim] / (int64_t)op.getBlocks();
    layout::Shape part = shared.shape();
    part[dim] = size;
    if (!shared.part(part))
      return op.emitError() << "pushes to " << buffer << ", of which parts along dimension " << dim
                            << " are no ranges of whole blocks";
    bool isSplit = shared.block()[dim] != shared.shape()[dim];
    int64_t elems =
        isSplit ? size / shared.block()[dim] * shared.outerStride()[dim] : size * shared.innerStride()[dim];
    const layout::LinearLayout layout = layoutOf(op.getValue().getType());
    Type element = buffer.getElementType();
    int bits = (int)tile::storageBits(element);
    // Only neighbours of one part go together.
    auto access = layout::sharedAccess(
        shared, layout, bits,
        shared.fastestDim() == dim ? std::min<int>(128, (int)(size & -size) * bits) : 128);
    if (!access)
      return op.emitError() << "layout " << layout.toString() << " has no access in " << buffer;
    PartOfAccess parts(rewriter, loc, layout, dim, size);
    ThreadIndex thread(rewriter, loc);
    Value base = stagePointer(rewriter, loc, buffer, adaptor.getBuffer()[0], adaptor.getStage()[0]);
    Value own = asInt(rewriter, loc, adaptor.getOwn()[0]), lanes = thread.emit(access->base);
    Value owner = thread.withoutBits(access->freeLanes, access->freeWarps);
    // A block's part number p lies in its buffer where the sender's own number says: so many parts before or
    // behind where the sender would have it.
    struct Target {
      Value place, barrier, isOther, isOwn;
    };
    auto targetOf = [&](Value peer) {
      Value moved = mulInt(rewriter, loc, arith::SubIOp::create(rewriter, loc, own, peer), elems);
      auto compared = [&](arith::CmpIPredicate how) {
        Value result = arith::CmpIOp::create(rewriter, loc, how, own, peer);
        return andPredicates(rewriter, loc, owner, result);
      };
      return Target{elementPointer(rewriter, loc, peerPointer(rewriter, loc, base, peer), element, moved),
                    peerPointer(rewriter, loc, adaptor.getRing()[0], peer),
                    compared(arith::CmpIPredicate::ne), compared(arith::CmpIPredicate::eq)};
    };
    std::map<PartOfAccess::Part, Target> targets;
    for (const layout::SharedInstruction &instruction : access->instructions) {
      int first = instruction.registers.front();
      Target target;
      if (std::optional<PartOfAccess::Part> part = parts.partOf(first)) {
        auto [it, isNew] = targets.try_emplace(*part);
        if (isNew)
          it->second = targetOf(parts.emit(*part));
        target = it->second;
      } else {
        target = targetOf(parts.emitOf(first));
      }
      SmallVector<Value> values;
      for (int r : instruction.registers)
        values.push_back(adaptor.getValue()[r]);
      Value packed = packVector(rewriter, loc, values);
      ptx::StoreAsyncOp::create(rewriter, loc, packed,
                                instructionPointer(rewriter, loc, target.place, element, lanes, instruction),
                                target.isOther, target.barrier);
      ptx::StoreOp::create(rewriter, loc, packed,
                           instructionPointer(rewriter, loc, base, element, lanes, instruction),
                           target.isOwn);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ArriveClusterPattern : OpConversionPattern<tile::ArriveClusterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::ArriveClusterOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getOwn())
      ptx::ArriveClusterOp::create(rewriter, op.getLoc(), /*aligned=*/false);
    else
      NVVM::ClusterArriveOp::create(rewriter, op.getLoc(), /*aligned=*/UnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

struct AwaitClusterPattern : OpConversionPattern<tile::AwaitClusterOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::AwaitClusterOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NVVM::ClusterWaitOp::create(rewriter, op.getLoc(), /*aligned=*/UnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilewright::populateClusterPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<PushPartsPattern, ArriveClusterPattern, AwaitClusterPattern>(converter, patterns.getContext());
}
