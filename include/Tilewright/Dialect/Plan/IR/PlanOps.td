// The ops of the plan dialect: programs, launches, and where buffers lie.
#ifndef TILEWRIGHT_PLAN_OPS_TD
#define TILEWRIGHT_PLAN_OPS_TD

include "Tilewright/Dialect/Plan/IR/PlanDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Plan_Op<string mnemonic, list<Trait> traits = []> : Op<Plan_Dialect, mnemonic, traits>;
def Plan_Tensor : StaticShapeTensorOf<[AnyFloat, AnySignlessInteger, Index]>;

//===-- Structure ----------------------------------------------------------------------------------------===//

def Plan_ProgramOp : Plan_Op<"program", [IsolatedFromAbove, FunctionOpInterface]> {
  let summary = "what the host does for one shape bucket";
  let description = [{
    In the tensor form its arguments and results are tensors, each with a `plan.name`; in the buffer form it has
    neither, and `plan.input` and `plan.output` stand for them in the same order. `bucket`, absent for a program
    of fixed shapes, names the dimensions that were fixed for this program.

    ```mlir
    plan.program @main_1(%ids: tensor<1x64xi64> {plan.name = "ids", plan.symbols = ["", "seq"]})
        -> (tensor<1x64xi64> {plan.name = "out"}) attributes {bucket = [#plan.dim<"seq", 64>]} { … }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<TypedArrayAttrBase<Plan_BucketDimAttr, "bucket dimensions">>:$bucket,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<StrAttr>:$sym_visibility);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// The `plan.name` of argument or result `index`.
    ::llvm::StringRef getInputName(unsigned index);
    ::llvm::StringRef getOutputName(unsigned index);
  }];
}

def Plan_ReturnOp : Plan_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"ProgramOp">]> {
  let summary = "the program's results; none in the buffer form";
  let arguments = (ins Variadic<Plan_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
  let hasVerifier = 1;
}

def Plan_LaunchOp : Plan_Op<"launch", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
                                       DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "run a kernel";
  let description = [{
    In the tensor form it takes the kernel's arguments and gives its results. In the buffer form it reads `args`,
    writes the buffers of `into`, starts when the events of `after` have happened, and gives its own event. Grid,
    block, cluster and shared memory are the kernel's (`ptx.launch`). The launches whose events are in
    `programmatic` need not be over: it is enough that they trigger their dependents, and the kernel itself waits
    for them (griddepcontrol.wait) before it touches their bytes.

    `plan.variants` names kernels that compute the same on the same buffers for other chips (`ptx.archs`), each
    with its own grid, block, cluster, shared memory and parameters; the runtime takes the one for its chip.

    ```mlir
    %c, %d = plan.launch @k(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    %e1 = plan.launch @k(%a, %b) into(%c, %d : !plan.buffer<32>, !plan.buffer<32>) after(%e0)
        : (!plan.buffer<32>, !plan.buffer<32>) -> !plan.event
    %e2 = plan.launch @l(%c) into(%e : !plan.buffer<32>) programmatic(%e1) {plan.variants = [@l_sm_80]}
        : (!plan.buffer<32>) -> !plan.event
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyTypeOf<[Plan_Tensor, Plan_Buffer]>>:$args,
                       Variadic<Plan_Buffer>:$into, Variadic<Plan_Event>:$after,
                       Variadic<Plan_Event>:$programmatic);
  let results = (outs Variadic<AnyTypeOf<[Plan_Tensor, Plan_Event]>>:$results);
  let assemblyFormat = [{
    $kernel `(` $args `)` (`into` `(` $into^ `:` type($into) `)`)? (`after` `(` $after^ `)`)?
    (`programmatic` `(` $programmatic^ `)`)? attr-dict `:` functional-type($args, $results)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::llvm::StringRef":$kernel, "::mlir::ValueRange":$args), [{
      build($_builder, $_state, results, kernel, args, /*into=*/{}, /*after=*/{}, /*programmatic=*/{});
    }]>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the launch is in the buffer form.
    bool hasBuffers() { return getNumResults() == 1 && ::llvm::isa<EventType>(getResult(0).getType()); }
    /// The kernel and its variants.
    ::llvm::SmallVector<::mlir::FlatSymbolRefAttr> getKernels();
  }];
}

//===-- Buffers ------------------------------------------------------------------------------------------===//

