// Tensor maps are checked as the driver checks them (CUDA driver API, cuTensorMapEncodeTiled), so that a map
// the emulator takes is one that a GPU takes.
#include "Tilewright/Emulator/TensorMap.h"

using namespace tilewright::emulator;

/// Bytes of a CUtensorMapDataType; 0 for what is none.
static uint32_t bytesOfType(uint32_t type) {
  // UINT8, UINT16, UINT32, INT32, UINT64, INT64, FLOAT16, FLOAT32, FLOAT64, BFLOAT16, FLOAT32_FTZ, TFLOAT32,
  // TFLOAT32_FTZ
  static constexpr uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return type < sizeof bytes ? bytes[type] : 0;
}

static bool isFloatType(uint32_t type) { return type >= 6 && type <= 12; }

static std::string number(uint64_t value) { return std::to_string(value); }

static std::string refuseDimension(const TensorMapRequest &request, uint32_t dim) {
  std::string name = "dimension " + number(dim) + " of a tensor map";
  if (!request.dims[dim] || request.dims[dim] > uint64_t(1) << 32)
    return name + " has " + number(request.dims[dim]) + " elements, not 1 to 2^32";
  if (!request.box[dim] || request.box[dim] > 256)
    return name + " has a box of " + number(request.box[dim]) + " elements, not 1 to 256";
  if (!request.elementStrides[dim] || request.elementStrides[dim] > 8)
    return name + " has element stride " + number(request.elementStrides[dim]) + ", not 1 to 8";
  if (!dim)
    return "";
  uint64_t stride = request.strides[dim - 1];
  if (stride % 16 || stride >= uint64_t(1) << 40)
    return name + " has a stride of " + number(stride) + " bytes, not a multiple of 16 below 2^40";
  return "";
}

static std::string refuse(const TensorMapRequest &request) {
  uint32_t bytes = bytesOfType(request.dataType);
  if (!bytes)
    return "a tensor map has no data type " + number(request.dataType);
  if (!request.rank || request.rank > kMaxTensorRank)
    return "a tensor map has rank " + number(request.rank) + ", not 1 to 5";
  if (request.interleave)
    return "the emulator does not model interleaved tensor maps";
  if (request.swizzle > 3)
    return "a tensor map has no swizzle " + number(request.swizzle);
  if (request.l2Promotion > 3)
    return "a tensor map has no L2 promotion " + number(request.l2Promotion);
  if (request.base % 16)
    return "the base of a tensor map is " + number(request.base % 16) + " modulo 16, not aligned";
  for (uint32_t dim = 0; dim < request.rank; ++dim)
    if (std::string reason = refuseDimension(request, dim); !reason.empty())
      return reason;
  uint32_t row = request.box[0] * bytes;
  if (row % 16)
    return "a row of a tensor map's box has " + number(row) + " bytes, not a multiple of 16";
  if (uint32_t span = 16u << request.swizzle; request.swizzle && row > span)
    return "a row of a tensor map's box has " + number(row) + " bytes, more than its swizzle of " +
           number(span);
  if (request.outOfBoundsFill > 1 || (request.outOfBoundsFill && !isFloatType(request.dataType)))
    return "out-of-bounds fill " + number(request.outOfBoundsFill) + " does not go with data type " +
           number(request.dataType);
  return "";
}

std::string tilewright::emulator::encodeTensorMap(const TensorMapRequest &request, TensorMap &map) {
  if (std::string reason = refuse(request); !reason.empty())
    return reason;
  map = {};
  map.magic = TensorMap::kMagic;
  map.base = request.base;
  map.rank = uint8_t(request.rank);
  map.dataType = uint8_t(request.dataType);
  map.elementBytes = uint8_t(bytesOfType(request.dataType));
  map.swizzle = TensorSwizzle(request.swizzle);
  map.fillWithNaN = uint8_t(request.outOfBoundsFill);
  map.l2Promotion = uint8_t(request.l2Promotion);
  for (uint32_t dim = 0; dim < request.rank; ++dim) {
    map.lastIndex[dim] = uint32_t(request.dims[dim] - 1);
    map.box[dim] = uint16_t(request.box[dim]);
    // A copy without interleave ignores the element stride of the innermost dimension.
    map.elementStrides[dim] = dim ? uint8_t(request.elementStrides[dim]) : 1;
    if (dim)
      map.strides[dim - 1] = request.strides[dim - 1];
  }
  return "";
}
