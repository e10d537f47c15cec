// Reports of a compilation as text and JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/Report.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Dialect/Plan/IR/Traffic.h"
#include "Tilewright/Dialect/Plan/Transforms/KernelFunctions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace tilewright;

void CompileReport::add(Stage stage, double more) {
  auto known = llvm::find_if(seconds, [&](const auto &entry) { return entry.first == stage; });
  if (known == seconds.end())
    seconds.push_back({stage, more});
  else
    known->second += more;
}

/// What one program moves, and the least that any cut into kernels could. Of an input that is read in parts
/// (rows of a table) no kernel reads more than it reads in all.
static void countBytes(const package::Package &package, const package::Entry &program, ProgramReport &entry) {
  std::vector<uint64_t> inputs(program.inputs.size(), 0), weights(package.weights.size(), 0);
  for (const package::Launch &launch : program.launches) {
    if (launch.kind != package::LaunchKind::Kernel) {
      entry.movedBytes += launch.kind == package::LaunchKind::Memcpy ? 2 * launch.bytes : launch.bytes;
      continue;
    }
    const package::Kernel &kernel = package.kernels[launch.kernel];
    entry.movedBytes += kernel.bytesRead + kernel.bytesWritten;
    for (const package::Parameter &parameter : launch.parameters) {
      if (parameter.kind != package::ParameterKind::Address)
        continue;
      const package::Address &address = parameter.address;
      if (address.base == package::AddressBase::Input)
        inputs[address.index] = std::max(inputs[address.index], kernel.bytesRead);
      else if (address.base == package::AddressBase::Weight)
        weights[address.index] = std::max(weights[address.index], kernel.bytesRead);
    }
  }
  for (auto [input, most] : zip_equal(program.inputs, inputs))
    entry.leastBytes += std::min(package::tensorBytes(input), most);
  for (auto [weight, most] : zip_equal(package.weights, weights))
    entry.leastBytes += std::min(weight.bytes, most);
  for (const package::Tensor &output : program.outputs)
    entry.leastBytes += package::tensorBytes(output);
}

/// What the programs of `module` pass through the memory, as their launches say.
static void countTraffic(mlir::ModuleOp module, CompileReport &report) {
  for (auto program : module.getOps<plan::ProgramOp>()) {
    auto of = program->getAttrOfType<mlir::DenseI64ArrayAttr>(plan::kTrafficAttrName);
    for (ProgramReport &entry : report.programs)
      if (of && entry.name == program.getSymName()) {
        entry.hasTraffic = true;
        entry.dramRead = of[0], entry.dramWritten = of[1], entry.deadBytes = of[2];
        entry.leastBytes = of[3]; // tensor by tensor
      }
    for (auto launch : program.getBody().front().getOps<plan::LaunchOp>())
      if (auto moved = launch->getAttrOfType<mlir::DenseI64ArrayAttr>(plan::kTrafficAttrName))
        for (KernelReport &kernel : report.kernels)
          if (kernel.name == launch.getKernel()) {
            if (auto slices =
                    launch->getAttrOfType<mlir::IntegerAttr>(plan::PlanDialect::getSlicesAttrName()))
              kernel.slices = slices.getInt();
            kernel.dramRead += moved[0];
            kernel.dramWritten += moved[1];
          }
  }
}

void tilewright::reportPackage(mlir::ModuleOp module, const package::Package &package,
                               ArrayRef<AssembledKernel> assembled, CompileReport &report) {
  report.program = package.program;
  auto parts = plan::partsOfKernels(module);
  for (const package::Kernel &kernel : package.kernels) {
    KernelReport &entry = report.kernels.emplace_back();
    entry.name = kernel.name;
    for (plan::PartAttr part : parts.lookup(kernel.name))
      entry.parts.push_back({part.getKernel().str(), (uint64_t)part.getFirst(), (uint64_t)part.getBlocks()});
    entry.sourceNodes = kernel.sourceNodes;
    entry.anchor = kernel.anchor;
    entry.block = kernel.block;
    entry.sharedBytes = kernel.dynamicSharedBytes;
    entry.flops = kernel.flops;
    entry.bytesRead = kernel.bytesRead;
    entry.bytesWritten = kernel.bytesWritten;
    entry.bound = kernel.bound;
    entry.predictedMicroseconds = kernel.modelledMicroseconds;
    entry.scheduleFrom = kernel.scheduleFrom;
    for (const AssembledKernel &image : assembled) {
      if (image.name != kernel.name)
        continue;
      KernelTarget &target = entry.targets.emplace_back();
      target.arch = image.arch->name;
      target.resources = image.resources;
      if (image.resources)
        target.occupancy = occupancy(*image.arch, kernel.block[0], image.resources->registers,
                                     kernel.dynamicSharedBytes + image.resources->staticShared)
                               .warpFraction;
      mlir::LLVM::LLVMFuncOp function = plan::kernelFunction(module, kernel.name);
      if (!function)
        continue;
      std::optional<unsigned> registers;
      if (image.resources)
        registers = image.resources->registers;
      target.residency =
          occupancyOf(*image.arch, function, registers, image.resources ? image.resources->staticShared : 0);
      if (target.residency)
        target.limiter = target.residency->limiter(kernel.bound, *image.arch);
    }
  }
  for (const package::Entry &program : package.entries) {
    ProgramReport &entry = report.programs.emplace_back();
    entry.name = program.name;
    entry.launches = program.launches.size();
    entry.arenaBytes = program.arenaBytes;
    countBytes(package, program, entry);
    for (const package::Launch &launch : program.launches) {
      if (launch.kind != package::LaunchKind::Kernel)
        continue;
      KernelReport &kernel = report.kernels[launch.kernel];
      kernel.grid = launch.grid;
      ++kernel.launches;
      for (const package::Launch &variant : launch.variants) {
        ++report.kernels[variant.kernel].launches; // on its own chips
        report.kernels[variant.kernel].grid = variant.grid;
      }
      entry.predictedMicroseconds += kernel.predictedMicroseconds;
    }
  }
  countTraffic(module, report);
}