class Plan_BoundTensorOp<string mnemonic> : Plan_Op<mnemonic, [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins StrAttr:$name, TypeAttrOf<Plan_Tensor>:$tensor,
                       OptionalAttr<StrArrayAttr>:$symbols, UnitAttr:$isUnsigned);
  let results = (outs Plan_Buffer:$buffer);
  let assemblyFormat = [{
    $name (`unsigned` $isUnsigned^)? $tensor (`symbols` $symbols^)? attr-dict `as` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def Plan_InputOp : Plan_BoundTensorOp<"input"> {
  let summary = "the bytes of an input; its order among inputs is its slot";
  let description = [{
    ```mlir
    %ids = plan.input "ids" tensor<1x64xi64> symbols ["", "seq"] as !plan.buffer<512>
    ```
  }];
}

def Plan_OutputOp : Plan_BoundTensorOp<"output"> {
  let summary = "the bytes of an output; its order among outputs is its slot";
  let description = [{
    ```mlir
    %y = plan.output "y" tensor<8xf32> as !plan.buffer<32>
    ```
  }];
}

def Plan_WeightOp : Plan_Op<"weight", [Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the bytes of a weight or a constant";
  let description = [{
    ```mlir
    %w = plan.weight #graph.weight<"encoder.w", tensor<64x32xf32>, "", [bf16]> as !plan.buffer<4096>
    %c = plan.weight dense<[1, 2]> : tensor<2xi64> as !plan.buffer<16>
    ```
  }];
  let arguments = (ins AnyAttr:$source);
  let results = (outs Plan_Buffer:$buffer);
  let assemblyFormat = "$source attr-dict `as` qualified(type($buffer))";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The tensor after its steps; null (and no diagnostic) when the source is malformed.
    ::mlir::RankedTensorType getTensorType();
  }];
}

def Plan_ArenaOp : Plan_Op<"arena", [Pure, HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the program's one range of scratch memory, allocated when it is loaded";
  let results = (outs Plan_Buffer:$buffer);
  let assemblyFormat = "attr-dict `:` qualified(type($buffer))";
}

def Plan_WorkspaceOp : Plan_Op<"workspace", [Pure, HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the memory by which blocks of a kernel hand parts of their results to one another";
  let description = [{
    It is zero when the package is loaded. Launches that use it run one after another; each leaves the flags at its start as it
    found them, zero.

    ```mlir
    %workspace = plan.workspace : !plan.buffer<69632>
    ```
  }];
  let results = (outs Plan_Buffer:$buffer);
  let assemblyFormat = "attr-dict `:` qualified(type($buffer))";
}

def Plan_ViewOp : Plan_Op<"view", [Pure]> {
  let summary = "a part of a buffer, `offset` bytes into it";
  let description = [{
    ```mlir
    %v = plan.view %arena[256] : !plan.buffer<4096> to !plan.buffer<64>
    ```
  }];
  let arguments = (ins Plan_Buffer:$source, I64Attr:$offset);
  let results = (outs Plan_Buffer:$buffer);
  let assemblyFormat = "$source `[` $offset `]` attr-dict `:` qualified(type($source)) `to` qualified(type($buffer))";
  let hasVerifier = 1;
}

//===-- Work other than kernels --------------------------------------------------------------------------===//

def Plan_CopyOp : Plan_Op<"copy", [AllTypesMatch<["source", "into"]>,
                                   DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "copy a buffer into another of the same size";
  let description = [{
    ```mlir
    %e1 = plan.copy %x into %y after(%e0) : !plan.buffer<32>
    ```
  }];
  let arguments = (ins Plan_Buffer:$source, Plan_Buffer:$into, Variadic<Plan_Event>:$after);
  let results = (outs Plan_Event:$event);
  let assemblyFormat = [{
    $source `into` $into (`after` `(` $after^ `)`)? attr-dict `:` qualified(type($source))
  }];
}

def Plan_FillOp : Plan_Op<"fill", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "fill a buffer with one element's bits";
  let description = [{
    The value is an integer or float of 8, 16 or 32 bits.

    ```mlir
    %e = plan.fill %y with 1.0 : f32 : !plan.buffer<32>
    ```
  }];
  let arguments = (ins Plan_Buffer:$into, TypedAttrInterface:$value, Variadic<Plan_Event>:$after);
  let results = (outs Plan_Event:$event);
  let assemblyFormat = [{
    $into `with` $value (`after` `(` $after^ `)`)? attr-dict `:` qualified(type($into))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The element's bits, and its size in bytes.
    std::pair<uint32_t, unsigned> getBits();
  }];
}

#endif // TILEWRIGHT_PLAN_OPS_TD
