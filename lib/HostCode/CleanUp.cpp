// The passes that code which runs a few times is worth. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "Tilewright/HostCode/CleanUp.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

void tilewright::cleanUpHostCode(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes(&machine);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager perFunction;
  perFunction.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  perFunction.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  perFunction.addPass(llvm::SimplifyCFGPass());
  perFunction.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                            /*UseMemorySSA=*/true));
  perFunction.addPass(llvm::InstSimplifyPass());
  perFunction.addPass(llvm::ADCEPass());
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(perFunction)));
  pipeline.run(module, modules);
}
