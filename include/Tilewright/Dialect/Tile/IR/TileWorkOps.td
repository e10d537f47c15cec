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

#endif // TILEWRIGHT_TILE_WORK_OPS_TD