static std::string extent(const std::array<uint32_t, 3> &dims) {
  return formatv("{0}x{1}x{2}", dims[0], dims[1], dims[2]).str();
}

void tilewright::printReport(const CompileReport &report, raw_ostream &os) {
  os << "program " << report.program << ", " << report.toolchain << "\n\n";
  os << formatv("{0,-36} {1,-11} {2,4} {3,12} {4,5} {5,7} {6,5} {7,6} {8,11} {9,11} {10,12} {11,-8} {12,9} "
                "{13,5} {14}\n",
                "kernel", "anchor", "runs", "grid", "block", "shared", "regs", "spills", "read", "written",
                "flops", "bound", "us", "occ", "schedule");
  for (const KernelReport &kernel : report.kernels) {
    const KernelTarget *target = kernel.targets.empty() ? nullptr : &kernel.targets.front();
    auto known = [&](auto value) { return target && target->resources ? std::to_string(value()) : "-"; };
    std::string registers = known([&] { return target->resources->registers; });
    std::string spills =
        known([&] { return target->resources->spillStores + target->resources->spillLoads; });
    std::string resident = target && target->occupancy ? formatv("{0:f2}", *target->occupancy).str() : "-";
    os << formatv("{0,-36} {1,-11} {2,4} {3,12} {4,5} {5,7} {6,5} {7,6} {8,11} {9,11} {10,12} {11,-8} "
                  "{12,9:f2} {13,5} {14}\n",
                  kernel.name, kernel.anchor, kernel.launches, extent(kernel.grid), kernel.block[0],
                  kernel.sharedBytes, registers, spills, kernel.bytesRead, kernel.bytesWritten, kernel.flops,
                  kernel.bound, kernel.predictedMicroseconds, resident, kernel.scheduleFrom);
    if (target && target->residency)
      os << formatv(
          "    limited by {0}: {1:f1} waves, {2:f0} bytes in flight a multiprocessor where the memory "
          "takes {3:f0}\n",
          target->limiter, target->residency->waves, target->residency->bytesInFlight,
          target->residency->bytesNeeded);
    if (!kernel.parts.empty()) {
      os << (kernel.slices ? formatv("    interleaved in {0} slices from ", kernel.slices).str()
                           : "    merged from ");
      interleaveComma(kernel.parts, os, [&](const PartReport &part) {
        os << part.kernel << " (" << part.blocks << " blocks)";
      });
      os << "\n";
    }
    if (!kernel.sourceNodes.empty())
      os << "    " << join(kernel.sourceNodes, ", ") << "\n";
  }
  os << "\n";
  for (const ProgramReport &program : report.programs) {
    os << formatv("{0}: {1} launches, arena {2} bytes, {3} bytes moved where {4} are the least ({5:f2}), "
                  "predicted {6:f2} us\n",
                  program.name, program.launches, program.arenaBytes, program.movedBytes, program.leastBytes,
                  (double)program.movedBytes / (double)std::max<uint64_t>(program.leastBytes, 1),
                  program.predictedMicroseconds);
    if (program.hasTraffic)
      os << formatv(
          "{0}: {1} bytes through memory where {2} are the least ({3:f2}): {4} read, {5} written; {6} "
          "left in the L2 cache unneeded\n",
          program.name, program.dramRead + program.dramWritten, program.leastBytes,
          (double)(program.dramRead + program.dramWritten) /
              (double)std::max<uint64_t>(program.leastBytes, 1),
          program.dramRead, program.dramWritten, program.deadBytes);
  }
  os << formatv("weights {0} bytes, package {1} bytes (images {2}, emulation {3})\n", report.weightBytes,
                report.packageBytes, report.imageBytes, report.emulationBytes);
  os << "time";
  for (auto [stage, seconds] : report.seconds)
    os << formatv(" {0} {1:f3} s", stageName(stage), seconds);
  os << formatv("; peak memory {0} MiB\n", report.peakMemoryBytes >> 20);
}

