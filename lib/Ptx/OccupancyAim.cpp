// ptxas aims at an occupancy of its own: sometimes at the price of spills that one block less would not need,
// or by taking loads apart that stand together, and sometimes it stops a few registers short of another
// block. (H200: a kernel of 142 registers in blocks of 256 threads takes 316 us, with 128 and 20 bytes of
// spills, so that two blocks share a multiprocessor, 223.)
#include "OccupancyAim.h"

#include "HeldIndex.h"
#include "Ptxas.h"

#include "Tilewright/Target/Cuda/Arch.h"

using namespace tilewright;
using namespace tilewright::ptxstage;

/// Warps of a multiprocessor from which on another block is worth no spills.
static constexpr unsigned kManyWarps = 16;
/// Of a thread's registers the part that is given up for another block, and the spills that are.
static constexpr unsigned kRegisterShare = 8, kFewSpilledBytes = 64;

/// Registers of loads that are to be on their way together, at most, those that a thread has beside them, and
/// warps of a multiprocessor at least. (H200, random programs: one with 2900 rows of 14992 fp32, of which
/// ptxas has 32 registers by itself and 70 so, 870 and 843 us, one with 32 and 56 171 and 153; 39 of them
/// 0.993 in the mean.)
static constexpr unsigned kMostTogether = 64, kOtherRegisters = 16, kLeastWarps = 16;

namespace {
/// One way of assembling a kernel.
struct Attempt {
  std::string ptx, cubin, log;
  KernelResources resources;

  bool run(const Request &request, const std::string &directory) {
    cubin = runPtxas(request.ptxas, request.arch, ptx, directory, log);
    if (std::string held = withHeldIndex(ptx, cubin); !held.empty()) {
      ptx = std::move(held);
      cubin = runPtxas(request.ptxas, request.arch, ptx, directory, log);
    }
    std::vector<PtxasMessage> messages;
    parsePtxasLog(log, resources, messages);
    return !cubin.empty();
  }
  unsigned spills() const { return resources.spillStores + resources.spillLoads; }
};
} // namespace

/// Threads of the kernel's block; 0 where it is not known, or the kernel says something of occupancy or
/// registers.
static unsigned freeThreads(llvm::StringRef ptx) {
  if (ptx.contains("\n.minnctapersm") || ptx.contains("\n.maxnreg"))
    return 0;
  size_t begin = ptx.find("\n.reqntid ");
  unsigned threads = 0;
  if (begin == llvm::StringRef::npos || ptx.drop_front(begin + 10).ltrim().consumeInteger(10, threads))
    return 0;
  return threads;
}

/// 32-bit registers that the loads of a stretch of code without labels, branches and barriers write, of the
/// one with most of them.
static unsigned loadedTogether(llvm::StringRef ptx) {
  unsigned most = 0, here = 0;
  llvm::SmallVector<llvm::StringRef> lines;
  ptx.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.trim();
    // Labels, and branches to them.
    if (line.contains("$L__BB") || line.starts_with("bar.")) {
      here = 0;
      continue;
    }
    size_t at = line.find("ld.global");
    if (at == llvm::StringRef::npos)
      continue;
    llvm::StringRef kind = line.drop_front(at).take_until([](char c) { return c == ' ' || c == '\t'; });
    unsigned count = kind.contains(".v4") ? 4 : kind.contains(".v2") ? 2 : 1;
    here += kind.ends_with("64") ? 2 * count : count;
    most = std::max(most, here);
  }
  return most;
}

static std::string aimedAt(llvm::StringRef ptx, unsigned blocks) {
  size_t end = ptx.find('\n', ptx.find("\n.reqntid ") + 1);
  return (ptx.take_front(end) + "\n.minnctapersm " + llvm::Twine(blocks) + ptx.drop_front(end)).str();
}

void ptxstage::assembleForOccupancy(const Request &request, const std::string &directory, Reply &reply) {
  Attempt best{reply.ptx, "", "", {}};
  bool runs = best.run(request, directory);
  const Arch *arch = lookupArch(request.arch);
  unsigned threads = runs && arch ? freeThreads(reply.ptx) : 0;
  if (threads) {
    unsigned blocks = occupancy(*arch, threads, best.resources.registers, 0).blocksPerSM;
    auto attempt = [&](unsigned aim, auto &&isBetter) {
      Attempt other{aimedAt(reply.ptx, aim), "", "", {}};
      if (other.run(request, directory) && isBetter(other))
        best = std::move(other);
    };
    for (unsigned aim = blocks; aim >= 1 && best.spills() > 0; --aim)
      attempt(aim, [&](const Attempt &other) { return other.spills() < best.spills(); });
    unsigned needed = 0, allowed = 0;
    llvm::StringRef(request.blocksNeeded).getAsInteger(10, needed);
    llvm::StringRef(request.blocksAllowed).getAsInteger(10, allowed);
    auto residentAt = [&](unsigned registers) { return occupancy(*arch, threads, registers, 0).blocksPerSM; };
    auto isNear = [&](unsigned aim) {
      unsigned registers = best.resources.registers, fewer = registersForOccupancy(*arch, threads, aim);
      return registers <= fewer + registers / kRegisterShare;
    };
    unsigned resident = residentAt(best.resources.registers);
    // What is loaded together shall be on its way together.
    unsigned wanted = std::min(loadedTogether(reply.ptx), kMostTogether) + kOtherRegisters;
    // A grid that is resident stays so.
    unsigned least = std::max(1u, needed <= resident ? needed : llvm::divideCeil(kLeastWarps * 32, threads));
    if (best.spills() == 0 && resident > least && best.resources.registers < wanted) {
      unsigned aim = resident - 1;
      while (aim > least && registersForOccupancy(*arch, threads, aim) < wanted)
        --aim;
      attempt(aim, [&](const Attempt &other) {
        return other.spills() == 0 && other.resources.registers > best.resources.registers;
      });
    }
    resident = residentAt(best.resources.registers);
    // All blocks at once: no second round for the last few of them.
    if (resident > 0 && needed > resident && needed <= allowed && isNear(needed))
      attempt(needed, [&](const Attempt &other) {
        return other.spills() <= best.spills() && residentAt(other.resources.registers) >= needed;
      });
    resident = residentAt(best.resources.registers);
    if (resident > 0 && std::min(needed, allowed) > resident && resident * threads <= kManyWarps * 32 &&
        isNear(resident + 1))
      attempt(resident + 1, [&](const Attempt &other) {
        // Two blocks for one are worth a few spills.
        return other.spills() <=
                   (resident == 1 ? std::max(best.spills(), kFewSpilledBytes) : best.spills()) &&
               residentAt(other.resources.registers) > resident;
      });
  }
  reply.ptx = std::move(best.ptx);
  reply.cubin = std::move(best.cubin);
  reply.ptxasLog = std::move(best.log);
  if (!runs)
    reply.error = "ptxas";
}
