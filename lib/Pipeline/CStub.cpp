// The C stub: model.h and model.c from the entries of a package. All entries are one function: they differ in
// the sizes of bucket dimensions alone, which become parameters, and the runtime picks the entry.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tilewright/Pipeline/CStub.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tilewright;
using package::DType;
using package::Entry;
using package::Tensor;

namespace {

/// One dimension, input or output as a parameter of the function.
struct Parameter {
  const Tensor *tensor = nullptr; ///< Null: a dimension.
  std::string name;               ///< In C.
  bool isInput = false;
};

/// A stub while it is written.
struct StubWriter {
  const package::Package &package;
  const CStubOptions &options;
  std::string prefix = cIdentifier(options.stem);
  const Entry &entry = package.entries.front();
  std::vector<Parameter> dims = {}, tensors = {};
  StringMap<std::string> dimNames = {};

  std::string check() const;
  void nameParameters();
  std::string header() const;
  std::string source() const;

  void signature(raw_ostream &os) const;
  void fillIn(raw_ostream &os, StringRef text) const;
  std::string shapeText(const Tensor &tensor, StringRef separator) const;
  void tensorArray(raw_ostream &os, bool inputs) const;
  bool has(bool inputs) const {
    return any_of(tensors, [&](const Parameter &p) { return p.isInput == inputs; });
  }
};

} // namespace

//===-- Names and types ---------------------------------------------------------------------------------===//

std::string tilewright::cIdentifier(StringRef name) {
  static const StringSet<> kKeywords = {
      "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
      "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return",
      "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
      "volatile", "while", "bool", "true", "false", "class", "new", "delete", "this", "template", "operator",
      "private", "public",
      // Not keywords, but names that headers or systems have taken.
      "main", "NULL", "errno", "stdin", "stdout", "stderr", "linux", "unix", "int8_t", "uint8_t", "int16_t",
      "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "size_t"};
  std::string identifier;
  for (char c : name)
    identifier += isAlnum(c) ? c : '_';
  if (identifier.empty() || isDigit(identifier[0]))
    identifier = "_" + identifier;
  return kKeywords.contains(identifier) ? identifier + "_" : identifier;
}

/// The C type of one element; 16- and 8-bit floats are their bits.
static StringRef cType(DType dtype) {
  switch (dtype) {
  case DType::F32:
    return "float";
  case DType::F64:
    return "double";
  case DType::F16:
  case DType::BF16:
  case DType::U16:
    return "uint16_t";
  case DType::I8:
    return "int8_t";
  case DType::U8:
  case DType::Bool:
  case DType::F8E4M3:
  case DType::F8E5M2:
    return "uint8_t";
  case DType::I16:
    return "int16_t";
  case DType::I32:
    return "int32_t";
  case DType::U32:
    return "uint32_t";
  case DType::I64:
    return "int64_t";
  case DType::U64:
    return "uint64_t";
  }
  llvm_unreachable("covered switch");
}

/// TWRT_F32, TWRT_BOOL, …
static std::string dtypeConstant(DType dtype) { return "TWRT_" + StringRef(dtypeName(dtype)).upper(); }

/// A string literal's inside. Trigraphs and hexadecimal escapes are avoided by octal ones.
static std::string quoted(StringRef text) {
  std::string out;
  for (unsigned char c : text)
    if (c == '"' || c == '\\')
      out += {'\\', char(c)};
    else if (isPrint(c) && c != '?')
      out += char(c);
    else
      for (int shift : {9, 6, 3, 0})
        out += shift == 9 ? '\\' : char('0' + ((c >> shift) & 7));
  return out;
}

/// Text inside a comment: names of a model may hold the end of one.
static std::string commented(StringRef text) {
  std::string out;
  for (unsigned char c : text)
    out += isPrint(c) && c != '*' ? char(c) : '_';
  return out;
}

//===-- The function ------------------------------------------------------------------------------------===//

std::string StubWriter::check() const {
  auto sameTensors = [](ArrayRef<Tensor> a, ArrayRef<Tensor> b) {
    return a.size() == b.size() && all_of(zip(a, b), [](auto pair) {
             const auto &[x, y] = pair;
             if (x.name != y.name || x.dtype != y.dtype || x.shape.size() != y.shape.size() ||
                 x.symbols != y.symbols)
               return false;
             for (size_t d = 0; d < x.shape.size(); ++d)
               if (x.shape[d] != y.shape[d] && (x.symbols.empty() || x.symbols[d].empty()))
                 return false;
             return true;
           });
  };
  for (const Entry &other : package.entries)
    if (!sameTensors(entry.inputs, other.inputs) || !sameTensors(entry.outputs, other.outputs))
      return "entries '" + entry.name + "' and '" + other.name +
             "' differ in more than the sizes of named dimensions, so one C function cannot serve both";
  return "";
}

void StubWriter::nameParameters() {
  StringSet<> taken;
  for (const char *name : {"self", "error", "inputs", "outputs"})
    taken.insert(name);
  for (size_t i = 0; i < std::max(entry.inputs.size(), entry.outputs.size()); ++i) {
    taken.insert("in" + std::to_string(i) + "_shape");
    taken.insert("out" + std::to_string(i) + "_shape");
  }
  auto unique = [&](StringRef name) {
    std::string base = cIdentifier(name), chosen = base;
    for (unsigned i = 2; !taken.insert(chosen).second; ++i)
      chosen = base + "_" + std::to_string(i);
    return chosen;
  };
  for (const package::BucketDim &dim : entry.bucket)
    dims.push_back({nullptr, dimNames[dim.name] = unique(dim.name)});
  for (const Tensor &tensor : entry.inputs)
    tensors.push_back({&tensor, unique(tensor.name), true});
  for (const Tensor &tensor : entry.outputs)
    tensors.push_back({&tensor, unique(tensor.name), false});
}

/// The dimensions of a tensor as C expressions: `batch, 128`.
std::string StubWriter::shapeText(const Tensor &tensor, StringRef separator) const {
  std::string text;
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    auto symbol = tensor.symbols.empty() ? dimNames.end() : dimNames.find(tensor.symbols[d]);
    text += (d ? separator : "").str() +
            (symbol == dimNames.end() ? std::to_string(tensor.shape[d]) : symbol->second);
  }
  return text;
}

