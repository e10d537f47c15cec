// Models cut short or with changed bytes end in an error or in a module, never in a crash.

#include "Tilewright/Import/Onnx.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Endian.h"
#include "gtest/gtest.h"

#include <random>
#include <string>

using namespace mlir;
using namespace tilewright;

static std::string field(uint32_t number, const std::string &payload) {
  std::string out;
  out.push_back(char(number << 3 | 2));
  for (size_t length = payload.size();; length >>= 7) {
    out.push_back(char((length & 127) | (length > 127 ? 128 : 0)));
    if (length <= 127)
      break;
  }
  return out + payload;
}

static std::string number(uint32_t number, uint8_t value) {
  return std::string({char(number << 3), char(value)});
}

/// x: fp32 [2, 3]; y = Softmax(MatMul(x, w)), z = Reshape(y, [6]).
static std::string model() {
  auto value = [](const std::string &name) {
    std::string dims = field(1, number(1, 2)) + field(1, number(1, 3));
    return field(1, name) + field(2, field(1, number(1, 1) + field(2, dims)));
  };
  auto node = [](const std::string &type, const std::string &a, const std::string &b,
                 const std::string &out) {
    return field(1, field(1, a) + (b.empty() ? "" : field(1, b)) + field(2, out) + field(4, type));
  };
  std::string weights(3 * 3 * 16 * 4, '\1'), shape(8, '\0');
  shape[0] = 96;
  std::string w = number(1, 3) + number(1, 48) + number(2, 1) + field(8, "w") + field(9, weights);
  std::string s = number(1, 1) + number(2, 7) + field(8, "s") + field(9, shape);
  std::string graph = node("MatMul", "x", "w", "p") + node("Softmax", "p", "", "y") +
                      node("Reshape", "y", "s", "z") + field(2, "g") + field(5, w) + field(5, s) +
                      field(11, value("x")) + field(12, field(1, "z"));
  return number(1, 8) + field(7, graph) + field(8, number(2, 17));
}

static std::string import(const std::string &bytes, bool &imported) {
  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      messages += note.str() + "\n";
    return success();
  });
  OnnxImportOptions options;
  options.path = "test.onnx";
  options.bytes = bytes;
  imported = (bool)importOnnx(context, options);
  return messages;
}

TEST(MalformedModel, TheWholeModelImports) {
  bool imported;
  EXPECT_EQ(import(model(), imported), "");
  EXPECT_TRUE(imported);
}

TEST(MalformedModel, EveryPrefixIsAnError) {
  std::string whole = model();
  for (size_t length = 0; length < whole.size(); ++length) {
    bool imported;
    std::string messages = import(whole.substr(0, length), imported);
    EXPECT_FALSE(imported) << length;
    EXPECT_FALSE(messages.empty()) << length;
  }
}

TEST(MalformedModel, ChangedBytesNeverCrash) {
  std::string whole = model();
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string changed = whole;
    for (int k = 0, e = 1 + int(random() % 3); k < e; ++k)
      changed[random() % changed.size()] = char(random());
    bool imported;
    std::string messages = import(changed, imported);
    EXPECT_TRUE(imported || !messages.empty());
  }
}
