// The tile dialect, its attributes (layouts, schedules, contracts) and types (views, shared buffers).
#ifndef TILEWRIGHT_TILE_DIALECT_TD
#define TILEWRIGHT_TILE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/TensorEncoding.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let summary = "What one thread block does";
  let description = [{
    A `tile.kernel` is the program of one thread block. Its values are builtin tensors, the tiles, of which each
    thread holds some elements; which ones, `#tile.layout` says as the tensor's encoding once layouts are
    assigned. Elementwise arithmetic is `arith` and `math` on tiles, control flow is `scf`. Global memory is
    seen through views, which absorb reshapes, transposes, broadcasts and slices as nested strides.
  }];
  let cppNamespace = "::tilewright::tile";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}
class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding, ["verifyEncoding"]>]> {
  let summary = "which thread and register holds which element of a tile";
  let description = [{
    A linear layout (docs/Layouts.md) in its text form; the shape is the tensor's.

    ```mlir
    tensor<16x8xf32, #tile.layout<"{…}">>
    ```
  }];
  let parameters = (ins AttrParameter<"::tilewright::layout::LinearLayout", "the layout", "const ::tilewright::layout::LinearLayout &">:$layout);
  let hasCustomAssemblyFormat = 1;
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "global memory seen as an n-dimensional index space";
  let description = [{
    The elements of a buffer under a strided view (docs/Layouts.md): per dimension an extent and nested strides
    in elements. An index outside the extent is out of bounds: loads give the fill value, stores do nothing.
  }];
  let parameters = (ins "::mlir::Type":$elementType, TypeParameter<"::tilewright::layout::StridedView", "the view", "const ::tilewright::layout::StridedView &">:$view);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const;
    ::llvm::SmallVector<int64_t> getShape() const;
  }];
}

def Tile_SharedType : Tile_Type<"Shared", "shared"> {
  let summary = "buffers in shared memory: `stages` tiles of one layout";
  let parameters = (ins "int64_t":$stages, "::mlir::Type":$elementType, TypeParameter<"::tilewright::layout::SharedLayout", "the layout of a stage", "const ::tilewright::layout::SharedLayout &">:$layout);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    ::llvm::SmallVector<int64_t> getShape() const;
    /// Bytes of one stage, rounded up to 128.
    int64_t getStageBytes() const;
  }];
}

def Tile_RingType : Tile_Type<"Ring", "ring"> {
  let summary = "`stages` slots that producers fill and consumers empty, in order";
  let description = [{
    Slot n (counted from 0 over the whole kernel) is stage n mod `stages` of every buffer of the ring. A producer
    acquires, fills and commits a slot; consumers wait for it, read and release it. Barriers, arrival counts and
    phase parities are derived from the ring's uses when it is lowered.
  }];
  let parameters = (ins "int64_t":$stages);
  let assemblyFormat = "`<` $stages `>`";
  let genVerifyDecl = 1;
}

def Tile_PendingType : Tile_Type<"Pending", "pending"> {
  let summary = "a tile whose products may still be in flight; only tile.await opens it";
  let parameters = (ins "::mlir::RankedTensorType":$tile);
  let assemblyFormat = "`<` $tile `>`";
}

