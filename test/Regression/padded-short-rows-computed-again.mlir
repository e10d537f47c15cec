// Short rows that are padded beside others that need them unpadded: what the pad reads was stored in fp32, twice the bytes of the tensor
// that it is computed of, since its kernel "would load parts of short rows", as it does of what is stored (memory-319514 of the random
// programs on an H200: 200 us, computed again 175).
// RUN: tw-compile %s --target=sm_90a --precision=bf16 --stop-after=fuse -o - | FileCheck %s
// RUN: tw-check %s --target=sm_90a --quiet --rtol=2e-2

// CHECK: plan.program @main
// CHECK: plan.launch {{.*}} : (tensor<1600x96x14xbf16>) -> {{.*}}tensor<1600x96x18xbf16>
// CHECK-NOT: tensor<1600x96x14xf32>)
// CHECK: plan.return
func.func @main(%x: tensor<1600x96x14xbf16>) -> (tensor<1600x96x18xbf16>, tensor<1600x96x14xbf16>, tensor<1600x96x14xbf16>) {
  %one = arith.constant dense<1.0> : tensor<1600x96x14xf32>
  %w = arith.extf %x : tensor<1600x96x14xbf16> to tensor<1600x96x14xf32>
  %a = math.absf %w : tensor<1600x96x14xf32>
  %b = arith.addf %a, %one : tensor<1600x96x14xf32>
  %r = math.rsqrt %b : tensor<1600x96x14xf32>
  %s = graph.scan sum %a dim = 2 : tensor<1600x96x14xf32>
  %d = arith.addf %r, %a : tensor<1600x96x14xf32>
  %p = graph.pad %r low = [0, 0, 1] high = [0, 0, 3] value = 0.0 : f32 : tensor<1600x96x14xf32> to tensor<1600x96x18xf32>
  %0 = arith.truncf %p : tensor<1600x96x18xf32> to tensor<1600x96x18xbf16>
  %1 = arith.truncf %d : tensor<1600x96x14xf32> to tensor<1600x96x14xbf16>
  %2 = arith.truncf %s : tensor<1600x96x14xf32> to tensor<1600x96x14xbf16>
  return %0, %1, %2 : tensor<1600x96x18xbf16>, tensor<1600x96x14xbf16>, tensor<1600x96x14xbf16>
}
