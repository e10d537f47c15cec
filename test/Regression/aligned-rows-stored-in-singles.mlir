// Rows of 9250 fp32 begin at pairs, each second one within 16 bytes; what is stored of them beside other rows begins
// elsewhere. Gone over from multiples of 16 bytes, all that is loaded and stored was in single elements, which took longer
// than pairs (H200, a program with five such results: 400 us, 326 so).
// RUN: tw-compile %s --target=sm_90a --stop-after=tile -o - | FileCheck %s
// CHECK: tile.kernel
// CHECK-NOT: align_rows
// CHECK: tile.store {{.*}} register={{\[}}[0,1]
// CHECK: tile.store {{.*}} register={{\[}}[0,1]
func.func @main(%x: tensor<48x96x9250xf32>, %y: tensor<9250xf32>) -> (tensor<48x96x18500xf32>, tensor<48x96x9250xf32>, tensor<48x96x9250xf32>) {
  %s = graph.reduce sum %x dims = [2] : tensor<48x96x9250xf32> to tensor<48x96xf32>
  %b = graph.broadcast %s dims = [0, 1] : tensor<48x96xf32> to tensor<48x96x9250xf32>
  %d = arith.subf %x, %b : tensor<48x96x9250xf32>
  %t = math.tanh %d : tensor<48x96x9250xf32>
  %r = graph.broadcast %y dims = [2] : tensor<9250xf32> to tensor<48x96x9250xf32>
  %c = graph.concat %d, %r dim = 2 : tensor<48x96x9250xf32>, tensor<48x96x9250xf32> to tensor<48x96x18500xf32>
  %e = math.exp %t : tensor<48x96x9250xf32>
  return %c, %t, %e : tensor<48x96x18500xf32>, tensor<48x96x9250xf32>, tensor<48x96x9250xf32>
}
