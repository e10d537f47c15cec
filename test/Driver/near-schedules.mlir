// Columns that are held whole, with a softmax and a mean: the instructions of 16 warps take longer than the bytes. The same
// tile by half as many threads, which have twice as much each, takes fewer of them (H200: 130 us, 106 so), and a remark
// says so. A schedule that the program gives stays.
// REQUIRES: ptxas
// RUN: tw-compile %s --target=sm_90a --kernel-cache=off --emulation=off --remarks=%t.yaml --report=text -o %t.tw | FileCheck %s
// RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REMARK
// CHECK: reduction_truncf {{.*}} 256 {{.*}} rule
// REMARK: NearScheduleTaken
// REMARK: usual: {{.*}}tile = [112, 128], reduce = 1, warps = 16
// REMARK: schedule: {{.*}}tile = [112, 128], reduce = 1, warps = 8
// RUN: tw-compile %s --target=sm_90a --stop-after=fuse -o - | sed 's/\(@reduction_truncf.*\) {$/\1 attributes {tile.schedule = #tile.schedule<tile = [112, 128], reduce = 1, warps = 16, warp_grid = [1, 16], stages = 1>} {/' > %t.given.mlir
// RUN: tw-compile %t.given.mlir --target=sm_90a --kernel-cache=off --emulation=off --remarks=%t.given.yaml --report=text -o %t.tw | FileCheck %s --check-prefix=GIVEN
// RUN: FileCheck %s --input-file=%t.given.yaml --check-prefix=NONE --allow-empty
// GIVEN: reduction_truncf {{.*}} 512 {{.*}} program
// NONE-NOT: NearScheduleTaken
func.func @main(%x: tensor<102x418960xbf16>, %y: tensor<418960xbf16>) -> (tensor<102x418960xbf16>, tensor<102x418960xbf16>, tensor<102x418960xbf16>) {
  %w = arith.extf %x : tensor<102x418960xbf16> to tensor<102x418960xf32>
  %s = graph.reduce sum %w dims = [0] : tensor<102x418960xf32> to tensor<418960xf32>
  %n = arith.constant dense<0.00980392169> : tensor<418960xf32>
  %m = arith.mulf %s, %n : tensor<418960xf32>
  %b = graph.broadcast %m dims = [1] : tensor<418960xf32> to tensor<102x418960xf32>
  %c = arith.subf %w, %b : tensor<102x418960xf32>
  %v = arith.extf %y : tensor<418960xbf16> to tensor<418960xf32>
  %d = graph.broadcast %v dims = [1] : tensor<418960xf32> to tensor<102x418960xf32>
  %a = math.absf %d : tensor<102x418960xf32>
  %one = arith.constant dense<1.0> : tensor<102x418960xf32>
  %o = arith.addf %a, %one : tensor<102x418960xf32>
  %q = arith.divf %w, %o : tensor<102x418960xf32>
  %p = graph.softmax %w dim = 0 : tensor<102x418960xf32> to tensor<102x418960xf32>
  %r0 = arith.truncf %p : tensor<102x418960xf32> to tensor<102x418960xbf16>
  %r1 = arith.truncf %q : tensor<102x418960xf32> to tensor<102x418960xbf16>
  %r2 = arith.truncf %c : tensor<102x418960xf32> to tensor<102x418960xbf16>
  return %r0, %r1, %r2 : tensor<102x418960xbf16>, tensor<102x418960xbf16>, tensor<102x418960xbf16>
}
