// The plan dialect itself, its types and attributes.
#ifndef TILEWRIGHT_PLAN_DIALECT_TD
#define TILEWRIGHT_PLAN_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let summary = "The host side: which kernels run, in what order, on which bytes";
  let description = [{
    A `plan.program` is what the host does for one shape bucket. It has two forms.

    The *tensor form* comes from the `fuse` stage: launches take and give tensors, weights are `graph.weight` or
    constants, and a `graph.reshape` is an alias that costs nothing.

    ```mlir
    plan.program @main(%x: tensor<8xf32> {plan.name = "x"}) -> (tensor<8xf32> {plan.name = "y"}) {
      %0 = plan.launch @exp(%x) : (tensor<8xf32>) -> tensor<8xf32>
      plan.return %0 : tensor<8xf32>
    }
    ```

    The *buffer form* is made by `plan-assign-buffers`: every operand is a range of bytes of the arena, a weight,
    an input or an output, and what must wait for what is said by events. It is lowered to data (the launch
    table of a package), never to host code.

    ```mlir
    plan.program @main() {
      %x = plan.input "x" tensor<8xf32> as !plan.buffer<32>
      %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
      %0 = plan.launch @exp(%x) into(%y : !plan.buffer<32>) : (!plan.buffer<32>) -> !plan.event
      plan.return
    }
    ```

    Discardable attributes: `plan.name` names an argument or result of a program; `plan.unsigned` says
    that its integers are unsigned; `plan.symbols` names its bucketed dimensions ("" for a fixed one); `plan.bucket` says of a function which program's key it will have; `plan.cost` and `plan.sources` on a launch say what it computes,
    `plan.variants` which kernels do the same for other chips, `plan.parts` which kernels its kernel was merged from.
  }];
  let cppNamespace = "::tilewright::plan";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::graph::GraphDialect"];
  let extraClassDeclaration = [{
    /// Names of the discardable attributes.
    static constexpr ::llvm::StringLiteral getNameAttrName() { return "plan.name"; }
    static constexpr ::llvm::StringLiteral getUnsignedAttrName() { return "plan.unsigned"; }
    static constexpr ::llvm::StringLiteral getSymbolsAttrName() { return "plan.symbols"; }
    static constexpr ::llvm::StringLiteral getBucketAttrName() { return "plan.bucket"; }
    static constexpr ::llvm::StringLiteral getCostAttrName() { return "plan.cost"; }
    static constexpr ::llvm::StringLiteral getSourcesAttrName() { return "plan.sources"; }
    static constexpr ::llvm::StringLiteral getVariantsAttrName() { return "plan.variants"; }
    static constexpr ::llvm::StringLiteral getPartsAttrName() { return "plan.parts"; }
    static constexpr ::llvm::StringLiteral getSlicesAttrName() { return "plan.slices"; }
  }];
}

def Plan_Buffer : TypeDef<Plan_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "a range of bytes of device memory";
  let description = "Its size in bytes; where it starts is said by the op that defines the value.";
  let parameters = (ins "int64_t":$bytes);
  let assemblyFormat = "`<` $bytes `>`";
  let genVerifyDecl = 1;
}

def Plan_Event : TypeDef<Plan_Dialect, "Event"> {
  let mnemonic = "event";
  let summary = "the completion of a launch, a copy or a fill";
  let builderCall = "$_builder.getType<::tilewright::plan::EventType>()";
}

def Plan_CostAttr : AttrDef<Plan_Dialect, "Cost"> {
  let mnemonic = "cost";
  let summary = "what one launch of a kernel computes and moves";
  let description = [{
    The kind of kernel, which units do most of its arithmetic (`fp32` for the FMA units; `tf32`, `bf16`, `fp16` for
    tensor cores on operands of that type), floating-point operations (a fused multiply-add counts two), and bytes
    of device memory when each argument is read once and each result written once.

    ```mlir
    #plan.cost<anchor = "matmul", unit = "tf32", flops = 4096, read = 1024, written = 512>
    ```
  }];
  let parameters = (ins StringRefParameter<"kind of kernel">:$anchor, StringRefParameter<"units">:$unit,
                        "int64_t":$flops, "int64_t":$read, "int64_t":$written);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Plan_PartAttr : AttrDef<Plan_Dialect, "Part"> {
  let mnemonic = "part";
  let summary = "a kernel that is a part of a merged one";
  let description = [{
    `blocks` blocks of the merged kernel, from number `first` on, run the kernel that was to run `of` blocks of
    `threads` threads. They are fewer where several of its blocks share one. Where the parts are interleaved (`plan.slices`) the
    numbers are those of a round, which has one slice of each part.

    ```mlir
    #plan.part<kernel = "exp", first = 12, blocks = 2, of = 16, threads = 32>
    ```
  }];
  let parameters = (ins StringRefParameter<"name of the kernel">:$kernel, "int64_t":$first, "int64_t":$blocks,
                        "int64_t":$of, "int64_t":$threads);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Plan_BucketDimAttr : AttrDef<Plan_Dialect, "BucketDim"> {
  let mnemonic = "dim";
  let summary = "one dimension of a bucket's key";
  let description = "Inputs whose length in dimension `name` is at most `size` fit the bucket.";
  let parameters = (ins StringRefParameter<"symbol of the dimension">:$name, "int64_t":$size);
  let assemblyFormat = "`<` $name `,` $size `>`";
}

#endif // TILEWRIGHT_PLAN_DIALECT_TD
