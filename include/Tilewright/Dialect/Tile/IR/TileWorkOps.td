// Which work a block does: constant lists, and flags by which blocks hand parts of tiles over to one another.
#ifndef TILEWRIGHT_TILE_WORK_OPS_TD
#define TILEWRIGHT_TILE_WORK_OPS_TD

//===-- Lists ---------------------------------------------------------------------------------------------===//

def Tile_LookupOp : Tile_Op<"lookup", [NoMemoryEffect]> {
  let summary = "entry `index` of a list that is known at compile time";
  let description = [{
    The list becomes a constant of the kernel's module. The index must lie inside it.

    ```mlir
    %tile = tile.lookup %place of [0, 1, 3, 2]
    ```
  }];
  let arguments = (ins Index:$index, DenseI32ArrayAttr:$entries);
  let results = (outs Index:$result);
  let assemblyFormat = "$index `of` $entries attr-dict";
  let hasVerifier = 1;
}

def Tile_FindGroupOp : Tile_Op<"find_group", [NoMemoryEffect]> {
  let summary = "the rows of a group that tile `index` has";
  let description = [{
    Rows 0 to `total` - 1 are divided into groups: the numbers of `ends` say where each ends, and what lies behind the
    last one is of no group. Every group is cut into tiles of `rows` rows, of which the last one may have fewer; tiles
    are numbered through. An end before the one of an earlier group is none of its own, and neither is one behind all
    rows.

    `group` is the one that tile `index` belongs to; `within` is false for rows of none, whose `group` is the last one.
    The tile has rows `first` to `end` - 1, none at all where all tiles have smaller numbers: both are `total` then.
    Nobody writes `ends` during the launch.

    ```mlir
    %group, %first, %end, %within = tile.find_group %ends[%index] rows = 128 of 4096 : !tile.view<i32, "…">
    ```
  }];
  let arguments = (ins Tile_ViewType:$ends, Index:$index, ConfinedAttr<I64Attr, [IntPositive]>:$rows,
                       ConfinedAttr<I64Attr, [IntPositive, IntMaxValue<2147483647>]>:$total);
  let results = (outs Index:$group, Index:$first, Index:$end, I1:$within);
  let assemblyFormat = "$ends `[` $index `]` `rows` `=` $rows `of` $total attr-dict `:` type($ends)";
  let hasVerifier = 1;
}

def Tile_LeaveOp : Tile_Op<"leave", [MemoryEffects<[MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "end here where `condition` holds";
  let description = [{
    The condition is the same for all threads of the block. It stands at the top of the kernel, or of each of its roles,
    before anything that others wait for; or at the top of the loop over a block's tiles, where all behind would leave, too.

    ```mlir
    tile.leave %empty
    ```
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

//===-- Flags ---------------------------------------------------------------------------------------------===//

class Tile_FlagOp<string mnemonic> : Tile_Op<mnemonic,
    [MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>]> {
  let arguments = (ins Tile_ViewType:$flags, Index:$index);
  let assemblyFormat = "$flags `[` $index `]` attr-dict `:` type($flags)";
  let hasVerifier = 1;
}

def Tile_RaiseFlagOp : Tile_FlagOp<"raise_flag"> {
  let summary = "raise a flag: what one thread knows to be stored may be read by who lowers it";
  let description = [{
    `flags` is a view of 32-bit integers in the kernel's workspace; each is down between launches. One thread of the
    role (or of the block) raises flag `index`; a `tile.barrier` before it makes this stand for all of the role's
    threads. The flag must be down.

    ```mlir
    tile.raise_flag %flags[%block] : <…>
    ```
  }];
}
def Tile_LowerFlagOp : Tile_FlagOp<"lower_flag"> {
  let summary = "wait until another block has raised a flag, and lower it";
  let description = [{
    One thread waits; a `tile.barrier` behind it makes this hold for all of the role's threads. That block must be
    able to get there: it raises the flag before it waits for any itself, and starts no later than this one (its number
    is smaller).

    ```mlir
    tile.lower_flag %flags[%other] : <…>
    ```
  }];
}

//===-- Look-back -----------------------------------------------------------------------------------------===//

def Tile_TakeTicketOp : Tile_Op<"take_ticket",
    [MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "the block's place in the order in which the blocks of the launch have started";
  let description = [{
    Tickets are 0, 1, 2, …, up to the number of `blocks` of the launch, each of which takes one: whoever has a smaller
    ticket runs, or has run. `mark` is a number, not 0, that no launch before had (until 2^32 of them have passed): what
    blocks leave in global memory under it is of this launch. The counter, 64 bits in the workspace, holds the launches
    so far and the tickets taken; the block with the last ticket puts it back. All threads of the block execute it.

    ```mlir
    %ticket, %mark = tile.take_ticket %counter of 64 : <…>
    ```
  }];
  let arguments = (ins Tile_ViewType:$counter, ConfinedAttr<I64Attr, [IntMinValue<1>]>:$blocks,
                       OptionalAttr<Tile_SharedOffset>:$scratch);
  let results = (outs Index:$ticket, I32:$mark);
  let assemblyFormat = "$counter `of` $blocks (`scratch` `=` $scratch^)? attr-dict `:` type($counter)";
  let hasVerifier = 1;
}

def Tile_LookBackOp : Tile_Op<"look_back", [SingleBlock, AttrSizedOperandSegments,
    MemoryEffects<[MemRead<Tile_GlobalMemory>, MemWrite<Tile_GlobalMemory>]>]> {
  let summary = "the totals of all pieces of a line before this one, combined";
  let description = [{
    Lines of `pieces` pieces are divided among blocks. Each block publishes the `totals` of its piece in global memory and
    combines those of the pieces before, of which each is with a block that has a smaller ticket. Piece 0 gets
    `initial`. The region merges two states, `lhs` before `rhs`, and must be associative.

    The order of merging follows from the number of the piece alone: 32 pieces are a group, 32 groups one of the next
    level, and so on; who has the last piece of a group publishes the group's totals. A piece's result is merged of the groups
    before it in its group of each level, by a tree over each level. So no totals pass through more hands than
    there are levels, and results do not vary from run to run.

    `words` are 64-bit words of the workspace, as many as `layout::lookBackPlan` says for each 32 bits of the totals of each
    line: 32 bits of a value, and `mark` when they are there. All threads of the block execute it.

    ```mlir
    %before = tile.look_back (%total) initial (%zero) words %words mark %mark at [%line, %piece] of 100 {
    ^bb0(%lhs: f32, %rhs: f32):
      %sum = arith.addf %lhs, %rhs : f32
      tile.yield %sum : f32
    } : (tensor<1x1xf32>), (tensor<1x1xf32>), <…> to tensor<1x1xf32>
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$totals, Variadic<Tile_Tile>:$initial, Tile_ViewType:$words, I32:$mark,
                       Index:$line, Index:$piece, ConfinedAttr<I64Attr, [IntMinValue<1>]>:$pieces,
                       OptionalAttr<Tile_SharedOffset>:$scratch);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    `(` $totals `)` `initial` `(` $initial `)` `words` $words `mark` $mark `at` `[` $line `,` $piece `]` `of` $pieces
    (`scratch` `=` $scratch^)? attr-dict-with-keyword $combiner
    `:` `(` type($totals) `)` `,` `(` type($initial) `)` `,` type($words) `to` type($results)
  }];
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_TILE_WORK_OPS_TD
