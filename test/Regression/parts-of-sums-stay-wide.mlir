// Parts of a product's sums are stored as they are summed, in fp32, also where values between kernels are bf16: rounded
// parts gave results that were half a percent off.
// RUN: tw-compile %s --precision=bf16 --emit=fuse -o - | FileCheck %s
// CHECK: graph.kernel anchor(reduction) {{.*}} -> tensor<115x2xf32>
// CHECK: graph.kernel anchor(reduction) {{.*}} -> tensor<2xbf16>
func.func @main(%a: tensor<1x7368xbf16>, %b: tensor<7368x2xbf16>) -> tensor<1x2xbf16> {
  %r = graph.matmul %a, %b : tensor<1x7368xbf16>, tensor<7368x2xbf16> to tensor<1x2xf32>
  %s = arith.truncf %r : tensor<1x2xf32> to tensor<1x2xbf16>
  return %s : tensor<1x2xbf16>
}
