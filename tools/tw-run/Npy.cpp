// The .npy header is a Python dictionary literal in one fixed form; this reads that form and no more.
#include "Npy.h"

#include "Tilewright/Package/OutputFile.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace tilewright::run;

static const struct {
  twrt_dtype dtype;
  const char *descr;
} kDescriptions[] = {{TWRT_F32, "<f4"},  {TWRT_F16, "<f2"},    {TWRT_BF16, "<V2"},  {TWRT_F64, "<f8"},
                     {TWRT_I8, "|i1"},   {TWRT_U8, "|u1"},     {TWRT_I16, "<i2"},   {TWRT_U16, "<u2"},
                     {TWRT_I32, "<i4"},  {TWRT_U32, "<u4"},    {TWRT_I64, "<i8"},   {TWRT_U64, "<u8"},
                     {TWRT_BOOL, "|b1"}, {TWRT_F8E4M3, "|V1"}, {TWRT_F8E5M2, "|V1"}};

static const char kMagic[] = "\x93NUMPY";

//===-- Reading -------------------------------------------------------------------------------------===//

namespace {
/// Walks the header's text.
struct Header {
  const std::string &path;
  std::string text;

  [[noreturn]] void fail(const std::string &why) const { throw Failure("'" + path + "': " + why); }
  /// What follows `'key':`, without spaces before it.
  std::string after(const std::string &key) const {
    size_t at = text.find("'" + key + "'");
    at = at == std::string::npos ? at : text.find(':', at);
    at = at == std::string::npos ? at : text.find_first_not_of(' ', at + 1);
    if (at == std::string::npos)
      fail("its .npy header has no '" + key + "'");
    return text.substr(at);
  }
};
} // namespace

static twrt_dtype readType(const Header &header) {
  std::string rest = header.after("descr");
  size_t end = rest.size() > 1 && rest[0] == '\'' ? rest.find('\'', 1) : std::string::npos;
  if (end == std::string::npos)
    header.fail("structured arrays are not read");
  std::string descr = rest.substr(1, end - 1);
  if (!descr.empty() && descr[0] == '>')
    header.fail("it is big endian ('" + descr + "'); save it little endian");
  for (const auto &entry : kDescriptions) // The byte order of bytes, and of void, does not matter.
    if (descr == entry.descr || (descr.size() == 3 && descr.substr(1) == entry.descr + 1 &&
                                 (entry.descr[0] == '|' || entry.dtype == TWRT_BF16)))
      return entry.dtype;
  header.fail("its element type '" + descr + "' is none that tw-run reads");
}

static std::vector<int64_t> readShape(const Header &header) {
  std::string rest = header.after("shape");
  size_t end = rest.find(')');
  if (rest.empty() || rest[0] != '(' || end == std::string::npos)
    header.fail("its shape is not a tuple");
  std::vector<int64_t> shape;
  const char *p = rest.c_str() + 1, *last = rest.c_str() + end;
  while (p < last) {
    char *next = nullptr;
    errno = 0;
    long long dim = std::strtoll(p, &next, 10);
    if (next == p || errno || dim < 0 || dim > (1ll << 40))
      header.fail("its shape " + rest.substr(0, end + 1) + " is not made of lengths");
    shape.push_back(dim);
    p = next;
    while (p < last && (*p == ',' || *p == ' ' || *p == 'L'))
      ++p;
  }
  return shape;
}

Tensor tilewright::run::readNpy(const std::string &path, const std::string &name) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Failure("cannot open '" + path + "': " + std::strerror(errno));
  // A folder can be opened, but not read.
  in.peek();
  if (in.bad())
    throw Failure("cannot read '" + path + "': " + std::strerror(errno));
  std::string file{std::istreambuf_iterator<char>(in), {}};
  Header header{path, ""};
  if (file.size() < 10 || file.compare(0, 6, kMagic) != 0)
    header.fail("it is not a .npy file");
  unsigned version = static_cast<unsigned char>(file[6]);
  if (version < 1 || version > 3)
    header.fail("its .npy version is " + std::to_string(version) + "; 1 to 3 are read");
  size_t lengthBytes = version == 1 ? 2 : 4, length = 0;
  if (file.size() < 8 + lengthBytes)
    header.fail("it is cut short");
  std::memcpy(&length, file.data() + 8, lengthBytes);
  if (length > file.size() - 8 - lengthBytes)
    header.fail("it is cut short");
  header.text = file.substr(8 + lengthBytes, length);

  if (header.after("fortran_order").compare(0, 5, "False") != 0)
    header.fail("it is in Fortran order; save it in C order (numpy.ascontiguousarray)");
  twrt_dtype dtype = readType(header);
  std::vector<int64_t> shape = readShape(header);
  unsigned __int128 needed = twrt_dtype_bytes(dtype);
  for (int64_t dim : shape)
    if ((needed *= static_cast<uint64_t>(dim)) >> 62)
      header.fail("its shape " + shapeText(shape) + " is too large");
  size_t data = 8 + lengthBytes + length;
  if (file.size() - data != size_t(needed))
    header.fail("it holds " + std::to_string(file.size() - data) + " bytes of data; shape " +
                shapeText(shape) + " of " + twrt_dtype_name(dtype) + " needs " +
                std::to_string(size_t(needed)));
  return {name, dtype, std::move(shape), file.substr(data)};
}

void tilewright::run::takeAs(Tensor &tensor, twrt_dtype wanted) {
  bool sixteen = wanted == TWRT_BF16 && tensor.dtype == TWRT_U16;
  bool eight = wanted == TWRT_F8E5M2 && tensor.dtype == TWRT_F8E4M3;
  if (sixteen || eight)
    tensor.dtype = wanted;
}

//===-- Writing -------------------------------------------------------------------------------------===//

std::string tilewright::run::npyBytes(const Tensor &tensor) {
  std::string header = "{'descr': '";
  for (const auto &entry : kDescriptions)
    if (entry.dtype == tensor.dtype)
      header += entry.descr;
  header += "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : tensor.shape)
    header += std::to_string(dim) + ", ";
  header += "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string file(kMagic, 6);
  file += {'\1', '\0', char(header.size() & 255), char(header.size() >> 8)};
  return file + header + tensor.bytes;
}

void tilewright::run::writeWhole(const std::string &path, const std::string &bytes) {
  if (std::string error = writeWholeFile(path, bytes); !error.empty())
    throw Failure(error);
}
