// The ops of the graph dialect: data movement, structured compute, program structure.
#ifndef TILEWRIGHT_GRAPH_OPS_TD
#define TILEWRIGHT_GRAPH_OPS_TD

include "Tilewright/Dialect/Graph/IR/GraphDialect.td"
include "Tilewright/Dialect/Graph/IR/GraphInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Graph_Op<string mnemonic, list<Trait> traits = []> : Op<Graph_Dialect, mnemonic, traits>;
class Graph_PureOp<string mnemonic, list<Trait> traits = []> : Graph_Op<mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}
def Graph_Tensor : StaticShapeTensorOf<[AnyFloat, AnySignlessInteger, Index]>;
def Graph_FloatTensor : StaticShapeTensorOf<[AnyFloat]>;

//===-- Sources ------------------------------------------------------------------------------------------===//

def Graph_WeightOp : Graph_PureOp<"weight"> {
  let summary = "a tensor of a weight file, after its steps";
  let description = [{
    ```mlir
    %w = graph.weight <"encoder.w", tensor<64x32xf32>, "", [bf16]> : tensor<64x32xbf16>
    ```
  }];
  let arguments = (ins Graph_WeightAttr:$weight);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$weight attr-dict `:` type($result)";
}

def Graph_IotaOp : Graph_PureOp<"iota"> {
  let summary = "each element is its index along one dimension";
  let arguments = (ins I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($result)";
}

//===-- Data movement ------------------------------------------------------------------------------------===//

def Graph_BroadcastOp : Graph_PureOp<"broadcast"> {
  let summary = "repeat a tensor along new or unit dimensions";
  let description = [{
    `dims[i]` is the result dimension that operand dimension `i` becomes (increasing); that operand dimension
    has the result's size or 1.

    ```mlir
    %1 = graph.broadcast %0 dims = [1] : tensor<8xf32> to tensor<4x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `dims` `=` $dims attr-dict `:` type($input) `to` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_ReshapeOp : Graph_PureOp<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
  let hasFolder = 1;
}

def Graph_TransposeOp : Graph_PureOp<"transpose"> {
  let summary = "permute dimensions: result dimension `i` is operand dimension `permutation[i]`";
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `permutation` `=` $permutation attr-dict `:` type($input) `to` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_SliceOp : Graph_PureOp<"slice"> {
  let summary = "elements `offsets[d] + i * strides[d]` of each dimension; strides may be negative";
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$offsets, DenseI64ArrayAttr:$strides);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `offsets` `=` $offsets `strides` `=` $strides attr-dict `:` type($input) `to` type($result)
  }];
  let hasFolder = 1;
}

def Graph_ConcatOp : Graph_PureOp<"concat"> {
  let summary = "operands one after another along a dimension";
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$inputs `dim` `=` $dim attr-dict `:` type($inputs) `to` type($result)";
  let hasFolder = 1;
}

def Graph_PadOp : Graph_PureOp<"pad"> {
  let summary = "surround with a constant; result size is low + size + high (negative amounts crop)";
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, TypedAttrInterface:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `low` `=` $low `high` `=` $high `value` `=` $value attr-dict `:` type($input) `to` type($result)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_GatherOp : Graph_PureOp<"gather"> {
  let summary = "slices of `input` along `dim`, chosen by `indices`";
  let description = [{
    The result shape is `input.shape[:dim] ++ indices.shape ++ input.shape[dim+1:]`. Negative indices count
    from the end; an index outside [-n, n) gives an element of value zero.

    ```mlir
    %e = graph.gather %table[%ids] dim = 0 : tensor<100x8xf32>, tensor<2x4xi64> to tensor<2x4x8xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, StaticShapeTensorOf<[I32, I64]>:$indices, I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `[` $indices `]` `dim` `=` $dim attr-dict `:` type($input) `,` type($indices) `to` type($result)
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===-- Structured compute -------------------------------------------------------------------------------===//

def Graph_MatmulOp : Graph_PureOp<"matmul", [DeclareOpInterfaceMethods<Graph_ReductionOpInterface,
                                               ["getReference", "rescale"]>,
                                             DeclareOpInterfaceMethods<Graph_CostOpInterface>]> {
  let summary = "batched matrix product";
  let description = [{
    `lhs` is [batch…, M, K], `rhs` [batch…, K, N] and the result [batch…, M, N]; batch dimensions are equal.
    Floating-point products accumulate in fp32 (fp64 for f64 operands). `precision` says how fp32 operands are
    multiplied: `ieee` (fp32 products, error of one fused multiply-add chain), `tf32` (rounded to 11 bits) or `tf32x3`: each
    operand is the sum of two tf32 numbers, of whose products the three largest are added, sums going into fp32 registers
    after each step of 32. Each product is within 2^-19 of itself (an fp32 one within 2^-24), a sum of K of them is rounded
    K/32 times instead of K times, and so the sum of more than a few is as exact as by `ieee`. Infinities and not-a-numbers
    come out as IEEE 754 has them, but what lies below 2^-136 of an operand is lost. Where no warpgroup multiplies `tf32x3` is `ieee`. Absent, it is what the program's
    precision says (`graph-apply-precision`), and `ieee` behind the graph stage. Operands may be 8-bit floats
    (f8E4M3FN, f8E5M2) and integers, whose products are signed and summed in the result's type.

    Tensor cores sum products of 8-bit floats with fewer bits than fp32 has. `promotion` is the accumulation policy
    there, a multiple of 32: after at most so many elements of K (128 when absent) a sum goes into fp32 registers and the
    next one begins; 0 leaves all of it to the tensor cores (fast accumulation). It changes nothing for other types, nor where 8-bit floats are widened first.

    A product is a reduction, too: over K, of states that are sums. Where its left operand is exp(x - max) of a maximum
    over K, it is relative to that maximum, as the sum of these is: then it can run in one pass with both.

    With `groups`, E numbers of i32, it is a grouped product: `lhs` is [T, K], `rhs` [E, K, N], the result [T, N], and each
    row of `lhs` is multiplied with one of the E matrices, the first one e with row < `groups`[e]: non-decreasing
    numbers are where the groups of rows end. Rows that are of no group, behind all ends, become zero.

    ```mlir
    %c = graph.matmul %a, %b : tensor<2x8x16xbf16>, tensor<2x16x4xbf16> to tensor<2x8x4xf32>
    %d = graph.matmul %e, %f promotion = 0 : tensor<64x512xf8E4M3FN>, tensor<512x64xf8E4M3FN> to tensor<64x64xf32>
    %y = graph.matmul %x, %w groups(%ends : tensor<8xi32>) : tensor<512x64xbf16>, tensor<8x64x96xbf16> to tensor<512x96xf32>
    ```
  }];
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs, Optional<Graph_Tensor>:$groups,
    OptionalAttr<Graph_PrecisionAttr>:$precision,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$promotion);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`groups` `(` $groups^ `:` type($groups) `)`)? (`precision` `=` `` $precision^)? (`promotion` `=` $promotion^)? attr-dict `:` type($lhs) `,` type($rhs)
    `to` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      CArg<"::tilewright::graph::PrecisionAttr", "{}">:$precision), [{
    build($_builder, $_state, result, lhs, rhs, ::mlir::Value(), precision, ::mlir::IntegerAttr());
  }]>];
}

