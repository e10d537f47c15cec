// The walk over a model, as its files share it: ImportOnnx.cpp has the walk, Subgraphs.cpp what is imported
// in place: branches, loops and model-local functions.
#ifndef TILEWRIGHT_IMPORT_GRAPHIMPORTER_H
#define TILEWRIGHT_IMPORT_GRAPHIMPORTER_H

#include "NodeImport.h"
#include "OnnxModel.h"

#include "Tilewright/Import/Onnx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilewright::onnx {

/// Model-local functions and subgraphs nest at most this deep.
constexpr int kNestingLimit = 40;

/// The values of a graph or of one call of a function.
struct Scope {
  /// A null value stands for one that could not be imported.
  llvm::StringMap<ImportedValue> values;
  /// Tensors that become values when first read.
  llvm::StringMap<const Tensor *> initializers;
  const std::map<std::string, int64_t> *opsets = nullptr;
  /// Static shapes that the model declares for values.
  llvm::StringMap<llvm::SmallVector<int64_t>> declared;
  /// The scope around a subgraph: its values are seen from within.
  Scope *outer = nullptr;
  /// Names of the calls that led here, each with a slash.
  std::string prefix;
  int depth = 0;
};

class GraphImporter {
public:
  GraphImporter(mlir::MLIRContext &context, const Model &model, const OnnxImportOptions &options);

  mlir::OwningOpRef<mlir::ModuleOp> run();

private:
  mlir::LogicalResult checkModel();
  void importNodes(llvm::ArrayRef<Node> nodes, Scope &scope);
  void importNode(const Node &node, llvm::StringRef name, Scope &scope);
  /// If, Loop and Scan, whose subgraphs are imported in place.
  void importBranch(const Node &node, mlir::Location loc, Scope &scope);
  void importLoop(const Node &node, mlir::Location loc, Scope &scope);
  void importScan(const Node &node, mlir::Location loc, Scope &scope);
  /// The operands of a node with a subgraph, null where absent; nothing when one of them could not be
  /// imported or is not there.
  std::optional<llvm::SmallVector<ImportedValue>> subgraphOperands(const Node &node, mlir::Location loc,
                                                                   Scope &scope);
  /// Runs `body` once with these inputs; its outputs, or nothing after a problem.
  std::optional<llvm::SmallVector<ImportedValue>> importBody(const Graph &body, const Node &node,
                                                             mlir::Location loc, llvm::StringRef suffix,
                                                             llvm::ArrayRef<ImportedValue> inputs,
                                                             Scope &scope);
  void defineOutputs(const Node &node, mlir::Location loc, llvm::ArrayRef<ImportedValue> values,
                     Scope &scope);
  /// The node's outputs could not be imported.
  static void poison(const Node &node, Scope &scope);
  /// Says why a node cannot be imported, and passes over what reads its outputs.
  struct Refusal {
    GraphImporter &importer;
    const Node &node;
    mlir::Location loc;
    int64_t opset; ///< -1: not known.
    Scope &scope;
    void operator()(const llvm::Twine &text) const {
      importer.nodeProblem(node, loc, opset, text);
      poison(node, scope);
    }
  };
  void callFunction(const Function &function, const Node &node, llvm::StringRef name, Scope &scope);
  /// The value called `name`, made from its initializer if need be. Null when no node before made it.
  const ImportedValue *lookup(llvm::StringRef name, Scope &scope);
  ImportedValue tensorValue(const Tensor &tensor, llvm::StringRef key, const llvm::Twine &what);
  void define(llvm::StringRef name, ImportedValue value, mlir::Location loc, Scope &scope);
  void importOutputs(mlir::func::FuncOp function, Scope &scope);

  mlir::Location named(llvm::StringRef name) { return mlir::NameLoc::get(builder.getStringAttr(name)); }
  void problem(mlir::Location loc, const llvm::Twine &text) { problems.emplace_back(loc, text.str()); }
  void nodeProblem(const Node &node, mlir::Location loc, int64_t opset, const llvm::Twine &text);

  mlir::OpBuilder builder;
  const Model &model;
  const OnnxImportOptions &options;
  std::map<std::string, const Tensor *> weights;
  llvm::SmallVector<std::pair<mlir::Location, std::string>> problems;
  int64_t nodesSeen = 0;
  /// Nodes, iterations and, by the hundred, elements of constants with functions and loops written out:
  /// without a bound, functions that call one another twice, or loops within loops, would have no end.
  int64_t work = 0, mostWork;
  bool isTooMuch(int64_t more) { return (work += more) > mostWork; }
};

} // namespace tilewright::onnx

#endif // TILEWRIGHT_IMPORT_GRAPHIMPORTER_H
