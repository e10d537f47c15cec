// The passes on the graph dialect, in the order of the graph and fuse stages.
#ifndef TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_PASSES_TD
#define TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

class GraphPass<string flag, string root = ""> : Pass<flag, root> {
  let dependentDialects = ["::tilewright::graph::GraphDialect"];
}

//===-- Movement and weights -----------------------------------------------------------------------------===//

def GraphFoldWeights : GraphPass<"graph-fold-weights"> {
  let summary = "Append casts, transposes and reshapes of weights to their recipes";
  let description = [{
    A float cast, `graph.transpose` or `graph.reshape` whose operand is a `graph.weight` becomes a weight with one
    step more; packaging applies it once. Each use may have its own recipe. A truncated weight rounds to nearest
    even, as `arith.truncf` does, so no number changes.

    ```mlir
    func.func @main() -> tensor<8x4xbf16> {
      %w = graph.weight <"fc.w", tensor<4x8xf32>, "", []> : tensor<4x8xf32>
      %t = graph.transpose %w permutation = [1, 0] : tensor<4x8xf32> to tensor<8x4xf32>
      %n = arith.truncf %t : tensor<8x4xf32> to tensor<8x4xbf16>
      return %n : tensor<8x4xbf16>
    }
    ```
    ==>
    ```mlir
    func.func @main() -> tensor<8x4xbf16> {
      %w = graph.weight <"fc.w", tensor<4x8xf32>, "", [array<i64: 1, 0>, bf16]> : tensor<8x4xbf16>
      return %w : tensor<8x4xbf16>
    }
    ```
  }];
}

def GraphPushMovement : GraphPass<"graph-push-movement"> {
  let summary = "Move transposes and reshapes through elementwise ops where that removes one";
  let description = [{
    Elementwise ops do not care in which order or shape their elements lie. A transpose or reshape is moved through a
    chain of them when the program then has fewer movement ops: when it meets its inverse, or when several operands
    carry the same one. Splat constants, weights and broadcasts follow for free. A reshape moves down, also through
    softmax and norms along whole rows, where the count stays equal, so that chains between matmuls end up in the
    matmuls' shape. Elementwise work on broadcasts is done before the broadcast. No number changes.

    ```mlir
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %t = graph.transpose %x permutation = [1, 0] : tensor<2x3xf32> to tensor<3x2xf32>
      %e = math.exp %t : tensor<3x2xf32>
      %r = graph.transpose %e permutation = [1, 0] : tensor<3x2xf32> to tensor<2x3xf32>
      return %r : tensor<2x3xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %e = math.exp %x : tensor<2x3xf32>
      return %e : tensor<2x3xf32>
    }
    ```
  }];
}

def GraphFoldEmpty : GraphPass<"graph-fold-empty"> {
  let summary = "Compute nothing for tensors without elements";
  let description = [{
    A tensor without elements becomes a constant without any. What is computed from no data becomes a constant of
    what that gives: the identity of a reduction, zeros of a product over K = 0 or of a gather from an empty table, the
    value of a pad; parts without elements leave a concat. No number changes.

    ```mlir
    func.func @main(%x: tensor<2x0xf32>, %y: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
      %0 = graph.reduce max %x dims = [1] : tensor<2x0xf32> to tensor<2xf32>
      %1 = graph.concat %x, %y dim = 1 : tensor<2x0xf32>, tensor<2x3xf32> to tensor<2x3xf32>
      return %0, %1 : tensor<2xf32>, tensor<2x3xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<2x0xf32>, %y: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2x3xf32>) {
      %cst = arith.constant dense<0xFF800000> : tensor<2xf32>
      return %cst, %y : tensor<2xf32>, tensor<2x3xf32>
    }
    ```
  }];
}

