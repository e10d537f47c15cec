// The passes that print analyses.
#ifndef TILEWRIGHT_ANALYSIS_PASSES_TD
#define TILEWRIGHT_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrintKernelIndexing : Pass<"print-kernel-indexing", "::mlir::ModuleOp"> {
  let summary = "Print the domain of every kernel and the views of its values";
  let description = [{
    For each `graph.kernel` to standard error: its anchor and domain (`reduced` beside the dimensions that its
    reductions reduce), then for each op the view of its result over the domain and, below, the views through
    which it reads its operands: arguments, constants or results of other ops. The operands of a matmul are
    indexed by [batch, M, K] and [batch, K, N]. A kernel that has no indexing is printed with the reason. Changes
    nothing.

    ```text
    kernel @sum: anchor reduction (graph.reduce), domain [8, 16 reduced]
      #0 math.exp : {offset=0, dims=[…]}
        argument 0 : {offset=0, dims=[…]}
      #1 graph.reduce : {offset=0, dims=[…]}
        #0 : {offset=0, dims=[…]}
    ```
  }];
}

#endif // TILEWRIGHT_ANALYSIS_PASSES_TD
