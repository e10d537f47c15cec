// Walks protobuf's tags and lengths without its schema: which fields can hold tensors is all that is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WireFormat.h"

#include "OnnxModel.h"

#include "llvm/Support/Endian.h"

#include <optional>

using namespace tilewright::onnx;
using llvm::StringRef;

namespace {

/// The messages that hold tensors, and tensors themselves.
enum class Message { Model, Graph, Node, Attribute, Function, Tensor };

/// Raw data of at least this many bytes is left in the file.
constexpr uint32_t kCutBytes = 256;
/// Subgraphs nested deeper than this are refused, so that the scan's recursion is bounded.
constexpr int kDepthLimit = 60;

constexpr uint32_t kLengthDelimited = 2;

} // namespace

/// The kind of message that field `number` of `parent` holds, when it can hold tensors.
static std::optional<Message> nested(Message parent, uint32_t number) {
  switch (parent) {
  case Message::Model:
    return number == 7 ? std::optional(Message::Graph)
                       : (number == 25 ? std::optional(Message::Function) : std::nullopt);
  case Message::Graph:
    return number == 1 ? std::optional(Message::Node)
                       : (number == 5 ? std::optional(Message::Tensor) : std::nullopt);
  case Message::Node:
    return number == 5 ? std::optional(Message::Attribute) : std::nullopt;
  case Message::Attribute:
    return number == 5 ? std::optional(Message::Tensor)
                       : (number == 6 ? std::optional(Message::Graph) : std::nullopt);
  case Message::Function:
    return number == 7 ? std::optional(Message::Node)
                       : (number == 11 ? std::optional(Message::Attribute) : std::nullopt);
  case Message::Tensor:
    return std::nullopt;
  }
  return std::nullopt;
}

static void appendVarint(std::string &out, uint64_t value) {
  for (; value >= 128; value >>= 7)
    out.push_back(char(value | 128));
  out.push_back(char(value));
}

static bool readVarint(StringRef bytes, size_t &at, uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    uint8_t byte = bytes[at++];
    value |= uint64_t(byte & 127) << shift;
    if (byte < 128)
      return true;
  }
  return false;
}

/// Appends `message` to `out` with every large `raw_data` replaced by its place in the file. `base` is where
/// `message` begins in the file.
static bool cutMessage(StringRef message, uint64_t base, Message kind, int depth, std::string &out) {
  if (depth > kDepthLimit)
    return false;
  for (size_t at = 0; at < message.size();) {
    size_t start = at;
    uint64_t tag, length;
    if (!readVarint(message, at, tag) || tag >> 32)
      return false;
    uint32_t number = uint32_t(tag >> 3), wire = uint32_t(tag & 7);
    if (wire == kLengthDelimited) {
      if (!readVarint(message, at, length) || length > message.size() - at)
        return false;
      StringRef payload = message.substr(at, length);
      uint64_t place = base + at;
      at += length;
      if (kind == Message::Tensor && number == kPlaceField)
        continue;
      if (kind == Message::Tensor && number == 9 && length >= kCutBytes) {
        appendVarint(out, (uint64_t(kPlaceField) << 3) | kLengthDelimited);
        appendVarint(out, 16);
        char note[16];
        llvm::support::endian::write64le(note, place);
        llvm::support::endian::write64le(note + 8, length);
        out.append(note, 16);
        continue;
      }
      if (std::optional<Message> inner = nested(kind, number)) {
        std::string body;
        if (!cutMessage(payload, place, *inner, depth + 1, body))
          return false;
        appendVarint(out, tag);
        appendVarint(out, body.size());
        out += body;
        continue;
      }
    } else if (wire == 0) {
      if (!readVarint(message, at, length))
        return false;
    } else if (wire == 1 || wire == 5) {
      size_t width = wire == 1 ? 8 : 4;
      if (width > message.size() - at)
        return false;
      at += width;
    } else {
      return false;
    }
    out.append(message.data() + start, at - start);
  }
  return true;
}

/// Adds the places of large tensors of fixed element size: raw_data, float_data, double_data. What follows
/// broken bytes is left alone.
static void findWeightRanges(StringRef message, uint64_t base, Message kind, int depth,
                             std::vector<WeightRange> &ranges) {
  uint64_t tag, length;
  for (size_t at = 0; at < message.size() && depth <= kDepthLimit && readVarint(message, at, tag);) {
    uint32_t number = uint32_t(tag >> 3), wire = uint32_t(tag & 7);
    if (wire == 0 && readVarint(message, at, length))
      continue;
    size_t width = wire == 1 ? 8 : 4;
    if ((wire == 1 || wire == 5) && width <= message.size() - at) {
      at += width;
      continue;
    }
    if (wire != kLengthDelimited || !readVarint(message, at, length) || length > message.size() - at)
      return;
    if (kind == Message::Tensor && (number == 4 || number == 9 || number == 10) && length >= kCutBytes)
      ranges.push_back({base + at, length});
    else if (std::optional<Message> inner = nested(kind, number))
      findWeightRanges(message.substr(at, length), base + at, *inner, depth + 1, ranges);
    at += length;
  }
}

bool tilewright::onnx::cutRawData(StringRef file, std::string &rest) {
  return cutMessage(file, 0, Message::Model, 0, rest);
}

std::vector<WeightRange> tilewright::onnx::weightRanges(StringRef file) {
  std::vector<WeightRange> ranges;
  findWeightRanges(file, 0, Message::Model, 0, ranges);
  return ranges;
}
