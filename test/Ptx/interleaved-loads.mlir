// Of an interleaved kernel no load that says so goes through the read-only path, which may hold what was there before another part
// wrote it; the tensor between its parts is neither read-only nor without alias.
// RUN: tw-compile %s --interleave-launches=always --cache-hints=on --emit=target -o - | FileCheck %s
// RUN: tw-compile %s --interleave-launches=off --cache-hints=on --emit=target -o - | FileCheck %s --check-prefix=OFF
// CHECK-LABEL: llvm.func @{{.*}}_then_
// CHECK-NOT: cache(nc
// OFF: cache(nc
func.func @main(%x: tensor<70x16x2x240xf32>) -> (tensor<70x16x2x240xf32>, tensor<70x16x2x240xf32>) {
  %0 = graph.scan sum %x dim = 0 : tensor<70x16x2x240xf32>
  %1 = graph.softmax %0 dim = 3 : tensor<70x16x2x240xf32> to tensor<70x16x2x240xf32>
  return %0, %1 : tensor<70x16x2x240xf32>, tensor<70x16x2x240xf32>
}
