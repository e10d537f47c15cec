// What the runtime uses in place of the C++ library: sentences for errors, and arrays on malloc.
#ifndef TILEWRIGHT_LIB_RUNTIME_SUPPORT_H
#define TILEWRIGHT_LIB_RUNTIME_SUPPORT_H

#include "Tilewright/Runtime/tilewright_runtime.h"

#include <stdlib.h>
#include <string.h>

namespace tilewright::runtime {

/// Fills `error` (where there is one) and returns `status`.
__attribute__((format(printf, 3, 4))) twrt_status fail(twrt_error *error, twrt_status status,
                                                       const char *format, ...);

/// Appends to a fixed buffer and never past its end; always terminated.
struct Text {
  char *data;
  size_t capacity, length = 0;
  Text(char *data, size_t capacity) : data(data), capacity(capacity) { data[0] = 0; }
  __attribute__((format(printf, 2, 3))) void add(const char *format, ...);
};

/// A fixed number of zeroed elements on the heap. Elements are plain data.
template <typename T> struct Array {
  T *data = nullptr;
  uint32_t size = 0;

  Array() = default;
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  ~Array() { free(data); }

  bool allocate(size_t count) {
    free(data);
    data = static_cast<T *>(calloc(count ? count : 1, sizeof(T)));
    size = data ? static_cast<uint32_t>(count) : 0;
    return data != nullptr;
  }
  T &operator[](size_t i) { return data[i]; }
  const T &operator[](size_t i) const { return data[i]; }
  T *begin() { return data; }
  T *end() { return data + size; }
};

inline twrt_status hostMemoryFailure(twrt_error *error, unsigned long long bytes) {
  return fail(error, TWRT_ERROR_OUT_OF_MEMORY, "the host has no %llu bytes of memory left", bytes);
}

inline uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Returns from the enclosing function when `expression` is not TWRT_OK.
#define TWRT_TRY(expression)                                                                                 \
  do {                                                                                                       \
    if (twrt_status twrtStatus = (expression); twrtStatus != TWRT_OK)                                        \
      return twrtStatus;                                                                                     \
  } while (false)

} // namespace tilewright::runtime

#endif // TILEWRIGHT_LIB_RUNTIME_SUPPORT_H
