// The ops of the ptx dialect: predicated memory access, approximate math, conversions, fp8 mma,
// warpgroup products.
#ifndef TILEWRIGHT_DIALECT_PTX_IR_PTXOPS_TD
#define TILEWRIGHT_DIALECT_PTX_IR_PTXOPS_TD

include "Tilewright/Dialect/Ptx/IR/PtxBase.td"
include "Tilewright/Dialect/Ptx/IR/PtxInterfaces.td"
include "mlir/Dialect/LLVMIR/LLVMTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Ptx_Op<string name, list<Trait> traits = []>
    : Op<Ptx_Dialect, name, traits # [DeclareOpInterfaceMethods<Ptx_PtxInstruction, [
        "ptxText", "ptxConstraints", "emulatorSymbol"]>]>;

//===----------------------------------------------------------------------===//
// Predicated memory access
//===----------------------------------------------------------------------===//

def Ptx_MemoryPointer : Type<And<[LLVM_AnyPointer.predicate, CPred<
    "::llvm::is_contained({1u, 3u}, ::llvm::cast<::mlir::LLVM::LLVMPointerType>($_self).getAddressSpace())">]>,
  "LLVM pointer to global (1) or shared (3) memory", "::mlir::LLVM::LLVMPointerType">;

def Ptx_MemoryScalar : AnyTypeOf<[I8, I16, I32, I64, F16, BF16, F32, F64]>;
def Ptx_MemoryValue : AnyTypeOf<[Ptx_MemoryScalar, FixedVectorOfRankAndType<[1],
    [I8, I16, I32, I64, F16, BF16, F32, F64]>],
  "8- to 64-bit integer or float, or 1-D vector of them of 8, 16, 32, 64 or 128 bits">;

def Ptx_LoadOp : Ptx_Op<"load", [AllTypesMatch<["fallback", "result"]>]> {
  let summary = "load where the predicate holds, the fallback elsewhere";
  let description = [{
    One `ld.global` or `ld.shared` under a predicate; memory is not touched where the predicate is false. The
    pointer must be aligned to the bytes of the value.

    ```mlir
    %v = ptx.load %p, %inside, %zero cache(nc) : !llvm.ptr<1>, vector<4xf32>
    ```
    is
    ```
    @%inside ld.global.nc.v4.f32 {%f0, %f1, %f2, %f3}, [%p];
    ```
    `cache(nc)` may be given only where no one writes the memory during the kernel. A predicate that is the constant
    true is left out. `policy` is what `ptx.cache_policy` gives: what the L2 cache does with the lines.

    ```mlir
    %first = ptx.cache_policy evict_first
    %v = ptx.load %p, %true, %zero policy %first cache(nc_no_allocate) : !llvm.ptr<1>, vector<4xf32>
    ```
    is
    ```
    createpolicy.fractional.L2::evict_first.b64 %policy, 1.0;
    ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 {%f0, %f1, %f2, %f3}, [%p], %policy;
    ```
  }];
  let arguments = (ins
    Arg<Ptx_MemoryPointer, Ptx_MemoryPointer.summary, [MemRead]>:$pointer,
    I1:$predicate,
    Ptx_MemoryValue:$fallback,
    Optional<I64>:$policy,
    DefaultValuedAttr<Ptx_LoadCacheAttr, "LoadCache::Default">:$cache
  );
  let results = (outs Ptx_MemoryValue:$result);
  let assemblyFormat = [{
    $pointer `,` $predicate `,` $fallback (`policy` $policy^)? (`cache` `` $cache^)? attr-dict `:`
        qualified(type($pointer)) `,` type($result)
  }];
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$pointer, "::mlir::Value":$predicate,
    "::mlir::Value":$fallback), [{ build($_builder, $_state, type, pointer, predicate, fallback, ::mlir::Value()); }]>];
  let hasVerifier = 1;
}

