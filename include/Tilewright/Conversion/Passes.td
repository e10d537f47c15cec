// The conversions between our dialects.
#ifndef TILEWRIGHT_CONVERSION_PASSES_TD
#define TILEWRIGHT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertGraphToTile : Pass<"convert-graph-to-tile", "::mlir::ModuleOp"> {
  let summary = "Write the thread-block program of every kernel";
  let description = [{
    Each `graph.kernel` becomes a `tile.kernel` of the same name on views of its arguments and results. The domain
    of its anchor is cut into tiles, one a block; reduced dimensions are taken whole when they fit, else in a loop
    that carries partial results. Tile sizes come from the kernel's `tile.schedule`; where it is absent, from the
    kernel's tuning record, a model or a rule, as `tile.chosen` then says.
    What the tiles of a kernel without products make the memory move beside the tensors' bytes, as the model
    has it, is `tile.beside`.
    Movement becomes views with nested strides; what a concatenation joins of equal parts is stored at the place of each,
    with the domain of one part; elements outside a view are predicated by `in_bounds` and count as
    the identity in reductions. The domain gets places ahead of its first one along a dimension of at least 512, up to one less than a
    vector has elements, where more bytes of the kernel's tensors lie in whole vectors then.

    Needs the fuse form; gives tile kernels whose tiles have no layouts yet. Numbers: reductions are associated by
    tiles; 16-bit products are summed in fp32.

    ```mlir
    graph.kernel anchor(elementwise) @exp(%x: tensor<256xf32>) -> tensor<256xf32>
        attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
      %0 = math.exp %x : tensor<256xf32>
      graph.return %0 : tensor<256xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %block = tile.block_id 0
      ...
      %first = arith.muli %block, %size : index
      %in = tile.load %x[%first] divisors = [128] in_bounds = [true]
      %out = math.exp %in : tensor<128xf32>
      tile.store %out, %y[%first] divisors = [128] in_bounds = [true] : tensor<128xf32>
      tile.return
    ```
  }];
  let options = [
    Option<"sharedLimit", "shared-limit", "int64_t", "0",
           "bytes of shared memory that a block may take; 0: what every known chip has that runs the kernel">,
    Option<"target", "target", "std::string", "",
           "the only chip that kernels are for: schedules may use what it alone has">,
    Option<"records", "records", "std::string", "",
           "tuning records that kernels take their schedules from: a file, builtin or none">
  ];
  let dependentDialects = ["::tilewright::tile::TileDialect"];
}

def TileMarkSteadyViews : Pass<"tile-mark-steady-views", "::mlir::ModuleOp"> {
  let summary = "Mark the arguments of kernels that no kernel of the program writes";
  let description = [{
    An argument that is an input, a weight or a constant in every launch of its kernel is `tile.steady`:
    tile-depend-on-grid reads it before the kernels before have ended. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-mark-steady-views
    module {
      graph.kernel anchor(elementwise) @exp(%x: tensor<256xf32>) -> tensor<256xf32>
          attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
        %0 = math.exp %x : tensor<256xf32>
        graph.return %0 : tensor<256xf32>
      }
      plan.program @main(%x: tensor<256xf32> {plan.name = "x"}) -> (tensor<256xf32> {plan.name = "y"}) {
        %0 = plan.launch @exp(%x) : (tensor<256xf32>) -> tensor<256xf32>
        plan.return %0 : tensor<256xf32>
      }
    }
    ```
    ==>
    ```mlir
    ...
      tile.kernel @exp grid = [2, 1, 1] warps = 1 (%in: !tile.view<f32, ... {tile.steady}
    ...
    ```
  }];
}

def TileMarkPassingViews : Pass<"tile-mark-passing-views", "::mlir::ModuleOp"> {
  let summary = "Mark the arguments of kernels whose bytes no kernel reads again soon";
  let description = [{
    An argument is `tile.passing` when in every launch of its kernel no later launch reads the tensor before as many
    bytes as half of the L2 cache holds have been moved; inputs and weights are read again in the next run. In a program
    whose tensors all fit there nothing passes: tile-hint-caches asks. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-mark-passing-views
    module {
      graph.kernel anchor(elementwise) @exp(%x: tensor<33554432xf32>) -> tensor<33554432xf32>
          attributes {tile.schedule = #tile.schedule<tile = [1024], reduce = 1, warps = 4, warp_grid = [4], stages = 1>} {
        %0 = math.exp %x : tensor<33554432xf32>
        graph.return %0 : tensor<33554432xf32>
      }
      plan.program @main(%x: tensor<33554432xf32> {plan.name = "x"}) -> (tensor<33554432xf32> {plan.name = "y"}) {
        %0 = plan.launch @exp(%x) : (tensor<33554432xf32>) -> tensor<33554432xf32>
        plan.return %0 : tensor<33554432xf32>
      }
    }
    ```
    ==>
    ```mlir
    ...
      tile.kernel @exp grid = [32768, 1, 1] warps = 4 (%in: !tile.view<f32, ... {tile.passing}, %out: !tile.view<f32, ... {tile.passing}
    ...
    ```
  }];
  let options = [
    Option<"cacheBytes", "cache-bytes", "int64_t", "52428800", "bytes of the L2 cache">
  ];
}

