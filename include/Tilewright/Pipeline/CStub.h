// The C stub: a header and a source that give a package a typed C function, `model_run(model, x, y, error)`,
// over the runtime's C ABI. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TILEWRIGHT_PIPELINE_CSTUB_H
#define TILEWRIGHT_PIPELINE_CSTUB_H

#include "Tilewright/Package/Package.h"

#include "llvm/ADT/StringRef.h"

namespace tilewright {

struct CStubOptions {
  /// What the files are called: `model` makes model.h, model.c and model.tw, and is the prefix of every name.
  std::string stem;
  /// The package is a part of the object file (`.incbin`); else it is opened beside the running program.
  bool embed = true;
};

struct CStub {
  std::string header;
  std::string source;
};

/// Writes the stub of a package. An error, as a sentence, when its entries differ in more than the sizes of
/// bucket dimensions, so that one function cannot serve them.
std::string makeCStub(const package::Package &package, const CStubOptions &options, CStub &stub);

/// `name` as a C identifier: other characters become '_', and a keyword or a leading digit gets one.
std::string cIdentifier(llvm::StringRef name);

} // namespace tilewright

#endif // TILEWRIGHT_PIPELINE_CSTUB_H
