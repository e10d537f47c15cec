// The conversions between our dialects.
#ifndef TILEWRIGHT_CONVERSION_PASSES_TD
#define TILEWRIGHT_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertGraphToTile : Pass<"convert-graph-to-tile", "::mlir::ModuleOp"> {
  let summary = "Write the thread-block program of every kernel";
  let description = [{
    Each `graph.kernel` becomes a `tile.kernel` of the same name on views of its arguments and results. The domain
    of its anchor is cut into tiles, one a block; reduced dimensions are taken whole when they fit, else in a loop.
    Tile sizes come from the kernel's `tile.schedule`, which is chosen here when absent.

    ```mlir
    graph.kernel anchor(elementwise) @exp(%arg0: tensor<256xf32>) -> tensor<256xf32> {
      %0 = math.exp %arg0 : tensor<256xf32>
      graph.return %0 : tensor<256xf32>
    }
    ```
  }];
  let dependentDialects = ["::tilewright::tile::TileDialect"];
}

def ConvertTileToLLVM : Pass<"convert-tile-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Unpack tiles to the scalars of one thread";
  let description = [{
    Each `tile.kernel` becomes a `gpu.module` with one `llvm.func`. A tile becomes as many scalars as its layout has
    registers; lane maps, vector widths and swizzles come from the layout library.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::tilewright::ptx::PtxDialect", "::mlir::vector::VectorDialect"];
}

#endif // TILEWRIGHT_CONVERSION_PASSES_TD
