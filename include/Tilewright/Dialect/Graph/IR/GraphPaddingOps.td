// The ops of the graph dialect that tell what the caller gave from what fills a shape bucket.
#ifndef TILEWRIGHT_GRAPH_PADDING_OPS_TD
#define TILEWRIGHT_GRAPH_PADDING_OPS_TD

// Included by GraphOps.td, which declares the base classes.

def Graph_TrueLengthOp : Graph_PureOp<"true_length"> {
  let summary = "each element is the true length of a bucket's dimension";
  let description = [{
    The length that the caller gave, at most `limit`, the bucket's. Kernels get it as a scalar parameter.

    ```mlir
    %n = graph.true_length "seq" of 128 : tensor<4x128xi32>
    ```
  }];
  let arguments = (ins StrAttr:$symbol, I64Attr:$limit);
  let results = (outs StaticShapeTensorOf<[I32, I64]>:$result);
  let assemblyFormat = "$symbol `of` $limit attr-dict `:` type($result)";
}

def Graph_MaskOp : Graph_PureOp<"mask", [AllTypesMatch<["input", "result"]>]> {
  let summary = "the operand where it lies within the true lengths, a constant elsewhere";
  let description = [{
    `graph-decompose-masks` makes it, inside each kernel, indices compared with true lengths and a select.

    ```mlir
    %m = graph.mask %x where [#graph.within<"seq", 0, [1, 1, 128, 1]>] else 0.0 : f32 : tensor<4x128xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, TypedArrayAttrBase<Graph_WithinAttr, "true parts">:$within,
                       TypedAttrInterface:$otherwise);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `where` $within `else` $otherwise attr-dict `:` type($result)";
}

def Graph_CountOp : Graph_PureOp<"count"> {
  let summary = "each element is the number of true elements along dimensions of the operand";
  let description = [{
    What a mean divides by. The importer makes it in shape buckets; `graph-resolve-counts` makes it a constant
    where no dimension is padded, else a product of true lengths.

    ```mlir
    %n = graph.count %x dims = [1] : tensor<4x128xf32> to tensor<4xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$input `dims` `=` $dims attr-dict `:` type($input) `to` type($result)";
}

#endif // TILEWRIGHT_GRAPH_PADDING_OPS_TD
