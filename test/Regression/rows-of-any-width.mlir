// A row whose width has a small power of two in it is spread over all threads of its block: each warp once held all
// of it, which took minutes to assemble and spilled.
// REQUIRES: ptxas, emulator
// RUN: tw-compile %s --emit=tile | FileCheck %s
// RUN: tw-compile %s -o %t.tw --emulation=off --merge-launches=off --report=text | FileCheck %s --check-prefix=REPORT
// RUN: tw-check %s --rtol=1e-5 --atol=1e-7
// No warp's bit is without a place in the row, and a thread repeats few elements.
// CHECK: shape=[1,4096], {{.*}}warp={{\[\[}}0,128],[0,256],[0,512],[0,1024]]
// CHECK: shape=[1,3072], {{.*}}repeat=[1,3]
// CHECK: shape=[1,5120], {{.*}}repeat=[1,5]
// REPORT: reduction_divf {{.*}} 3x1x1 {{ *}}512 {{ *[0-9]+}} {{ *[0-9]+}} {{ *}}0 {{ *}}48000
// REPORT-NOT: spilled
func.func @main(%x: tensor<3x4000xf32>, %y: tensor<2x3000xf32>, %z: tensor<2x5003xf32>) -> (tensor<3x4000xf32>, tensor<2x3000xf32>, tensor<2x5003xf32>) {
  %0 = graph.softmax %x dim = 1 : tensor<3x4000xf32> to tensor<3x4000xf32>
  %1 = graph.softmax %y dim = 1 : tensor<2x3000xf32> to tensor<2x3000xf32>
  %2 = graph.softmax %z dim = 1 : tensor<2x5003xf32> to tensor<2x5003xf32>
  return %0, %1, %2 : tensor<3x4000xf32>, tensor<2x3000xf32>, tensor<2x5003xf32>
}
