// The passes of the fuse stage.
#ifndef TILEWRIGHT_FUSE_PASSES_TD
#define TILEWRIGHT_FUSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuseSplitReductions : Pass<"fuse-split-reductions"> {
  let summary = "Divide reductions and scans of few long rows among more blocks";
  let description = [{
    A kernel gives each of its blocks whole rows. Where the rows are at most half as many as the multiprocessors and
    long, a reduction becomes one of pieces of the rows and one of their results; an arg-reduction the same, of
    integers that hold value and index; a scan one of each piece, which starts from the scan of the totals of the
    pieces before it (rows that no suitable number of pieces divides stay whole). Reduced dimensions side by side are
    cut where they meet or along one of them, where the longest alone has no equal pieces or too few. What a number of
    pieces leaves over joins them one by one, of several dimensions those of all as one where they lie in one run, else each of their rows (of deviations, which are cut for one reading of the row, it is a piece of its own); up to 32 results of pieces of a contiguous row are merged where the result is read, more by
    a reduction of their own.

    What is reduced of a transposed tensor is cut as the tensor lies, so that pieces are runs of memory; rows that lie across
    memory are cut as the columns that they are, from half a million elements on. Of dimensions that
    give as many pieces one is taken that leaves them 256 elements side by side, and of numbers of pieces one that fills
    rounds of all blocks and leaves pieces that begin at whole vectors of 16 bytes.
    Columns, of which a block has 32, or 128 bytes of narrower ones, are cut where that saves more than another kernel takes: where
    many multiprocessors have no block, or, of tensors that nothing else reads, fewer blocks than others; of 24 MB on
    also where they fill at most three quarters of the chip.
    Of rows that begin at any element several that as one begin at 16 bytes are folded, and reduced in the end.
    Results of pieces are marked (`graph.part`): between kernels they keep their type, whatever activations are stored as.
    With `cluster-blocks` rows of up to 1.7 MB, as they lie in memory, whose results go into their own elements again (norms) stay whole, where
    clusters for each of them take half of the chip: their blocks keep them, so that they are read once, by one kernel. From 512 KB of
    fp32 on they must be enough to fill the chip twice, no slices, begin at words, and be reduced in one way alone.

    With `look-back` a scan of few long rows (with `look-back-columns` also of columns; without it those that no number of equal pieces divides) stays whole, and is marked (`graph.look_back`): its kernel gives pieces of the
    rows to blocks that look back at what those before have published, and reads its input once, where pieces of their
    own are read twice; up to four rows for each multiprocessor are few where the last round of whole ones would leave many idle.

    Before that, long rows that padding surrounds are reduced without it, and joined ones part by part where no more is read for the
    parts than for the whole; all elements of a reshape are reduced as they were before it
    where values of rows go into them, and reductions of one tensor are brought to common
    pieces: a reduction over more dimensions than another starts with one over the dimensions of that one.

    Needs and gives tensor programs in functions. Numbers: the pieces, and so the order of rounding, follow from the
    shapes of what is reduced, and of columns from what else reads it.

    ```mlir
    // RUN-PASS: fuse-split-reductions canonicalize
    func.func @main(%x: tensor<4x1048576xf32>) -> tensor<4xf32> {
      %0 = graph.reduce sum %x dims = [1] : tensor<4x1048576xf32> to tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x1048576xf32>) -> tensor<4xf32> {
      %0 = graph.reshape %x : tensor<4x1048576xf32> to tensor<4x64x16384xf32>
      %1 = graph.reduce sum %0 dims = [2] {graph.part} : tensor<4x64x16384xf32> to tensor<4x64xf32>
      %2 = graph.reduce sum %1 dims = [1] : tensor<4x64xf32> to tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    Option<"blocks", "blocks", "int64_t", "132", "blocks that fill a chip">,
    Option<"clusterBlocks", "cluster-blocks", "int64_t", "1", "blocks of the chip's largest clusters, which keep rows together; 1: it has none">,
    Option<"lookBack", "look-back", "bool", "false", "scans of long rows stay whole, for blocks that look back">,
    Option<"lookBackColumns", "look-back-columns", "bool", "true", "with look-back: those that run across rows in memory, too">,
    Option<"manyPieces", "many-pieces", "bool", "false", "reductions of what other kernels read too, in another order, have pieces for many rounds of blocks">,
    Option<"shareReadings", "share-readings", "bool", "true", "rows that are divided for one reading are read together with others'">
  ];
  let dependentDialects = ["::tilewright::graph::GraphDialect"];
}

def FuseProductsAhead : Pass<"fuse-products-ahead"> {
  let summary = "Products of one row behind other products are products again, whose weights come ahead";
  let description = [{
    A product of one row is a sum of the matrix' rows times a vector (`graph-thin-products`): each block has a row, and of
    those that wait for the vector, few have theirs. A product's ring fetches up to 25 MB of the matrix while the kernels
    before still run. So the sums become a product again where the vector is computed number by number of what another
    product gives, and the matrix is an argument or a weight of 16-bit floats, of 4 MB at least and at most 4096 rows and
    columns, on chips with warpgroups whose kernels can start early (`target`).

    Needs and gives tensor programs in functions. Numbers: the sums are formed by tensor cores, as those of products
    with more rows are.

    ```mlir
    // RUN-PASS: fuse-products-ahead canonicalize
    func.func @main(%x: tensor<2048xbf16>, %u: tensor<2048x2048xbf16>, %w: tensor<2048x2048xbf16>) -> tensor<2048xf32> {
      %0 = arith.extf %x : tensor<2048xbf16> to tensor<2048xf32>
      %1 = graph.broadcast %0 dims = [1] : tensor<2048xf32> to tensor<2048x2048xf32>
      %2 = arith.extf %u : tensor<2048x2048xbf16> to tensor<2048x2048xf32>
      %3 = arith.mulf %1, %2 : tensor<2048x2048xf32>
      %4 = graph.reduce sum %3 dims = [1] : tensor<2048x2048xf32> to tensor<2048xf32>
      %5 = arith.truncf %4 : tensor<2048xf32> to tensor<2048xbf16>
      %6 = arith.extf %5 : tensor<2048xbf16> to tensor<2048xf32>
      %7 = graph.broadcast %6 dims = [1] : tensor<2048xf32> to tensor<2048x2048xf32>
      %8 = arith.extf %w : tensor<2048x2048xbf16> to tensor<2048x2048xf32>
      %9 = arith.mulf %7, %8 : tensor<2048x2048xf32>
      %10 = graph.reduce sum %9 dims = [1] : tensor<2048x2048xf32> to tensor<2048xf32>
      return %10 : tensor<2048xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<2048xbf16>, %u: tensor<2048x2048xbf16>, %w: tensor<2048x2048xbf16>) -> tensor<2048xf32> {
      %0 = arith.extf %x : tensor<2048xbf16> to tensor<2048xf32>
      %1 = graph.broadcast %0 dims = [1] : tensor<2048xf32> to tensor<2048x2048xf32>
      %2 = arith.extf %u : tensor<2048x2048xbf16> to tensor<2048x2048xf32>
      %3 = arith.mulf %1, %2 : tensor<2048x2048xf32>
      %4 = graph.reduce sum %3 dims = [1] : tensor<2048x2048xf32> to tensor<2048xf32>
      %5 = arith.truncf %4 : tensor<2048xf32> to tensor<2048xbf16>
      %6 = graph.reshape %5 : tensor<2048xbf16> to tensor<1x2048xbf16>
      %7 = graph.transpose %w permutation = [1, 0] : tensor<2048x2048xbf16> to tensor<2048x2048xbf16>
      %8 = graph.matmul %6, %7 : tensor<1x2048xbf16>, tensor<2048x2048xbf16> to tensor<1x2048xf32>
      %9 = graph.reshape %8 : tensor<1x2048xf32> to tensor<2048xf32>
      return %9 : tensor<2048xf32>
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "the chip; none: nothing is done">];
  let dependentDialects = ["::tilewright::graph::GraphDialect"];
}

def FuseChainProducts : Pass<"fuse-chain-products"> {
  let summary = "Choose products that one kernel computes with what leads from one to the other";
  let description = [{
    The terms of a product are made of another product's result, elementwise and relative to the maximum and the sum of
    each of its rows: attention. One kernel can form both in one loop over the terms, of which none is stored, where each
    row's maximum, sum and product follow one another: what has been summed is rescaled when the maximum grows. For that
    the division by a row's sum goes behind the second product. It is done where the kernel is modelled to take no longer
    than several, and marked by `graph.chain` on the second product, by which `fuse-partition-kernels` finds it. Operands
    have 16 bits and as many columns as a block's tile holds; others stay several kernels (**ChainRefused**).

    Needs and gives tensor programs in functions. Numbers: the terms are rounded before they are divided by their sum
    instead of behind it, so that the sum's rounding is that of the result; both have the operands' relative accuracy.

    ```mlir
    // RUN-PASS: fuse-chain-products canonicalize
    func.func @main(%q: tensor<256x64xbf16>, %k: tensor<64x256xbf16>, %v: tensor<256x64xbf16>) -> tensor<256x64xf32> {
      %s = graph.matmul %q, %k : tensor<256x64xbf16>, tensor<64x256xbf16> to tensor<256x256xf32>
      %m = graph.reduce max %s dims = [1] : tensor<256x256xf32> to tensor<256xf32>
      %mb = graph.broadcast %m dims = [0] : tensor<256xf32> to tensor<256x256xf32>
      %d = arith.subf %s, %mb : tensor<256x256xf32>
      %e = math.exp %d : tensor<256x256xf32>
      %l = graph.reduce sum %e dims = [1] : tensor<256x256xf32> to tensor<256xf32>
      %lb = graph.broadcast %l dims = [0] : tensor<256xf32> to tensor<256x256xf32>
      %p = arith.divf %e, %lb : tensor<256x256xf32>
      %t = arith.truncf %p : tensor<256x256xf32> to tensor<256x256xbf16>
      %o = graph.matmul %t, %v : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
      return %o : tensor<256x64xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%q: tensor<256x64xbf16>, %k: tensor<64x256xbf16>, %v: tensor<256x64xbf16>) -> tensor<256x64xf32> {
      %s = graph.matmul %q, %k : tensor<256x64xbf16>, tensor<64x256xbf16> to tensor<256x256xf32>
      %m = graph.reduce max %s dims = [1] : tensor<256x256xf32> to tensor<256xf32>
      %mb = graph.broadcast %m dims = [0] : tensor<256xf32> to tensor<256x256xf32>
      %d = arith.subf %s, %mb : tensor<256x256xf32>
      %e = math.exp %d : tensor<256x256xf32>
      %l = graph.reduce sum %e dims = [1] : tensor<256x256xf32> to tensor<256xf32>
      %t = arith.truncf %e : tensor<256x256xf32> to tensor<256x256xbf16>
      %x = graph.matmul %t, %v {graph.chain} : tensor<256x256xbf16>, tensor<256x64xbf16> to tensor<256x64xf32>
      %lb = graph.broadcast %l dims = [0] : tensor<256xf32> to tensor<256x64xf32>
      %o = arith.divf %x, %lb : tensor<256x64xf32>
      return %o : tensor<256x64xf32>
    }
    ```
  }];
  let options = [
    Option<"always", "always", "bool", "false", "one kernel whatever the model says">,
    Option<"target", "target", "std::string", "\"sm_90a\"", "the chip that times are modelled for">
  ];
  let dependentDialects = ["::tilewright::graph::GraphDialect"];
}

def FuseAlignOperands : Pass<"fuse-align-operands"> {
  let summary = "Give operands of products rows that bulk copies take";
  let description = [{
    The tensor memory accelerator copies rows that start at multiples of 16 bytes. An operand of a product, of 8, 16 or 32 bits, whose
    rows do not, as those of a part of a matrix that begins anywhere in 16 bytes, is copied to one whose rows do, with zeros behind
    them, and begin with a line of L2 where they are long. Of the zeros the product sees nothing: it reads a slice of the copy. An operand of
    few rows, or columns, that lie across K may get a copy in which K is side by side. Done for each operand where the product on
    `target` gains more by its model than the copy takes, or for all with `always`.

    Needs and gives tensor programs in functions. It does not change numbers.

    ```mlir
    // RUN-PASS: fuse-align-operands="always"
    func.func @main(%a: tensor<64x67xbf16>, %b: tensor<67x61xbf16>) -> tensor<64x61xf32> {
      %0 = graph.matmul %a, %b : tensor<64x67xbf16>, tensor<67x61xbf16> to tensor<64x61xf32>
      return %0 : tensor<64x61xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%a: tensor<64x67xbf16>, %b: tensor<67x61xbf16>) -> tensor<64x61xf32> {
      %wide_a = graph.pad %a low = [0, 0] high = [0, 5] value = 0.0 : bf16 : tensor<64x67xbf16> to tensor<64x72xbf16>
      %lhs = graph.slice %wide_a offsets = [0, 0] strides = [1, 1] : tensor<64x72xbf16> to tensor<64x67xbf16>
      %wide_b = graph.pad %b low = [0, 0] high = [0, 3] value = 0.0 : bf16 : tensor<67x61xbf16> to tensor<67x64xbf16>
      %rhs = graph.slice %wide_b offsets = [0, 0] strides = [1, 1] : tensor<67x64xbf16> to tensor<67x61xbf16>
      %result = graph.matmul %lhs, %rhs : tensor<64x67xbf16>, tensor<67x61xbf16> to tensor<64x61xf32>
      return %result : tensor<64x61xf32>
    }
    ```
  }];
  let options = [
    Option<"always", "always", "bool", "false", "copy whatever the model says">,
    Option<"target", "target", "std::string", "\"sm_90a\"", "the chip that times are modelled for">
  ];
  let dependentDialects = ["::tilewright::graph::GraphDialect", "::tilewright::tile::TileDialect"];
}

def FuseComputePlaces : Pass<"fuse-compute-places"> {
  let summary = "Read at computed places what lies at no strided ones";
  let description = [{
    A kernel's values are strided views over one domain. What is spread for each row of a tensor is no such view in a
    shape with other rows, and what is transposed none in the order of another transpose. Values that are computed of
    these and then reshaped or transposed would be stored, for a kernel in the new shape to read. Where all that lies
    so is small beside the value, or everything takes launches rather than bytes, the value is computed in the new
    shape: the places of its elements follow from the numbers of their own, by divisions through constants, and a
    gather reads there. Not where the readers of a reshape can do without its shape.

    Needs and gives tensor programs in functions. It does not change numbers.

    ```mlir
    // RUN-PASS: fuse-compute-places
    func.func @main(%x: tensor<6x35xf32>, %rows: tensor<6xf32>, %columns: tensor<21xf32>) -> tensor<10x21xf32> {
      %0 = graph.broadcast %rows dims = [0] : tensor<6xf32> to tensor<6x35xf32>
      %1 = arith.addf %x, %0 : tensor<6x35xf32>
      %2 = graph.reshape %1 : tensor<6x35xf32> to tensor<10x21xf32>
      %3 = graph.broadcast %columns dims = [1] : tensor<21xf32> to tensor<10x21xf32>
      %4 = arith.mulf %2, %3 : tensor<10x21xf32>
      return %4 : tensor<10x21xf32>
    }
    ```
    ==>
    ```mlir
    ...
      %in = graph.reshape %x : tensor<6x35xf32> to tensor<10x21xf32>
      %n = graph.iota dim = 0 : tensor<210xi32>
      %place = graph.reshape %n : tensor<210xi32> to tensor<10x21xi32>
      %thirtyfive = arith.constant dense<35> : tensor<10x21xi32>
      %row = arith.divui %place, %thirtyfive : tensor<10x21xi32>
      %of = graph.gather %rows[%row] dim = 0 : tensor<6xf32>, tensor<10x21xi32> to tensor<10x21xf32>
      %sum = arith.addf %in, %of : tensor<10x21xf32>
    ...
    ```
  }];
  let dependentDialects = ["::tilewright::graph::GraphDialect", "::mlir::arith::ArithDialect"];
}

def FuseNarrowStorage : Pass<"fuse-narrow-storage"> {
  let summary = "Round activations where they are made instead of where a product reads them";
  let description = [{
    Under a 16-bit precision policy the operands of products are `arith.truncf` of fp32 activations to the storage
    type. The rounding moves up through reshapes and transposes to the op that computes the activation, and every
    other user takes the rounded value, so that one 16-bit tensor is stored instead of an fp32 one beside it.
    Arguments, constants and weights stay as they are.

    Needs and gives tensor programs in functions. Numbers: products are the same; other users of the activation
    read it rounded to `storage`.

    ```mlir
    // RUN-PASS: fuse-narrow-storage canonicalize
    func.func @main(%x: tensor<4x2xf32>) -> tensor<8xbf16> {
      %0 = math.exp %x : tensor<4x2xf32>
      %1 = graph.reshape %0 : tensor<4x2xf32> to tensor<8xf32>
      %2 = arith.truncf %1 : tensor<8xf32> to tensor<8xbf16>
      return %2 : tensor<8xbf16>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x2xf32>) -> tensor<8xbf16> {
      %0 = math.exp %x : tensor<4x2xf32>
      %1 = arith.truncf %0 : tensor<4x2xf32> to tensor<4x2xbf16>
      %2 = graph.reshape %1 : tensor<4x2xbf16> to tensor<8xbf16>
      return %2 : tensor<8xbf16>
    }
    ```
  }];
  let options = [Option<"storage", "storage", "std::string", "\"bf16\"",
                        "the type that activations are stored in: bf16 or fp16">];
  let dependentDialects = ["::tilewright::graph::GraphDialect"];
}

def FuseApproximateMath : Pass<"fuse-approximate-math"> {
  let summary = "Allow approximate functions where results are rounded to 16 bits";
  let description = [{
    Where `storage` is a 16-bit type: sets `fastmath<afn>` on fp32 exp, exp2, erf and rsqrt,
    `fastmath<afn,arcp,contract>` on fp32 divisions and `fastmath<contract>` on fp32 sums and products, which then
    become fused multiply-adds. The `target` stage then takes approximations, whose relative error (at most 2^-15,
    docs/Math.md) vanishes in the 16-bit rounding that follows; so does that of tanh (2^-11) where `storage` is bf16.
    Functions whose approximation loses relative accuracy somewhere (log, pow, sin, cos) stay exact.

    Where it is fp32: sets `fastmath<reassoc>` on an fp32 exp all of whose results are rounded to 16 bits by the program
    itself, after products, quotients, roots, tanh, erf, bounds, movement and sums of values that are not negative. It becomes a
    power of two then, within 2^-17. So on an fp32 tanh or erf that is added to 1 or subtracted from it, where the same holds of
    the sums: they become formulas of their own, which keep the digits that vanish in the sum, within 2^-15.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = math.exp %x : tensor<8xf32>
      %1 = arith.divf %0, %x : tensor<8xf32>
      %2 = arith.addf %1, %x : tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = math.exp %x fastmath<afn> : tensor<8xf32>
      %1 = arith.divf %0, %x fastmath<arcp,contract,afn> : tensor<8xf32>
      %2 = arith.addf %1, %x fastmath<contract> : tensor<8xf32>
      return %2 : tensor<8xf32>
    }
    ```
  }];
  let options = [Option<"storage", "storage", "std::string", "\"bf16\"", "element type that activations are stored in">];
}

def FuseDistributeConcats : Pass<"fuse-distribute-concats"> {
  let summary = "Compute on the parts of concatenations, and join what is stored";
  let description = [{
    A kernel can store the parts of a concatenation at their places, over the domain of one part, beside what else is
    computed of the parts. So what is computed of a concatenation of tensors of one shape is computed of each part:
    elementwise ops, movement, reductions and scans that leave the joined dimension alone; a reduction over that
    dimension is merged from those of the parts. Done where all that the concatenation is read for ends in results of
    the function or in such reductions, and no large tensor would be read as parts here and whole elsewhere.

    Needs and gives tensor programs in functions. Sums over the joined dimension are added in another order.

    ```mlir
    // RUN-PASS: fuse-distribute-concats
    func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
      %0 = graph.concat %x, %y dim = 0 : tensor<4x8xf32>, tensor<4x8xf32> to tensor<8x8xf32>
      %1 = math.exp %0 : tensor<8x8xf32>
      %2 = graph.reduce max %1 dims = [0] : tensor<8x8xf32> to tensor<8xf32>
      return %1, %2 : tensor<8x8xf32>, tensor<8xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>) {
      %0 = math.exp %x : tensor<4x8xf32>
      %1 = math.exp %y : tensor<4x8xf32>
      %2 = graph.reduce max %0 dims = [0] {graph.part} : tensor<4x8xf32> to tensor<8xf32>
      %3 = graph.reduce max %1 dims = [0] {graph.part} : tensor<4x8xf32> to tensor<8xf32>
      %4 = arith.maximumf %2, %3 : tensor<8xf32>
      %5 = graph.concat %0, %1 dim = 0 : tensor<4x8xf32>, tensor<4x8xf32> to tensor<8x8xf32>
      return %5, %4 : tensor<8x8xf32>, tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["::tilewright::graph::GraphDialect", "::mlir::arith::ArithDialect"];
}

def FuseComputeSlices : Pass<"fuse-compute-slices"> {
  let summary = "Compute what is read in slices that meet again slice by slice";
  let description = [{
    A kernel goes through what it computes in one order. Where a value is read in two slices or more and an elementwise op needs
    several of them (neighbours, pairs that a rotation mixes, a gate and what it gates), the value would be stored for it; the
    slices of what it is computed of are views of memory. So slices go to the operands, through up to 16 elementwise ops whose
    inputs are the program's and no more than four times the value's bytes, and through movement behind them, where nothing else reads
    the value. Elements of slices that overlap are computed for each, as long as that is less than 96 instructions for an element of
    the value. Of inputs that are joined the parts are sliced, where slices meet in another concatenation as well (a rotation along two
    dimensions), and are no more than the whole together. Of an input with padding around it, widened or not, each slice has the
    padding that it reaches.

    Where something else reads the value whole as well, slices go to its operands if they meet in a concatenation of its shape (halves
    that change places, beside what they are halves of), of inputs no larger than the value and few numbers that are spread, such
    as what a norm divides rows by: one kernel then sums rows, scales and rotates them.

    A product that is read in two to four slices of equal parts of its columns or rows, which meet again (a gate and what it gates,
    whose weights are one tensor), becomes a product of each part: one kernel has them all, and combines them in registers. A bias,
    and other ops between, are computed slice by slice. Done where the model of products has that take hardly longer than the product
    and a kernel that reads it.

    Needs and gives tensor programs in functions. It does not change numbers.

    ```mlir
    // RUN-PASS: fuse-compute-slices
    func.func @main(%x: tensor<8xf32>) -> tensor<7xf32> {
      %0 = math.exp %x : tensor<8xf32>
      %1 = graph.slice %0 offsets = [1] strides = [1] : tensor<8xf32> to tensor<7xf32>
      %2 = graph.slice %0 offsets = [0] strides = [1] : tensor<8xf32> to tensor<7xf32>
      %3 = arith.subf %1, %2 : tensor<7xf32>
      return %3 : tensor<7xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<7xf32> {
      %0 = graph.slice %x offsets = [1] strides = [1] : tensor<8xf32> to tensor<7xf32>
      %1 = math.exp %0 : tensor<7xf32>
      %2 = graph.slice %x offsets = [0] strides = [1] : tensor<8xf32> to tensor<7xf32>
      %3 = math.exp %2 : tensor<7xf32>
      %4 = arith.subf %1, %3 : tensor<7xf32>
      return %4 : tensor<7xf32>
    }
    ```
  }];
  let dependentDialects = ["::tilewright::graph::GraphDialect", "::tilewright::tile::TileDialect", "::mlir::arith::ArithDialect"];
  let options = [
    Option<"storage", "storage", "std::string", "\"fp32\"", "element type that activations are stored in">,
    Option<"target", "target", "std::string", "\"sm_90a\"", "the chip that times are modelled for; none: products are divided whatever they take">
  ];
}

def FuseSelectOperands : Pass<"fuse-select-operands"> {
  let summary = "Compute on what gathers, pads and concatenations select";
  let description = [{
    A kernel cannot gather, pad or join what it computes itself, unless the parts of a concatenation are alike and
    only stored. So where an elementwise value is selected from, what it is computed of is selected from instead, and
    the ops follow on the selected elements; then one kernel does both, and the value is not stored for it. Elements
    outside (of a pad, of an index beyond its tensor, of another part) take what the selection says. Done where the
    ops are few and read no more bytes than they save; not of a pad whose values others need as they are, since one kernel
    computes these for all and the pad chooses by place.

    Elements that are only widened are selected before that, through slices, reshapes and transposes between, where
    the value outside is a number of the narrow type; whole ones are reshaped and transposed before that, whoever reads them.
    What is selected or moved and then rounded is rounded first, where nobody needs it otherwise. So the narrow elements are
    what lies between kernels. A gather from a slice, be it of what is computed, from another order of whole
    rows, or from a transpose of which it selects runs of memory, reads the tensor itself, at other indices; what is computed of inputs and reshaped is computed of these in that shape. One from
    two or three tensors that are joined for it, or from what is computed of these, reads each where its index lies in that
    one, one that is joined several times only once; one from a tensor with zeros around it reads that tensor, and has the zeros around its rows.
    One from rows that are gathered for it reads the tensor, at the indices that it selects; where these are gathered along a
    neighbouring dimension, at a place for each two indices. From few elements that are spread along its dimension a gather selects nothing.

    Needs and gives tensor programs in functions. It does not change numbers.

    ```mlir
    // RUN-PASS: fuse-select-operands
    func.func @main(%x: tensor<8x4xf32>) -> tensor<9x4xf32> {
      %0 = math.exp %x : tensor<8x4xf32>
      %1 = graph.pad %0 low = [1, 0] high = [0, 0] value = 0.0 : f32 : tensor<8x4xf32> to tensor<9x4xf32>
      return %1 : tensor<9x4xf32>
    }
    ```
    ==>
    ```mlir
    func.func @main(%x: tensor<8x4xf32>) -> tensor<9x4xf32> {
      %0 = graph.pad %x low = [1, 0] high = [0, 0] value = 0.0 : f32 : tensor<8x4xf32> to tensor<9x4xf32>
      %1 = math.exp %0 : tensor<9x4xf32>
      %2 = graph.iota dim = 0 : tensor<9x4xi32>
      %first = arith.constant dense<1> : tensor<9x4xi32>
      %3 = arith.subi %2, %first : tensor<9x4xi32>
      %size = arith.constant dense<8> : tensor<9x4xi32>
      %4 = arith.cmpi ult, %3, %size : tensor<9x4xi32>
      %outside = arith.constant dense<0.0> : tensor<9x4xf32>
      %5 = arith.select %4, %1, %outside : tensor<9x4xi1>, tensor<9x4xf32>
      return %5 : tensor<9x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tilewright::graph::GraphDialect", "::mlir::arith::ArithDialect"];
}

def FusePartitionKernels : Pass<"fuse-partition-kernels", "::mlir::ModuleOp"> {
  let summary = "Cut functions into kernels and programs that launch them";
  let description = [{
    Every function becomes a `plan.program`. Its ops are grouped into `graph.kernel`s: an op joins the kernel that
    computes one of its operands when all values of the kernel stay strided views over one domain (see
    KernelIndexing.h) and no cycle of kernels arises; kernels of its other operands are merged in alike, and so are
    kernels that read the same tensors. It stays apart when one kernel would take longer than two by a model of the
    chip: bytes through memory and through the L2 cache (a reduced extent that fits no tile is read once a pass),
    instructions (what every block computes again among them), few blocks, and the start of a kernel; or when it would
    not fit the registers. A kernel that reads an elementwise value of another one computes it for itself where reading
    what it is made of is faster. Reshapes, transposes, broadcasts and slices are absorbed by the kernels that read
    through them; one that is returned, or that no view can absorb, is computed and marked `graph.materialize`, and so is
    one that puts heads side by side for a product, which alone reads them: they are stored that way, as a matrix. A
    product starts a kernel of its own; what computes one of its operands from one tensor, element by element, joins it
    where that is modelled to gain; products of one shape that share an
    operand become one kernel where others of its ops combine them, or where loading that operand once gains enough, by the
    models of products' schedules. Equal kernels become one symbol.
    The result does not depend on the order of ops in the function. Every decision is a remark with bytes and modelled
    times both ways, or the reason.

    Needs the graph form without named ops, and gives the fuse form (verify-fuse-form) but for costs. Numbers stay
    the same, except that with a 16-bit `storage` fp32 values between kernels are rounded to it; what a product, a
    concatenation, a pad or a gather reads in place, and what the program returns, keeps its type.

    ```mlir
    func.func @main(%x: tensor<8xf32> {graph.name = "x"}) -> (tensor<8xf32> {graph.name = "y"}) {
      %0 = math.exp %x : tensor<8xf32>
      %1 = arith.addf %0, %x : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```
    ==>
    ```mlir
    plan.program @main(%arg0: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "y"}) {
      %0 = plan.launch @exp_addf(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
      plan.return %0 : tensor<8xf32>
    }
    graph.kernel anchor(elementwise) @exp_addf(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %0 = math.exp %arg0 : tensor<8xf32>
      %1 = arith.addf %0, %arg0 : tensor<8xf32>
      graph.return %1 : tensor<8xf32>
    }
    ```
  }];
  let options = [
    Option<"storage", "storage", "std::string", "\"fp32\"", "element type of fp32 values between kernels: fp32, bf16, fp16">,
    Option<"maxInputs", "max-inputs", "int64_t", "24", "tensors a kernel may read">,
    Option<"maxRegisters", "max-registers", "int64_t", "160",
           "registers of a thread that the values of a kernel's smallest tile may take">,
    Option<"target", "target", "std::string", "\"sm_90a\"", "the chip that times are modelled for">,
    Option<"recompute", "recompute", "bool", "true", "kernels may compute again what others store">,
    Option<"joinSiblings", "join-siblings", "bool", "true", "kernels that read the same tensors may be joined">,
    Option<"earliestFirst", "earliest-first", "bool", "false",
           "an op tries the kernel of its earliest producer first, whatever is modelled of the other order">,
    Option<"mostMixed", "most-mixed", "int64_t", "16384",
           "elements of a tile that holds what reductions over different dimensions run over">
  ];
  let dependentDialects = ["::tilewright::graph::GraphDialect", "::tilewright::plan::PlanDialect",
                           "::tilewright::tile::TileDialect"];
}

#endif // TILEWRIGHT_FUSE_PASSES_TD
