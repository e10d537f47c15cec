// Products of bytes are summed in 32 bits whatever the result has (fewer bits are those of the sum, more are enough up to
// K = 131071), and products of 16-bit floats in fp32 where the result is fp64: warpgroups had no form for the others, and casts
// went the wrong way.
// RUN: tw-check %s --target=sm_90a | FileCheck %s
// CHECK: 4 programs right, 0 wrong
func.func @bytes(%x: tensor<192x256xi8>, %w: tensor<256x128xi8>) -> tensor<192x128xi8> {
  %p = graph.matmul %x, %w : tensor<192x256xi8>, tensor<256x128xi8> to tensor<192x128xi8>
  return %p : tensor<192x128xi8>
}
func.func @halves(%x: tensor<192x256xi8>, %w: tensor<256x128xi8>) -> tensor<192x128xi16> {
  %p = graph.matmul %x, %w : tensor<192x256xi8>, tensor<256x128xi8> to tensor<192x128xi16>
  return %p : tensor<192x128xi16>
}
func.func @doubles(%x: tensor<192x256xi8>, %w: tensor<256x128xi8>) -> tensor<192x128xi64> {
  %p = graph.matmul %x, %w : tensor<192x256xi8>, tensor<256x128xi8> to tensor<192x128xi64>
  return %p : tensor<192x128xi64>
}
func.func @floats(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xf64> {
  %p = graph.matmul %x, %w : tensor<64x64xbf16>, tensor<64x64xbf16> to tensor<64x64xf64>
  return %p : tensor<64x64xf64>
}
