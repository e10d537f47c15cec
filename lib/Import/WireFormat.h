// The wire format of ONNX models, as far as large tensors stand in it: a model is copied without them, and
// each is replaced by a note of where it was in the file. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#ifndef TILEWRIGHT_IMPORT_WIREFORMAT_H
#define TILEWRIGHT_IMPORT_WIREFORMAT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tilewright::onnx {

/// The field, unused by TensorProto, that notes where raw data was: 8 bytes of offset, 8 of length.
constexpr uint32_t kPlaceField = 100000;

/// Appends the model `file` to `rest` with every large `raw_data` replaced by its place in the file; false
/// when it is no model, is cut short, or nests subgraphs too deeply.
bool cutRawData(llvm::StringRef file, std::string &rest);

} // namespace tilewright::onnx

#endif // TILEWRIGHT_IMPORT_WIREFORMAT_H
