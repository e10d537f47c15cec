// A kernel of blocks of 8 warps with nearly all registers that threads can have: a multiprocessor has one block, which waits
// alone. It is divided among twice as many warps (H200, of 2440x17164: 183 us in place of 218), and a remark says so.
// REQUIRES: ptxas
// RUN: tw-compile %s --target=sm_90a --kernel-cache=off --emulation=off --remarks=%t.yaml --report=text -o %t.tw | FileCheck %s
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REMARK
// CHECK: 512 {{ *}}65536
// REMARK: MoreWarps
// REMARK: warps = 8
// REMARK: warps = 16
func.func @main(%x: tensor<2432x17152xf32>, %y: tensor<f32>) -> (tensor<17152x2432xf32>, tensor<17152x2432xf32>, tensor<17152x2432xf32>) {
  %t = graph.transpose %x permutation = [1, 0] : tensor<2432x17152xf32> to tensor<17152x2432xf32>
  %b = graph.broadcast %y dims = [] : tensor<f32> to tensor<17152x2432xf32>
  %s = arith.subf %b, %t : tensor<17152x2432xf32>
  %a = math.absf %t : tensor<17152x2432xf32>
  %one = arith.constant dense<1.0> : tensor<17152x2432xf32>
  %o = arith.addf %a, %one : tensor<17152x2432xf32>
  %q = math.sqrt %o : tensor<17152x2432xf32>
  %d = arith.subf %q, %t : tensor<17152x2432xf32>
  return %d, %q, %s : tensor<17152x2432xf32>, tensor<17152x2432xf32>, tensor<17152x2432xf32>
}
