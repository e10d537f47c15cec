// tile-depend-on-grid: a kernel that may start early waits for the kernels before it when it has made its
// barriers, and lets those behind it start.

#include "Tilewright/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
#define GEN_PASS_DEF_TILEDEPENDONGRID
#include "Tilewright/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilewright::tile

namespace {
struct DependOnGrid : tile::impl::TileDependOnGridBase<DependOnGrid> {
  using Base::Base;
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    ScheduleAttr schedule = kernel.getSchedule();
    if (!schedule || !schedule.getOptions().dependentLaunch)
      return markAllAnalysesPreserved();
    Block &body = kernel.getBody().front();
    auto roles = body.getOps<RoleOp>();
    OpBuilder builder = roles.empty() ? OpBuilder::atBlockBegin(&body) : OpBuilder(*roles.begin());
    AwaitGridOp::create(builder, kernel.getLoc());
    LaunchDependentsOp::create(builder, kernel.getLoc());
  }
};
} // namespace
