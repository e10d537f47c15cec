// The graph dialect itself and its attributes.
#ifndef TILEWRIGHT_GRAPH_DIALECT_TD
#define TILEWRIGHT_GRAPH_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let summary = "Tensor programs with value semantics";
  let description = [{
    Programs on builtin tensors of static shape. Structured operators (matmul, reduce, softmax, gather, …)
    are `graph` ops; elementwise arithmetic is upstream `arith` and `math` on tensors whose operands all have
    the result's shape, after an explicit `graph.broadcast`. After the `fuse` stage the program is cut into
    `graph.kernel` functions.

    Weights are references: a `graph.weight` names a tensor of a weight file and the steps (cast, transpose,
    reshape) that are applied to it when the package is written; no weight data is held in IR.
  }];
  let cppNamespace = "::tilewright::graph";
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

class Graph_Attr<string name, string attrMnemonic> : AttrDef<Graph_Dialect, name> {
  let mnemonic = attrMnemonic;
}

class Graph_Enum<string name, string doc, list<I32EnumAttrCase> cases> : I32EnumAttr<name, doc, cases> {
  let cppNamespace = "::tilewright::graph";
  let genSpecializedAttr = 0;
}

def Graph_ReduceKind : Graph_Enum<"ReduceKind", "what a reduction computes", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Prod", 1, "prod">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">]>;
def Graph_ReduceKindAttr : EnumAttr<Graph_Dialect, Graph_ReduceKind, "reduce_kind">;

def Graph_ScatterKind : Graph_Enum<"ScatterKind", "how an update meets the element that it is scattered to", [
  I32EnumAttrCase<"Set", 0, "set">, I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Max", 3, "max">, I32EnumAttrCase<"Min", 4, "min">]>;
def Graph_ScatterKindAttr : EnumAttr<Graph_Dialect, Graph_ScatterKind, "scatter_kind">;

def Graph_Precision : Graph_Enum<"Precision", "how the products of a matmul are formed from fp32 operands", [
  I32EnumAttrCase<"IEEE", 0, "ieee">, I32EnumAttrCase<"TF32", 1, "tf32">,
  I32EnumAttrCase<"TF32x3", 2, "tf32x3">]>;
def Graph_PrecisionAttr : EnumAttr<Graph_Dialect, Graph_Precision, "precision">;

def Graph_GeluForm : Graph_Enum<"GeluForm", "the form of a GELU", [
  I32EnumAttrCase<"Erf", 0, "erf">, I32EnumAttrCase<"Tanh", 1, "tanh">]>;
def Graph_GeluFormAttr : EnumAttr<Graph_Dialect, Graph_GeluForm, "gelu_form">;

def Graph_Anchor : Graph_Enum<"Anchor", "the op that shapes a kernel", [
  I32EnumAttrCase<"Elementwise", 0, "elementwise">, I32EnumAttrCase<"Reduction", 1, "reduction">,
  I32EnumAttrCase<"Matmul", 2, "matmul">, I32EnumAttrCase<"Gather", 3, "gather">,
  I32EnumAttrCase<"Transpose", 4, "transpose">]>;
def Graph_AnchorAttr : EnumAttr<Graph_Dialect, Graph_Anchor, "anchor">;

def Graph_WeightAttr : Graph_Attr<"Weight", "weight"> {
  let summary = "a reference to a tensor of a weight file";
  let description = [{
    `key` is the tensor's name in the weight file, `type` its type there, `hash` the BLAKE3 of its bytes
    (empty when not computed), and `steps` what is applied to it at packaging, in order: a type attribute
    casts the elements, a `DenseI64ArrayAttr` permutes the dimensions, a `#graph.reshape` reshapes.

    Example: `#graph.weight<"encoder.w", tensor<64x32xf32>, "", [bf16, array<i64: 1, 0>]>`
  }];
  let parameters = (ins StringRefParameter<"name in the weight file">:$key,
                        "::mlir::RankedTensorType":$type,
                        StringRefParameter<"BLAKE3 of the bytes, 256 bits in hex">:$hash,
                        "::mlir::ArrayAttr":$steps);
  let assemblyFormat = "`<` $key `,` $type `,` $hash `,` $steps `>`";
}

def Graph_ReshapeStepAttr : Graph_Attr<"ReshapeStep", "reshape"> {
  let summary = "a weight step that reshapes";
  let parameters = (ins ArrayRefParameter<"int64_t", "the new shape">:$shape);
  let assemblyFormat = "`<` `[` $shape `]` `>`";
}

def Graph_WithinAttr : Graph_Attr<"Within", "within"> {
  let summary = "which elements of a tensor lie within a bucket dimension's true length";
  let description = [{
    An index i of the tensor is a position in dimension `symbol` of the bucket: `base` plus, for each part
    [dim, inner, extent, weight] of `parts`, `weight * (i[dim] / inner % extent)`. The element is within when this
    is less than the true length.

    ```mlir
    #graph.within<"seq", 0, [1, 1, 128, 1]>                // dimension 1 is the sequence
    #graph.within<"seq", 0, [0, 64, 2, 64, 1, 1, 64, 1]>   // 128 elements, split between dimensions 0 and 1
    ```
  }];
  let parameters = (ins StringRefParameter<"dimension of the bucket">:$symbol, "int64_t":$base,
                        ArrayRefParameter<"int64_t", "dim, inner, extent, weight of each part">:$parts);
  let assemblyFormat = "`<` $symbol `,` $base `,` `[` $parts `]` `>`";
  let genVerifyDecl = 1;
}

#endif // TILEWRIGHT_GRAPH_DIALECT_TD
