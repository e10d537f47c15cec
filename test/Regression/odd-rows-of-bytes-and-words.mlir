// Operands of 8 and of 32 bits whose rows begin anywhere are copied to rows that the tensor memory accelerator can copy, as those
// of 16 bits are: such products ran without tensor cores (H200, tw-run --benchmark of int8 2049x4097x4099: 3757
// us, 135 with the copies).
// RUN: tw-compile %s --target=sm_90a --emit=tile -o - | FileCheck %s
// RUN: tw-check %s --target=sm_90a --atol=1e-5 | FileCheck %s --check-prefix=VALUES
// VALUES: 3 programs right, 0 wrong

// CHECK: tile.kernel @pad
// CHECK: product = wgmma
// CHECK: product = wgmma
// CHECK: product = wgmma
func.func @bytes(%x: tensor<257x1025xi8>, %w: tensor<1025x1027xi8>) -> tensor<257x1027xi32> {
  %p = graph.matmul %x, %w : tensor<257x1025xi8>, tensor<1025x1027xi8> to tensor<257x1027xi32>
  return %p : tensor<257x1027xi32>
}
func.func @floats_of_8_bits(%x: tensor<257x1025xf8E4M3FN>, %w: tensor<1025x1027xf8E4M3FN>) -> tensor<257x1027xbf16> {
  %p = graph.matmul %x, %w : tensor<257x1025xf8E4M3FN>, tensor<1025x1027xf8E4M3FN> to tensor<257x1027xbf16>
  return %p : tensor<257x1027xbf16>
}
func.func @words(%x: tensor<257x1025xf32>, %w: tensor<1025x1027xf32>) -> tensor<257x1027xf32> {
  %p = graph.matmul %x, %w : tensor<257x1025xf32>, tensor<1025x1027xf32> to tensor<257x1027xf32>
  return %p : tensor<257x1027xf32>
}
