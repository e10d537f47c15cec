// What the tensor map attribute and the parameters of kernels reject.
// RUN: tw-opt %s --split-input-file --verify-diagnostics

// tensor_map_c1
// expected-error@+1 {{a tensor map has 1 to 5 dimensions, got 6}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4, 1, 1, 1, 1, 1], strides = [16, 16, 16, 16, 16], box = [4, 1, 1, 1, 1, 1]>}

// -----

// tensor_map_c2
// expected-error@+1 {{a tensor map of 2 dimensions has 1 strides and a box of 2, got 0 strides, 2 in the box and 0 element strides}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4, 4], box = [4, 4]>}

// -----

// tensor_map_c3
// expected-error@+1 {{a tensor map has no elements of type 'i1'}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = i1, dims = [4], box = [4]>}

// -----

// tensor_map_c4
// expected-error@+1 {{swizzle 256 (0, 32, 64, 128), interleave 0 (0, 16, 32) or l2 0 (0, 64, 128, 256) is not possible}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [4], swizzle = 256>}

// -----

// tensor_map_c5
// expected-error@+1 {{an interleaved tensor map has 3 to 5 dimensions, got 1}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [4], interleave = 16>}

// -----

// tensor_map_c5_swizzle
// expected-error@+1 {{interleave 32 goes with swizzle 32, got 64}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4, 4, 4], strides = [32, 128], box = [4, 4, 4], interleave = 32, swizzle = 64>}

// -----

// tensor_map_c6
// expected-error@+1 {{elements of type 'i32' have no NaN to fill with}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = i32, dims = [4], box = [4], oob = nan>}

// -----

// tensor_map_c7
// expected-error@+1 {{offset 8 in buffer 0 is not a multiple of 16}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [4], offset = 8>}

// -----

// tensor_map_c8
// expected-error@+1 {{dimension 1 of 0 elements is not within 1 to 2^32}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4, 0], strides = [16], box = [4, 1]>}

// -----

// tensor_map_c9
// expected-error@+1 {{box of 257 elements in dimension 0 is not within 1 to 256}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = i8, dims = [400], box = [257]>}

// -----

// tensor_map_c10
// expected-error@+1 {{element stride 9 in dimension 0 is not within 1 to 8}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [4], element_strides = [9]>}

// -----

// tensor_map_c11
// expected-error@+1 {{stride of 24 bytes in dimension 1 is not a multiple of 16 below 2^40}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [6, 4], strides = [24], box = [4, 4]>}

// -----

// tensor_map_c12
// expected-error@+1 {{the box has 12 bytes in dimension 0, not a multiple of 16}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [3]>}

// -----

// tensor_map_c13
// expected-error@+1 {{the box has 128 bytes in dimension 0, more than the swizzle's 64}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = bf16, dims = [64], box = [64], swizzle = 64>}

// -----

// unknown_key
// expected-error@+1 {{a tensor map has no 'stride'}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4], stride = [4], box = [4]>}

// -----

// fill
// expected-error@+1 {{expected 'zero' or 'nan', got 'one'}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [4], oob = one>}

// -----

// missing
// expected-error@+1 {{a tensor map has 'of', 'element', 'dims' and 'box'}}
llvm.func @f() attributes {test = #ptx.tensor_map<of = 0, element = f32, dims = [4]>}

// -----

// tensor_map_c14
// expected-error@+1 {{parameter 0: 'ptx.tensor_map' must be #ptx.tensor_map<…>, got 3 : i64}}
llvm.func @f(%m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant, ptx.tensor_map = 3}) attributes {nvvm.kernel} { llvm.return }

// -----

// tensor_map_c15
// expected-error@+1 {{parameter 0 has 'ptx.tensor_map', so it must be a pointer with llvm.byval = !llvm.array<128 x i8>, llvm.align of 64 and nvvm.grid_constant}}
llvm.func @f(%m: !llvm.ptr {llvm.byval = !llvm.array<64 x i8>, llvm.align = 64 : i64, nvvm.grid_constant, ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [4]>}) attributes {nvvm.kernel} { llvm.return }

// -----

// tensor_map_c15
// expected-error@+1 {{parameter 0 has 'ptx.tensor_map', so it must be a pointer with llvm.byval = !llvm.array<128 x i8>, llvm.align of 64 and nvvm.grid_constant}}
llvm.func @f(%m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 16 : i64, nvvm.grid_constant, ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [4]>}) attributes {nvvm.kernel} { llvm.return }

// -----

// tensor_map_c15
// expected-error@+1 {{parameter 0 has 'ptx.tensor_map', so it must be a pointer with llvm.byval = !llvm.array<128 x i8>, llvm.align of 64 and nvvm.grid_constant}}
llvm.func @f(%m: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, ptx.tensor_map = #ptx.tensor_map<of = 0, element = f32, dims = [4], box = [4]>}) attributes {nvvm.kernel} { llvm.return }

// -----

// true_length_c1
// expected-error@+1 {{parameter 0: 'ptx.true_length' names a dimension on an i32 or i64, got "seq" on 'f32'}}
llvm.func @f(%m: f32 {ptx.true_length = "seq"}) { llvm.return }

// -----

// expected-error@+1 {{the ptx dialect has no attribute 'ptx.map' for parameters}}
llvm.func @f(%m: f32 {ptx.map = "seq"}) { llvm.return }

// -----

// footprint_c1: two terms are announced, one is there
// expected-error@+1 {{parameter 0: 'ptx.footprint' must be an array of accesses (Footprint.h), got}}
llvm.func @f(%x: !llvm.ptr<1> {ptx.footprint = [array<i64: 0, 4, 0, 0, 124, 2, 4, 32, 0>]}) { llvm.return }

// -----

// archs_c1
// expected-error@+1 {{attribute 'ptx.archs' must be a non-empty array of strings, got []}}
llvm.func @f() attributes {ptx.archs = []} { llvm.return }