void StubWriter::signature(raw_ostream &os) const {
  os << "twrt_status " << prefix << "_run(" << prefix << " *self";
  for (const Parameter &dim : dims)
    os << ", int64_t " << dim.name;
  for (const Parameter &p : tensors)
    os << ", " << (p.isInput ? "const " : "") << cType(p.tensor->dtype) << " *" << p.name;
  os << ", twrt_error *error)";
}

//===-- model.h -----------------------------------------------------------------------------------------===//

std::string StubWriter::header() const {
  std::string text, guard = StringRef(prefix).upper() + "_H";
  raw_string_ostream os(text);
  os << "/* " << commented(options.stem)
     << ": a compiled model as a C function. Made by tw-compile --emit=c-stub.\n"
     << " * Build: cc main.c " << commented(options.stem)
     << ".c libtilewright_rt.a -ldl -lpthread, with tilewright_runtime.h on the include path. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n#include \"tilewright_runtime.h\"\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "typedef struct " << prefix << " " << prefix << ";\n\n"
     << "/* Opens the package and a session on a device; `options` may be NULL: CUDA device 0. One thread at "
        "a time\n"
     << " * uses what it gives. */\n"
     << "twrt_status " << prefix << "_open(const twrt_session_options *options, " << prefix
     << " **out, twrt_error *error);\n"
     << "void " << prefix << "_close(" << prefix << " *self);\n\n"
     << "/* What lies beneath, for twrt_bind, twrt_time_runs and others. */\n"
     << "const twrt_package *" << prefix << "_package(const " << prefix << " *self);\n"
     << "twrt_session *" << prefix << "_session(" << prefix << " *self);\n\n";
  if (!dims.empty()) {
    os << "/* The sizes that the package has code for; smaller ones are padded to the next. */\n";
    for (size_t d = 0; d < dims.size(); ++d) {
      std::vector<int64_t> sizes;
      for (const Entry &each : package.entries)
        sizes.push_back(each.bucket[d].size);
      sort(sizes);
      sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
      os << "/*   " << dims[d].name << ": ";
      interleaveComma(sizes, os);
      os << " */\n#define " << StringRef(prefix + "_MAX_" + dims[d].name).upper() << " " << sizes.back()
         << "\n";
    }
    os << "\n";
  }
  os << "/* Runs on host memory, C order, and waits.\n";
  for (const Parameter &p : tensors)
    os << " *   " << p.name << (p.isInput ? ": in, " : ": out, ") << dtypeName(p.tensor->dtype) << "["
       << shapeText(*p.tensor, ", ") << "]"
       << (p.name == p.tensor->name ? "" : ", '" + commented(p.tensor->name) + "'") << "\n";
  os << " */\n";
  signature(os);
  os << ";\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}

//===-- model.c -----------------------------------------------------------------------------------------===//

static constexpr StringRef kEmbedded = R"C(
#ifndef @M@_PACKAGE
#define @M@_PACKAGE "@FILE@" /* looked for in the current folder and along -I */
#endif

__asm__(".section .rodata\n"
        ".balign 64\n"
        ".globl @m@_package_begin\n"
        ".hidden @m@_package_begin\n"
        "@m@_package_begin:\n"
        ".incbin \"" @M@_PACKAGE "\"\n"
        ".globl @m@_package_end\n"
        ".hidden @m@_package_end\n"
        "@m@_package_end:\n"
        ".byte 0\n"
        ".previous\n");
extern const unsigned char @m@_package_begin[], @m@_package_end[];

static twrt_status open_package(twrt_package **out, twrt_error *error) {
  return twrt_package_open_memory(@m@_package_begin, (size_t)(@m@_package_end - @m@_package_begin), out, error);
}
)C";

