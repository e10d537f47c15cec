// ptxas: finding it, running it, and reading what it says.
#ifndef TILEWRIGHT_LIB_PTX_PTXAS_H
#define TILEWRIGHT_LIB_PTX_PTXAS_H

#include "Tilewright/Ptx/Assemble.h"

namespace tilewright::ptxstage {

/// Runs `arguments[0]`, an absolute path, in `directory`; its standard output and error come back in
/// `output`. Returns the exit status, or -1 with a reason in `output` when it did not run or was killed.
int runProcess(llvm::ArrayRef<std::string> arguments, const std::string &directory, std::string &output);

/// Assembles `ptx` in the scratch `directory`; the cubin, or empty with ptxas' complaint left in `log`. The
/// names of the files are fixed, since they may end up in the cubin.
std::string runPtxas(const std::string &ptxas, llvm::StringRef arch, llvm::StringRef ptx,
                     const std::string &directory, std::string &log);

/// `13.0.88` of `ptxas --version`; empty when it does not run.
std::string ptxasVersion(const std::string &ptxas);

/// Reads the log of `ptxas -v` about one kernel.
void parsePtxasLog(llvm::StringRef log, KernelResources &resources, std::vector<PtxasMessage> &messages);

} // namespace tilewright::ptxstage

#endif // TILEWRIGHT_LIB_PTX_PTXAS_H
