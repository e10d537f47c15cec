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

def PrintOccupancy : Pass<"print-occupancy", "::mlir::ModuleOp"> {
  let summary = "Print how full every kernel keeps a chip";
  let description = [{
    For each kernel of the target stage (a function with `ptx.launch`) to standard error: its blocks and what they
    need, how many of them a multiprocessor holds and what limits that, the bytes that its loads have in flight beside
    those that keep the memory busy (its bandwidth times its latency, divided by the multiprocessors), and the waves
    of blocks with the unfilled part of the last one. Where the function has `ptx.resources` (the ptx stage writes
    them) the registers are those that ptxas gave it; before that they count as unlimited. Changes nothing.

    ```text
    kernel @norm on sm_90a: 8192 blocks of 256 threads, 40 registers, 32 bytes of shared memory
      6 blocks a multiprocessor, 0.75 of its warps, limited by registers
      16384 bytes in flight a block, 98304 a multiprocessor; its share of the memory needs 25455: 100 %
      10.34 waves, the last leaves 6 % idle
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "the chip">];
}

#endif // TILEWRIGHT_ANALYSIS_PASSES_TD
