// What the assembler and its workers say to one another, as length-prefixed frames on a socket: a frame is a
// 64-bit length and that many bytes; inside, each field is again a 64-bit length and its bytes.
#ifndef TILEWRIGHT_LIB_PTX_WIRE_H
#define TILEWRIGHT_LIB_PTX_WIRE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace tilewright::ptxstage {

/// The hidden argument that makes the executable a worker; the next argument is its scratch directory.
constexpr const char *workerArgument = "--tw-ptx-worker";

/// One kernel for one arch.
struct Request {
  std::string arch;
  std::string features;
  /// Absolute path; empty asks for PTX alone.
  std::string ptxas;
  /// MLIR bytecode of the gpu.module, without locations.
  std::string bytecode;
  /// Blocks of a multiprocessor with which all of the grid is resident, and that threads and shared memory
  /// allow, as numbers; empty: not known.
  std::string blocksNeeded, blocksAllowed;
};

/// What came of it. `error` is empty on success.
struct Reply {
  std::string error;
  std::string ptx;
  std::string cubin;
  /// The standard error of `ptxas -v`.
  std::string ptxasLog;
};

inline void appendField(std::string &out, llvm::StringRef field) {
  uint64_t size = field.size();
  out.append(reinterpret_cast<const char *>(&size), sizeof(size));
  out.append(field.data(), field.size());
}

/// Takes one field off the front of `in`; false when `in` is too short.
inline bool takeField(llvm::StringRef &in, std::string &field) {
  uint64_t size;
  if (in.size() < sizeof(size))
    return false;
  std::memcpy(&size, in.data(), sizeof(size));
  in = in.drop_front(sizeof(size));
  if (in.size() < size)
    return false;
  field = in.take_front(size).str();
  in = in.drop_front(size);
  return true;
}

inline std::string encode(const Request &request) {
  std::string out;
  for (const std::string *field : {&request.arch, &request.features, &request.ptxas, &request.bytecode,
                                   &request.blocksNeeded, &request.blocksAllowed})
    appendField(out, *field);
  return out;
}

inline std::optional<Request> decodeRequest(llvm::StringRef in) {
  Request request;
  for (std::string *field : {&request.arch, &request.features, &request.ptxas, &request.bytecode,
                             &request.blocksNeeded, &request.blocksAllowed})
    if (!takeField(in, *field))
      return std::nullopt;
  return request;
}

inline std::string encode(const Reply &reply) {
  std::string out;
  for (const std::string *field : {&reply.error, &reply.ptx, &reply.cubin, &reply.ptxasLog})
    appendField(out, *field);
  return out;
}

inline std::optional<Reply> decodeReply(llvm::StringRef in) {
  Reply reply;
  for (std::string *field : {&reply.error, &reply.ptx, &reply.cubin, &reply.ptxasLog})
    if (!takeField(in, *field))
      return std::nullopt;
  if (!in.empty())
    return std::nullopt;
  return reply;
}

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_WIRE_H
