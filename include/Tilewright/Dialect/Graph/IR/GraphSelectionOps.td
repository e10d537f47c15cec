// The ops of the graph dialect whose results depend on values as positions: arg-reductions, scans, sorting, top-k,
// scatter.
#ifndef TILEWRIGHT_GRAPH_SELECTION_OPS_TD
#define TILEWRIGHT_GRAPH_SELECTION_OPS_TD

// Included by GraphOps.td, which declares the base classes.

def Graph_ArgReduceOp : Graph_PureOp<"arg_reduce", [
    DeclareOpInterfaceMethods<Graph_ReductionOpInterface, ["needsIndex"]>,
    DeclareOpInterfaceMethods<Graph_CostOpInterface>]> {
  let summary = "index of the largest or smallest element along a dimension, which the result lacks";
  let description = [{
    Of equal elements the first one, or with `last` the last one. A NaN is taken for the largest and for the
    smallest. Zeros of both signs are equal.

    ```mlir
    %i = graph.arg_reduce max %x dim = 1 last : tensor<4x8xf32> to tensor<4xi64>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_ReduceKindAttr:$kind, I64Attr:$dim, UnitAttr:$last);
  let results = (outs StaticShapeTensorOf<[I32, I64]>:$result);
  let assemblyFormat = [{
    `` $kind $input `dim` `=` $dim (`last` $last^)? attr-dict `:` type($input) `to` type($result)
  }];
}

def Graph_ScanOp : Graph_PureOp<"scan", [SameOperandsAndResultType,
    DeclareOpInterfaceMethods<Graph_ReductionOpInterface>, DeclareOpInterfaceMethods<Graph_CostOpInterface>]> {
  let summary = "running sum, product, maximum or minimum along a dimension";
  let description = [{
    Element i is the reduction of the elements up to and with i; with `reverse` of those from i on. 16-bit floats
    accumulate in fp32. Max and min propagate NaN.

    ```mlir
    %s = graph.scan sum %x dim = 1 reverse : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_ReduceKindAttr:$kind, I64Attr:$dim, UnitAttr:$reverse);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "`` $kind $input `dim` `=` $dim (`reverse` $reverse^)? attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Graph_SortOp : Graph_PureOp<"sort", [AllTypesMatch<["ids", "result"]>]> {
  let summary = "ids in the order of their keys along a dimension, smallest key first";
  let description = [{
    Keys are compared as signed integers; of equal keys the one with the lower id comes first. No two elements with
    equal keys may have one id. `graph-decompose-selection` makes these from `graph.top_k`.

    ```mlir
    %s = graph.sort %ids by %keys dim = 1 : tensor<4x8xi32>, tensor<4x8xi32>
    ```
  }];
  let arguments = (ins StaticShapeTensorOf<[I32]>:$ids, StaticShapeTensorOf<[I32, I64]>:$keys, I64Attr:$dim);
  let results = (outs StaticShapeTensorOf<[I32]>:$result);
  let assemblyFormat = "$ids `by` $keys `dim` `=` $dim attr-dict `:` type($ids) `,` type($keys)";
  let extraClassDeclaration = [{
    /// Elements along the dimension that one kernel sorts.
    static constexpr int64_t kMaxExtent = 4096;
  }];
}

def Graph_TopKOp : Graph_PureOp<"top_k"> {
  let summary = "indices of the k largest or smallest elements along a dimension, in order";
  let description = [{
    The result has size k in `dim`: indices of the largest elements, the largest first, or with `smallest` of the
    smallest, the smallest first. Of equal elements the lower index comes first. A NaN is larger than every number;
    zeros of both signs are equal.

    ```mlir
    %i = graph.top_k %x dim = 1 : tensor<4x800xf32> to tensor<4x50xi64>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, I64Attr:$dim, UnitAttr:$smallest);
  let results = (outs StaticShapeTensorOf<[I32, I64]>:$result);
  let assemblyFormat = "$input `dim` `=` $dim (`smallest` $smallest^)? attr-dict `:` type($input) `to` type($result)";
}

def Graph_ScatterOp : Graph_PureOp<"scatter", [AllTypesMatch<["input", "result"]>]> {
  let summary = "a tensor with updates at the places that indices name";
  let description = [{
    With b = `batch`, input is [B1…Bb, N, S…], indices are [B1…Bb, M] and updates [B1…Bb, M, S…]. The result is the
    input after, for j = 0 … M-1 in this order,

    `result[b, indices[b, j], s] = kind(result[b, indices[b, j], s], updates[b, j, s])`

    where `set` takes the update: of several for one place the last stays. Negative indices count from the end; what
    lies outside [-N, N) changes nothing. Sums and products of floats may be rounded in another, fixed order; those
    of 16-bit floats are formed in fp32.

    ```mlir
    %r = graph.scatter add %u into %x[%i] batch = 0 : tensor<3x8xf32>, tensor<3xi64> into tensor<100x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, StaticShapeTensorOf<[I32, I64]>:$indices, Graph_Tensor:$updates,
    Graph_ScatterKindAttr:$kind, I64Attr:$batch);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $updates `into` $input `[` $indices `]` `batch` `=` $batch attr-dict
    `:` type($updates) `,` type($indices) `into` type($input)
  }];
}

#endif // TILEWRIGHT_GRAPH_SELECTION_OPS_TD
