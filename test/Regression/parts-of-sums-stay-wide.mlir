// Parts of a product's sums are stored as they are summed, in fp32, also where values between kernels are bf16: rounded
// parts gave results that were half a percent off. So are those that a rest joins, and those that are merged in pairs
// where the result is read.
// RUN: tw-compile %s --precision=bf16 --emit=fuse -o - | FileCheck %s

// CHECK-LABEL: plan.program @columns
// CHECK: plan.launch {{.*}} -> tensor<{{[0-9]+}}x2xf32>
// CHECK: plan.launch {{.*}} -> tensor<2xbf16>
func.func @columns(%a: tensor<1x73681xbf16>, %b: tensor<73681x2xbf16>) -> tensor<1x2xbf16> {
  %r = graph.matmul %a, %b : tensor<1x73681xbf16>, tensor<73681x2xbf16> to tensor<1x2xf32>
  %s = arith.truncf %r : tensor<1x2xf32> to tensor<1x2xbf16>
  return %s : tensor<1x2xbf16>
}

// CHECK-LABEL: plan.program @columns_with_a_rest
// CHECK: plan.launch {{.*}} -> tensor<{{[0-9]+}}x401xf32>
// CHECK: plan.launch {{.*}} -> tensor<401xbf16>
func.func @columns_with_a_rest(%a: tensor<1x20011xbf16>, %b: tensor<20011x401xbf16>) -> tensor<401xbf16> {
  %0 = graph.matmul %a, %b : tensor<1x20011xbf16>, tensor<20011x401xbf16> to tensor<1x401xf32>
  %1 = graph.reshape %0 : tensor<1x401xf32> to tensor<401xf32>
  %2 = arith.truncf %1 : tensor<401xf32> to tensor<401xbf16>
  return %2 : tensor<401xbf16>
}

// CHECK-LABEL: plan.program @merged_in_pairs
// CHECK: plan.launch {{.*}} -> tensor<40x{{[0-9]+}}xf32>
// CHECK: plan.launch {{.*}} -> tensor<40xbf16>
func.func @merged_in_pairs(%x: tensor<40x200000xbf16>) -> tensor<40xbf16> {
  %0 = arith.extf %x : tensor<40x200000xbf16> to tensor<40x200000xf32>
  %1 = graph.reduce sum %0 dims = [1] : tensor<40x200000xf32> to tensor<40xf32>
  %2 = math.sqrt %1 : tensor<40xf32>
  %3 = arith.truncf %2 : tensor<40xf32> to tensor<40xbf16>
  return %3 : tensor<40xbf16>
}
