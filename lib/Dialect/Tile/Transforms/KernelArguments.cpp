// Views are followed to the argument of the kernel, whose attributes say what its memory is.
#include "KernelArguments.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

Value tile::sourceOf(Value view) {
  while (auto op = view.getDefiningOp<ViewOp>())
    view = op.getSource();
  return view;
}

BlockArgument tile::argumentOf(Value view) {
  auto argument = dyn_cast<BlockArgument>(sourceOf(view));
  if (!argument)
    return {};
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<KernelOp>(parent))
    return argument;
  // A role's first argument is its instance's number.
  auto role = dyn_cast<RoleOp>(parent);
  return role && argument.getArgNumber() > 0 ? argumentOf(role.getCaptures()[argument.getArgNumber() - 1])
                                             : BlockArgument();
}

static bool hasMark(Value view, StringRef name) {
  BlockArgument argument = argumentOf(view);
  if (!argument)
    return false;
  auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
  return (bool)kernel.getArgAttr(argument.getArgNumber(), name);
}

bool tile::isSteady(Value view) { return hasMark(view, KernelOp::getSteadyAttrName()); }

bool tile::isWorkspace(Value view) { return hasMark(view, KernelOp::getWorkspaceAttrName()); }
