// The ptx dialect and its attributes: what a launch needs and what ptxas reported.
#ifndef TILEWRIGHT_DIALECT_PTX_IR_PTXBASE_TD
#define TILEWRIGHT_DIALECT_PTX_IR_PTXBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"

def Ptx_Dialect : Dialect {
  let name = "ptx";
  let cppNamespace = "::tilewright::ptx";
  let summary = "PTX instructions that the nvvm dialect lacks or gets wrong";
  let description = [{
    A thin dialect: one op is one PTX instruction. Each op carries its PTX text and the operand constraints
    (`PtxInstruction`), its memory effects, and the name of the function that stands for it in the emulator.
    Everything else at the `target` stage is `llvm` and `nvvm`. `convert-ptx-to-llvm` turns every op into
    `llvm.inline_asm`; before that pass there is no inline assembly in a program.

    A kernel (`llvm.func` in a `gpu.module`) carries `ptx.launch`, and after assembly `ptx.resources`:

    ```mlir
    llvm.func @add(%x: !llvm.ptr<1>) attributes {
        nvvm.kernel, ptx.launch = #ptx.launch<grid = [12, 1, 1], block = 128>} { … }
    ```

    `ptx.archs` on a kernel names the chips it is assembled for, when that is not every target.

    Parameters of a kernel are the buffers of its launch, in order (arguments, then results), but for those that
    say what they are: a 128-byte parameter with `ptx.tensor_map` is a tensor map over one of these buffers, an
    integer with `ptx.true_length` the true length of a bucket's dimension, and a pointer with `ptx.workspace` leads
    so many bytes into the launch's workspace, of which the kernel uses so many from there on. `ptx.footprint` on a buffer
    says which bytes of it a block touches, as sums of digits of the block's number (Footprint.h): for each access its offset,
    the bytes of an element, and for each dimension a first byte, the least and the most that its sum may be, and a number
    of terms: bytes, count and unit of each.

    ```mlir
    llvm.func @load(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>,
                    %n: i32 {ptx.true_length = "seq"},
                    %flags: !llvm.ptr<1> {ptx.workspace = array<i64: 0, 528>},
                    %map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64,
                                     nvvm.grid_constant, ptx.tensor_map = #ptx.tensor_map<of = 0, element = bf16,
                                     dims = [64, 128], strides = [128], box = [64, 64], swizzle = 128>})
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Names of the discardable attributes that kernels carry.
    static constexpr ::llvm::StringLiteral getLaunchAttrName() { return "ptx.launch"; }
    static constexpr ::llvm::StringLiteral getResourcesAttrName() { return "ptx.resources"; }
    static constexpr ::llvm::StringLiteral getArchsAttrName() { return "ptx.archs"; }
    /// And those of its parameters.
    static constexpr ::llvm::StringLiteral getTensorMapAttrName() { return "ptx.tensor_map"; }
    static constexpr ::llvm::StringLiteral getTrueLengthAttrName() { return "ptx.true_length"; }
    static constexpr ::llvm::StringLiteral getWorkspaceAttrName() { return "ptx.workspace"; }
    static constexpr ::llvm::StringLiteral getFootprintAttrName() { return "ptx.footprint"; }
  }];
}

class Ptx_Attr<string cppName, string attrMnemonic> : AttrDef<Ptx_Dialect, cppName> {
  let mnemonic = attrMnemonic;
}

def Ptx_LaunchAttr : Ptx_Attr<"Launch", "launch"> {
  let summary = "how a kernel is launched";
  let description = [{
    Grid (blocks in x, y, z), threads of a block (x; kernels are one-dimensional inside), bytes of dynamic
    shared memory, and the cluster (blocks in x, y, z).

    ```mlir
    #ptx.launch<grid = [64, 2, 1], block = 128, shared = 49152, cluster = [2, 1, 1]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$grid,
    "int64_t":$block,
    DefaultValuedParameter<"int64_t", "0">:$shared,
    OptionalArrayRefParameter<"int64_t">:$cluster
  );
  let assemblyFormat = [{
    `<` `grid` `=` `[` $grid `]` `,` `block` `=` $block `` custom<LaunchOptions>($shared, $cluster) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Blocks of the cluster in dimension `dim`; 1 when no cluster is set.
    int64_t clusterDim(unsigned dim) const { return getCluster().empty() ? 1 : getCluster()[dim]; }
    /// Blocks of one cluster.
    int64_t clusterSize() const { return clusterDim(0) * clusterDim(1) * clusterDim(2); }
    /// Blocks of the whole grid.
    int64_t numBlocks() const { return getGrid()[0] * getGrid()[1] * getGrid()[2]; }
  }];
}

def Ptx_ResourcesAttr : Ptx_Attr<"Resources", "resources"> {
  let summary = "what ptxas reported for a kernel";
  let description = [{
    Registers of a thread; bytes of spill stores and loads, of the stack frame, and of static shared memory.

    ```mlir
    #ptx.resources<registers = 40, spill_stores = 0, spill_loads = 0, stack = 0, static_shared = 0>
    ```
  }];
  let parameters = (ins "int64_t":$registers, "int64_t":$spillStores, "int64_t":$spillLoads,
                        "int64_t":$stack, "int64_t":$staticShared);
  let assemblyFormat = [{
    `<` `registers` `=` $registers `,` `spill_stores` `=` $spillStores `,` `spill_loads` `=` $spillLoads `,`
        `stack` `=` $stack `,` `static_shared` `=` $staticShared `>`
  }];
}

def Ptx_TensorMapAttr : Ptx_Attr<"TensorMap", "tensor_map"> {
  let summary = "what a tensor map parameter describes";
  let description = [{
    A tensor map (CUtensorMap) that the runtime encodes when it knows where buffer `of` of the launch lies, and
    again when that moves. The tensor starts `offset` bytes into the buffer; dimension 0 is the innermost and
    contiguous, `strides` are those of dimensions 1 and up, in bytes; `box` is what one copy moves. `swizzle` is
    the span of bytes within which 16-byte chunks are permuted in shared memory (0: none, 32, 64, 128), `l2` the bytes
    that are fetched to L2 around each access (0, 64, 128, 256), `oob` what lies outside (`zero` or `nan`),
    `interleave` 0, 16 or 32 bytes. The limits are those of cuTensorMapEncodeTiled.

    ```mlir
    #ptx.tensor_map<of = 0, element = bf16, dims = [64, 128], strides = [128], box = [64, 64], swizzle = 128, l2 = 128>
    #ptx.tensor_map<of = 1, element = f32, dims = [100, 8, 4], strides = [416, 3328], box = [32, 8, 1],
                    element_strides = [1, 2, 1], offset = 64, oob = nan>
    ```
  }];
  let parameters = (ins
    "int64_t":$of,
    "::mlir::Type":$element,
    ArrayRefParameter<"int64_t">:$dims,
    OptionalArrayRefParameter<"int64_t">:$strides,
    ArrayRefParameter<"int64_t">:$box,
    OptionalArrayRefParameter<"int64_t">:$elementStrides,
    DefaultValuedParameter<"int64_t", "0">:$offset,
    DefaultValuedParameter<"int64_t", "0">:$swizzle,
    DefaultValuedParameter<"int64_t", "0">:$interleave,
    DefaultValuedParameter<"int64_t", "0">:$l2,
    DefaultValuedParameter<"bool", "false">:$nan
  );
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getDims().size(); }
    /// Bytes of one element.
    int64_t elementBytes() const;
    /// Every how many elements of dimension `dim` one is taken.
    int64_t elementStride(unsigned dim) const {
      return getElementStrides().empty() ? 1 : getElementStrides()[dim];
    }
    /// Bytes of the buffer that the map may touch, counted from its start.
    int64_t extentBytes() const;
    /// CUtensorMapDataType, CUtensorMapSwizzle, CUtensorMapInterleave, CUtensorMapL2promotion.
    unsigned driverDataType() const;
    unsigned driverSwizzle() const;
    unsigned driverInterleave() const { return getInterleave() / 16; }
    unsigned driverL2() const;
  }];
}