def Ptx_StoreOp : Ptx_Op<"store"> {
  let summary = "store where the predicate holds";
  let description = [{
    One `st.global` or `st.shared` under a predicate, which is left out where it is the constant true. The pointer
    must be aligned to the bytes of the value. `policy` is what `ptx.cache_policy` gives.

    ```mlir
    ptx.store %v, %p, %inside : vector<8xbf16>, !llvm.ptr<1>
    ```
  }];
  let arguments = (ins
    Ptx_MemoryValue:$value,
    Arg<Ptx_MemoryPointer, Ptx_MemoryPointer.summary, [MemWrite]>:$pointer,
    I1:$predicate,
    Optional<I64>:$policy,
    DefaultValuedAttr<Ptx_StoreCacheAttr, "StoreCache::Default">:$cache
  );
  let assemblyFormat = [{
    $value `,` $pointer `,` $predicate (`policy` $policy^)? (`cache` `` $cache^)? attr-dict `:`
        type($value) `,` qualified(type($pointer))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$pointer, "::mlir::Value":$predicate),
    [{ build($_builder, $_state, value, pointer, predicate, ::mlir::Value()); }]>];
  let hasVerifier = 1;
}

def Ptx_CachePolicyOp : Ptx_Op<"cache_policy", [Pure]> {
  let summary = "`createpolicy.fractional`: what the L2 cache does with the lines of an access";
  let description = [{
    Lines under `evict_first` are the first to go when others need their place, those under `evict_last` the last
    (sm_80 and later). Accesses take the policy as their operand.

    ```mlir
    %policy = ptx.cache_policy evict_first
    ```
  }];
  let arguments = (ins Ptx_EvictionAttr:$eviction);
  let results = (outs I64:$result);
  let assemblyFormat = "$eviction attr-dict";
}

//===----------------------------------------------------------------------===//
// Flags between blocks
//===----------------------------------------------------------------------===//

class Ptx_FlagOp<string name> : Ptx_Op<name> {
  let arguments = (ins Arg<Ptx_MemoryPointer, Ptx_MemoryPointer.summary, [MemRead, MemWrite]>:$pointer);
  let assemblyFormat = "$pointer attr-dict `:` qualified(type($pointer))";
  let hasVerifier = 1;
}

def Ptx_RaiseFlagOp : Ptx_FlagOp<"raise_flag"> {
  let summary = "`st.release.gpu`: raise a flag of 32 bits in global memory";
  let description = [{
    What this thread did before, and what it knows of others through barriers, is visible to who lowers the flag. In
    the emulator the flag must be down.

    ```mlir
    ptx.raise_flag %p : !llvm.ptr<1>
    ```
  }];
}
def Ptx_LowerFlagOp : Ptx_FlagOp<"lower_flag"> {
  let summary = "`ld.acquire.gpu` until the flag is up; then it is down";
  let description = [{
    In the emulator the thread waits, and blocks that it may wait for run meanwhile; when none can, that is a
    deadlock.

    ```mlir
    ptx.lower_flag %p : !llvm.ptr<1>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

def Ptx_ArriveClusterOp : Ptx_Op<"arrive_cluster"> {
  let summary = "`barrier.cluster.arrive` that hands on what this block's shared memory holds, and nothing else";
  let description = [{
    `barrier.cluster.arrive.release` orders all memory: ptxas has the thread wait until the whole device sees what it
    wrote to global memory. Here the fence is restricted to the block's own shared memory (PTX ISA, membar/fence,
    `.sync_restrict`), and the arrival relaxed. Loads from other blocks and arrivals at their mbarriers are not ordered:
    before those blocks may end, what was loaded has to be used (`ptx.hold`).

    ```mlir
    ptx.arrive_cluster aligned
    ```
  }];
  let arguments = (ins UnitAttr:$aligned);
  let assemblyFormat = "(`aligned` $aligned^)? attr-dict";
  let extraClassDeclaration = "bool hasPtxSideEffects() { return true; }";
}

def Ptx_ClusterPointer : Type<And<[LLVM_AnyPointer.predicate,
    CPred<"::llvm::cast<::mlir::LLVM::LLVMPointerType>($_self).getAddressSpace() == 7">]>,
  "LLVM pointer to shared memory of the cluster (7)", "::mlir::LLVM::LLVMPointerType">;

def Ptx_StoreAsyncOp : Ptx_Op<"store_async"> {
  let summary = "`st.async`: a store to the shared memory of a block of the cluster that completes at an mbarrier there";
  let description = [{
    The thread goes on at once. When the value has arrived, its bytes count as so many of those that the mbarrier expects
    (`mbarrier.arrive.expect_tx`); pointer and mbarrier are of the same block, which may be the thread's own. Who waits for
    the mbarrier finds the value (PTX ISA, st.async). The pointer must be aligned to the bytes of the value. Nothing is
    stored where the predicate is false.

    ```mlir
    ptx.store_async %v, %p, %all completes %barrier : vector<2xf32>, !llvm.ptr<7>, !llvm.ptr<7>
    ```
    is
    ```
    st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%p], {%f0, %f1}, [%barrier];
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[I32, F32, FixedVectorOfLengthAndType<[2, 4], [I32, F32]>]>:$value,
    Arg<Ptx_ClusterPointer, Ptx_ClusterPointer.summary, [MemWrite]>:$pointer,
    I1:$predicate,
    Arg<Ptx_ClusterPointer, Ptx_ClusterPointer.summary, [MemRead, MemWrite]>:$barrier
  );
  let assemblyFormat = [{
    $value `,` $pointer `,` $predicate `completes` $barrier attr-dict `:` type($value) `,`
        qualified(type($pointer)) `,` qualified(type($barrier))
  }];
}

