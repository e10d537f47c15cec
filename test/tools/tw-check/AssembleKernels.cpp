// The kernels lose their names, so that the assembler sees which are equal, and are sent in one batch, so
// that its workers are never idle. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AssembleKernels.h"
#include "Tilewright/Import/Upstream.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::check;

void KernelAssembly::add(func::FuncOp func, StringRef name, const CheckOptions &options) {
  ++count.programs;
  OwningOpRef<ModuleOp> program = extractProgram(func);
  StageOptions stages = stageOptions(options);
  if (failed(importUpstream(*program))) {
    llvm::outs() << "FAIL " << name << ": stage import failed\n";
    ++count.wrong;
    return;
  }
  for (Stage stage : {Stage::Graph, Stage::Fuse, Stage::Tile, Stage::Schedule, Stage::Target})
    if (failed(runStage(*program, stage, stages))) {
      llvm::outs() << "FAIL " << name << ": stage " << stageName(stage) << " failed\n";
      ++count.wrong;
      return;
    }
  for (auto kernel : program->getOps<gpu::GPUModuleOp>()) {
    names.push_back((name + ", kernel " + kernel.getName()).str());
    for (auto function : kernel.getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr("nvvm.kernel"))
        function.setSymName("kernel");
    kernels.push_back(kernel);
  }
  programs.push_back(std::move(program));
}

void KernelAssembly::assemble(Assembler &assembler, ArrayRef<unsigned> group, ArrayRef<const Arch *> archs) {
  auto members = llvm::map_to_vector(group, [&](unsigned i) { return kernels[i]; });
  FailureOr<std::vector<AssembledKernel>> results = failure();
  {
    // Spills are reported below, with the names of their programs.
    ScopedDiagnosticHandler errorsOnly(&context, [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() != DiagnosticSeverity::Error);
    });
    results = assembler.assemble(members, archs);
  }
  if (failed(results)) {
    ++count.wrong;
    return;
  }
  // Results come kernel by kernel, each in the order of its own chips, which need not be all of them.
  size_t owner = 0, lastChip = 0;
  StringRef lastName = results->empty() ? StringRef() : StringRef(results->front().name);
  for (const AssembledKernel &kernel : *results) {
    size_t chip = llvm::find(archs, kernel.arch) - archs.begin();
    owner += &kernel != &results->front() && (chip <= lastChip || lastName != kernel.name);
    lastChip = chip;
    lastName = kernel.name;
    unsigned spills = kernel.resources ? kernel.resources->spillStores + kernel.resources->spillLoads : 0;
    if (kernel.resources && !spills)
      continue;
    ++count.wrong;
    llvm::outs() << "FAIL " << names[group[owner]] << ": "
                 << (kernel.resources ? llvm::formatv("spills {0} bytes on {1} at {2} registers", spills,
                                                      kernel.arch->name, kernel.resources->registers)
                                            .str()
                                      : "there is no ptxas")
                 << "\n";
  }
}

AssemblyCount KernelAssembly::finish(ArrayRef<const Arch *> archs, const Arch *always, unsigned jobs) {
  count.kernels = kernels.size();
  AssembleOptions options;
  options.jobs = jobs;
  Assembler assembler(options);
  SmallVector<SmallVector<const Arch *>> turns;
  for (const Arch *arch : archs)
    if (always && arch != always)
      turns.push_back({always, arch});
  if (turns.empty())
    turns.emplace_back(archs);
  for (unsigned turn = 0; turn < turns.size(); ++turn) {
    SmallVector<unsigned> group;
    for (unsigned i = turn; i < kernels.size(); i += turns.size())
      group.push_back(i);
    assemble(assembler, group, turns[turn]);
  }
  count.assembled = assembler.statistics().assembled;
  return count;
}
