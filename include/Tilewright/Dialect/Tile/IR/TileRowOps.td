// Ops on tiles whose elements depend on the whole row: scans, sorts, and elements taken from anywhere in it.
#ifndef TILEWRIGHT_TILE_ROW_OPS_TD
#define TILEWRIGHT_TILE_ROW_OPS_TD

// Included by TileOps.td, which declares the base classes.

def Tile_ScanOp : Tile_Op<"scan", [Pure, SingleBlock]> {
  let summary = "running combination of the elements along `dim`, and that of all of them";
  let description = [{
    The first results have the inputs' shape: element i is the combination of the elements 0 to i, or with
    `reverse` of those from the last one down to i. The other results have size 1 along `dim`: all elements
    combined. The region merges two states, `lhs` (the elements that come first) before `rhs`; it must be
    associative, and the order of merging is fixed by the layout.

    ```mlir
    %s, %total = tile.scan %x dim = 1 {
    ^bb0(%lhs: f32, %rhs: f32):
      %sum = arith.addf %lhs, %rhs : f32
      tile.yield %sum : f32
    } : tensor<1x64xf32> to tensor<1x64xf32>, tensor<1x1xf32>
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$inputs, I64Attr:$dim, UnitAttr:$reverse, OptionalAttr<Tile_SharedOffset>:$scratch);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $inputs `dim` `=` $dim (`reverse` $reverse^)? (`scratch` `=` $scratch^)? attr-dict-with-keyword $combiner
    `:` type($inputs) `to` type($results)
  }];
  let hasVerifier = 1;
}

def Tile_SortOp : Tile_Op<"sort", [Pure, SingleBlock]> {
  let summary = "the elements along `dim` in order";
  let description = [{
    An element is one value of each input. The region says of two elements whether the first comes before the
    second; it is a strict order, under which elements that are equal are alike. The size along `dim` is a power of
    two. The sorting network (bitonic) is fixed by the layout.

    ```mlir
    %s = tile.sort %keys dim = 1 {
    ^bb0(%lhs: i64, %rhs: i64):
      %before = arith.cmpi slt, %lhs, %rhs : i64
      tile.yield %before : i1
    } : tensor<4x64xi64>
    ```
  }];
  let arguments = (ins Variadic<Tile_Tile>:$inputs, I64Attr:$dim, OptionalAttr<Tile_SharedOffset>:$scratch);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $inputs `dim` `=` $dim (`scratch` `=` $scratch^)? attr-dict-with-keyword $combiner
    `:` type($inputs) `to` type($results)
  }];
  let hasVerifier = 1;
}

def Tile_TakeOp : Tile_Op<"take", [Pure]> {
  let summary = "elements of a tile, each at an index of its own along `dim`";
  let description = [{
    Element c of the result is the table's at c, but along `dim` at `indices[c]` (`indices` is an integer tile of the
    result's shape, with sizes of 1 where it is broadcast; so is the table along other dimensions). A negative index
    counts from `extent`; one outside [-extent, extent) gives zero. tile-expand-takes brings the table to shared memory.

    ```mlir
    %y = tile.take %table at %i dim = 1 of 100 : tensor<4x128xf32>, tensor<1x64xi64> -> tensor<4x64xf32>
    ```
  }];
  let arguments = (ins Tile_Tile:$table, Tile_Tile:$indices, I64Attr:$dim, I64Attr:$extent);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $table `at` $indices `dim` `=` $dim `of` $extent attr-dict `:` type($table) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_TakeSharedOp : Tile_Op<"take_shared"> {
  let summary = "what `tile.take` gives, of a table in a stage of a shared buffer";
  let arguments = (ins Arg<Tile_SharedType, "", [MemRead<Tile_SharedMemory>]>:$buffer, Index:$stage,
    Tile_Tile:$indices, I64Attr:$dim, I64Attr:$extent);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $buffer `[` $stage `]` `at` $indices `dim` `=` $dim `of` $extent attr-dict
    `:` type($buffer) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_TILE_ROW_OPS_TD