def SplitChips : Pass<"split-chips", "::mlir::ModuleOp"> {
  let summary = "Give kinds of chips that are scheduled differently kernels of their own";
  let description = [{
    Chips with warpgroup products take other schedules than those without. When `chips` names both kinds, each
    kernel round a product is there twice, for the chips in its `ptx.archs`; its launches name the other one as
    a variant. Kernels whose schedule is given are left alone. No number changes.

    ```mlir
    // RUN-PASS: split-chips="chips=sm_90a,sm_80"
    module {
      graph.kernel anchor(matmul) @product(%a: tensor<64x32xbf16>, %b: tensor<32x64xbf16>) -> tensor<64x64xf32> {
        %0 = graph.matmul %a, %b : tensor<64x32xbf16>, tensor<32x64xbf16> to tensor<64x64xf32>
        graph.return %0 : tensor<64x64xf32>
      }
      plan.program @main(%a: tensor<64x32xbf16> {plan.name = "a"}, %b: tensor<32x64xbf16> {plan.name = "b"})
          -> (tensor<64x64xf32> {plan.name = "c"}) {
        %0 = plan.launch @product(%a, %b) : (tensor<64x32xbf16>, tensor<32x64xbf16>) -> tensor<64x64xf32>
        plan.return %0 : tensor<64x64xf32>
      }
    }
    ```
    ==>
    ```mlir
    module {
      graph.kernel anchor(matmul) @product(%a: tensor<64x32xbf16>, %b: tensor<32x64xbf16>) -> tensor<64x64xf32>
          attributes {ptx.archs = ["sm_90a"]} {
        %0 = graph.matmul %a, %b : tensor<64x32xbf16>, tensor<32x64xbf16> to tensor<64x64xf32>
        graph.return %0 : tensor<64x64xf32>
      }
      graph.kernel anchor(matmul) @product_sm_80(%a: tensor<64x32xbf16>, %b: tensor<32x64xbf16>) -> tensor<64x64xf32>
          attributes {ptx.archs = ["sm_80"]} {
        %0 = graph.matmul %a, %b : tensor<64x32xbf16>, tensor<32x64xbf16> to tensor<64x64xf32>
        graph.return %0 : tensor<64x64xf32>
      }
      plan.program @main(%a: tensor<64x32xbf16> {plan.name = "a"}, %b: tensor<32x64xbf16> {plan.name = "b"})
          -> (tensor<64x64xf32> {plan.name = "c"}) {
        %0 = plan.launch @product(%a, %b) {plan.variants = [@product_sm_80]}
            : (tensor<64x32xbf16>, tensor<32x64xbf16>) -> tensor<64x64xf32>
        plan.return %0 : tensor<64x64xf32>
      }
    }
    ```
  }];
  let options = [ListOption<"chips", "chips", "std::string", "chips that the program is compiled for">];
  let statistics = [Statistic<"split", "kernels-split", "Kernels that were split">];
  let dependentDialects = ["::tilewright::ptx::PtxDialect"];
}

def MergeChips : Pass<"merge-chips", "::mlir::ModuleOp"> {
  let summary = "Make variants that came out alike one kernel again";
  let description = [{
    Where a launch's variant is the same thread-block program as its kernel, the variant goes, and the kernel is for
    the chips of both. No number changes.

    ```mlir
    module {
      tile.kernel @product grid = [1, 1, 1] warps = 1 () attributes {ptx.archs = ["sm_90a"]} {
        tile.return
      }
      tile.kernel @product_sm_80 grid = [1, 1, 1] warps = 1 () attributes {ptx.archs = ["sm_80"]} {
        tile.return
      }
      plan.program @main() {
        %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
        %0 = plan.launch @product(%x) {plan.variants = [@product_sm_80]} : (!plan.buffer<32>) -> !plan.event
        plan.return
      }
    }
    ```
    ==>
    ```mlir
    module {
      tile.kernel @product grid = [1, 1, 1] warps = 1 () {
        tile.return
      }
      plan.program @main() {
        %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
        %0 = plan.launch @product(%x) : (!plan.buffer<32>) -> !plan.event
        plan.return
      }
    }
    ```
  }];
}

def ConvertTileToLLVM : Pass<"convert-tile-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Unpack tiles to the scalars of one thread";
  let description = [{
    Each `tile.kernel` becomes a `gpu.module` with one `llvm.func`. A tile becomes as many scalars as its layout has
    registers; lane maps, vector widths and swizzles come from the layout library. Loads and stores are as wide as
    layout and view allow, predicated only where a tile may reach beyond its view; where vectors begin within the elements of a
    thread it loads both that it has parts of, and lanes put together what they store. Products become `mma.sync`, loads
    of their fragments `ldmatrix`, reductions register folds, butterflies and shared memory, in an order that the
    layout fixes.

    Needs the schedule form; gives `llvm`, `nvvm`, `ptx`, `arith`, `math` and `scf` on scalars, which the rest of the
    target stage lowers. It does not change numbers.

    ```mlir
    // RUN-PASS: convert-graph-to-tile tile-assign-layouts convert-tile-to-llvm
    graph.kernel anchor(elementwise) @exp(%x: tensor<256xf32>) -> tensor<256xf32>
        attributes {tile.schedule = #tile.schedule<tile = [128], reduce = 1, warps = 1, warp_grid = [1], stages = 1>} {
      %0 = math.exp %x : tensor<256xf32>
      graph.return %0 : tensor<256xf32>
    }
    ```
    ==>
    ```mlir
    ...
      llvm.func @exp(%x: !llvm.ptr<1>
    ...
        %lane = arith.andi %thread, %c31 : i32
    ...
        %four = llvm.load %address {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    ...
        %0 = math.exp %element : f32
    ...
        llvm.store %result, %place {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
        llvm.return
    ```
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::tilewright::ptx::PtxDialect", "::mlir::vector::VectorDialect"];
}

#endif // TILEWRIGHT_CONVERSION_PASSES_TD
