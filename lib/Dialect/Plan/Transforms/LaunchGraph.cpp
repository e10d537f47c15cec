// The longest way through the program is what it takes; a launch off that way costs what a kernel adds to a
// graph in which others run beside it (docs/Fusion.md says where the figures come from).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchGraph.h"

#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

/// Shares of the memory's bandwidth that one multiprocessor can take, and of the issue slots that are filled.
static constexpr double kSharesOfOne = 2.5, kReachedIssue = 0.66;
/// Starts of a kernel that the instructions of a merged one may take. (Measured on an H200: of two kernels of
/// 4 and 1 us of instructions the merged one took 21 us where they took 14 beside one another.)
static constexpr double kMostIssue = 2;

double plan::workMicroseconds(CostAttr cost, int64_t blocks, const Arch &arch) {
  double busy = std::min(1.0, (double)std::max<int64_t>(blocks, 1) / arch.numSMs);
  double bytes = (double)cost.getRead() + (double)cost.getWritten();
  double gbps = bytes <= arch.l2Bytes / 2 ? std::max(arch.l2GBps, arch.hbmGBps) : arch.hbmGBps;
  StringRef unit = cost.getUnit();
  double peak = unit == "tf32"                     ? arch.tf32TFlops
                : unit == "bf16" || unit == "fp16" ? arch.bf16TFlops
                                                   : arch.fp32TFlops;
  return std::max(bytes / (gbps * 1e3) / std::min(1.0, kSharesOfOne * busy),
                  (double)cost.getFlops() / (peak * 1e6 * busy));
}

/// Microseconds in which the multiprocessors issue what a kernel's threads execute, each instruction once.
static double issueMicroseconds(KernelPart &part, const Arch &arch) {
  int64_t instructions = 0;
  for (Block &block : part.function.getBody())
    instructions += llvm::count_if(block, [](Operation &op) {
      return !isa<LLVM::ConstantOp, LLVM::UndefOp, LLVM::PoisonOp, LLVM::ExtractValueOp, LLVM::InsertValueOp,
                  LLVM::BitcastOp>(op);
    });
  int64_t blocks = std::max<int64_t>(part.shape().numBlocks(), 1);
  double busy = std::min(1.0, (double)blocks / arch.numSMs);
  // Two flops are one instruction.
  return (double)(instructions * blocks * part.shape().getBlock()) /
         (kReachedIssue * arch.fp32TFlops * 0.5e6 * busy);
}

static CostAttr costOf(LaunchOp launch) {
  return launch->getAttrOfType<CostAttr>(PlanDialect::getCostAttrName());
}

std::string plan::describePart(LaunchOp launch, KernelPart &part) {
  part = KernelPart(kernelFunction(launch, launch.getKernel()), (unsigned)launch.getArgs().size());
  if (!part.function)
    return "its kernel is not in the target form";
  if (launch->hasAttr(PlanDialect::getVariantsAttrName()))
    return "other chips have other kernels for it";
  if (launch->hasAttr(PlanDialect::getPartsAttrName()))
    return "it is a merged kernel already";
  if (!costOf(launch))
    return "nothing says what it computes";
  if (std::string why = whyNoPart(part); !why.empty())
    return why;
  unsigned buffers = 0;
  for (unsigned i = 0; i < part.function.getNumArguments(); ++i)
    buffers += !part.function.getArgAttr(i, ptx::PtxDialect::getTrueLengthAttrName());
  if (buffers != launch.getArgs().size() + launch.getNumResults())
    return "its parameters are not the buffers of its launch";
  return "";
}

LaunchGraph::LaunchGraph(ProgramOp program, const Arch &arch, ArrayRef<std::string> alone) : arch(arch) {
  llvm::DenseMap<Operation *, int> numbers;
  for (auto launch : program.getBody().getOps<LaunchOp>()) {
    int number = (int)nodes.size();
    LaunchNode &node = nodes.emplace_back();
    node.launches = {launch};
    node.whyNot = describePart(launch, node.parts.emplace_back());
    if (llvm::is_contained(alone, launch.getKernel()))
      node.whyNot = "it is to stay alone";
    // What is not modelled takes no time beyond its start: nothing is merged with it.
    if (CostAttr cost = costOf(launch); cost && node.parts[0].function && node.parts[0].shape())
      node.work = workMicroseconds(cost, node.parts[0].shape().numBlocks(), arch);
    // What takes long to issue fills the multiprocessors: blocks of another part beside it slow both.
    double issue = node.work > 0 ? issueMicroseconds(node.parts[0], arch) : 0;
    bool isLong = node.work > arch.nodeMicroseconds || issue > kMostIssue * arch.nodeMicroseconds;
    node.work = std::max(node.work, issue);
    node.apart = {node.work};
    if (node.whyNot.empty() && isLong)
      node.whyNot =
          llvm::formatv("it works {0:f2} us, longer than the {1:f2} us that a kernel takes to start",
                        node.work, arch.nodeMicroseconds)
              .str();
    // Through reshapes, which are launches' operands too.
    SmallVector<Value> worklist(launch->getOperands());
    while (!worklist.empty()) {
      Operation *producer = worklist.pop_back_val().getDefiningOp();
      if (!producer)
        continue;
      if (auto found = numbers.find(producer); found != numbers.end()) {
        node.needs.insert(found->second);
        nodes[found->second].neededBy.insert(number);
        continue;
      }
      llvm::append_range(worklist, producer->getOperands());
    }
    numbers[launch] = number;
  }
  update();
}

