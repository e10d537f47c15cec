// The import stage: an ONNX model read once for each shape bucket, into one module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OnnxModel.h"
#include "Tilewright/Dialect/Graph/Transforms/Passes.h"
#include "Tilewright/Dialect/Plan/IR/Plan.h"
#include "Tilewright/Import/Onnx.h"
#include "Tilewright/Pipeline/Stages.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tilewright;

namespace {
/// The dimensions that a model declares.
struct DeclaredShapes {
  InputDims inputs, outputs;
};
} // namespace

static void collect(ArrayRef<onnx::ValueInfo> values, InputDims &dims) {
  for (const onnx::ValueInfo &value : values)
    if (value.shape)
      for (const onnx::Dim &dim : *value.shape)
        dims[value.name].push_back({dim.size, dim.symbol});
}

/// Reads the declared shapes; empty when the model cannot be read, which import then reports.
static DeclaredShapes declaredShapes(const ImportStage &stage) {
  DeclaredShapes shapes;
  auto model = stage.bytes
                   ? onnx::parseModel(llvm::MemoryBuffer::getMemBuffer(*stage.bytes, stage.path,
                                                                       /*RequiresNullTerminator=*/false))
                   : onnx::readModel(stage.path);
  if (!model) {
    llvm::consumeError(model.takeError());
    return shapes;
  }
  collect((*model)->graph.inputs, shapes.inputs);
  collect((*model)->graph.outputs, shapes.outputs);
  return shapes;
}

/// Notes on `function` which bucket it is, and which dimensions of its arguments and results the key names.
static void annotateBucket(func::FuncOp function, const ShapeBucket &bucket, const DeclaredShapes &declared) {
  Builder builder(function.getContext());
  SmallVector<Attribute> key;
  for (const auto &[name, size] : bucket.key)
    key.push_back(plan::BucketDimAttr::get(function.getContext(), name, size));
  function->setAttr(plan::PlanDialect::getBucketAttrName(), builder.getArrayAttr(key));
  auto symbolsOf = [&](StringAttr name, Type type, const InputDims &values) -> ArrayAttr {
    auto known = bucket.symbols.find(name ? name.str() : "");
    auto dims = values.find(name ? name.str() : "");
    SmallVector<Attribute> symbols;
    for (int64_t d = 0, rank = cast<RankedTensorType>(type).getRank(); d < rank; ++d) {
      std::string symbol;
      if (known != bucket.symbols.end())
        symbol = known->second[d];
      else if (dims != values.end() &&
               llvm::any_of(bucket.key, [&](auto &k) { return k.first == dims->second[d].symbol; }))
        symbol = dims->second[d].symbol;
      symbols.push_back(builder.getStringAttr(symbol));
    }
    bool any = llvm::any_of(symbols, [](Attribute a) { return !cast<StringAttr>(a).empty(); });
    return any ? builder.getArrayAttr(symbols) : ArrayAttr();
  };
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (ArrayAttr symbols =
            symbolsOf(function.getArgAttrOfType<StringAttr>(i, "graph.name"), type, declared.inputs))
      function.setArgAttr(i, "graph.symbols", symbols);
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (ArrayAttr symbols =
            symbolsOf(function.getResultAttrOfType<StringAttr>(i, "graph.name"), type, declared.outputs))
      function.setResultAttr(i, "graph.symbols", symbols);
}

OwningOpRef<ModuleOp> tilewright::runImportStage(MLIRContext &context, const ImportStage &stage) {
  context.loadDialect<plan::PlanDialect>(); // its attributes name the buckets
  DeclaredShapes declared;
  bool several = llvm::any_of(stage.shapes, [](const ShapeFlag &flag) {
    return llvm::any_of(flag.dims, [](const auto &sizes) { return sizes.size() > 1; });
  });
  if (several)
    declared = declaredShapes(stage);
  std::vector<ShapeBucket> buckets;
  std::string error;
  if (!expandBuckets(stage.shapes, declared.inputs, buckets, error)) {
    emitError(NameLoc::get(StringAttr::get(&context, stage.path))) << error;
    return nullptr;
  }

  OwningOpRef<ModuleOp> program;
  for (auto [number, bucket] : llvm::enumerate(buckets)) {
    OnnxImportOptions options;
    options.path = stage.path;
    options.bytes = stage.bytes;
    options.inputShapes = bucket.shapes;
    options.bucketed = !bucket.key.empty();
    OwningOpRef<ModuleOp> module = importOnnx(context, options);
    if (!module)
      return nullptr;
    if (bucket.key.empty())
      return module; // the only one
    auto function = module->lookupSymbol<func::FuncOp>("main");
    function.setSymName("main_" + std::to_string(number));
    annotateBucket(function, bucket, declared);
    if (!program) {
      program = std::move(module);
      continue;
    }
    function->remove();
    program->push_back(function);
  }
  // Means over padded dimensions divide by true lengths.
  PassManager pm(&context, ModuleOp::getOperationName());
  pm.addPass(graph::createGraphResolveCounts());
  if (program && failed(pm.run(*program)))
    return nullptr;
  return program;
}