//===----------------------------------------------------------------------===//
// Tickets and words between blocks
//===----------------------------------------------------------------------===//

def Ptx_TakeTicketOp : Ptx_Op<"take_ticket"> {
  let summary = "`atom.add` on a counter of 64 bits in global memory: its value before";
  let description = [{
    The lower 32 bits count the tickets that the launch has taken, the upper ones launches. When a launch ends, the
    emulator wants no ticket left taken.

    ```mlir
    %before = ptx.take_ticket %p : !llvm.ptr<1>
    ```
  }];
  let arguments = (ins Arg<Ptx_MemoryPointer, Ptx_MemoryPointer.summary, [MemRead, MemWrite]>:$pointer);
  let results = (outs I64:$result);
  let assemblyFormat = "$pointer attr-dict `:` qualified(type($pointer))";
  let hasVerifier = 1;
}
def Ptx_ReturnTicketsOp : Ptx_Op<"return_tickets"> {
  let summary = "`st.relaxed.gpu`: the counter as the next launch shall find it";
  let description = [{
    All blocks of the launch have taken their tickets.

    ```mlir
    ptx.return_tickets %next, %p : !llvm.ptr<1>
    ```
  }];
  let arguments = (ins I64:$value, Arg<Ptx_MemoryPointer, Ptx_MemoryPointer.summary, [MemWrite]>:$pointer);
  let assemblyFormat = "$value `,` $pointer attr-dict `:` qualified(type($pointer))";
  let hasVerifier = 1;
}
def Ptx_PublishWordOp : Ptx_Op<"publish_word"> {
  let summary = "`st.relaxed.gpu` of 32 bits and a mark, as one word of 64 bits in global memory";
  let description = [{
    Who finds the mark finds the value; nothing else of this thread is ordered by it. A launch publishes a word under a
    mark once.

    ```mlir
    ptx.publish_word %value mark %mark, %p : !llvm.ptr<1>
    ```
  }];
  let arguments = (ins I32:$value, I32:$mark, Arg<Ptx_MemoryPointer, Ptx_MemoryPointer.summary, [MemWrite]>:$pointer);
  let assemblyFormat = "$value `mark` $mark `,` $pointer attr-dict `:` qualified(type($pointer))";
  let hasVerifier = 1;
}
def Ptx_AwaitWordsOp : Ptx_Op<"await_words"> {
  let summary = "`ld.relaxed.gpu` of words until all have the mark: their values";
  let description = [{
    One, two or four words, which are asked for together. Where the predicate is false the thread waits for nothing and
    gets zeros. In the emulator blocks that it may wait for run meanwhile; when none can, that is a deadlock.

    ```mlir
    %values = ptx.await_words %p, %q mark %mark if %before : !llvm.ptr<1>, !llvm.ptr<1> to vector<2xi32>
    ```
  }];
  let arguments = (ins Arg<Variadic<Ptx_MemoryPointer>, Ptx_MemoryPointer.summary, [MemRead]>:$pointers,
                       I32:$mark, I1:$predicate);
  let results = (outs AnyTypeOf<[I32, FixedVectorOfLengthAndType<[2, 4], [I32]>]>:$result);
  let assemblyFormat = [{
    $pointers `mark` $mark `if` $predicate attr-dict `:` qualified(type($pointers)) `to` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Counters between blocks
//===----------------------------------------------------------------------===//

def Ptx_ArriveCounterOp : Ptx_Op<"arrive_counter"> {
  let summary = "`red.release.gpu.add` of 1 to a counter of 32 bits in global memory";
  let description = [{
    What this thread did before, and what it knows of others through barriers, is visible to who finds the counter where
    all arrivals have brought it.

    ```mlir
    ptx.arrive_counter %p : !llvm.ptr<1>
    ```
  }];
  let arguments = (ins Arg<Ptx_MemoryPointer, Ptx_MemoryPointer.summary, [MemRead, MemWrite]>:$pointer);
  let assemblyFormat = "$pointer attr-dict `:` qualified(type($pointer))";
  let hasVerifier = 1;
}
def Ptx_AwaitCounterOp : Ptx_Op<"await_counter"> {
  let summary = "`ld.acquire.gpu` of a counter until it has a value";
  let description = [{
    Counters go on from launch to launch: nobody puts them back, and the value is what all arrivals of this launch bring the
    counter to, modulo 2^32. In the emulator blocks that the thread may wait for run meanwhile; when none can, that is a
    deadlock.

    ```mlir
    ptx.await_counter %value at %p : !llvm.ptr<1>
    ```
  }];
  let arguments = (ins I32:$value, Arg<Ptx_MemoryPointer, Ptx_MemoryPointer.summary, [MemRead, MemWrite]>:$pointer);
  let assemblyFormat = "$value `at` $pointer attr-dict `:` qualified(type($pointer))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Approximate math
//===----------------------------------------------------------------------===//

class Ptx_ApproxOp<string name, Type type, string instruction, bit hasFtz>
    : Ptx_Op<name, [Pure, SameOperandsAndResultType]> {
  let summary = "`" # instruction # "`";
  let arguments = !if(hasFtz, (ins type:$operand, UnitAttr:$ftz), (ins type:$operand));
  let results = (outs type:$result);
  let assemblyFormat = !if(hasFtz, "$operand (`ftz` $ftz^)? attr-dict `:` type($result)",
                                   "$operand attr-dict `:` type($result)");
}

def Ptx_PackedHalf : AnyTypeOf<[F16, BF16, FixedVectorOfLengthAndType<[2], [F16, BF16]>]>;

def Ptx_Ex2Op : Ptx_ApproxOp<"ex2", AnyTypeOf<[F32, Ptx_PackedHalf]>, "ex2.approx", 1> {
  let description = [{
    2 to the operand. f32: relative error 2^-22 (PTX ISA); f16 and pairs 2^-9.9, bf16 and pairs 2^-7. The
    bf16 forms exist only with `ftz`, which the verifier asks for.

    ```mlir
    %y = ptx.ex2 %x ftz : f32
    ```
  }];
  let hasVerifier = 1;
}
def Ptx_TanhOp : Ptx_ApproxOp<"tanh", AnyTypeOf<[F32, Ptx_PackedHalf]>, "tanh.approx", 0> {
  let description = "Hyperbolic tangent. f32: relative error 2^-11; f16 2^-10.987 absolute; bf16 2^-8 absolute.";
}
def Ptx_Lg2Op : Ptx_ApproxOp<"lg2", F32, "lg2.approx.f32", 1> {
  let description = "Logarithm to base 2. Absolute error 2^-22 where the operand is in (0.5, 2), else 2^-22 relative.";
}
def Ptx_RcpOp : Ptx_ApproxOp<"rcp", F32, "rcp.approx.f32", 1> {
  let description = "Reciprocal, 1 ulp.";
}
def Ptx_RsqrtOp : Ptx_ApproxOp<"rsqrt", F32, "rsqrt.approx.f32", 1> {
  let description = "Reciprocal square root, relative error 2^-22.9.";
}
def Ptx_SqrtApproxOp : Ptx_ApproxOp<"sqrt_approx", F32, "sqrt.approx.f32", 1> {
  let description = "Square root, relative error 2^-23 over the whole range.";
}
def Ptx_DivFullOp : Ptx_Op<"div_full", [Pure, SameOperandsAndResultType]> {
  let summary = "`div.full.f32`: a quotient to 2 ulp over the whole range";
  let description = [{
    Without the branch for rare operands that the correctly rounded quotient takes.

    ```mlir
    %q = ptx.div_full %x, %y : f32
    ```
  }];
  let arguments = (ins F32:$lhs, F32:$rhs);
  let results = (outs F32:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Ptx_SinOp : Ptx_ApproxOp<"sin", F32, "sin.approx.f32", 1> {
  let description = "Sine; absolute error 2^-20.5 in [-pi, pi], unbounded outside.";
}
def Ptx_CosOp : Ptx_ApproxOp<"cos", F32, "cos.approx.f32", 1> {
  let description = "Cosine; absolute error 2^-20.5 in [-pi, pi], unbounded outside.";
}

//===----------------------------------------------------------------------===//
// Conversion and matrix product
//===----------------------------------------------------------------------===//

def Ptx_CvtRnaTf32Op : Ptx_Op<"cvt_rna_tf32", [Pure]> {
  let summary = "`cvt.rna.tf32.f32`: round to tf32, ties away from zero";
  let description = [{
    The result is the bit pattern of an f32 whose low 13 mantissa bits are zero, as `mma` takes it.

    ```mlir
    %bits = ptx.cvt_rna_tf32 %x : f32 -> i32
    ```
  }];
  let arguments = (ins F32:$operand);
  let results = (outs I32:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

def Ptx_PackOp : Ptx_Op<"pack", [Pure]> {
  let summary = "`mov.b64`: 64 bits from two halves";
  let description = [{
    Keeps the halves apart up to the assembler: descriptors of shared memory change in the low one only, and 64-bit
    sums whose upper half is constant have been assembled with that half left out (ptxas 13.0).

    ```mlir
    %bits = ptx.pack %low, %high : i64
    ```
  }];
  let arguments = (ins I32:$low, I32:$high);
  let results = (outs I64:$result);
  let assemblyFormat = "$low `,` $high attr-dict `:` type($result)";
}

def Ptx_MmaOp : Ptx_Op<"mma", [NoMemoryEffect, AllTypesMatch<["c", "result"]>]> {
  let summary = "`mma.sync.aligned.m16n8k32` on 8-bit floats";
  let description = [{
    The warp-wide product that `nvvm.mma.sync` rejects: `e4m3` and `e5m2` operands, four to a 32-bit register,
    f32 accumulation. All lanes of the warp execute it (sm_89 and later).

    ```mlir
    %d = ptx.mma e4m3 %a, e5m2 %b, %c : vector<4xi32>, vector<2xi32>, vector<4xf32>
    ```
  }];
  let arguments = (ins
    Ptx_MmaTypeAttr:$a_type,
    FixedVectorOfLengthAndType<[4], [I32]>:$a,
    Ptx_MmaTypeAttr:$b_type,
    FixedVectorOfLengthAndType<[2], [I32]>:$b,
    FixedVectorOfLengthAndType<[4], [F32]>:$c
  );
  let results = (outs FixedVectorOfLengthAndType<[4], [F32]>:$result);
  let assemblyFormat = [{
    `` $a_type $a `,` `` $b_type $b `,` $c attr-dict `:`
        type($a) `,` type($b) `,` type($c)
  }];
  // mma.sync exchanges data between lanes, so it must not move into divergent control flow.
  let extraClassDeclaration = "bool hasPtxSideEffects() { return true; }";
}

include "Tilewright/Dialect/Ptx/IR/PtxWgmmaOps.td"

#endif // TILEWRIGHT_DIALECT_PTX_IR_PTXOPS_TD
