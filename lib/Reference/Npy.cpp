// Reading and writing numpy's .npy files (format 1.0 to 3.0, little endian, row-major).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Reference/HostTensor.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright::reference;

static llvm::Error invalid(StringRef path, const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), path + ": " + message);
}

/// numpy's name of `element`, or empty.
static std::string descriptionOf(Type element) {
  if (element.isInteger(1))
    return "|b1";
  if (element.isF16() || element.isF32() || element.isF64())
    return "<f" + std::to_string(elementBytes(element));
  if (isa<IntegerType, IndexType>(element))
    return (elementBytes(element) == 1 ? "|i" : "<i") + std::to_string(elementBytes(element));
  return "";
}

/// The element type that numpy calls `description`, or null.
static Type elementOf(MLIRContext *context, StringRef description) {
  Builder builder(context);
  return llvm::StringSwitch<Type>(description.drop_front())
      .Case("b1", builder.getI1Type())
      .Case("i1", builder.getI8Type())
      .Case("u1", builder.getI8Type())
      .Case("i2", builder.getI16Type())
      .Case("i4", builder.getI32Type())
      .Case("i8", builder.getI64Type())
      .Case("f2", builder.getF16Type())
      .Case("f4", builder.getF32Type())
      .Case("f8", builder.getF64Type())
      .Default(Type());
}

/// The text after `key` in a header's dictionary.
static StringRef valueOf(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "':").str());
  return at == StringRef::npos ? "" : header.drop_front(at + key.size() + 3).ltrim();
}

llvm::Expected<HostTensor> tilewright::reference::readNpy(RankedTensorType type, StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return invalid(path, buffer.getError().message());
  StringRef data = (*buffer)->getBuffer();
  if (data.size() < 12 || !data.starts_with("\x93NUMPY"))
    return invalid(path, "is no .npy file");
  size_t prefix = data[6] == 1 ? 10 : 12;
  size_t length = data[6] == 1 ? llvm::support::endian::read16le(data.data() + 8)
                               : llvm::support::endian::read32le(data.data() + 8);
  if (data.size() < prefix + length)
    return invalid(path, "ends within its header");
  StringRef header = data.substr(prefix, length);

  StringRef description = valueOf(header, "descr").drop_front().take_until([](char c) { return c == '\''; });
  if (description.size() < 3 || description.front() == '>' || !elementOf(type.getContext(), description))
    return invalid(path, "has elements '" + description + "', which are not read");
  if (!valueOf(header, "fortran_order").starts_with("False"))
    return invalid(path, "is in column-major order");
  SmallVector<StringRef> sizes;
  valueOf(header, "shape")
      .drop_front()
      .take_until([](char c) { return c == ')'; })
      .split(sizes, ',', -1, false);
  SmallVector<int64_t> shape;
  for (StringRef size : sizes)
    if (!size.trim().empty() && size.trim().getAsInteger(10, shape.emplace_back()))
      return invalid(path, "has a shape that is not understood");
  if (ArrayRef(shape) != type.getShape())
    return invalid(path,
                   "has shape (" +
                       llvm::join(llvm::map_range(shape, [](int64_t s) { return std::to_string(s); }), ", ") +
                       "), expected " + llvm::formatv("{0}", type).str());

  HostTensor stored = makeZeros(type.clone(elementOf(type.getContext(), description)));
  StringRef body = data.drop_front(prefix + length);
  if (body.size() < stored.bytes.size())
    return invalid(path, "holds " + llvm::Twine(body.size()) + " bytes of data, expected " +
                             llvm::Twine(stored.bytes.size()));
  std::copy_n(body.begin(), stored.bytes.size(), stored.bytes.begin());
  return convertElements(stored, type.getElementType());
}

llvm::Error tilewright::reference::writeNpy(const HostTensor &tensor, StringRef path) {
  std::string description = descriptionOf(tensor.type.getElementType());
  if (description.empty() && isa<FloatType>(tensor.type.getElementType()))
    return writeNpy(convertElements(tensor, Float32Type::get(tensor.type.getContext())), path);
  if (description.empty())
    return invalid(path, "numpy has no type for " + llvm::formatv("{0}", tensor.type).str());
  std::string header = "{'descr': '" + description + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.type.getShape())
    header += std::to_string(size) + ", ";
  header += "), }";
  // The data starts at a multiple of 64 bytes.
  header.append(64 - (10 + header.size() + 1) % 64, ' ');
  header += '\n';
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (error)
    return invalid(path, error.message());
  char length[2];
  llvm::support::endian::write16le(length, header.size());
  stream << StringRef("\x93NUMPY\x01\x00", 8) << StringRef(length, 2) << header
         << StringRef(tensor.bytes.data(), tensor.bytes.size());
  return llvm::Error::success();
}
