// Behind ptxas the forms of a program are compared: sums of columns and maxima of rows of one tensor, as two kernels that read it
// one after the other, or in pieces whose blocks read it together.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/auto.tw --emulation=off --remarks=%t/remarks.yaml --report=text --dump-stages=%t/stages | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/remarks.yaml
// RUN: FileCheck %s --check-prefix=FUSE --input-file=%t/stages/02-fuse.mlir
// What is chosen is written down as a flag: the same package.
// RUN: tw-compile %s -o %t/pieces.tw --emulation=off --form=many-pieces && cmp %t/auto.tw %t/pieces.tw
// RUN: tw-compile %s -o %t/plain.tw --emulation=off --form=plain --report=text | FileCheck %s --check-prefix=PLAIN
// Stages before ptxas know no better.
// RUN: tw-compile %s --stop-after=fuse -o %t/fuse.mlir
// RUN: tw-compile %s --stop-after=fuse --form=plain -o %t/plain.mlir && cmp %t/fuse.mlir %t/plain.mlir
// RUN: not tw-compile %s -o %t/none.tw --form=many-pieces+few 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: interleaved in {{[0-9]+}} slices
// PLAIN-NOT: interleaved
// PLAIN: main: 2 launches
// REMARK: Name: FormChosen
// REMARK: form: many-pieces
// FUSE: reduce sum {{.*}} dims = [1] : tensor<16x1024x4096xf32> to tensor<16x4096xf32>
// ERROR: tw-compile: error: --form=many-pieces+few is no form: auto, plain, or some of many-pieces, no-clusters,
func.func @main(%x: tensor<16384x4096xf32>) -> (tensor<4096xf32>, tensor<16384xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<16384x4096xf32> to tensor<4096xf32>
  %1 = graph.reduce max %x dims = [1] : tensor<16384x4096xf32> to tensor<16384xf32>
  return %0, %1 : tensor<4096xf32>, tensor<16384xf32>
}
