// The passes on the plan dialect.
#ifndef TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_PASSES_TD
#define TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotateCosts : Pass<"plan-annotate-costs", "::mlir::ModuleOp"> {
  let summary = "Note on each launch what its kernel computes, moves and comes from";
  let description = [{
    Runs at the end of the `fuse` stage, while kernels are still tensor programs, so that reports of later stages
    can speak of the source program. Each argument counts as read once (the rows that a gather or slice takes,
    when nothing else reads it), each result as written once. `plan.traffic` is what of these passes the memory behind
    the L2 cache of `target`, read and written, where the launches of a program run one after the other: the cache keeps what
    was touched last in three quarters of its bytes, whole sectors are fetched, and what is written goes to memory when it
    leaves the cache. Of a program: bytes read, bytes written (results that are still in the cache among them),
    those left in the cache that nobody needs any more, and the least: inputs as far as some kernel needs them, and results.
    It does not change numbers.

    ```mlir
    module {
      graph.kernel anchor(elementwise) @k(%x: tensor<8xf32>) -> tensor<8xf32> {
        %0 = math.exp %x : tensor<8xf32> loc("/exp")
        graph.return %0 : tensor<8xf32>
      }
      plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "y"}) {
        %0 = plan.launch @k(%x) : (tensor<8xf32>) -> tensor<8xf32>
        plan.return %0 : tensor<8xf32>
      }
    }
    ```
    ==>
    ```mlir
    module {
      graph.kernel anchor(elementwise) @k(%x: tensor<8xf32>) -> tensor<8xf32> {
        %0 = math.exp %x : tensor<8xf32>
        graph.return %0 : tensor<8xf32>
      }
      plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "y"})
          attributes {plan.traffic = array<i64: 32, 32, 0, 64>} {
        %0 = plan.launch @k(%x) {
          plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 8, read = 32, written = 32>,
          plan.sources = ["/exp"], plan.traffic = array<i64: 32, 0>} : (tensor<8xf32>) -> tensor<8xf32>
        plan.return %0 : tensor<8xf32>
      }
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "chip whose L2 cache is modelled">];
}

def VerifyFuseForm : Pass<"verify-fuse-form", "::mlir::ModuleOp"> {
  let summary = "Check what the fuse stage promises";
  let description = [{
    Rules:
    - `fuse_form_1`: the module holds nothing but kernels (`graph.kernel`) and programs (`plan.program`), and at
      least one program;
    - `fuse_form_2`: a program holds nothing but launches of tensors, weights, constants and reshapes;
    - `fuse_form_3`: every kernel is launched;
    - `fuse_form_4`: every launch says what it computes (`plan.cost`) and from which nodes (`plan.sources`);
    - `fuse_form_5`: a kernel holds only `graph`, `arith` and `math` ops, and no weight: weights are arguments;
    - `fuse_form_6`: no named op (softmax, layer_norm, rms_norm, gelu, attention) is left in a kernel;
    - `fuse_form_7`: the values of a kernel are strided views over one domain (KernelIndexing.h).
  }];
}

def AssignBuffers : Pass<"plan-assign-buffers", "::tilewright::plan::ProgramOp"> {
  let summary = "Give every tensor of a program its bytes, and every launch its dependencies";
  let description = [{
    Takes a program from the tensor form to the buffer form. Inputs, weights and outputs are used where they
    lie; a result of the program is written in place, and copied only when it is also another result, an input
    or a weight; reshapes are aliases. Everything else is placed in one arena by best fit, largest first, at
    multiples of `alignment`.

    Bytes are used again only by a launch that must anyway start after their last reader, so that sharing memory
    never makes a launch wait; with `reuse-in-order` every launch counts as waiting for those before it, which
    takes less memory and may serialise branches. Events are the read-after-write, write-after-read and
    write-after-write edges, without those that others imply. It does not change numbers.

    ```mlir
    module {
      graph.kernel anchor(elementwise) @exp(%x: tensor<8xf32>) -> tensor<8xf32> {
        %0 = math.exp %x : tensor<8xf32>
        graph.return %0 : tensor<8xf32>
      }
      plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "y"}) {
        %0 = plan.launch @exp(%x) : (tensor<8xf32>) -> tensor<8xf32>
        %1 = plan.launch @exp(%0) : (tensor<8xf32>) -> tensor<8xf32>
        plan.return %1 : tensor<8xf32>
      }
    }
    ```
    ==>
    ```mlir
    module {
      graph.kernel anchor(elementwise) @exp(%x: tensor<8xf32>) -> tensor<8xf32> {
        %0 = math.exp %x : tensor<8xf32>
        graph.return %0 : tensor<8xf32>
      }
      plan.program @main() {
        %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
        %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
        %arena = plan.arena : !plan.buffer<256>
        %v = plan.view %arena[0] : !plan.buffer<256> to !plan.buffer<32>
        %0 = plan.launch @exp(%x) into(%v : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
        %1 = plan.launch @exp(%v) into(%y : !plan.buffer<32>) after(%0) : (!plan.buffer<32>) -> !plan.event
        plan.return
      }
    }
    ```
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", "256", "Bytes that every buffer's place is a multiple of">,
    Option<"reuseInOrder", "reuse-in-order", "bool", "false",
           "Use bytes again as soon as launch order allows, even where that adds dependencies">
  ];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Bytes of all arenas">,
    Statistic<"separateBytes", "separate-bytes", "Bytes without sharing">
  ];
}

def AssignWorkspace : Pass<"plan-assign-workspace", "::mlir::ModuleOp"> {
  let summary = "Give launches whose blocks hand parts of results to one another their memory";
  let description = [{
    Kernels with `ptx.workspace` parameters write the program's one workspace, as large as the largest of them needs. It
    is memory of its own, zero when it is loaded, whose flags each launch leaves as it found them. Launches that use it are
    ordered by events.

    Needs programs on buffers; stands before plan-programmatic-edges. It does not change numbers.

    ```mlir
    module {
      gpu.module @k {
        llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %flags: !llvm.ptr<1> {ptx.workspace = array<i64: 0, 512>})
            attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 32>} {
          llvm.return
        }
      }
      plan.program @main() {
        %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
        %a = plan.output "a" tensor<8xf32> as !plan.buffer<32>
        %b = plan.output "b" tensor<8xf32> as !plan.buffer<32>
        %0 = plan.launch @k(%x) into(%a : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
        %1 = plan.launch @k(%x) into(%b : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
        plan.return
      }
    }
    ```
    ==>
    ```mlir
    ...
        %workspace = plan.workspace : !plan.buffer<512>
    ...
        %0 = plan.launch @k(%x) into(%a, %workspace : !plan.buffer<32>, !plan.buffer<512>) : (!plan.buffer<32>) -> !plan.event
        %1 = plan.launch @k(%x) into(%b, %workspace : !plan.buffer<32>, !plan.buffer<512>) after(%0) : (!plan.buffer<32>) -> !plan.event
    ...
    ```
  }];
}

def ProgrammaticEdges : Pass<"plan-programmatic-edges", "::mlir::ModuleOp"> {
  let summary = "Start kernels that wait for their predecessors themselves before these are over";
  let description = [{
    A kernel in the target form that holds `nvvm.griddepcontrol wait` may be launched while the kernel before it
    still runs (programmatic dependent launch). Where the last event that such a launch waits for is another
    launch's, that edge becomes a programmatic one if that one's blocks may all run at once on the target, or if the kernel
    has loads in front of its wait and most of what it reads is inputs and weights; other edges stay. Since the kernel ends only after its wait, whatever waits for it has waited for its predecessor too. It does not
    change numbers.

    ```mlir
    module {
      gpu.module @k {
        llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
            nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
          nvvm.griddepcontrol wait
          llvm.return
        }
      }
      plan.program @main() {
        %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
        %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
        %arena = plan.arena : !plan.buffer<256>
        %v = plan.view %arena[0] : !plan.buffer<256> to !plan.buffer<32>
        %0 = plan.launch @k(%x) into(%v : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
        %1 = plan.launch @k(%v) into(%y : !plan.buffer<32>) after(%0) : (!plan.buffer<32>) -> !plan.event
        plan.return
      }
    }
    ```
    ==>
    ```mlir
    module {
      gpu.module @k {
        llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
            nvvm.kernel, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>} {
          nvvm.griddepcontrol wait
          llvm.return
        }
      }
      plan.program @main() {
        %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
        %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
        %arena = plan.arena : !plan.buffer<256>
        %v = plan.view %arena[0] : !plan.buffer<256> to !plan.buffer<32>
        %0 = plan.launch @k(%x) into(%v : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
        %1 = plan.launch @k(%v) into(%y : !plan.buffer<32>) programmatic(%0) : (!plan.buffer<32>) -> !plan.event
        plan.return
      }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "The chip whose multiprocessors hold the blocks">
  ];
  let statistics = [Statistic<"edges", "programmatic-edges", "Edges made programmatic">];
}