void LaunchGraph::update() {
  int count = (int)nodes.size();
  std::vector<int> order, open(count, 0);
  for (int i = 0; i < count; ++i) {
    open[i] = (int)nodes[i].needs.size();
    if (!nodes[i].gone && open[i] == 0)
      order.push_back(i);
  }
  for (size_t at = 0; at < order.size(); ++at)
    for (int next : nodes[order[at]].neededBy)
      if (--open[next] == 0)
        order.push_back(next);
  before.assign(count, llvm::BitVector(count));
  auto time = [&](int i) { return nodes[i].work + arch.nodeMicroseconds; };
  for (int i : order) {
    nodes[i].early = 0;
    for (int need : nodes[i].needs) {
      before[i] |= before[need];
      before[i].set(need);
      nodes[i].early = std::max(nodes[i].early, nodes[need].early + time(need));
    }
  }
  longest = 0;
  for (int i : llvm::reverse(order)) {
    nodes[i].late = 0;
    for (int user : nodes[i].neededBy)
      nodes[i].late = std::max(nodes[i].late, nodes[user].late);
    nodes[i].late += time(i);
    longest = std::max(longest, nodes[i].early + nodes[i].late);
  }
}

double LaunchGraph::workOfBoth(int a, int b) const {
  // Their blocks run beside one another; the chip's rates are shared.
  double bytes = 0, work = std::max(nodes[a].work, nodes[b].work);
  for (int i : {a, b})
    for (LaunchOp launch : nodes[i].launches)
      bytes += (double)costOf(launch).getRead() + (double)costOf(launch).getWritten();
  double gbps = bytes <= arch.l2Bytes / 2 ? std::max(arch.l2GBps, arch.hbmGBps) : arch.hbmGBps;
  return std::max(work, bytes / (gbps * 1e3));
}

double LaunchGraph::gain(int a, int b) const {
  double behind = std::max(nodes[a].late - nodes[a].work, nodes[b].late - nodes[b].work);
  double through = std::max(nodes[a].early, nodes[b].early) + workOfBoth(a, b) + behind;
  return arch.besideMicroseconds - std::max(0.0, through - longest);
}

std::string LaunchGraph::whyApart(int a, int b) const {
  SmallVector<KernelPart> parts(nodes[a].parts);
  llvm::append_range(parts, nodes[b].parts);
  if (parts.size() > kMostParts)
    return llvm::formatv("a kernel has at most {0} parts", kMostParts).str();
  int64_t threads = threadsOf(parts), shared = sharedBytesOf(parts), blocks = 0;
  unsigned parameters = 0;
  for (KernelPart part : parts) {
    int64_t own = part.shape().getBlock();
    // Registers are divided among the threads of the largest block.
    if (threads > kFreeThreads && own != threads)
      return llvm::formatv("threads of {0} a block would have the registers of {1} a block", own, threads)
          .str();
    blocks += part.blocksOf(threads);
    parameters += part.function.getNumArguments();
  }
  if (parameters > kMostParameters)
    return llvm::formatv("they have {0} parameters, a kernel takes {1}", parameters, kMostParameters).str();
  Occupancy resident =
      occupancy(arch, threads, std::min(kRegisters, registersForOccupancy(arch, threads, 1)), shared);
  if (int64_t once = (int64_t)resident.blocksPerSM * arch.numSMs; (double)blocks > kMostAtOnce * (double)once)
    return llvm::formatv(
               "{0} blocks of {1} threads and {2} bytes of shared memory would not run at once, {3} do",
               blocks, threads, shared, once)
        .str();
  if (double gained = gain(a, b); gained <= 0)
    return llvm::formatv("what needs one of them would wait {0:f2} us longer than a launch costs", -gained)
        .str();
  return "";
}

void LaunchGraph::merge(int a, int b) {
  LaunchNode &into = nodes[a], &from = nodes[b];
  into.work = workOfBoth(a, b);
  llvm::append_range(into.launches, from.launches);
  llvm::append_range(into.parts, from.parts);
  llvm::append_range(into.apart, from.apart);
  for (int need : from.needs) {
    nodes[need].neededBy.remove(b);
    nodes[need].neededBy.insert(a);
    into.needs.insert(need);
  }
  for (int user : from.neededBy) {
    nodes[user].needs.remove(b);
    nodes[user].needs.insert(a);
    into.neededBy.insert(user);
  }
  from.gone = true;
  from.needs.clear();
  from.neededBy.clear();
  update();
}
