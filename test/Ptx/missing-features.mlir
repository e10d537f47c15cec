// Warpgroup products, tensor maps and stmatrix exist on some chips alone: elsewhere the error names the kernel, the
// chip and the op, before LLVM or ptxas see it.
// RUN: not tw-assemble %s --arch=sm_80,sm_90,sm_90a --cubins=false 2>&1 | FileCheck %s

// CHECK: missing-features.mlir:[[@LINE+3]]:{{[0-9]+}}: error: kernel 'product' for sm_80: needs warpgroup products (wgmma), which the target has not
// CHECK: missing-features.mlir:[[@LINE+3]]:{{[0-9]+}}: note: first needed here
gpu.module @product {
  llvm.func @product() attributes {nvvm.kernel} {
    nvvm.wgmma.fence.aligned
    llvm.return
  }
}

// CHECK: error: kernel 'product' for sm_90: needs warpgroup products (wgmma), which the target has not
// CHECK-NOT: 'product' for sm_90a

// CHECK: error: kernel 'copy' for sm_80: needs copies by tensor maps, which the target has not
// CHECK-NOT: 'copy' for sm_90
gpu.module @copy {
  llvm.func @copy(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = nvvm.elect.sync -> i1
    llvm.store %0, %out : i1, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK: error: kernel 'fragment' for sm_80: needs stores of fragments (stmatrix), which the target has not
// CHECK-NOT: 'fragment' for sm_90
gpu.module @fragment {
  llvm.func @fragment(%p: !llvm.ptr<3>, %r: i32) attributes {nvvm.kernel} {
    nvvm.stmatrix %p, %r {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>,
                          eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32
    llvm.return
  }
}