def SpreadBlocks : Pass<"plan-spread-blocks", "::mlir::ModuleOp"> {
  let summary = "Give few blocks that start while another kernel runs a multiprocessor each";
  let description = [{
    Runs at the end of the package stage. The chip gives blocks to whatever multiprocessor has room for them. A kernel of few
    blocks that starts while another one runs (no event orders them, or it is launched early) finds room on those
    multiprocessors first that the other has just left, for as many blocks as registers and threads allow, and takes as
    long as they do. Its blocks ask for so much shared memory that no multiprocessor has more of them than an even share,
    which is at most two (of clusters, of seven eighths of the multiprocessors). Products, which plan their shared memory, and kernels whose blocks move less than 56 KB
    stay as they are. It does not change numbers.

    ```mlir
    // RUN-PASS: plan-spread-blocks
    module {
      gpu.module @a {
        llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel,
            ptx.launch = #ptx.launch<grid = [96, 1, 1], block = 512>,
            ptx.resources = #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
          llvm.return
        }
      }
      gpu.module @b {
        llvm.func @b(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel,
            ptx.launch = #ptx.launch<grid = [9216, 1, 1], block = 128>,
            ptx.resources = #ptx.resources<registers = 32, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>} {
          llvm.return
        }
      }
      plan.program @main() {
        %x = plan.input "x" tensor<4718592xf32> as !plan.buffer<18874368>
        %y = plan.output "y" tensor<4718592xf32> as !plan.buffer<18874368>
        %z = plan.output "z" tensor<4718592xf32> as !plan.buffer<18874368>
        %0 = plan.launch @b(%x) into(%y : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "elementwise",
            unit = "fp32", flops = 4718592, read = 18874368, written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
        %1 = plan.launch @a(%x) into(%z : !plan.buffer<18874368>) {plan.cost = #plan.cost<anchor = "reduction",
            unit = "fp32", flops = 4718592, read = 18874368, written = 18874368>} : (!plan.buffer<18874368>) -> !plan.event
        plan.return
      }
    }
    ```
    ==>
    ```mlir
    ...
        llvm.func @a(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel, ptx.launch = #ptx.launch<grid = [96, 1, 1], block = 512, shared = 115840>
    ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "The chip whose multiprocessors have the blocks">
  ];
  let statistics = [Statistic<"spreads", "spread-kernels", "Kernels whose blocks are kept apart">];
}

def ReverseKernels : Pass<"plan-reverse-kernels", "::mlir::ModuleOp"> {
  let summary = "Let kernels begin with what the one before them has gone through last";
  let description = [{
    Runs at the end of the `fuse` stage, before `plan-annotate-costs`. A kernel that goes through a tensor in order which
    an earlier launch has gone through in order, too, and which is much of the L2 cache or more, gets `plan.backward`
    where the model of bytes through memory (`plan-annotate-costs`) then has 1 % less of the program's: its blocks
    take the tiles from the last to the first. What it and the kernels since then touch that nobody needs again while the
    cache could have it is said to leave the cache first where that saves another 7.5 %: `plan.leaving` has the numbers of such
    operands and results of 1 MB or more. In the order of launches, each with those before it as they were decided;
    products and kernels of several launches stay as they are. It does not change numbers.

    `plan.leaving` has those of a kernel, too, that takes single elements of a table in no order, where the table is more than the
    cache keeps of one: what passes beside it takes no place from it. Launches that have buffers stay as they are.

    ```mlir
    // RUN-PASS: plan-reverse-kernels
    module {
      graph.kernel anchor(elementwise) @exp(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {
        %0 = math.exp %x : tensor<16777216xf32>
        graph.return %0 : tensor<16777216xf32>
      }
      graph.kernel anchor(elementwise) @tanh(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {
        %0 = math.tanh %x : tensor<16777216xf32>
        graph.return %0 : tensor<16777216xf32>
      }
      plan.program @main(%x: tensor<16777216xf32> {plan.name = "x"}) -> (tensor<16777216xf32> {plan.name = "y"}) {
        %0 = plan.launch @exp(%x) : (tensor<16777216xf32>) -> tensor<16777216xf32>
        %1 = plan.launch @tanh(%0) : (tensor<16777216xf32>) -> tensor<16777216xf32>
        plan.return %1 : tensor<16777216xf32>
      }
    }
    ```
    ==>
    ```mlir
    module {
      graph.kernel anchor(elementwise) @exp(%x: tensor<16777216xf32>) -> tensor<16777216xf32> {
        %0 = math.exp %x : tensor<16777216xf32>
        graph.return %0 : tensor<16777216xf32>
      }
      graph.kernel anchor(elementwise) @tanh(%x: tensor<16777216xf32>) -> tensor<16777216xf32> attributes {plan.backward} {
        %0 = math.tanh %x : tensor<16777216xf32>
        graph.return %0 : tensor<16777216xf32>
      }
      plan.program @main(%x: tensor<16777216xf32> {plan.name = "x"}) -> (tensor<16777216xf32> {plan.name = "y"}) {
        %0 = plan.launch @exp(%x) : (tensor<16777216xf32>) -> tensor<16777216xf32>
        %1 = plan.launch @tanh(%0) : (tensor<16777216xf32>) -> tensor<16777216xf32>
        plan.return %1 : tensor<16777216xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "The chip whose cache it is">,
    Option<"cacheHints", "cache-hints", "bool", "true", "Whether kernels say what may leave the cache first">
  ];
  let statistics = [Statistic<"reversed", "reversed-kernels", "Kernels that go backward">];
}

def MergeLaunches : Pass<"plan-merge-launches", "::mlir::ModuleOp"> {
  let summary = "Launch small kernels that do not need one another as one";
  let description = [{
    Runs at the end of the `target` stage. Launches of a program of which neither needs the other become one where
    both are short beside the start of a kernel, and where the program is modelled to take less time: a launch off
    the longest way through the program costs its start, and what needs one part of a merged kernel waits for all
    of them. The blocks of the merged kernel are divided among its parts (at most 8, in `plan.parts`): a block finds
    its part by its number, and runs that part's body with the block number that it would have on its own. Blocks have the
    threads of the largest part. Smaller ones share a block where their threads never meet; else the warps beyond
    end at once, and the part's barriers count the others alone. Shared memory is as much as one part takes.

    What counts on its launch as a whole stays alone: clusters, warpgroup products, roles, copies in bulk, kernels with
    a contract or with variants for other chips; so do kernels whose blocks would be a sixth more than run at once, and those
    whose threads would lose registers to a larger block. It does not change numbers.

    ```mlir
    module {
      gpu.module @k {
        llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
            nvvm.kernel, ptx.launch = #ptx.launch<grid = [4, 1, 1], block = 32>} {
          %0 = nvvm.read.ptx.sreg.ctaid.x : i32
          %1 = llvm.getelementptr %y[%0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
          llvm.store %0, %1 : i32, !llvm.ptr<1>
          llvm.return
        }
      }
      gpu.module @l {
        llvm.func @l(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {
            nvvm.kernel, ptx.launch = #ptx.launch<grid = [8, 1, 1], block = 64>} {
          nvvm.barrier0
          llvm.return
        }
      }
      plan.program @main(%x: tensor<8xf32> {plan.name = "x"})
          -> (tensor<4xi32> {plan.name = "a"}, tensor<8xf32> {plan.name = "b"}) {
        %0 = plan.launch @k(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 0, read = 32, written = 16>}
            : (tensor<8xf32>) -> tensor<4xi32>
        %1 = plan.launch @l(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 0, read = 32, written = 32>}
            : (tensor<8xf32>) -> tensor<8xf32>
        plan.return %0, %1 : tensor<4xi32>, tensor<8xf32>
      }
    }
    ```
    ==>
    ```mlir
    module {
      gpu.module @k_and_l {
        llvm.func @k_and_l(%x: !llvm.ptr<1>, %z: !llvm.ptr<1>, %y: !llvm.ptr<1>, %w: !llvm.ptr<1>) ... block = 64>} {
          %block = nvvm.read.ptx.sreg.ctaid.x : i32
          %end = llvm.mlir.constant(2 : i32) : i32
          %mine = llvm.icmp "ult" %block, %end : i32
          llvm.cond_br %mine, ^bb1, ^bb3
    ...
          nvvm.barrier0
    ...
        %both:2 = plan.launch @k_and_l(%v, %v) ... plan.parts = [#plan.part<kernel = "k", first = 0, blocks = 2, of = 4, threads = 32>, #plan.part<kernel = "l", first = 2, blocks = 8, of = 8, threads = 64>]
        plan.return %both#0, %both#1 : tensor<4xi32>, tensor<8xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "The chip that times are modelled for">,
    ListOption<"alone", "alone", "std::string", "Kernels that are not merged">
  ];
  let statistics = [Statistic<"launchesSaved", "launches-saved", "Launches that became part of another">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def InterleaveLaunches : Pass<"plan-interleave-launches", "::mlir::ModuleOp"> {
  let summary = "Launch kernels that need one another as one, whose blocks go through the tensors slice by slice";
  let description = [{
    Runs at the end of the `target` stage, before plan-merge-launches. Launches of which one reads what another writes, or
    that read the same large tensor, become one where that is modelled to pass fewer bytes through the memory: what a part
    leaves in the L2 cache the next finds there. Each part's blocks are cut into slices by the values of one digit of their
    numbers, so that slices of all parts touch the same parts of tensors, rows or columns; and the merged kernel's into
    rounds, of which round r has slice r - lag of each part. A block takes a ticket, and by it the round, the part and the
    block number that it would have on its own; tickets beyond a part's ends do nothing. Blocks of a part that are smaller
    than the merged kernel's share one, with barriers and shared memory of their own.

    What a part reads of another one's results has to be there: of `ptx.footprint` on the parameters of both follows which slices
    of the other one a slice needs, and lags are such that their tickets are smaller. One warp waits for the counters of these
    slices, which all blocks of a slice bring on when they are done. Blocks wait for smaller tickets alone, so that some block
    can always go on, however few run at once. Counters and tickets lie in the workspace, behind that of all other kernels, and go on
    from launch to launch: nobody puts them back.

    Where none waits for another there are no tickets: a block's number says its round, and blocks begin in about that order.

    What counts on its launch as a whole stays alone (see plan-merge-launches), and so do kernels with a workspace, those
    without footprints, and those of which nearly all blocks run at once. It does not change numbers.

    `independent` takes only launches that do not need one another; the ptx stage does so once it is known what registers kernels
    take. `always` takes every pair that may be taken, whatever it gains; for tests.

    ```mlir
    // RUN-PASS: plan-interleave-launches="always"
    module {
      gpu.module @k {
        llvm.func @k(%x: !llvm.ptr<1> {ptx.footprint = [array<i64: 0, 4, 0, 0, 124, 2, 64, 2, 1, 4, 16, 0>]},
                     %y: !llvm.ptr<1> {ptx.footprint = [array<i64: 0, 4, 0, 0, 124, 2, 64, 2, 1, 4, 16, 0>]}) attributes {
            nvvm.kernel, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32>} {
          llvm.return
        }
      }
      gpu.module @l {
        llvm.func @l(%x: !llvm.ptr<1> {ptx.footprint = [array<i64: 0, 4, 0, 0, 124, 2, 64, 2, 1, 4, 16, 0>]},
                     %y: !llvm.ptr<1> {ptx.footprint = [array<i64: 0, 4, 0, 0, 124, 2, 64, 2, 1, 4, 16, 0>]}) attributes {
            nvvm.kernel, ptx.launch = #ptx.launch<grid = [2, 1, 1], block = 32>} {
          llvm.return
        }
      }
      plan.program @main(%x: tensor<32xf32> {plan.name = "x"}) -> (tensor<32xf32> {plan.name = "y"}) {
        %0 = plan.launch @k(%x) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 0, read = 128, written = 128>}
            : (tensor<32xf32>) -> tensor<32xf32>
        %1 = plan.launch @l(%0) {plan.cost = #plan.cost<anchor = "elementwise", unit = "fp32", flops = 0, read = 128, written = 128>}
            : (tensor<32xf32>) -> tensor<32xf32>
        plan.return %1 : tensor<32xf32>
      }
    }
    ```
    ==>
    ```mlir
    module {
      gpu.module @k_then_l {
        llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
        llvm.func @k_then_l(%x: !llvm.ptr<1>, %between: !llvm.ptr<1>, %y: !llvm.ptr<1>, %counters: !llvm.ptr<1> {llvm.align = 128 : i64, ptx.workspace = array<i64: 0, 144>}) ... block = 32, shared = 16>} {
    ...
          %taken = ptx.take_ticket %counters : !llvm.ptr<1>
    ...
          ptx.return_tickets %next, %counters : !llvm.ptr<1>
    ...
          ptx.arrive_counter %one : !llvm.ptr<1>
    ...
          ptx.await_counter %value at %other : !llvm.ptr<1>
    ...
        %both:2 = plan.launch @k_then_l(%v) ... plan.parts = [#plan.part<kernel = "k", first = 0, blocks = 1, of = 2, threads = 32>, #plan.part<kernel = "l", first = 1, blocks = 1, of = 2, threads = 32>], plan.slices = 2 : i64
        plan.return %both#1 : tensor<32xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "The chip whose caches are modelled">,
    ListOption<"alone", "alone", "std::string", "Kernels that are not merged">,
    Option<"always", "always", "bool", "false", "Take all that may be taken">,
    Option<"independent", "independent", "bool", "false", "Take only what needs no result of another">
  ];
  let statistics = [Statistic<"launchesSaved", "launches-saved", "Launches that became part of another">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def VerifyPlanForm : Pass<"verify-plan-form", "::mlir::ModuleOp"> {
  let summary = "Check that every program is in the buffer form and that no launch races another";
  let description = [{
    Rules:
    - `plan_form_1`: a program has neither arguments nor results, and holds nothing but ops of the buffer form;
    - `plan_form_2`: nothing writes an input or a weight;
    - `plan_form_3`: a launch's written buffers overlap neither each other nor what it reads;
    - `plan_form_4`: two launches that touch the same bytes, one of them writing, are ordered by events;
    - `plan_form_5`: a program has at most one arena, and views of it start at multiples of 256 bytes;
    - `plan_form_6`: bytes of the arena are written before they are read;
    - `plan_form_7`: a launch with a programmatic event is of a kernel that waits for it;
    - `plan_form_8`: there is at most one workspace.
  }];
}

#endif // TILEWRIGHT_DIALECT_PLAN_TRANSFORMS_PASSES_TD
