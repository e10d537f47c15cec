// The ops of the tile dialect: kernels, views of global memory, tiles, products, shared memory, synchronisation.
#ifndef TILEWRIGHT_TILE_OPS_TD
#define TILEWRIGHT_TILE_OPS_TD

include "Tilewright/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;
def Tile_Tile : StaticShapeTensorOf<[AnyFloat, AnySignlessInteger, Index]>;
/// A place in the shared memory of a block, of which every chip has less than a megabyte.
def Tile_SharedOffset : ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1048575>]>;
def Tile_GlobalMemory : Resource<"::tilewright::tile::GlobalMemory">;
def Tile_SharedMemory : Resource<"::tilewright::tile::SharedMemory">;
def Tile_AsyncCopies : Resource<"::tilewright::tile::AsyncCopies">;

//===-- Kernels -------------------------------------------------------------------------------------------===//

def Tile_KernelOp : Tile_Op<"kernel", [IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "the program of one thread block";
  let description = [{
    Arguments are views of whole tensors: inputs, then outputs. `grid` blocks in x, y and z run it, of `warps`
    warps each. It has no results.

    ```mlir
    tile.kernel @add grid = [4, 1, 1] warps = 4 (%x: !tile.view<f32, "…">, %y: !tile.view<f32, "…">) {
      …
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    DenseI64ArrayAttr:$grid, I64Attr:$warps, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs, OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    static ::llvm::StringRef getDefaultDialect() { return "tile"; }
    /// The schedule that shaped this kernel, or null.
    ::tilewright::tile::ScheduleAttr getSchedule();
    static constexpr ::llvm::StringLiteral getScheduleAttrName() { return "tile.schedule"; }
    static constexpr ::llvm::StringLiteral getContractAttrName() { return "tile.contract"; }
    /// Neighbouring blocks in x that run at the same time and reach one another's shared memory; absent: 1.
    static constexpr ::llvm::StringLiteral getClusterAttrName() { return "tile.cluster"; }
    /// Blocks of a cluster.
    int64_t getClusterBlocks();
    /// Of an argument: no kernel of the program writes it, so that it may be read before those before have ended.
    static constexpr ::llvm::StringLiteral getSteadyAttrName() { return "tile.steady"; }
    /// Of an argument: it lies so many bytes into the launch's workspace, memory that the plan provides.
    static constexpr ::llvm::StringLiteral getWorkspaceAttrName() { return "tile.workspace"; }
    /// What lies in every workspace, whatever the kernel: flags, which are down between launches; a ticket counter; and
    /// words, whose marks no later launch takes for its own. Behind them kernels keep what they like.
    static constexpr int64_t kTicketOffset = 4096, kWordsOffset = 4352, kPartsOffset = 4 << 20;
    /// Of an argument: no kernel reads its bytes again while the L2 cache could still have them.
    static constexpr ::llvm::StringLiteral getPassingAttrName() { return "tile.passing"; }
    /// Of an argument: its lines are the first to leave the L2 cache, so that what a kernel behind finds there stays.
    static constexpr ::llvm::StringLiteral getLeavingAttrName() { return "tile.leaving"; }
    /// Bytes of shared memory that tile-keep-rows may fill with what loops load again; absent: none.
    static constexpr ::llvm::StringLiteral getKeptBytesAttrName() { return "tile.kept_bytes"; }
    /// Bytes of dynamic shared memory, set by tile-allocate-shared.
    static constexpr ::llvm::StringLiteral getSharedBytesAttrName() { return "tile.shared_bytes"; }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let assemblyFormat = "attr-dict";
}

def Tile_BlockIdOp : Tile_Op<"block_id", [Pure]> {
  let summary = "index of this block in grid dimension `dim` (0 = x)";
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<2>]>:$dim);
  let results = (outs Index:$result);
  let assemblyFormat = "$dim attr-dict";
}

//===-- Global memory -------------------------------------------------------------------------------------===//

def Tile_ViewOp : Tile_Op<"view", [Pure]> {
  let summary = "the same memory under another strided view";
  let arguments = (ins Tile_ViewType:$source);
  let results = (outs Tile_ViewType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

class Tile_AccessOp<string mnemonic, list<Trait> traits = []> : Tile_Op<mnemonic, traits> {
  code accessDescription = [{
    The tile starts at `indices` and has the rank of the view. `divisors[d]` divides `indices[d]` (0: it is
    zero); `in_bounds[d]` says that no element lies outside the view's extent in dimension d. With `tile.aligned = n`
    the tile is a part of a row that begins at a multiple of n elements in memory, maybe before the row itself: the
    index along it may be negative, and what is loaded of places outside of the row is unspecified.
  }];
}

def Tile_LoadOp : Tile_AccessOp<"load"> {
  let summary = "a tile of global memory";
  let description = accessDescription # [{ Elements out of bounds are `fill` (zero when absent).

    ```mlir
    %t = tile.load %view[%i, %j] divisors = [64, 0] in_bounds = [true, true] : !tile.view<…> -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Arg<Tile_ViewType, "", [MemRead<Tile_GlobalMemory>]>:$view, Variadic<Index>:$indices,
    DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds, OptionalAttr<TypedAttrInterface>:$fill);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` `divisors` `=` $divisors `in_bounds` `=` $in_bounds (`fill` `=` $fill^)? attr-dict
    `:` type($view) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_AccessOp<"gather"> {
  let summary = "a tile of global memory with an offset of its own for each element";
  let description = accessDescription # [{ Element e lies at the view's element plus `stride` times
    `offsets[e]` (`offsets` is an integer tile of the result's shape, with sizes of 1 where it is broadcast). A
    negative offset counts from `extent`; one outside [-extent, extent) gives zero.
  }];
  let arguments = (ins Arg<Tile_ViewType, "", [MemRead<Tile_GlobalMemory>]>:$view, Variadic<Index>:$indices,
    Tile_Tile:$offsets, I64Attr:$stride, I64Attr:$extent, DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $view `[` $indices `]` `plus` $offsets `times` $stride `of` $extent `divisors` `=` $divisors
    `in_bounds` `=` $in_bounds attr-dict `:` type($view) `,` type($offsets) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_AccessOp<"store", [AttrSizedOperandSegments]> {
  let summary = "write a tile to global memory";
  let description = accessDescription # [{ With `before %end along d` elements whose index in dimension d is `%end` or more
    are not written; `%end` is within the view.

    ```mlir
    tile.store %t, %view[%i, %j] before %end along 0 divisors = [1, 128] in_bounds = [true, true] : tensor<64x128xf32>, <…>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Arg<Tile_ViewType, "", [MemWrite<Tile_GlobalMemory>]>:$view,
    Variadic<Index>:$indices, Optional<Index>:$end, OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$end_dim,
    DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let assemblyFormat = [{
    $value `,` $view `[` $indices `]` (`before` $end^ `along` $end_dim)? `divisors` `=` $divisors
    `in_bounds` `=` $in_bounds attr-dict `:` type($value) `,` type($view)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$view, "::mlir::ValueRange":$indices,
      "::llvm::ArrayRef<int64_t>":$divisors, "::llvm::ArrayRef<bool>":$inBounds), [{
    build($_builder, $_state, value, view, indices, ::mlir::Value(), ::mlir::IntegerAttr(), divisors, inBounds);
  }]>];
  let hasVerifier = 1;
}

//===-- Tiles ---------------------------------------------------------------------------------------------===//

def Tile_SplatOp : Tile_Op<"splat", [Pure]> {
  let summary = "a tile of one scalar";
  let arguments = (ins AnyTypeOf<[AnyFloat, AnySignlessInteger, Index]>:$value);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_TrueLengthOp : Tile_Op<"true_length", [Pure]> {
  let summary = "the true length of a dimension of the shape bucket: a scalar parameter of the kernel";
  let description = [{
    ```mlir
    %n = tile.true_length "seq"
    ```
  }];
  let arguments = (ins StrAttr:$symbol);
  let results = (outs I32:$result);
  let assemblyFormat = "$symbol attr-dict";
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "each element is its index along `dim`, counted from `start`";
  let arguments = (ins Index:$start, I64Attr:$dim);
  let results = (outs StaticShapeTensorOf<[AnySignlessInteger]>:$result);
  let assemblyFormat = "`dim` `=` $dim `from` $start attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeat along dimensions of size 1";
  let arguments = (ins Tile_Tile:$input);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_JoinOp : Tile_Op<"join", [Pure, AllTypesMatch<["first", "second"]>]> {
  let summary = "two tiles side by side along `dim`";
  let description = [{
    Each thread has the elements that it has of both.

    ```mlir
    %4 = tile.join %re, %im dim = 1 : tensor<64x2xf32, #pairs> to tensor<64x4xf32, #both>
    ```
  }];
  let arguments = (ins Tile_Tile:$first, Tile_Tile:$second, I64Attr:$dim);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$first `,` $second `dim` `=` $dim attr-dict `:` type($first) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_InterleaveOp : Tile_Op<"interleave", [Pure, AllTypesMatch<["even", "odd"]>]> {
  let summary = "the elements of two tiles in turn along `dim`";
  let description = [{
    Those of `even` at the even places of the result, those of `odd` behind them; with `by` so many of one and so many of the other, a
    power of two. Each thread has the elements that it has of both.

    ```mlir
    %2 = tile.interleave %re, %im dim = 1 : tensor<64x32xf32, #parts> to tensor<64x64xf32, #both>
    %3 = tile.interleave %low, %high dim = 1 by = 4 : tensor<64x32xbf16, #parts> to tensor<64x64xbf16, #both>
    ```
  }];
  let arguments = (ins Tile_Tile:$even, Tile_Tile:$odd, I64Attr:$dim, DefaultValuedAttr<I64Attr, "1">:$by);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$even `,` $odd `dim` `=` $dim (`by` `=` $by^)? attr-dict `:` type($even) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_DeinterleaveOp : Tile_Op<"deinterleave", [Pure, AllTypesMatch<["even", "odd"]>]> {
  let summary = "the elements at even places along `dim`, and those at odd ones";
  let description = [{
    Threads keep their elements; each has as many of one result as of the other. With `by` places are of so many elements, a power of
    two.

    ```mlir
    %re, %im = tile.deinterleave %x dim = 1 : tensor<64x64xf32, #both> to tensor<64x32xf32, #parts>
    ```
  }];
  let arguments = (ins Tile_Tile:$input, I64Attr:$dim, DefaultValuedAttr<I64Attr, "1">:$by);
  let results = (outs Tile_Tile:$even, Tile_Tile:$odd);
  let assemblyFormat = "$input `dim` `=` $dim (`by` `=` $by^)? attr-dict `:` type($input) `to` type($even)";
  let hasVerifier = 1;
}

def Tile_AnyOp : Tile_Op<"any", [Pure]> {
  let summary = "whether some element that the running warp holds is true";
  let description = [{
    The same for all threads of a warp, and not for all warps: nothing that warps do together may depend on it.

    ```mlir
    %some = tile.any %grew : tensor<64x1xi1, #rows>
    ```
  }];
  let arguments = (ins Tile_Tile:$input);
  let results = (outs I1:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure, SingleBlock]> {
  let summary = "combine the elements along `dim`, which becomes 1";
  let description = [{
    The region merges two states, `lhs` before `rhs`; it must be associative, and the order of merging is fixed
    by the layout: the result does not vary from run to run. With `tile.blocks` the blocks of a cluster have
    parts of the row each, in their order, and all of them get the result; all execute it, as often.
  }];
  let arguments = (ins Variadic<Tile_Tile>:$inputs, I64Attr:$dim, OptionalAttr<Tile_SharedOffset>:$scratch);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let extraClassDeclaration = [{
    /// Discardable attribute: blocks of a cluster that share the row.
    static constexpr ::llvm::StringLiteral getBlocksAttrName() { return "tile.blocks"; }
    int64_t getBlocks() {
      auto blocks = (*this)->getAttrOfType<::mlir::IntegerAttr>(getBlocksAttrName());
      return blocks ? blocks.getInt() : 1;
    }
  }];
  let assemblyFormat = [{
    $inputs `dim` `=` $dim (`scratch` `=` $scratch^)? attr-dict-with-keyword $combiner `:` type($inputs) `to` type($results)
  }];
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ParentOneOf<["ReduceOp", "ScanOp", "SortOp", "LookBackOp"]>]> {
  let summary = "the merged state, or whether the first element comes before the second";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Tile_DotOp : Tile_Op<"dot", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "accumulator + lhs * rhs over the last two dimensions";
  let description = [{
    `lhs` is [1…, M, K], `rhs` [1…, K, N], the accumulator [1…, M, N]. The instruction follows from the element
    types and `precision`: 16-bit floats and tf32 use the tensor cores, others fused multiply-adds.
  }];
  let arguments = (ins Tile_Tile:$lhs, Tile_Tile:$rhs, Tile_Tile:$accumulator, BoolAttr:$tf32);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator `tf32` `=` $tf32 attr-dict `:` type($lhs) `,` type($rhs) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_ConvertLayoutOp : Tile_Op<"convert_layout", [Pure]> {
  let summary = "the same tile under another layout";
  let arguments = (ins Tile_Tile:$input);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===-- Shared memory and synchronisation -----------------------------------------------------------------===//

def Tile_AllocOp : Tile_Op<"alloc"> {
  let summary = "buffers in shared memory; `offset` in bytes is set by tile-allocate-shared";
  let arguments = (ins OptionalAttr<Tile_SharedOffset>:$offset);
  let results = (outs Tile_SharedType:$result);
  let extraClassDeclaration = [{
    /// Discardable attribute of a ring: the stage that threads may still be reading when its loop has ended; all
    /// other stages lie behind a barrier.
    static constexpr ::llvm::StringLiteral getLastStageAttrName() { return "tile.last_stage"; }
    /// Discardable attribute of a buffer that is written when all products have ended, behind a barrier of those
    /// that wait for them: it may take the bytes of rings.
    static constexpr ::llvm::StringLiteral getBehindRingsAttrName() { return "tile.behind_rings"; }
  }];
  let assemblyFormat = "(`offset` `=` $offset^)? attr-dict `:` type($result)";
}

def Tile_LoadSharedOp : Tile_Op<"load_shared"> {
  let summary = "a tile of stage `stage` of a shared buffer, from `offsets` on";
  let description = [{
    A slice has whole blocks of the dimensions that the buffer's layout splits, and starts with one; the layout has no
    swizzle then.
  }];
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$buffer, Index:$stage,
    Variadic<Index>:$offsets);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$buffer `[` $stage `]` (`at` `[` $offsets^ `]`)? attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_StoreSharedOp : Tile_Op<"store_shared"> {
  let summary = "write a tile to stage `stage` of a shared buffer";
  let arguments = (ins Tile_Tile:$value, Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$buffer, Index:$stage);
  let assemblyFormat = "$value `,` $buffer `[` $stage `]` attr-dict `:` type($value) `,` type($buffer)";
  let hasVerifier = 1;
}

def Tile_CopyAsyncOp : Tile_AccessOp<"copy_async"> {
  let summary = "start copying a tile of global memory into stage `stage` of a shared buffer (cp.async)";
  let description = accessDescription # [{ Elements out of bounds become zero. `layout` divides the copy among
    the threads. The data may be read after `tile.wait_async` and a barrier.}];
  let arguments = (ins Arg<Tile_ViewType, "", [MemRead<Tile_GlobalMemory>]>:$view, Variadic<Index>:$indices,
    Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$buffer, Index:$stage, Tile_LayoutAttr:$layout,
    DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $buffer `[` $stage `]` `layout` `=` $layout `divisors` `=` $divisors
    `in_bounds` `=` $in_bounds attr-dict `:` type($view) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

class Tile_RunOp<string mnemonic, list<Trait> traits = []> : Tile_AccessOp<mnemonic, traits> {
  code runDescription = accessDescription # [{ The tile is one run of memory: whole rows, one after the other. The
    buffer has it from the first whole 16 bytes of memory on in which it begins.}];
}

def Tile_CopyRunOp : Tile_RunOp<"copy_run"> {
  let summary = "start copying a tile of whole rows to a shared buffer as it lies in memory (cp.async)";
  let description = runDescription # [{ The threads of `warps` warps copy 16 bytes each at a time. The data may be read
    after `tile.wait_async` and a barrier; elements behind the view's end are zero.}];
  let arguments = (ins Arg<Tile_ViewType, "", [MemRead<Tile_GlobalMemory>]>:$view, Variadic<Index>:$indices,
    Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$buffer, DenseI64ArrayAttr:$shape, I64Attr:$warps,
    DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let assemblyFormat = [{
    $view `[` $indices `]` `of` $shape `,` $buffer `warps` `=` $warps `divisors` `=` $divisors
    `in_bounds` `=` $in_bounds attr-dict `:` type($view) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_LoadRunOp : Tile_RunOp<"load_run"> {
  let summary = "a tile of whole rows of a view from the shared buffer that has its run of memory";
  let description = runDescription # [{ Elements outside of the view are zero.}];
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$buffer, Tile_ViewType:$view,
    Variadic<Index>:$indices, DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $buffer `as` $view `[` $indices `]` `divisors` `=` $divisors `in_bounds` `=` $in_bounds attr-dict
    `:` type($buffer) `,` type($view) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreRunOp : Tile_RunOp<"store_run"> {
  let summary = "write a tile of whole rows to a shared buffer as they will lie in a view";
  let description = runDescription;
  let arguments = (ins Tile_Tile:$value, Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$buffer,
    Tile_ViewType:$view, Variadic<Index>:$indices, DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let assemblyFormat = [{
    $value `,` $buffer `as` $view `[` $indices `]` `divisors` `=` $divisors `in_bounds` `=` $in_bounds attr-dict
    `:` type($value) `,` type($buffer) `,` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_SendRunOp : Tile_RunOp<"send_run"> {
  let summary = "write a tile of whole rows that a shared buffer has to global memory, 16 bytes at a time";
  let description = runDescription;
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$buffer,
    Arg<Tile_ViewType, "", [MemWrite<Tile_GlobalMemory>]>:$view, Variadic<Index>:$indices, DenseI64ArrayAttr:$shape,
    I64Attr:$warps, DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let assemblyFormat = [{
    $buffer `,` $view `[` $indices `]` `of` $shape `warps` `=` $warps `divisors` `=` $divisors
    `in_bounds` `=` $in_bounds attr-dict `:` type($buffer) `,` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_CommitAsyncOp : Tile_Op<"commit_async", [MemoryEffects<[MemWrite<Tile_AsyncCopies>]>]> {
  let summary = "close the group of copies started since the last commit";
  let assemblyFormat = "attr-dict";
}

def Tile_WaitAsyncOp : Tile_Op<"wait_async", [MemoryEffects<[MemWrite<Tile_AsyncCopies>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "wait until at most `pending` groups of this thread are in flight";
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "all threads of the block arrive, then all go on";
  let assemblyFormat = "attr-dict";
}

include "Tilewright/Dialect/Tile/IR/TilePipelineOps.td"
include "Tilewright/Dialect/Tile/IR/TileRowOps.td"
include "Tilewright/Dialect/Tile/IR/TileWorkOps.td"

#endif // TILEWRIGHT_TILE_OPS_TD