def GraphSimplifyArithmetic : GraphPass<"graph-simplify-arithmetic"> {
  let summary = "Elementwise identities beyond upstream's folders";
  let description = [{
    `x + 0` is `x`; powers with exponents -1, -0.5, 0.5, 1, 2 and 3 are products, roots and quotients; division by a
    power of two is multiplication; bytes become wide floats at once. Values are equal, with one exception: `-0 + 0`
    becomes `-0`. Powers by products differ from a library's `pow` by at most one rounding a product.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %two = arith.constant dense<2.0> : tensor<4xf32>
      %p = math.powf %x, %two : tensor<4xf32>
      %q = arith.divf %p, %two : tensor<4xf32>
      return %q : tensor<4xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %half = arith.constant dense<5.000000e-01> : tensor<4xf32>
      %p = arith.mulf %x, %x : tensor<4xf32>
      %q = arith.mulf %p, %half : tensor<4xf32>
      return %q : tensor<4xf32>
    }
    ```
  }];
}

//===-- Raising ------------------------------------------------------------------------------------------===//

def GraphRaiseSoftmax : GraphPass<"graph-raise-softmax"> {
  let summary = "Recognize exp(x - max) / sum(exp(x - max)) as softmax";
  let description = [{
    The quotient may be a product with the inverse; the shift by the maximum may be missing (`graph.softmax` has it in
    any case, so that overflow goes away). One dimension only. The values are those of the source, but for rounding.

    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %m = graph.reduce max %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
      %mb = graph.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x8xf32>
      %d = arith.subf %x, %mb : tensor<4x8xf32>
      %e = math.exp %d : tensor<4x8xf32>
      %s = graph.reduce sum %e dims = [1] : tensor<4x8xf32> to tensor<4xf32>
      %sb = graph.broadcast %s dims = [0] : tensor<4xf32> to tensor<4x8xf32>
      %y = arith.divf %e, %sb : tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %y = graph.softmax %x dim = 1 : tensor<4x8xf32> to tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
  }];
}

def GraphRaiseLayerNorm : GraphPass<"graph-raise-layer-norm"> {
  let summary = "Recognize decomposed layer normalization";
  let description = [{
    The expression is multiplied out and compared as a polynomial in x, its mean, the inverse root of its variance,
    and at most one scale and one bias that vary along the normalized dimensions only. So the association does not
    matter: `(x - mean) / sqrt(var + eps) * g + b`, `(x - mean) * (rsqrt(var + eps) * g) + b` and
    `x * (r * g) + (b - mean * (r * g))` are the same. The variance is a mean of centred squares (a product or a
    power); the normalized dimensions are the last ones. The values are those of the source, but for rounding.

    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %n = arith.constant dense<8.0> : tensor<4xf32>
      %eps = arith.constant dense<1.0e-05> : tensor<4xf32>
      %s = graph.reduce sum %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
      %m = arith.divf %s, %n : tensor<4xf32>
      %mb = graph.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x8xf32>
      %c = arith.subf %x, %mb : tensor<4x8xf32>
      %q = arith.mulf %c, %c : tensor<4x8xf32>
      %t = graph.reduce sum %q dims = [1] : tensor<4x8xf32> to tensor<4xf32>
      %v = arith.divf %t, %n : tensor<4xf32>
      %ve = arith.addf %v, %eps : tensor<4xf32>
      %d = math.sqrt %ve : tensor<4xf32>
      %db = graph.broadcast %d dims = [0] : tensor<4xf32> to tensor<4x8xf32>
      %y = arith.divf %c, %db : tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %y = graph.layer_norm %x dim = 1 epsilon = 9.9999997473787516E-6 : tensor<4x8xf32> to tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
  }];
}

def GraphRaiseRmsNorm : GraphPass<"graph-raise-rms-norm"> {
  let summary = "Recognize decomposed RMS normalization";
  let description = [{
    As `graph-raise-layer-norm`, without mean and bias; run it after that pass, since a layer norm is an RMS norm of
    its centred input. The values are those of the source, but for rounding.

    ```mlir
    func.func @main(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
      %n = arith.constant dense<0.125> : tensor<4xf32>
      %eps = arith.constant dense<0.5> : tensor<4xf32>
      %q = arith.mulf %x, %x : tensor<4x8xf32>
      %t = graph.reduce sum %q dims = [1] : tensor<4x8xf32> to tensor<4xf32>
      %v = arith.mulf %t, %n : tensor<4xf32>
      %ve = arith.addf %v, %eps : tensor<4xf32>
      %d = math.rsqrt %ve : tensor<4xf32>
      %db = graph.broadcast %d dims = [0] : tensor<4xf32> to tensor<4x8xf32>
      %r = arith.mulf %x, %db : tensor<4x8xf32>
      %gb = graph.broadcast %g dims = [1] : tensor<8xf32> to tensor<4x8xf32>
      %y = arith.mulf %gb, %r : tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
      %y = graph.rms_norm %x scale(%g : tensor<8xf32>) dim = 1 epsilon = 5.000000e-01 : tensor<4x8xf32> to tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
  }];
}

