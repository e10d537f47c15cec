// From a target-stage gpu.module to PTX text, by LLVM's NVPTX in this process.
#ifndef TILEWRIGHT_LIB_PTX_EMITPTX_H
#define TILEWRIGHT_LIB_PTX_EMITPTX_H

#include "Wire.h"

namespace tilewright::ptxstage {

/// The PTX of the request's module, or a reason in `error`. Runs LLVM, which may abort: call it in a worker.
std::string emitPtx(const Request &request, std::string &error);

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_EMITPTX_H
