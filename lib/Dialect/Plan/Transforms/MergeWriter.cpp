// The same parts in the same order are one kernel, however many launches of them there are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MergeWriter.h"

#include "Tilewright/Dialect/Plan/IR/Traffic.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::plan;

StringAttr MergeWriter::kernelOf(ArrayRef<LaunchOp> launches, ArrayRef<KernelPart> parts,
                                 const Slices *slices) {
  std::string key;
  llvm::raw_string_ostream stream(key);
  if (slices)
    slices->print(stream);
  for (KernelPart part : parts)
    key += (part.function.getSymName() + "/" + Twine(part.numInputs) + " ").str();
  StringAttr &name = known[key];
  if (name)
    return name;
  LaunchOp first = launches[0], second = launches[1];
  std::string readable = (first.getKernel() + (slices ? "_then_" : "_and_")).str();
  readable += launches.size() == 2 ? second.getKernel().str() : std::to_string(launches.size() - 1) + "_more";
  KernelPart front = parts[0];
  OpBuilder builder(front.function->getParentOfType<gpu::GPUModuleOp>());
  gpu::GPUModuleOp kernel = createMergedKernel(builder, readable, parts, slices);
  symbols.insert(kernel);
  // Its name may have been taken; a kernel is called as its module is.
  for (auto function : kernel.getOps<LLVM::LLVMFuncOp>())
    function.setSymName(kernel.getName());
  return name = builder.getStringAttr(kernel.getName());
}

LaunchOp MergeWriter::writeLaunch(ArrayRef<LaunchOp> launches, ArrayRef<KernelPart> parts,
                                  const Slices *slices) {
  OpBuilder builder(launches[0]);
  SmallVector<Value> arguments;
  SmallVector<Type> types;
  SmallVector<Location> locations;
  llvm::SetVector<Attribute> sources;
  int64_t flops = 0, read = 0, written = 0, most = -1, fetched = 0, writtenBack = 0;
  StringRef unit, anchor;
  for (auto [number, one] : llvm::enumerate(launches)) {
    LaunchOp launch = one;
    for (auto [i, argument] : llvm::enumerate(launch.getArgs()))
      if (!slices || !slices->isInside((unsigned)number, (unsigned)i))
        arguments.push_back(argument);
    llvm::append_range(types, launch.getResultTypes());
    locations.push_back(launch.getLoc());
    merged.insert(launch.getKernelAttr().getAttr());
    if (auto names = launch->getAttrOfType<ArrayAttr>(PlanDialect::getSourcesAttrName()))
      sources.insert(names.begin(), names.end());
    auto cost = launch->getAttrOfType<CostAttr>(PlanDialect::getCostAttrName());
    flops += cost.getFlops();
    read += cost.getRead();
    written += cost.getWritten();
    if (auto traffic = launch->getAttrOfType<DenseI64ArrayAttr>(kTrafficAttrName))
      fetched += traffic[0], writtenBack += traffic[1];
    if (cost.getFlops() > most)
      most = cost.getFlops(), unit = cost.getUnit();
    // Several kinds beside one another are none of them.
    anchor = anchor.empty() || anchor == cost.getAnchor() ? cost.getAnchor() : "several";
  }
  auto launch = LaunchOp::create(builder, builder.getFusedLoc(locations), types,
                                 kernelOf(launches, parts, slices).getValue(), arguments);
  launch->setAttr(PlanDialect::getCostAttrName(),
                  CostAttr::get(builder.getContext(), anchor, unit, flops, read, written));
  launch->setAttr(PlanDialect::getSourcesAttrName(), builder.getArrayAttr(sources.getArrayRef()));
  launch->setAttr(kTrafficAttrName, builder.getDenseI64ArrayAttr({fetched, writtenBack}));
  SmallVector<PartAttr> places = placesOf(parts, slices);
  launch->setAttr(PlanDialect::getPartsAttrName(),
                  builder.getArrayAttr(SmallVector<Attribute>(places.begin(), places.end())));
  if (slices)
    launch->setAttr(PlanDialect::getSlicesAttrName(), builder.getI64IntegerAttr(slices->count));
  auto next = launch.getResults().begin();
  for (LaunchOp part : launches)
    for (Value result : part.getResults())
      result.replaceAllUsesWith(*next++);
  for (LaunchOp part : launches)
    part.erase();
  return launch;
}

void MergeWriter::eraseUnused() {
  llvm::DenseSet<Attribute> launched;
  module.walk([&](LaunchOp launch) {
    for (FlatSymbolRefAttr kernel : launch.getKernels())
      launched.insert(kernel.getAttr());
  });
  for (StringAttr name : merged)
    if (!launched.contains(name))
      symbols.erase(symbols.lookup(name));
}
