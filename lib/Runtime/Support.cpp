// Sentences.
#include "Support.h"

#include <stdarg.h>
#include <stdio.h>

using namespace tilewright::runtime;

twrt_status tilewright::runtime::fail(twrt_error *error, twrt_status status, const char *format, ...) {
  if (!error)
    return status;
  error->status = status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return status;
}

void Text::add(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = vsnprintf(data + length, capacity - length, format, arguments);
  va_end(arguments);
  if (written > 0)
    length = length + written < capacity ? length + written : capacity - 1;
}

const char *twrt_status_name(twrt_status status) {
  switch (status) {
  case TWRT_OK:
    return "ok";
  case TWRT_ERROR_ARGUMENT:
    return "argument";
  case TWRT_ERROR_IO:
    return "io";
  case TWRT_ERROR_FORMAT:
    return "format";
  case TWRT_ERROR_NO_DRIVER:
    return "no driver";
  case TWRT_ERROR_DRIVER_TOO_OLD:
    return "driver too old";
  case TWRT_ERROR_NO_DEVICE:
    return "no device";
  case TWRT_ERROR_ARCH:
    return "arch";
  case TWRT_ERROR_OUT_OF_MEMORY:
    return "out of memory";
  case TWRT_ERROR_SHAPE:
    return "shape";
  case TWRT_ERROR_DTYPE:
    return "dtype";
  case TWRT_ERROR_UNKNOWN_NAME:
    return "unknown name";
  case TWRT_ERROR_MISSING_INPUT:
    return "missing input";
  case TWRT_ERROR_WEIGHTS:
    return "weights";
  case TWRT_ERROR_NO_EMULATION:
    return "no emulation";
  case TWRT_ERROR_DEVICE:
    return "device";
  }
  return "unknown";
}

static const struct {
  const char *name;
  unsigned bytes;
} kDTypes[] = {{"f32", 4}, {"f16", 2}, {"bf16", 2}, {"f64", 8},    {"i8", 1},
               {"u8", 1},  {"i16", 2}, {"u16", 2},  {"i32", 4},    {"u32", 4},
               {"i64", 8}, {"u64", 8}, {"bool", 1}, {"f8e4m3", 1}, {"f8e5m2", 1}};

const char *twrt_dtype_name(twrt_dtype dtype) {
  return unsigned(dtype) <= TWRT_F8E5M2 ? kDTypes[unsigned(dtype)].name : "unknown";
}

unsigned twrt_dtype_bytes(twrt_dtype dtype) {
  return unsigned(dtype) <= TWRT_F8E5M2 ? kDTypes[unsigned(dtype)].bytes : 0;
}
