// Remarks: every decision with its reason, at the source node, in an order that does not depend on threads.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/a.tw --remarks=%t/a.yaml --jobs=1 --precision=ieee
// RUN: tw-compile %s -o %t/b.tw --remarks=%t/b.yaml --jobs=4 --precision=ieee
// RUN: cmp %t/a.yaml %t/b.yaml
// RUN: FileCheck %s --input-file=%t/a.yaml
// RUN: tw-compile %s -o %t/c.tw --remarks=%t/c.yaml && FileCheck %s --input-file=%t/c.yaml --check-prefix=SPLIT

// Taken and refused: the sum joins the product's kernel, the second product does not.
// CHECK: --- !Passed
// CHECK-NEXT: Pass:            fuse
// CHECK-NEXT: Name:            Fused
// CHECK-NEXT: DebugLoc:        { File: remarks.mlir, Line: {{[0-9]+}}, Column: {{[0-9]+}} }
// CHECK-NEXT: Function:        main
// CHECK-NEXT: Args:
// CHECK-NEXT: - op:              '/bias'
// CHECK: - anchor:          '/product'
// CHECK: - bytes:           '16384'
// CHECK: --- !Missed
// CHECK: Name:            FusionRefused
// CHECK: - op:              '/second'
// CHECK: - reason:          a product starts a kernel
// CHECK: Name:            MmaChosen
// CHECK: - type:            bf16
// CHECK: Name:            MmaRefused
// CHECK: - type:            f32
// CHECK: Name:            RingStages
// CHECK: Name:            VectorWidth
// CHECK: - bits:            '{{32|64|128}}'
// CHECK: Name:            Resources
// CHECK: - arch:            sm_90a
// CHECK: Name:            ArenaPlanned
// CHECK: - bytes:           '16384'
// SPLIT: Name: {{ *}}MmaChosen
// SPLIT: - type: {{ *}}f32 as three of tf32
func.func @main(%a: tensor<64x256xbf16> {graph.name = "a"}, %b: tensor<256x64xbf16> {graph.name = "b"},
                %c: tensor<64x64xf32> {graph.name = "c"}) -> (tensor<64x64xf32> {graph.name = "y"}) {
  %0 = graph.matmul %a, %b : tensor<64x256xbf16>, tensor<256x64xbf16> to tensor<64x64xf32> loc("/product"("remarks.mlir":1:1))
  %1 = arith.addf %0, %c : tensor<64x64xf32> loc("/bias"("remarks.mlir":2:1))
  %2 = graph.matmul %1, %c : tensor<64x64xf32>, tensor<64x64xf32> to tensor<64x64xf32> loc("/second"("remarks.mlir":3:1))
  return %2 : tensor<64x64xf32>
}