static void writeKernel(json::OStream &json, const KernelReport &kernel) {
  auto dims = [](const std::array<uint32_t, 3> &d) { return json::Array{d[0], d[1], d[2]}; };
  auto resources = [&](const KernelTarget &target) {
    // null where ptxas did not run
    json.attribute("registers", target.resources ? json::Value(target.resources->registers) : nullptr);
    json.attribute("spill_bytes", target.resources ? json::Value(target.resources->spillStores +
                                                                 target.resources->spillLoads)
                                                   : nullptr);
    json.attribute("instructions", target.resources ? json::Value(target.resources->instructions) : nullptr);
    json.attribute("occupancy", target.occupancy ? json::Value(*target.occupancy) : nullptr);
    if (!target.residency)
      return;
    json.attribute("limiter", target.limiter);
    json.attribute("blocks_per_sm", target.residency->resident.blocksPerSM);
    json.attribute("waves", target.residency->waves);
    json.attribute("tail", target.residency->tail);
    json.attribute("bytes_in_flight", target.residency->bytesInFlight);
    json.attribute("bytes_in_flight_needed", target.residency->bytesNeeded);
  };
  json.object([&] {
    json.attribute("name", kernel.name);
    json.attribute("source_nodes", json::Array(kernel.sourceNodes));
    if (!kernel.parts.empty())
      json.attributeArray("parts", [&] {
        for (const PartReport &part : kernel.parts)
          json.object([&] {
            json.attribute("kernel", part.kernel);
            json.attribute("first_block", (int64_t)part.firstBlock);
            json.attribute("blocks", (int64_t)part.blocks);
          });
      });
    if (kernel.slices)
      json.attribute("slices", (int64_t)kernel.slices);
    json.attribute("anchor", kernel.anchor);
    json.attribute("launches", kernel.launches);
    json.attribute("grid", dims(kernel.grid));
    json.attribute("block", dims(kernel.block));
    json.attribute("shared_bytes", kernel.sharedBytes);
    resources(kernel.targets.empty() ? KernelTarget() : kernel.targets.front());
    json.attribute("bytes_read", (int64_t)kernel.bytesRead);
    json.attribute("bytes_written", (int64_t)kernel.bytesWritten);
    json.attribute("dram_bytes_read", (int64_t)kernel.dramRead);
    json.attribute("dram_bytes_written", (int64_t)kernel.dramWritten);
    json.attribute("flops", (int64_t)kernel.flops);
    json.attribute("bound", kernel.bound);
    json.attribute("predicted_us", kernel.predictedMicroseconds);
    json.attribute("schedule_from", kernel.scheduleFrom);
    json.attributeArray("targets", [&] {
      for (const KernelTarget &target : kernel.targets)
        json.object([&] {
          json.attribute("arch", target.arch);
          resources(target);
        });
    });
  });
}

void tilewright::printReportJson(const CompileReport &report, raw_ostream &os) {
  json::OStream json(os, /*IndentSize=*/2);
  unsigned launches = 0;
  uint64_t arenaBytes = 0;
  for (const ProgramReport &program : report.programs) {
    launches = std::max(launches, program.launches);
    arenaBytes = std::max(arenaBytes, program.arenaBytes);
  }
  json.object([&] {
    json.attributeObject("program", [&] {
      json.attribute("name", report.program);
      json.attribute("toolchain", report.toolchain);
      json.attribute("launches", launches); // of one forward: the bucket with most
      json.attribute("arena_bytes", (int64_t)arenaBytes);
      json.attribute("weight_bytes", (int64_t)report.weightBytes);
      json.attribute("package_bytes", (int64_t)report.packageBytes);
      json.attribute("image_bytes", (int64_t)report.imageBytes);
      json.attribute("emulation_bytes", (int64_t)report.emulationBytes);
      json.attribute("kernels_assembled", report.assembly.assembled);
      json.attribute("kernels_cached", report.assembly.directoryHits);
      json.attributeObject("seconds", [&] {
        for (auto [stage, seconds] : report.seconds)
          json.attribute(stageName(stage), seconds);
      });
      json.attribute("peak_memory_bytes", (int64_t)report.peakMemoryBytes);
      json.attribute("peak_worker_memory_bytes", (int64_t)report.peakWorkerMemoryBytes);
      json.attributeArray("entries", [&] {
        for (const ProgramReport &program : report.programs)
          json.object([&] {
            json.attribute("name", program.name);
            json.attribute("launches", program.launches);
            json.attribute("arena_bytes", (int64_t)program.arenaBytes);
            json.attribute("moved_bytes", (int64_t)program.movedBytes);
            json.attribute("least_bytes", (int64_t)program.leastBytes);
            if (program.hasTraffic) {
              json.attribute("dram_bytes_read", (int64_t)program.dramRead);
              json.attribute("dram_bytes_written", (int64_t)program.dramWritten);
              json.attribute("dram_bytes_left", (int64_t)program.deadBytes);
            }
            json.attribute("predicted_us", program.predictedMicroseconds);
          });
      });
    });
    json.attributeArray("kernels", [&] {
      for (const KernelReport &kernel : report.kernels)
        writeKernel(json, kernel);
    });
  });
  os << "\n";
}
