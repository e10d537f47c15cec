// Where a program uses the accumulators of a wgmma, other than for the next one: there a call asks whether
// the group is over. Which products a value may come from is followed through block arguments and structs; a
// wait that hands the accumulators on ends the way, and so does a pin, which stands where an earlier wait has
// ended them: there the question is asked, since behind it the product may be in flight for another tile.
#include "HostModule.h"

#include "Tilewright/Dialect/Ptx/IR/Ptx.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::emulator;

static bool isProduct(Operation *op) { return isa<NVVM::WgmmaMmaAsyncOp, ptx::WgmmaOp>(op); }

/// Values that are the same registers: no instruction touches them.
static bool isPassedOn(Operation *op) {
  return isa<LLVM::ExtractValueOp, LLVM::InsertValueOp, LLVM::BitcastOp, LLVM::FreezeOp>(op);
}

/// Sites of products that a value may come from, per using operation.
using Uses = llvm::MapVector<Operation *, SmallVector<int32_t>>;

static void followProduct(Operation *product, int32_t site, Uses &uses) {
  SmallVector<Value> worklist{product->getResult(0)};
  llvm::SmallPtrSet<Value, 16> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (auto wgmma = dyn_cast<ptx::WgmmaOp>(user); wgmma && use.get() != wgmma.getAccumulator()) {
        uses[user].push_back(site); // as a fragment of A
      } else if (isProduct(user)) {
        continue;
      } else if (auto wait = dyn_cast<ptx::WgmmaWaitOp>(user)) {
        if (wait.getPending())
          worklist.push_back(wait.getResult());
        else
          uses[user].push_back(site);
      } else if (isa<ptx::PinOp>(user)) {
        uses[user].push_back(site);
      } else if (isPassedOn(user)) {
        worklist.push_back(user->getResult(0));
      } else if (auto branch = dyn_cast<BranchOpInterface>(user)) {
        if (auto argument = branch.getSuccessorBlockArgument(use.getOperandNumber()))
          worklist.push_back(*argument);
      } else {
        uses[user].push_back(site);
      }
    }
  }
}

/// One question for each product is enough until the next product, commit or wait of the block.
static bool changesFlight(Operation *op) {
  return isProduct(op) ||
         isa<NVVM::WgmmaGroupSyncAlignedOp, NVVM::WgmmaWaitGroupSyncOp, ptx::WgmmaWaitOp>(op);
}

/// Whether a product's registers of A are written in its block behind the last fence before it.
static bool readsUnfenced(Operation *product) {
  auto wgmma = dyn_cast<ptx::WgmmaOp>(product);
  Operation *written = wgmma ? wgmma.getA().getDefiningOp() : nullptr;
  if (!written || wgmma.getA().getType().isInteger(64))
    return false;
  for (Operation *op = product->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<NVVM::WgmmaFenceAlignedOp>(op))
      return false;
    if (op == written)
      return true;
  }
  return false;
}

void tilewright::emulator::checkAccumulatorUses(FunctionRewriter &rewriter,
                                                ArrayRef<Operation *> operations) {
  for (Operation *op : operations)
    if (isProduct(op)) {
      rewriter.result.sites.push_back({op->getName().getStringRef().str(), describeLocation(op->getLoc())});
      rewriter.wgmmaSites[op] = int32_t(rewriter.result.sites.size() - 1);
      if (readsUnfenced(op))
        rewriter.unfencedProducts.insert(op);
    }
  if (rewriter.wgmmaSites.empty())
    return;
  Uses uses;
  for (Operation *op : operations)
    if (isProduct(op))
      followProduct(op, rewriter.wgmmaSites.lookup(op), uses);
  mlir::Block *block = nullptr;
  llvm::DenseSet<int32_t> asked;
  for (Operation *op : operations) {
    if (op->getBlock() != block || changesFlight(op)) {
      block = op->getBlock();
      asked.clear();
    }
    auto found = uses.find(op);
    if (found == uses.end())
      continue;
    if (isa<ptx::WgmmaWaitOp>(op))
      rewriter.builder.setInsertionPointAfter(op);
    else
      rewriter.builder.setInsertionPoint(op);
    for (int32_t site : found->second)
      if (asked.insert(site).second)
        rewriter.callVoid("tw_emu_wgmma_used",
                          {rewriter.self, rewriter.constant(uint32_t(site)), rewriter.site(op)});
  }
}
