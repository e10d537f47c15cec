// The data behind `graph.weight` references. Weight files are mapped, never read whole; a weight's final
// bytes are made from them in chunks of bounded size while its steps (cast, transpose, reshape) are applied.
#ifndef TILEWRIGHT_IMPORT_WEIGHTSTORE_H
#define TILEWRIGHT_IMPORT_WEIGHTSTORE_H

#include "Tilewright/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright {

/// Bytes that a tensor takes in weight files and packages: row-major, little-endian, booleans a byte each.
int64_t weightBytes(mlir::RankedTensorType type);

/// What a reference says of the bytes in the weight file: their BLAKE3 (256 bits) in hex. Models are hundreds
/// of megabytes, so the hash is one that keeps up with memory.
std::string weightHash(llvm::StringRef bytes);

/// The elements of a constant as `weightBytes` counts them, in row-major order; kept in `storage` where they
/// lie otherwise in memory. Nothing when a resource that the constant names is not there.
std::optional<llvm::StringRef> literalBytes(mlir::ElementsAttr literal, std::string &storage);

class WeightStore {
public:
  WeightStore();
  ~WeightStore();
  WeightStore(WeightStore &&);
  WeightStore &operator=(WeightStore &&);

  /// Opens what the module names in `graph.weight_files`: ONNX models with their external data, and
  /// `*.safetensors`; or a dictionary of the constants that were weights of a program of MLIR. Models that
  /// came from standard input are added with `addOnnx` instead; their entry "-" is skipped here.
  static llvm::Expected<WeightStore> open(mlir::ModuleOp module);

  /// Adds constants by their names; their attributes' context must outlive the store.
  llvm::Error addLiterals(mlir::DictionaryAttr literals);
  /// Adds one file, by its name's ending.
  llvm::Error addFile(llvm::StringRef path);
  /// Adds an ONNX model in memory; `bytes` must outlive the store. `path` is where external data is looked
  /// for.
  llvm::Error addOnnx(llvm::StringRef bytes, llvm::StringRef path);

  /// Every file that the store reads: models, external data, safetensors; sorted.
  std::vector<std::string> paths() const;

  using Sink = llvm::function_ref<llvm::Error(llvm::ArrayRef<char>)>;
  /// Hands the bytes of `weight` after its steps to `sink`, in order, at most 1 MiB at a time. Floating-point
  /// casts round to the nearest, ties to even; float-to-integer casts truncate and saturate; integers are
  /// signed, booleans 0 or 1. With `checkHash`, the file's bytes must have the hash that the reference names.
  llvm::Error read(graph::WeightAttr weight, Sink sink, bool checkHash = true) const;
  /// The same as one buffer.
  llvm::Expected<std::vector<char>> readAll(graph::WeightAttr weight, bool checkHash = true) const;

private:
  struct Files;
  std::unique_ptr<Files> files;
};

} // namespace tilewright

#endif // TILEWRIGHT_IMPORT_WEIGHTSTORE_H
