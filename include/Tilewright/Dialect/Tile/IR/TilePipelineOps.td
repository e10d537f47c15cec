// The asynchronous part of the tile dialect: rings of shared buffers, warp roles, bulk copies (TMA), products
// in flight.
#ifndef TILEWRIGHT_TILE_PIPELINE_OPS_TD
#define TILEWRIGHT_TILE_PIPELINE_OPS_TD

//===-- Roles ---------------------------------------------------------------------------------------------===//

def Tile_RoleOp : Tile_Op<"role", [IsolatedFromAbove, SingleBlock, NoTerminator, HasParent<"KernelOp">]> {
  let summary = "what some warps of the block do, at the same time as the other roles";
  let description = [{
    `instances` groups of `warps` warps each run the region; its first argument is the instance, the others are
    the captured values. Roles take the block's warps in the order in which they stand, each from a multiple of
    4 warps (a warpgroup) on. Within a role, warps and layouts count from the role's first warp, and
    `tile.barrier` is a barrier of one instance's threads. `registers` is the budget of a thread (a multiple of
    8 from 24 to 240; setmaxnreg). What stands before the first role is done by all warps of the kernel; nothing
    stands behind the last.

    ```mlir
    tile.role @load warps = 4 instances = 1 registers = 40 (%ring, %a) : !tile.ring<4>, !tile.view<…> {
    ^bb0(%instance: index, %r: !tile.ring<4>, %v: !tile.view<…>):
      …
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$warps, I64Attr:$instances,
    OptionalAttr<I64Attr>:$registers, Variadic<AnyType>:$captures);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `warps` `=` $warps `instances` `=` $instances (`registers` `=` $registers^)?
    `(` $captures `)` (`:` type($captures)^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

class Tile_TurnOp<string mnemonic> : Tile_Op<mnemonic,
    [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let arguments = (ins Index:$instance);
  let assemblyFormat = "$instance attr-dict";
  let hasVerifier = 1;
}

def Tile_TakeTurnOp : Tile_TurnOp<"take_turn"> {
  let summary = "wait until the instance before this one has passed its turn on";
  let description = [{
    Instances of a role take turns: what stands between `tile.take_turn` and `tile.pass_turn` is done by one after
    the other, in order and round again. `instance` is the running instance. Nobody has the first turn: before it
    takes turns, the last instance passes one on, to the first. Each pair of neighbours has a named barrier of both
    instances' threads; a turn that is passed on at the end and never taken is left behind.
  }];
}
def Tile_PassTurnOp : Tile_TurnOp<"pass_turn"> {
  let summary = "let the next instance (after the last the first) go on; does not wait";
}

//===-- Rings ---------------------------------------------------------------------------------------------===//

def Tile_RingOp : Tile_Op<"ring", [MemoryEffects<[MemWrite<Tile_SharedMemory>]>]> {
  let summary = "a ring over shared buffers, all slots empty";
  let description = [{
    Every buffer has as many stages as the ring. One thread makes the barriers; the kernel's warps meet before
    the first role. `readers` (1 when absent) is the number of warpgroups that release each slot: all of a role whose
    warps read every slot, those of one instance where instances take slots in turn. `offset` is the place of the
    barriers in shared memory, set by tile-allocate-shared: a full and an empty barrier of 8 bytes for each stage.
    `tile.peers = array<i64: M, N>` stands on a ring that M x N blocks of the cluster fill together, M below and N beside
    one another, numbered row after row: each release is one in all blocks of the same row or column. With
    `tile.pushers` so many blocks of the cluster fill each slot once, by `tile.push_parts`: from the beginning it expects
    the others' parts of the tile of each buffer; nobody acquires, commits or releases it, and it has no empty barrier.
  }];
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral getPushersAttrName() { return "tile.pushers"; }
    /// Blocks that push the slots' tiles to one another; 1 without the attribute.
    int64_t getPushers();
    static constexpr ::llvm::StringLiteral getPeersAttrName() { return "tile.peers"; }
    /// Rows and columns of blocks that fill the ring together; {1, 1} without the attribute.
    std::pair<int64_t, int64_t> getPeers();
    /// Blocks in whose rings a release counts: those of the block's row and of its column.
    int64_t getNumReleased() { return getPeers().first + getPeers().second - 1; }
  }];
  let arguments = (ins Variadic<Tile_SharedType>:$buffers, OptionalAttr<Tile_SharedOffset>:$offset,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$readers);
  let results = (outs Tile_RingType:$result);
  let assemblyFormat = [{
    $buffers (`offset` `=` $offset^)? (`readers` `=` $readers^)? attr-dict `:` type($buffers) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StageOfOp : Tile_Op<"stage_of", [Pure]> {
  let summary = "the stage of slot `slot`: slot mod stages";
  let arguments = (ins Tile_RingType:$ring, Index:$slot);
  let results = (outs Index:$result);
  let assemblyFormat = "$ring `[` $slot `]` attr-dict `:` type($ring)";
}

class Tile_SlotOp<string mnemonic> : Tile_Op<mnemonic,
    [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let arguments = (ins Tile_RingType:$ring, Index:$slot);
  let assemblyFormat = "$ring `[` $slot `]` attr-dict `:` type($ring)";
}

def Tile_AcquireOp : Tile_SlotOp<"acquire"> {
  let summary = "producer: wait until the slot is empty";
  let description = [{
    A producer acquires, fills and commits slots in order, all in one block of operations: the bytes that the slot
    expects are those of the bulk copies between its acquire and its commit. Where the copies of a slot start at
    different times, its acquire is marked `tile.parted`: then each slot expects one copy to each buffer of the ring.
    Where slots are committed in their order but later, the acquire is marked `tile.deferred`: a slot is filled by what
    stands behind its acquire in the block, and threads have awaited their own copies before they commit.
  }];
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral getPartedAttrName() { return "tile.parted"; }
    static constexpr ::llvm::StringLiteral getDeferredAttrName() { return "tile.deferred"; }
  }];
}
def Tile_CommitOp : Tile_SlotOp<"commit"> {
  let summary = "producer: the slot is full when all that was started for it has arrived";
}
def Tile_WaitOp : Tile_SlotOp<"wait"> {
  let summary = "consumer: wait until the slot is full";
}
def Tile_ReleaseOp : Tile_SlotOp<"release"> {
  let summary = "consumer: the slot is read; it is empty when all consumers have released it";
  let description = [{
    Products that read the slot must have ended (`tile.await_dots`). Each warpgroup that executes it is one of the
    ring's `readers`.
  }];
}

//===-- Bulk copies ---------------------------------------------------------------------------------------===//

def Tile_CopyBulkOp : Tile_AccessOp<"copy_bulk"> {
  let summary = "start copying a tile of global memory into a stage of a shared buffer by the tensor memory accelerator";
  let description = accessDescription # [{ The ring's slot is full when the data has arrived. Elements outside the
    view become zero. The view must have a tensor map: at most 5 strides, one of them 1, the others multiples of 16
    bytes; the buffer's layout must be one that its swizzle modes can write (docs/Layouts.md). One thread issues it.
    With `tile.shared_by = array<i64: C, S>` C blocks of the cluster, whose numbers are S apart, copy the same tile: each
    brings a part of it to all of them. Where C does not divide its groups of 8 rows, by which swizzles repeat, boxes of
    such groups go round the blocks.
  }];
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral getSharedByAttrName() { return "tile.shared_by"; }
    /// Blocks that share the copy, and how far apart their numbers are; {1, 1} without the attribute.
    std::pair<int64_t, int64_t> getSharers();
  }];
  let arguments = (ins Arg<Tile_ViewType, "", [MemRead<Tile_GlobalMemory>]>:$view, Variadic<Index>:$indices,
    Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$buffer, Index:$stage, Tile_RingType:$ring, Index:$slot,
    DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let assemblyFormat = [{
    $view `[` $indices `]` `,` $buffer `[` $stage `]` `signals` $ring `[` $slot `]` `divisors` `=` $divisors
    `in_bounds` `=` $in_bounds attr-dict `:` type($view) `,` type($buffer) `,` type($ring)
  }];
  let hasVerifier = 1;
}

def Tile_StoreBulkOp : Tile_AccessOp<"store_bulk"> {
  let summary = "start copying a stage of a shared buffer to global memory by the tensor memory accelerator";
  let description = accessDescription # [{ Elements outside the view are not written. What threads wrote to the
    buffer must be behind `tile.fence_async` and a barrier. One thread issues it; it closes its group.
  }];
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$buffer, Index:$stage,
    Arg<Tile_ViewType, "", [MemWrite<Tile_GlobalMemory>]>:$view, Variadic<Index>:$indices,
    DenseI64ArrayAttr:$divisors, DenseBoolArrayAttr:$in_bounds);
  let assemblyFormat = [{
    $buffer `[` $stage `]` `,` $view `[` $indices `]` `divisors` `=` $divisors `in_bounds` `=` $in_bounds attr-dict
    `:` type($buffer) `,` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_WaitStoresOp : Tile_Op<"wait_stores", [MemoryEffects<[MemWrite<Tile_AsyncCopies>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "the issuing thread waits until at most `pending` bulk stores still read their buffers";
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def Tile_FenceAsyncOp : Tile_Op<"fence_async", [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "this thread's writes to shared memory become visible to bulk copies and products";
  let assemblyFormat = "attr-dict";
}

//===-- Products in flight --------------------------------------------------------------------------------===//

def Tile_BeginDotOp : Tile_Op<"begin_dot", [Pure]> {
  let summary = "accumulators of a product: of the given values, or of none yet";
  let description = [{
    Without `init` the values are undefined, and the first `tile.dot_async` must not accumulate.
  }];
  let arguments = (ins Optional<Tile_Tile>:$init);
  let results = (outs Tile_PendingType:$result);
  let assemblyFormat = "($init^ `:` type($init) `to`)? attr-dict type($result)";
  let hasVerifier = 1;
}

def Tile_DotAsyncOp : Tile_Op<"dot_async", [AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "start accumulator + lhs * rhs (or lhs * rhs, when `accumulate` is false) over the last two dimensions";
  let description = [{
    Warpgroup products (wgmma): `rhs`, and `lhs` unless it is a tile in registers, are read from shared memory
    while the product is in flight. One op is one group in flight (`tile.await_dots`); groups of one warpgroup end
    in order. `lhs` is [1…, M, K], `rhs` [1…, K, N]; either dimension may be the contiguous one of the buffer where
    the instruction allows it (16-bit types). `rhs` may have more columns than the result: the first N are read. M is shared among the warpgroups of the role.
    A tile in registers may have a part of K alone, which begins at row `first` of `rhs`.
  }];
  let arguments = (ins Arg<AnyTypeOf<[Tile_SharedType, Tile_Tile]>, "", [MemRead<Tile_SharedMemory>]>:$lhs,
    Optional<Index>:$lhs_stage, Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$rhs, Index:$rhs_stage,
    Tile_PendingType:$accumulator, I1:$accumulate, BoolAttr:$tf32,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntMinValue<0>]>, "0">:$first);
  let results = (outs Tile_PendingType:$result);
  let assemblyFormat = [{
    $lhs (`[` $lhs_stage^ `]`)? `,` $rhs `[` $rhs_stage `]` (`from` $first^)? `,` $accumulator `if` $accumulate `tf32` `=` $tf32 attr-dict
    `:` type($lhs) `,` type($rhs) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_AwaitDotsOp : Tile_Op<"await_dots", [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "wait until at most `pending` products of this warpgroup are in flight";
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>, IntMaxValue<7>]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def Tile_AwaitOp : Tile_Op<"await", [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "wait for the products of this warpgroup, but for the last `pending` ones, and open the accumulators";
  let description = [{
    `after` are tiles that are computed before it waits: ptxas would otherwise compute behind the wait what needs no
    product in flight.

    ```mlir
    %scores = tile.await %0 leaving 1 : !tile.pending<!tile> to !tile
    %sums = tile.await %1 after %row_sums : !tile.pending<!tile> to !tile, tensor<64x1xf32, #rows>
    ```
  }];
  let arguments = (ins Tile_PendingType:$input, DefaultValuedAttr<ConfinedAttr<I64Attr, [IntMinValue<0>]>, "0">:$pending,
    Variadic<Tile_Tile>:$after);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $input (`leaving` $pending^)? (`after` $after^)? attr-dict `:` type($input) `to` type($result) (`,` type($after)^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input), [{
    build($_builder, $_state, result, input, $_builder.getI64IntegerAttr(0), ::mlir::ValueRange());
  }]>];
  let hasVerifier = 1;
}

//===-- Grids in a row ------------------------------------------------------------------------------------===//

class Tile_GridOp<string mnemonic> : Tile_Op<mnemonic,
    [MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>]> {
  let assemblyFormat = "attr-dict";
}

def Tile_AwaitGridOp : Tile_GridOp<"await_grid"> {
  let summary = "wait for the kernels before this one; what they wrote is visible behind it";
  let description = [{
    A kernel with this op may start while those before it still run (programmatic dependent launch); until here a
    thread touches no global memory that those write (`tile.steady` arguments are not written), and writes none. In a
    role it holds for that role's threads and for what they signal to others.
  }];
}
def Tile_LaunchDependentsOp : Tile_GridOp<"launch_dependents"> {
  let summary = "the kernels behind this one may start; they wait for its end before they read what it wrote";
}

//===-- Blocks of a cluster -------------------------------------------------------------------------------===//

def Tile_SumBlocksOp : Tile_Op<"sum_blocks",
    [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]> {
  let summary = "the sum of the tiles of all blocks of the cluster; each block gets its part along `dim`";
  let description = [{
    Block r of a cluster of S blocks gets the r-th of S equal parts along `dim`. Elements are added in the order of the
    blocks from r on, and round. All blocks of the cluster execute it, once. tile-sum-blocks carries it out.

    ```mlir
    %part = tile.sum_blocks %tile dim = 0 of 4 : tensor<128x16xf32> to tensor<32x16xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$input, I64Attr:$dim, ConfinedAttr<I64Attr, [IntMinValue<2>]>:$blocks);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$input `dim` `=` $dim `of` $blocks attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_PushPartsOp : Tile_Op<"push_parts"> {
  let summary = "write each part of a tile to the shared memory of the block of the cluster that it is for";
  let description = [{
    Of `blocks` equal parts of the tile along `dim` the p-th goes to block p of the cluster: to its buffer at this place,
    of which it becomes part `own`, the number of this block. When the parts of all other blocks are there, the slot of the
    ring, which has so many `tile.pushers`, is full; its own part each thread writes as `tile.store_shared` does. A block
    pushes when it knows that the others have made their rings (`tile.arrive_cluster` behind these, `tile.await_cluster`);
    each waits for its slot before it ends.

    ```mlir
    tile.push_parts %sums, %buffer[%c0] of %own signals %ring[%c0] dim = 0 of 2
      : tensor<64x128xf32>, !tile.shared<1, f32, …>, !tile.ring<1>
    ```
  }];
  let arguments = (ins Tile_Tile:$value, Arg<Tile_SharedType, "", [MemWrite<Tile_SharedMemory>]>:$buffer, Index:$stage,
    Index:$own, Tile_RingType:$ring, Index:$slot, I64Attr:$dim, ConfinedAttr<I64Attr, [IntMinValue<2>]>:$blocks);
  let assemblyFormat = [{
    $value `,` $buffer `[` $stage `]` `of` $own `signals` $ring `[` $slot `]` `dim` `=` $dim `of` $blocks attr-dict
    `:` type($value) `,` type($buffer) `,` type($ring)
  }];
  let hasVerifier = 1;
}

class Tile_ClusterOp<string mnemonic> : Tile_Op<mnemonic,
    [MemoryEffects<[MemRead<Tile_SharedMemory>, MemWrite<Tile_SharedMemory>]>]>;
def Tile_ArriveClusterOp : Tile_ClusterOp<"arrive_cluster"> {
  let summary = "this thread has come so far; what it wrote is visible to those that wait for it";
  let description = [{
    Arrivals and waits alternate. Every thread of the cluster that has not ended takes part: in a kernel with roles,
    the others' warps have ended by then or will without the ones that wait. With `own` only what it wrote to its
    block's shared memory is handed on: global memory, loads from other blocks and arrivals at the barriers of their
    rings are not waited for, so that these blocks must not end yet.
  }];
  let arguments = (ins UnitAttr:$own);
  let assemblyFormat = "(`own` $own^)? attr-dict";
}
def Tile_AwaitClusterOp : Tile_ClusterOp<"await_cluster"> {
  let summary = "wait until all threads of the cluster have arrived";
  let assemblyFormat = "attr-dict";
}

//===-- Parts of tiles ------------------------------------------------------------------------------------===//

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "a part of a tile, in the registers that hold it";
  let description = [{
    The elements of `input` from `offsets` on. Every thread has those of the part in registers of its own already:
    the result's layout, moved by `offsets`, is that of `input` with some registers left out.
  }];
  let arguments = (ins Tile_Tile:$input, DenseI64ArrayAttr:$offsets);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$input `at` $offsets attr-dict `:` type($input) `to` type($result)";
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_TILE_PIPELINE_OPS_TD
