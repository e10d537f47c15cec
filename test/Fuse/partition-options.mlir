// The options of fuse-partition-kernels, by the difference that they make, and what becomes of a function's attributes.
// RUN: tw-opt %s --fuse-partition-kernels | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: tw-opt %s --fuse-partition-kernels=max-inputs=2 | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: tw-opt %s --fuse-partition-kernels="max-inputs=2 storage=bf16" | FileCheck %s --check-prefix=BF16
// RUN: not tw-opt %s --fuse-partition-kernels=storage=fp8 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown storage type 'fp8', expected fp32, bf16 or fp16

// Names, symbols and the bucket of the function are the program's.
// CHECK-LABEL: plan.program @main
// CHECK-SAME: {plan.name = "a", plan.symbols = ["batch"]}
// CHECK-SAME: bucket = [#plan.dim<"batch", 8>]
// One kernel reads as many tensors as it likes, or two of them.
// WIDE: plan.launch @addf_mulf(%{{.*}}, %{{.*}}, %{{.*}})
// WIDE-NOT: plan.launch
// FEW: %[[S:.*]] = plan.launch @addf(%{{.*}}, %{{.*}}) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// FEW: plan.launch @mulf(%[[S]], %{{.*}})
// Between kernels fp32 values are rounded; inputs and outputs keep their types, arithmetic is in fp32.
// BF16: plan.launch @addf(%{{.*}}, %{{.*}}) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xbf16>
// BF16: plan.launch @mulf(%{{.*}}, %{{.*}}) : (tensor<8xbf16>, tensor<8xf32>) -> tensor<8xf32>
// BF16: graph.kernel anchor(elementwise) @addf
// BF16: arith.addf %{{.*}}, %{{.*}} : tensor<8xf32>
// BF16-NEXT: arith.truncf
// BF16: graph.kernel anchor(elementwise) @mulf
// BF16-NEXT: arith.extf
// BF16-NEXT: arith.mulf %{{.*}}, %{{.*}} : tensor<8xf32>
func.func @main(%a: tensor<8xf32> {graph.name = "a", graph.symbols = ["batch"]}, %b: tensor<8xf32> {graph.name = "b"},
                %c: tensor<8xf32> {graph.name = "c"}) -> (tensor<8xf32> {graph.name = "y"})
    attributes {plan.bucket = [#plan.dim<"batch", 8>]} {
  %0 = arith.addf %a, %b : tensor<8xf32>
  %1 = arith.mulf %0, %c : tensor<8xf32>
  return %1 : tensor<8xf32>
}