def Graph_ReduceOp : Graph_PureOp<"reduce", [DeclareOpInterfaceMethods<Graph_ReductionOpInterface,
                                               ["getReference", "rescale"]>,
                                             DeclareOpInterfaceMethods<Graph_CostOpInterface>]> {
  let summary = "sum, product, maximum or minimum over dimensions, which the result lacks";
  let description = [{
    16-bit floats accumulate in fp32. Max and min propagate NaN. An empty reduction gives the identity.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_ReduceKindAttr:$kind, DenseI64ArrayAttr:$dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "`` $kind $input `dims` `=` $dims attr-dict `:` type($input) `to` type($result)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Graph_SoftmaxOp : Graph_PureOp<"softmax", [SameOperandsAndResultShape]> {
  let summary = "exp(x - max) / sum(exp(x - max)) along a dimension";
  let arguments = (ins Graph_FloatTensor:$input, I64Attr:$dim);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$input `dim` `=` $dim attr-dict `:` type($input) `to` type($result)";
}

def Graph_LayerNormOp : Graph_PureOp<"layer_norm", [AttrSizedOperandSegments]> {
  let summary = "(x - mean) / sqrt(variance + epsilon) over the dimensions from `dim` on, then scale and bias";
  let description = [{
    `scale` and `bias`, when present, have the shape of the normalized dimensions. The variance is the two-pass
    form in fp32.
  }];
  let arguments = (ins Graph_FloatTensor:$input, Optional<Graph_FloatTensor>:$scale,
    Optional<Graph_FloatTensor>:$bias, I64Attr:$dim, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`scale` `(` $scale^ `:` type($scale) `)`)? (`bias` `(` $bias^ `:` type($bias) `)`)?
    `dim` `=` $dim `epsilon` `=` $epsilon attr-dict `:` type($input) `to` type($result)
  }];
}

