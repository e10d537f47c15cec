// tw-translate: model files in, MLIR out. `tw-translate --import-onnx model.onnx --input-shape=ids=1x128`

#include "Tilewright/Dialect/Graph/IR/Graph.h"
#include "Tilewright/Import/Onnx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

static llvm::cl::list<std::string>
    inputShapes("input-shape", llvm::cl::desc("Shape of one input of an ONNX model: name=1x128 (repeatable)"),
                llvm::cl::value_desc("name=shape"));

static OwningOpRef<Operation *> importOnnx(llvm::SourceMgr &source, MLIRContext *context) {
  const llvm::MemoryBuffer *buffer = source.getMemoryBuffer(source.getMainFileID());
  tilewright::OnnxImportOptions options;
  options.path = buffer->getBufferIdentifier().str();
  options.bytes = buffer->getBuffer();
  for (const std::string &text : inputShapes) {
    std::string error;
    if (!tilewright::parseInputShape(text, options.inputShapes, error)) {
      emitError(UnknownLoc::get(context)) << "--input-shape " << error;
      return nullptr;
    }
  }
  return OwningOpRef<Operation *>(tilewright::importOnnx(*context, options).release());
}

int main(int argc, char **argv) {
  TranslateToMLIRRegistration onnx("import-onnx", "Read an ONNX model into the graph dialect", importOnnx,
                                   [](DialectRegistry &registry) {
                                     registry.insert<func::FuncDialect, arith::ArithDialect,
                                                     math::MathDialect, tilewright::graph::GraphDialect>();
                                   });
  return failed(mlirTranslateMain(argc, argv, "Tilewright's model importers\n"));
}