def GraphRaiseGelu : GraphPass<"graph-raise-gelu"> {
  let summary = "Recognize decomposed GELU, by erf or tanh";
  let description = [{
    Multiplied out, the expression is `0.5 * x + 0.5 * x * t` with `t` the erf of `x / sqrt(2)` or the tanh of
    `sqrt(2 / pi) * (x + 0.044715 * x^3)`. Constants may be off by 2e-5 of their value (0.7071, 1.4142); the result
    then has the exact ones, which changes it by as much.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %half = arith.constant dense<0.5> : tensor<8xf32>
      %one = arith.constant dense<1.0> : tensor<8xf32>
      %root = arith.constant dense<1.41421354> : tensor<8xf32>
      %0 = arith.divf %x, %root : tensor<8xf32>
      %1 = math.erf %0 : tensor<8xf32>
      %2 = arith.addf %1, %one : tensor<8xf32>
      %3 = arith.mulf %x, %2 : tensor<8xf32>
      %4 = arith.mulf %3, %half : tensor<8xf32>
      return %4 : tensor<8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = graph.gelu erf %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
}

def GraphRaiseQuantizedProducts : GraphPass<"graph-raise-quantized-products"> {
  let summary = "Multiply quantized values themselves, with their scales behind the product";
  let description = [{
    A `graph.matmul` both of whose operands are 8-bit values (f8E4M3FN, f8E5M2, signed and unsigned bytes less a zero
    point) times scales, where neither scales nor zero points depend on K (one of the tensor, of each row, of each column,
    of each batch), becomes the product of the 8-bit values, whose result is multiplied by the scales. Products of widened
    bytes become products of the bytes. Unsigned bytes have their uppermost bit turned, which takes 128 from them; with an
    offset p of the left operand's bytes and q of the right one's the sums over K of (a + p)(b + q) are those of a b, and
    p times the sum of b, q times that of a, and K p q. Where one operand alone is such bytes with a scale, and the other one
    of floats, the bytes less a zero point of all become floats of the other one's type, which hold them, and the scale comes
    behind the product: its kernel widens them where it reads them.

    Numbers: values are no longer rounded to the operands' type; sums of bytes are exact.

    ```mlir
    // RUN-PASS: graph-raise-quantized-products canonicalize
    func.func @main(%x: tensor<4x8xi8>, %y: tensor<8x2xi8>, %s: tensor<2xf32>) -> tensor<4x2xf32> {
      %0 = arith.sitofp %x : tensor<4x8xi8> to tensor<4x8xf32>
      %1 = arith.sitofp %y : tensor<8x2xi8> to tensor<8x2xf32>
      %2 = graph.broadcast %s dims = [1] : tensor<2xf32> to tensor<8x2xf32>
      %3 = arith.mulf %1, %2 : tensor<8x2xf32>
      %4 = graph.matmul %0, %3 : tensor<4x8xf32>, tensor<8x2xf32> to tensor<4x2xf32>
      return %4 : tensor<4x2xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x8xi8>, %y: tensor<8x2xi8>, %s: tensor<2xf32>) -> tensor<4x2xf32> {
      %0 = graph.matmul %x, %y : tensor<4x8xi8>, tensor<8x2xi8> to tensor<4x2xi32>
      %1 = arith.sitofp %0 : tensor<4x2xi32> to tensor<4x2xf32>
      %2 = graph.broadcast %s dims = [1] : tensor<2xf32> to tensor<4x2xf32>
      %3 = arith.mulf %1, %2 : tensor<4x2xf32>
      return %3 : tensor<4x2xf32>
    }
    ```
  }];
}

def GraphRaiseAttention : GraphPass<"graph-raise-attention"> {
  let summary = "Recognize matmul, scale, mask, softmax, matmul as attention";
  let description = [{
    Needs `graph.softmax` (run `graph-raise-softmax` first). Scales by constants may stand on the query, the key, the
    scores, or several of them; masks may be added, or selected where the masked number is at most -1e30. Reshapes of
    the batch dimensions between the ops are moved to the operands. Numbers change by the scale's place only.

    ```mlir
    func.func @main(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x8xf32> {
      %c = arith.constant dense<0.25> : tensor<2x4x6xf32>
      %t = graph.transpose %k permutation = [0, 2, 1] : tensor<2x6x8xf32> to tensor<2x8x6xf32>
      %s = graph.matmul %q, %t : tensor<2x4x8xf32>, tensor<2x8x6xf32> to tensor<2x4x6xf32>
      %m = arith.mulf %s, %c : tensor<2x4x6xf32>
      %p = graph.softmax %m dim = 2 : tensor<2x4x6xf32> to tensor<2x4x6xf32>
      %o = graph.matmul %p, %v : tensor<2x4x6xf32>, tensor<2x6x8xf32> to tensor<2x4x8xf32>
      return %o : tensor<2x4x8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x8xf32> {
      %o = graph.attention %q, %k, %v scale = 2.500000e-01 : tensor<2x4x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32> to tensor<2x4x8xf32>
      return %o : tensor<2x4x8xf32>
    }
    ```
  }];
}

//===-- Decomposition ------------------------------------------------------------------------------------===//

def GraphDecomposeAttention : GraphPass<"graph-decompose-attention"> {
  let summary = "Write attention as matmul, scale, mask, softmax, matmul";
  let description = [{
    Used until an attention kernel exists. Scores are fp32. The order of operations is that of the definition, so
    numbers change only by the scale's place relative to the source program.

    ```mlir
    func.func @main(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x8xf32> {
      %o = graph.attention %q, %k, %v scale = 2.500000e-01 : tensor<2x4x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32> to tensor<2x4x8xf32>
      return %o : tensor<2x4x8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%q: tensor<2x4x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x4x8xf32> {
      %t = graph.transpose %k permutation = [0, 2, 1] : tensor<2x6x8xf32> to tensor<2x8x6xf32>
      %s = graph.matmul %q, %t : tensor<2x4x8xf32>, tensor<2x8x6xf32> to tensor<2x4x6xf32>
      %c = arith.constant dense<2.500000e-01> : tensor<2x4x6xf32>
      %m = arith.mulf %s, %c : tensor<2x4x6xf32>
      %p = graph.softmax %m dim = 2 : tensor<2x4x6xf32> to tensor<2x4x6xf32>
      %o = graph.matmul %p, %v : tensor<2x4x6xf32>, tensor<2x6x8xf32> to tensor<2x4x8xf32>
      return %o : tensor<2x4x8xf32>
    }
    ```
  }];
}

def GraphDecomposeNamed : GraphPass<"graph-decompose-named"> {
  let summary = "Write softmax, layer norm, RMS norm and GELU as reductions and elementwise arithmetic";
  let description = [{
    Floats narrower than 32 bits are computed in fp32. The variance of a layer norm is the mean of the centred
    squares (two passes). The results keep the ops' locations.

    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %y = graph.softmax %x dim = 1 : tensor<4x8xf32> to tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %m = graph.reduce max %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
      %mb = graph.broadcast %m dims = [0] : tensor<4xf32> to tensor<4x8xf32>
      %d = arith.subf %x, %mb : tensor<4x8xf32>
      %e = math.exp %d : tensor<4x8xf32>
      %s = graph.reduce sum %e dims = [1] : tensor<4x8xf32> to tensor<4xf32>
      %sb = graph.broadcast %s dims = [0] : tensor<4xf32> to tensor<4x8xf32>
      %y = arith.divf %e, %sb : tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```
  }];
}

def GraphDecomposeSelection : GraphPass<"graph-decompose-selection"> {
  let summary = "Write top-k and scatter as reductions, sorts and gathers";
  let description = [{
    `graph.top_k` of a row that one kernel sorts (4096 elements) becomes a sort of indices by integer keys; of few
    elements one reduction each, of keys and indices as one number: what comes next is the least one above the last.
    These share a kernel that reads the row once. A longer row is cut into groups of neighbours: the best of each
    group, the top-k of these, and that of the elements of the k chosen groups, again in this way while there are
    more groups than one kernel sorts. Every element is read once, and those of chosen groups once more.

    `graph.scatter` becomes a gather: each place asks which updates name it, the last one (`set`) or all of them in a
    fixed order (`add`, `mul`, `max`, `min`). No two threads write one element. The comparisons are as many as places
    times updates.

    Numbers: sums and products of updates are formed before they meet the element.

    ```mlir
    // RUN-PASS: graph-decompose-selection canonicalize
    func.func @main(%x: tensor<4x800xi32>) -> tensor<4x50xi32> {
      %r = graph.top_k %x dim = 1 smallest : tensor<4x800xi32> to tensor<4x50xi32>
      return %r : tensor<4x50xi32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x800xi32>) -> tensor<4x50xi32> {
      %i = graph.iota dim = 1 : tensor<4x800xi32>
      %s = graph.sort %i by %x dim = 1 : tensor<4x800xi32>, tensor<4x800xi32>
      %r = graph.slice %s offsets = [0, 0] strides = [1, 1] : tensor<4x800xi32> to tensor<4x50xi32>
      return %r : tensor<4x50xi32>
    }
    ```
  }];
}

def GraphPropagateLayout : GraphPass<"graph-propagate-layout"> {
  let summary = "Reduce transposed values as they lie in memory";
  let description = [{
    Which rows are long, how they are cut into pieces and which blocks keep them is decided by the dimensions of what is
    reduced: of a transposed tensor columns would look like rows. So a `graph.reduce` of what elementwise ops compute of
    transposed tensors runs over these as they lie: the elementwise ops move above the transpose, small
    operands of broadcasts are turned, and what else reads the values reads them transposed. Values of operands that
    lie differently stay, and so do those that the program gives transposed as results, which would be stored twice,
    less than half a million elements with some dimensions kept, since one kernel of few blocks is faster than pieces of columns, and
    reductions in a given order (`graph.in_order`). Runs in the fuse stage, behind `graph-decompose-named`. It changes in
    which order elements are added, and no other number.

    ```mlir
    // RUN-PASS: graph-propagate-layout
    func.func @main(%x: tensor<65536x8xf32>) -> tensor<8xf32> {
      %0 = graph.transpose %x permutation = [1, 0] : tensor<65536x8xf32> to tensor<8x65536xf32>
      %1 = math.exp %0 : tensor<8x65536xf32>
      %2 = graph.reduce sum %1 dims = [1] : tensor<8x65536xf32> to tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<65536x8xf32>) -> tensor<8xf32> {
      %0 = math.exp %x : tensor<65536x8xf32>
      %1 = graph.reduce sum %0 dims = [0] : tensor<65536x8xf32> to tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```
  }];
}

def GraphReduceRepeated : GraphPass<"graph-reduce-repeated"> {
  let summary = "Reduce what is the same along a dimension without it";
  let description = [{
    Where all that `graph.reduce` takes along a dimension is equal, as broadcasts, splat constants and elementwise ops of these say, the
    sum (of fp32 or fp64) is one of the terms times their number, and a maximum or minimum any of them: what is computed for each of
    them is computed once. All elements of a reshaped tensor are those of the tensor. Sums in a given order (`graph.in_order`), and what has
    less than a million elements, stay. Runs in the fuse stage, where concatenations have been taken apart.

    ```mlir
    // RUN-PASS: graph-reduce-repeated
    func.func @main(%x: tensor<64xf32>) -> tensor<f32> {
      %0 = graph.broadcast %x dims = [0] : tensor<64xf32> to tensor<64x20000xf32>
      %1 = math.exp %0 : tensor<64x20000xf32>
      %2 = graph.reduce sum %1 dims = [0, 1] : tensor<64x20000xf32> to tensor<f32>
      return %2 : tensor<f32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<64xf32>) -> tensor<f32> {
      %0 = math.exp %x : tensor<64xf32>
      %1 = graph.reduce sum %0 dims = [0] : tensor<64xf32> to tensor<f32>
      %cst = arith.constant dense<2.000000e+04> : tensor<f32>
      %2 = arith.mulf %1, %cst : tensor<f32>
      return %2 : tensor<f32>
    }
    ```
  }];
  let dependentDialects = ["::tilewright::graph::GraphDialect", "::mlir::arith::ArithDialect"];
}

//===-- Precision ----------------------------------------------------------------------------------------===//

def GraphApplyPrecision : GraphPass<"graph-apply-precision"> {
  let summary = "Choose how fp32 products are formed";
  let description = [{
    `ieee` leaves the program as it is. `tf32`, and `fp32` or `tf32x3`, which are the same, mark every fp32 `graph.matmul`: the
    latter may become three products of tf32 numbers, about as exact as one of fp32. `bf16` and `fp16` cast the operands
    of every fp32 `graph.matmul` and `graph.attention`; the result and the accumulation stay fp32. Inputs, outputs,
    softmax, normalizations and reductions keep their types. Nothing is scaled: an operand above 65504 becomes
    infinite in fp16. Matmuls whose operands are not fp32, and those that say themselves what their precision is, are left alone.

    ```mlir
    // RUN-PASS: graph-apply-precision="precision=bf16"
    func.func @main(%x: tensor<2x4xf32>, %y: tensor<4x8xf32>) -> tensor<2x8xf32> {
      %r = graph.matmul %x, %y : tensor<2x4xf32>, tensor<4x8xf32> to tensor<2x8xf32>
      return %r : tensor<2x8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<2x4xf32>, %y: tensor<4x8xf32>) -> tensor<2x8xf32> {
      %a = arith.truncf %x : tensor<2x4xf32> to tensor<2x4xbf16>
      %b = arith.truncf %y : tensor<4x8xf32> to tensor<4x8xbf16>
      %r = graph.matmul %a, %b : tensor<2x4xbf16>, tensor<4x8xbf16> to tensor<2x8xf32>
      return %r : tensor<2x8xf32>
    }
    ```
  }];
  let options = [Option<"precision", "precision", "std::string", "\"fp32\"", "fp32 (or tf32x3), ieee, tf32, bf16 or fp16">];
}

def GraphOrderSums : GraphPass<"graph-order-sums"> {
  let summary = "Form sums of floats from the first element to the last";
  let description = [{
    A sum has no order of its own, and kernels form it in trees, in pieces and by many threads. With `--reorder=off`
    this pass gives it one: a `graph.reduce sum` of floats becomes a product with ones, whose sum over K is a chain of
    fused multiply-adds in the order of K, and x * 1 + s rounds as x + s does. Several reduced dimensions are taken in the
    order of memory. Products of narrower floats are widened to fp32, where they are exact, and are chains, too. So results
    have the same bits under every schedule and on every chip, as far as functions have (`--math=exact`). Products of
    elements (rows, as sums are), running and scattered sums and products get the attribute `graph.in_order`: each has a
    kernel of its own, whose threads have a row each and take one element after the other.

    ```mlir
    // RUN-PASS: graph-order-sums
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %s = graph.reduce sum %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
      return %s : tensor<4xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %one = arith.constant dense<1.0> : tensor<8x1xf32>
      %p = graph.matmul %x, %one : tensor<4x8xf32>, tensor<8x1xf32> to tensor<4x1xf32>
      %s = graph.reshape %p : tensor<4x1xf32> to tensor<4xf32>
      return %s : tensor<4xf32>
    }
    ```
  }];
}

def GraphThinProducts : GraphPass<"graph-thin-products"> {
  let summary = "Write products with one row or one column, or few, as sums";
  let description = [{
    A `graph.matmul` whose M or N is 1 becomes a product with the repeated vector and a sum along K, in the element type
    of its result, or in fp32 where that has fewer bits, of bytes in 32-bit integers: one kernel that reads the matrix
    once, at the speed of memory.
    The matrix is taken with K contiguous where it is a weight, and as it lies in memory where it is transposed. Two rows or columns
    of floating-point numbers, up to five beside a small matrix, become one sum for which the matrix is repeated, where its
    rows begin at no multiples of 16 bytes, it is no weight, and there is one product alone.

    Numbers: sums are formed in another order; products of fp32 are not rounded to tf32.

    ```mlir
    // RUN-PASS: graph-thin-products
    func.func @main(%x: tensor<1x8xbf16>, %w: tensor<8x4xbf16>) -> tensor<1x4xf32> {
      %r = graph.matmul %x, %w : tensor<1x8xbf16>, tensor<8x4xbf16> to tensor<1x4xf32>
      return %r : tensor<1x4xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<1x8xbf16>, %w: tensor<8x4xbf16>) -> tensor<1x4xf32> {
      %v = graph.reshape %x : tensor<1x8xbf16> to tensor<8xbf16>
      %f = arith.extf %v : tensor<8xbf16> to tensor<8xf32>
      %b = graph.broadcast %f dims = [0] : tensor<8xf32> to tensor<8x4xf32>
      %m = arith.extf %w : tensor<8x4xbf16> to tensor<8x4xf32>
      %p = arith.mulf %b, %m : tensor<8x4xf32>
      %s = graph.reduce sum %p dims = [0] : tensor<8x4xf32> to tensor<4xf32>
      %r = graph.reshape %s : tensor<4xf32> to tensor<1x4xf32>
      return %r : tensor<1x4xf32>
    }
    ```
  }];
}

//===-- Padding of shape buckets -------------------------------------------------------------------------===//

def GraphResolveCounts : GraphPass<"graph-resolve-counts", "::mlir::ModuleOp"> {
  let summary = "Make counts of elements constants, or products of true lengths";
  let description = [{
    The importer leaves what a mean divides by as `graph.count`. Here each becomes the number of true elements: a
    constant where no counted dimension is padded, else a product of true lengths. Arguments say by `graph.symbols`
    which of their dimensions belong to the bucket.

    ```mlir
    func.func @main(%x: tensor<4x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<4xf32> {
      %s = graph.reduce sum %x dims = [1] : tensor<4x128xf32> to tensor<4xf32>
      %n = graph.count %x dims = [1] : tensor<4x128xf32> to tensor<4xf32>
      %m = arith.divf %s, %n : tensor<4xf32>
      return %m : tensor<4xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<4xf32> {
      %s = graph.reduce sum %x dims = [1] : tensor<4x128xf32> to tensor<4xf32>
      %l = graph.true_length "seq" of 128 : tensor<4xi32>
      %n = arith.sitofp %l : tensor<4xi32> to tensor<4xf32>
      %m = arith.divf %s, %n : tensor<4xf32>
      return %m : tensor<4xf32>
    }
    ```
  }];
}

def GraphMaskPadding : GraphPass<"graph-mask-padding", "::mlir::ModuleOp"> {
  let summary = "Where an op combines elements across a padded dimension, make the padding neutral";
  let description = [{
    Inputs of a shape bucket are padded with zeros. From there the pass follows, value by value, which elements are
    padding and whether these are zeros, numbers, or anything; through reshapes and transposes a padded dimension may
    be a part of another or be divided. An operand of a reduction, a softmax, a product or a reverse scan whose padding
    would change the result gets a `graph.mask` with the op's identity; sums of zeros, and products of zeros with
    numbers, get none. Results take the symbols of the dimensions that are padded. What cannot be followed is an
    error that names the dimension. Functions without `graph.symbols` are left alone. Overflow of padding alone is
    left out of account.

    ```mlir
    func.func @main(%x: tensor<4x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<4xf32> {
      %e = math.exp %x : tensor<4x128xf32>
      %s = graph.reduce sum %e dims = [1] : tensor<4x128xf32> to tensor<4xf32>
      return %s : tensor<4xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x128xf32> {graph.symbols = ["", "seq"]}) -> tensor<4xf32> {
      %e = math.exp %x : tensor<4x128xf32>
      %m = graph.mask %e where [#graph.within<"seq", 0, [1, 1, 128, 1]>] else 0.0 : f32 : tensor<4x128xf32>
      %s = graph.reduce sum %m dims = [1] : tensor<4x128xf32> to tensor<4xf32>
      return %s : tensor<4xf32>
    }
    ```
  }];
  let statistics = [Statistic<"masks", "masks", "Masks that were put in">];
}

def GraphDecomposeMasks : GraphPass<"graph-decompose-masks"> {
  let summary = "Make masks of indices, true lengths, comparisons and selects";
  let description = [{
    Runs when kernels stand, so that each has its masks to itself. No number changes.

    ```mlir
    graph.kernel anchor(elementwise) @k(%x: tensor<4x128xf32>) -> tensor<4x128xf32> {
      %m = graph.mask %x where [#graph.within<"seq", 0, [1, 1, 128, 1]>] else 0.0 : f32 : tensor<4x128xf32>
      graph.return %m : tensor<4x128xf32>
    }
    ```
    ==>
    ```mlir
    graph.kernel anchor(elementwise) @k(%x: tensor<4x128xf32>) -> tensor<4x128xf32> {
      %i = graph.iota dim = 1 : tensor<4x128xi32>
      %n = graph.true_length "seq" of 2147483647 : tensor<4x128xi32>
      %c = arith.cmpi slt, %i, %n : tensor<4x128xi32>
      %z = arith.constant dense<0.0> : tensor<4x128xf32>
      %m = arith.select %c, %x, %z : tensor<4x128xi1>, tensor<4x128xf32>
      graph.return %m : tensor<4x128xf32>
    }
    ```
  }];
}

//===-- Contracts ----------------------------------------------------------------------------------------===//

def VerifyImportForm : Pass<"verify-import-form", "::mlir::ModuleOp"> {
  let summary = "Check what the import stage promises";
  let description = [{
    Legal are `graph` ops other than kernels, `arith` and `math` on tensors, and `func.func` with `func.return`.
    Rules, by label:

    - `form_c1`: no other op.
    - `form_c2`: every value is a tensor of static shape.
    - `form_c3`: a function has one block.
    - `form_c4`: a constant that is not a splat has at most 4096 elements; larger data is a `graph.weight`.
    - `import_c1`: every op has a location: the name of its source node, or its place in a file.
  }];
}

def VerifyGraphForm : Pass<"verify-graph-form", "::mlir::ModuleOp"> {
  let summary = "Check what the graph stage promises";
  let description = [{
    The rules `form_c1` to `form_c4` of `verify-import-form`, and:

    - `graph_c1`: every result is used.
    - `graph_c2`: a weight's casts, transposes and reshapes are in its recipe.
    - `graph_c3`: no reshape of a reshape, no transpose of a transpose.
  }];
}

#endif // TILEWRIGHT_DIALECT_GRAPH_TRANSFORMS_PASSES_TD