def Graph_RmsNormOp : Graph_PureOp<"rms_norm"> {
  let summary = "x / sqrt(mean(x^2) + epsilon) over the dimensions from `dim` on, then scale";
  let arguments = (ins Graph_FloatTensor:$input, Optional<Graph_FloatTensor>:$scale, I64Attr:$dim, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $input (`scale` `(` $scale^ `:` type($scale) `)`)? `dim` `=` $dim `epsilon` `=` $epsilon attr-dict
    `:` type($input) `to` type($result)
  }];
}

def Graph_GeluOp : Graph_PureOp<"gelu", [SameOperandsAndResultType]> {
  let summary = "x * Phi(x), by erf or by the tanh approximation";
  let arguments = (ins Graph_FloatTensor:$input, Graph_GeluFormAttr:$form);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "`` $form $input attr-dict `:` type($result)";
}

def Graph_AttentionOp : Graph_PureOp<"attention", [DeclareOpInterfaceMethods<Graph_CostOpInterface>]> {
  let summary = "softmax(scale * q k^T + mask) v";
  let description = [{
    `query` is [batch…, S, D], `key` [batch…, T, D], `value` [batch…, T, E]; `mask`, added to the scores, is
    [batch…, S, T]; the result is [batch…, S, E].
  }];
  let arguments = (ins Graph_FloatTensor:$query, Graph_FloatTensor:$key, Graph_FloatTensor:$value,
    Optional<Graph_FloatTensor>:$mask, F64Attr:$scale);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` `(` $mask^ `:` type($mask) `)`)? `scale` `=` $scale attr-dict
    `:` type($query) `,` type($key) `,` type($value) `to` type($result)
  }];
}

include "Tilewright/Dialect/Graph/IR/GraphSelectionOps.td"

include "Tilewright/Dialect/Graph/IR/GraphPaddingOps.td"

//===-- Program structure --------------------------------------------------------------------------------===//

def Graph_KernelOp : Graph_Op<"kernel", [IsolatedFromAbove, FunctionOpInterface, OpAsmOpInterface]> {
  let summary = "the tensor program of one GPU kernel";
  let description = [{
    A function on tensors with one block; made by the `fuse` stage and launched by `plan.launch`. `anchor` names
    the kind of op that decides its tiling; `flops` and source names serve reports.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    Graph_AnchorAttr:$anchor, OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    static ::llvm::StringRef getDefaultDialect() { return "graph"; }
  }];
}

def Graph_ReturnOp : Graph_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"KernelOp">]> {
  let summary = "results of a kernel";
  let arguments = (ins Variadic<Graph_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let hasVerifier = 1;
}

#endif // TILEWRIGHT_GRAPH_OPS_TD