def Tile_ScheduleAttr : Tile_Attr<"Schedule", "schedule"> {
  let summary = "every number that shapes a kernel";
  let description = [{
    `tile`: elements of the result a block computes, one entry per dimension of the kernel's domain; `reduce`:
    elements of the reduced dimension (K of a product) taken at a time; `warps` that compute one tile and how they
    divide the last two tile dimensions (`warp_grid`; of warpgroup products whole warpgroups lie along M, and those
    along N take its columns 8 at a time in turn); `stages` of the ring that feeds a product.

    ```mlir
    #tile.schedule<tile = [1, 64, 64], reduce = 32, warps = 4, warp_grid = [2, 2], stages = 3>
    ```

    Entries that may follow, in any order:
    - `product = fma | mma_sync | wgmma`: the unit that multiplies; absent, it follows from the operands' type;
    - `copy = plain | cp_async | bulk`: what brings operands to shared memory; absent, it follows from the alignment of
      each: a bulk copy where a tensor map describes it, else cp.async where rows begin at whole words, else loads and
      stores, which also take the place of cp.async where that cannot copy;
    - `roles = none | cooperative | pingpong`: a warpgroup that loads, and one group of `warps` that computes or two
      that take tiles in turn; `registers = [40, 232]` of a thread of either kind;
    - `loaders = 2`: instances of the role that loads, which take slots of the ring in turn (1 when absent): for operands
      that threads bring through registers, so that one's loads are in flight while another stores;
    - `raw_stages = 4`: of the ring that brings an operand to the warps that convert or transpose it for the product, two
      groups in turn: an even number and a multiple of the loaders, 2 when absent;
    - `persistent = 132`: that many blocks take tiles in turn; without products they load the next one ahead;
    - `order = rows | grouped<8> | hilbert | list<[0, 2, 1, 3]>`: tiles row after row, of so many rows column by
      column, along a Hilbert curve, or by a list of their numbers (counted row after row from 0; with clusters, of
      the clusters' tiles);
    - `stream_k = 2`: the steps of K of the tiles beyond whole rounds of the persistent blocks, and of one round more
      (`1`: of none, `3`: of two …), are divided evenly among them; blocks that share a tile hand their sums over
      through memory, in an order that does not vary from run to run;
    - `rotate_k`: each tile starts at another place of K, so that blocks that share an operand's rows do not read them
      at the same time; sums are then formed in an order that differs from tile to tile, and not from run to run;
    - `store = direct | bulk`: results from registers, or through shared memory by the tensor memory accelerator;
    - `defer_stores`: a tile's results stay in registers, rounded, and are stored while the next tile's products run;
    - `pdl`: the kernel may start before those that it depends on have ended (programmatic dependent launch);
    - `split_k = 4`: the blocks of a cluster have a part of K each and sum up through distributed shared memory, in
      an order that does not vary from run to run; of a reduction, a tile of the row each, which they hold together;
    - `left = shared | registers`: a warpgroup's product reads its left operand in shared memory, or the warps that
      multiply bring it to registers from the ring, as it lies in memory, and convert it there: no other role does;
    - `swap_operands`: the product is computed transposed, so that N has the place of M: `tile` is [N, M] then; with
      `store = bulk` shared memory holds results as they lie in memory, a column of the tile side by side;
    - `keep_tables`: blocks bring the rows of tables that they gather elements from to shared memory, whole, and
      go over all indices into them, in pieces of the tile;
    - `align_rows`: a block goes over a row from the last multiple of 16 bytes before it, wherever that begins, so that
      threads load and store 16 bytes at a time; the tile has one row (`tile.aligned` on its accesses);
    - `skip_steps`: of a chain of products, steps whose terms a mask leaves out are not run, and those whose terms it
      keeps do not compare;
    - `overlap_steps`: of a chain of products, the first one of a step runs beside the second one of the step before,
      while the terms of the step are computed (tile-overlap-steps);
    - `cluster = [2, 1]`: two tiles along M (`[1, 2]`: N) are those of a cluster's blocks, which load the operand that
      both need once; with `[4, 2]` the four below one another share the right operand, the two beside one another the
      left one.

    ```mlir
    #tile.schedule<tile = [128, 128], reduce = 64, warps = 4, warp_grid = [4, 1], stages = 6, product = wgmma,
                   copy = bulk, roles = pingpong, registers = [40, 232], persistent = 132, order = grouped<8>, store = bulk>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$tile, "int64_t":$reduce, "int64_t":$warps,
    ArrayRefParameter<"int64_t">:$warpGrid, "int64_t":$stages,
    AttrParameter<"::tilewright::tile::ScheduleOptions", "entries that may be absent",
                  "const ::tilewright::tile::ScheduleOptions &">:$options);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$tile, "int64_t":$reduce, "int64_t":$warps,
    "::llvm::ArrayRef<int64_t>":$warpGrid, "int64_t":$stages), [{
      return $_get($_ctxt, tile, reduce, warps, warpGrid, stages, ::tilewright::tile::ScheduleOptions());
    }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_ContractAttr : Tile_Attr<"Contract", "contract"> {
  let summary = "limits that the assembled kernel must keep, on every target";
  let description = [{
    At most so many `registers` of a thread, bytes of `spills` (stored and loaded) and bytes of `shared` memory of
    a block; at least `blocks_per_sm` blocks resident on a multiprocessor. `uses = wgmma`: products run on warpgroups and
    stay in flight, so ptxas says nothing of serialised ones (C75xx) and the kernel has neither spills nor local memory;
    a kernel that comes with a schedule of `product = wgmma` has it of itself. What is absent is free. The `ptx` stage
    checks it against what ptxas reports; a breach is an error at the kernel. It stands as `tile.contract` on a
    `graph.kernel`, `tile.kernel` or a kernel's `llvm.func`, and is carried from one to the next.

    ```mlir
    #tile.contract<registers = 168, spills = 0, blocks_per_sm = 2>
    ```
  }];
  let parameters = (ins OptionalParameter<"std::optional<int64_t>">:$registers,
    OptionalParameter<"std::optional<int64_t>">:$spills, OptionalParameter<"std::optional<int64_t>">:$shared,
    OptionalParameter<"std::optional<int64_t>">:$blocks_per_sm,
    OptionalParameter<"std::optional<::tilewright::tile::ProductUnit>">:$uses);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_CacheAttr : Tile_Attr<"Cache", "cache"> {
  let summary = "what the caches do with the lines of a load or store";
  let description = [{
    `l1 = no_allocate`: they take no place in the multiprocessor's cache. `l2 = evict_first`: they are the first to leave
    the L2 cache when others need their place, `evict_last`: the last. What is absent is the cache's own rule. It stands as
    `tile.cache` on a `tile.load`, `tile.store` or `tile.send_run`; tile-hint-caches writes it, a person can too.

    ```mlir
    %t = tile.load %x[%i] divisors = [128] in_bounds = [true]
        {tile.cache = #tile.cache<l1 = no_allocate, l2 = evict_first>} : !tile.view<…> -> tensor<128xf32>
    ```
  }];
  let parameters = (ins "bool":$noAllocate, "::tilewright::tile::L2Priority":$l2);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The discardable attribute of loads and stores.
    static constexpr ::llvm::StringLiteral getAttrName() { return "tile.cache"; }
  }];
}

#endif // TILEWRIGHT_TILE_DIALECT_TD