static constexpr StringRef kBeside = R"C(
#ifndef @M@_PACKAGE
#define @M@_PACKAGE "@FILE@" /* unless absolute, looked for beside the running program */
#endif

static twrt_status open_package(twrt_package **out, twrt_error *error) {
  static const char file[] = @M@_PACKAGE;
  char path[4096];
  size_t length = 0;
  if (file[0] != '/') {
    ssize_t bytes = readlink("/proc/self/exe", path, sizeof path - sizeof file);
    for (length = bytes > 0 ? (size_t)bytes : 0; length > 0 && path[length - 1] != '/';)
      --length;
  }
  memcpy(path + length, file, sizeof file);
  return twrt_package_open(path, out, error);
}
)C";

static constexpr StringRef kCommon = R"C(
struct @m@ {
  twrt_package *package;
  twrt_session *session;
};

twrt_status @m@_open(const twrt_session_options *options, @m@ **out, twrt_error *error) {
  twrt_session_options defaults;
  twrt_status status;
  @m@ *self = (@m@ *)calloc(1, sizeof *self);
  if (!self) {
    if (error) {
      error->status = TWRT_ERROR_OUT_OF_MEMORY;
      strcpy(error->message, "out of host memory");
    }
    return TWRT_ERROR_OUT_OF_MEMORY;
  }
  if (!options) {
    twrt_session_options_init(&defaults);
    options = &defaults;
  }
  status = open_package(&self->package, error);
  if (status == TWRT_OK)
    status = twrt_session_create(self->package, options, &self->session, error);
  if (status != TWRT_OK) {
    @m@_close(self);
    return status;
  }
  *out = self;
  return TWRT_OK;
}

void @m@_close(@m@ *self) {
  if (!self)
    return;
  if (self->session)
    twrt_session_destroy(self->session);
  if (self->package)
    twrt_package_close(self->package);
  free(self);
}

const twrt_package *@m@_package(const @m@ *self) { return self->package; }
twrt_session *@m@_session(@m@ *self) { return self->session; }

)C";

/// Writes a piece of C with the names of this stub: @m@ the prefix, @M@ in capitals, @FILE@ the package's
/// file.
void StubWriter::fillIn(raw_ostream &os, StringRef text) const {
  while (!text.empty()) {
    auto [before, rest] = text.split('@');
    auto [word, after] = rest.split('@');
    os << before;
    if (word == "m")
      os << prefix;
    else if (word == "M")
      os << StringRef(prefix).upper();
    else if (word == "FILE")
      os << quoted(options.stem + ".tw");
    text = after;
  }
}

/// `twrt_host_tensor inputs[] = {…};`, with the shapes before it.
void StubWriter::tensorArray(raw_ostream &os, bool inputs) const {
  std::string rows;
  unsigned number = 0;
  for (const Parameter &p : tensors) {
    if (p.isInput != inputs)
      continue;
    std::string shape = (inputs ? "in" : "out") + std::to_string(number++) + "_shape";
    size_t rank = p.tensor->shape.size();
    if (rank)
      os << "  const int64_t " << shape << "[] = {" << shapeText(*p.tensor, ", ") << "};\n";
    rows += "      {\"" + quoted(p.tensor->name) + "\", " + dtypeConstant(p.tensor->dtype) + ", " +
            std::to_string(rank) + ", " + (rank ? shape : "NULL") + ", (void *)" + p.name + "},\n";
  }
  if (!rows.empty())
    os << "  const twrt_host_tensor " << (inputs ? "inputs" : "outputs") << "[] = {\n" << rows << "  };\n";
}

std::string StubWriter::source() const {
  std::string text;
  raw_string_ostream os(text);
  os << "/* " << commented(options.stem) << ".c: see " << commented(options.stem)
     << ".h. Made by tw-compile --emit=c-stub. */\n"
     << (options.embed ? "" : "#define _POSIX_C_SOURCE 200809L\n") << "#include \"" << quoted(options.stem)
     << ".h\"\n\n#include <stdlib.h>\n#include <string.h>\n"
     << (options.embed ? "" : "#include <sys/types.h>\n#include <unistd.h>\n");
  fillIn(os, options.embed ? kEmbedded : kBeside);
  fillIn(os, kCommon);
  signature(os);
  os << " {\n";
  tensorArray(os, /*inputs=*/true);
  tensorArray(os, /*inputs=*/false);
  auto array = [&](bool inputs) -> std::string {
    StringRef name = inputs ? "inputs" : "outputs";
    return has(inputs) ? (name + ", sizeof " + name + " / sizeof *" + name).str() : "NULL, 0";
  };
  os << "  return twrt_run_host(self->session, " << array(true) << ",\n                       "
     << array(false) << ", error);\n}\n";
  return text;
}

std::string tilewright::makeCStub(const package::Package &package, const CStubOptions &options, CStub &stub) {
  if (package.entries.empty())
    return "the package has no entry";
  StubWriter writer{package, options};
  if (std::string error = writer.check(); !error.empty())
    return error;
  writer.nameParameters();
  stub.header = writer.header();
  stub.source = writer.source();
  return "";
}
