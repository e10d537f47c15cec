// One of ONNX's node tests: a folder with `model.onnx` and `test_data_set_0/{input,output}_<i>.pb`.
// The ONNX schema is included by CaseFile.cpp alone. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_TEST_CASEFILE_H
#define TILEWRIGHT_TEST_CASEFILE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::conformance {

/// A tensor of a case: elements in row-major order, as the package takes them (booleans a byte each).
struct CaseTensor {
  std::string name;
  /// ONNX's number of the element type.
  int32_t dataType = 0;
  std::vector<int64_t> shape;
  std::vector<char> bytes;
  /// The value in protobuf form, to become an initializer.
  std::string proto;

  int64_t elements() const;
  /// An integer or boolean: compared exactly.
  bool isDiscrete() const;
  bool isUnsigned() const;
};

struct Case {
  std::string name;
  /// The model in protobuf form.
  std::string model;
  /// Operator types of the model's nodes, each once, in order of appearance.
  std::vector<std::string> operators;
  std::vector<CaseTensor> inputs, outputs;
  /// Why the case cannot be a tensor program (its inputs are sequences, strings, …); empty when it can.
  std::string foreign;
};

/// Reads the case in `folder`; an error says what is wrong with its files.
llvm::Expected<Case> readCase(llvm::StringRef folder);

/// The model with the inputs for which `isConstant` as initializers instead. Inputs that the model has but
/// the data lacks are left as they are.
std::string withConstants(const Case &test, mlir::ArrayRef<bool> isConstant);

} // namespace tilewright::conformance

#endif // TILEWRIGHT_TEST_CASEFILE_H
