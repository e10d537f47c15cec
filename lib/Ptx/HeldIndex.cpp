#include "HeldIndex.h"

#include "Cubin.h"

#include "llvm/ADT/Twine.h"

using namespace tilewright;
using llvm::StringRef;

/// Whether all warps of the block are full, as redux.sync with the mask of all lanes needs it.
static bool hasFullWarps(StringRef ptx) {
  unsigned threads = 0;
  StringRef block = ptx.substr(ptx.find("\n.reqntid "));
  return block.consume_front("\n.reqntid ") && !block.consumeInteger(10, threads) && threads % 32 == 0;
}

/// Whether `code`, which may be predicated, is a branch.
static bool isBranch(StringRef code) {
  if (code.starts_with("@"))
    code = code.drop_until([](char c) { return c == ' ' || c == '\t'; }).ltrim();
  return code.starts_with("bra");
}

std::string ptxstage::withHeldIndex(StringRef ptx, StringRef cubin) {
  if (blockIndexReads(cubin) <= 1 || !hasFullWarps(ptx))
    return "";
  std::string held;
  bool isHeld = false, isEntry = true;
  while (!ptx.empty()) {
    auto [line, rest] = ptx.split('\n');
    held += (line + "\n").str();
    ptx = rest;
    StringRef code = line.trim();
    // Behind a branch not all threads need come by.
    isEntry &= !code.starts_with("$L") && !isBranch(code);
    if (!isEntry || !code.consume_front("mov.u32") || !code.contains("%ctaid."))
      continue;
    StringRef index = code.split(',').first.trim();
    held += ("\tredux.sync.or.b32 \t" + index + ", " + index + ", -1;\n").str();
    isHeld = true;
  }
  return isHeld ? held : "";
}