def Ptx_LoadCache : I32EnumAttr<"LoadCache", "cache operator of a global load (PTX ISA, ld and ld.global.nc)", [
  I32EnumAttrCase<"Default", 0, "default">,
  I32EnumAttrCase<"CA", 1, "ca">,
  I32EnumAttrCase<"CG", 2, "cg">,
  I32EnumAttrCase<"CS", 3, "cs">,
  I32EnumAttrCase<"CV", 4, "cv">,
  I32EnumAttrCase<"NC", 5, "nc">,
  I32EnumAttrCase<"NCNoAllocate", 6, "nc_no_allocate">,
  I32EnumAttrCase<"NoAllocate", 7, "no_allocate">
]> { let cppNamespace = "::tilewright::ptx"; let genSpecializedAttr = 0; }

def Ptx_StoreCache : I32EnumAttr<"StoreCache", "cache operator of a global store (PTX ISA, st)", [
  I32EnumAttrCase<"Default", 0, "default">,
  I32EnumAttrCase<"CG", 1, "cg">,
  I32EnumAttrCase<"CS", 2, "cs">,
  I32EnumAttrCase<"WT", 3, "wt">
]> { let cppNamespace = "::tilewright::ptx"; let genSpecializedAttr = 0; }

def Ptx_Eviction : I32EnumAttr<"Eviction", "eviction priority of lines in L2 (PTX ISA, createpolicy)", [
  I32EnumAttrCase<"First", 0, "evict_first">,
  I32EnumAttrCase<"Last", 1, "evict_last">
]> { let cppNamespace = "::tilewright::ptx"; let genSpecializedAttr = 0; }

def Ptx_MmaType : I32EnumAttr<"MmaType", "element type of an mma operand", [
  I32EnumAttrCase<"E4M3", 0, "e4m3">,
  I32EnumAttrCase<"E5M2", 1, "e5m2">
]> { let cppNamespace = "::tilewright::ptx"; let genSpecializedAttr = 0; }

def Ptx_LoadCacheAttr : EnumAttr<Ptx_Dialect, Ptx_LoadCache, "load_cache"> {
  let assemblyFormat = "`(` $value `)`";
}
def Ptx_StoreCacheAttr : EnumAttr<Ptx_Dialect, Ptx_StoreCache, "store_cache"> {
  let assemblyFormat = "`(` $value `)`";
}
def Ptx_EvictionAttr : EnumAttr<Ptx_Dialect, Ptx_Eviction, "eviction">;
def Ptx_MmaTypeAttr : EnumAttr<Ptx_Dialect, Ptx_MmaType, "mma_type">;

#endif // TILEWRIGHT_DIALECT_PTX_IR_PTXBASE_TD
