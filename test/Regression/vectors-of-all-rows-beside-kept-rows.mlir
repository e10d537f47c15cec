// What all rows share took as much shared memory as the rows that blocks keep, so that a multiprocessor had one block where two had been
// counted with, or the place of the rows themselves (a random program of an H200, memory-378331: 690 us, 604 since).
// RUN: tw-compile %s --target=sm_90a --emit=schedule -o - | FileCheck %s --implicit-check-not='tile.alloc offset = {{[1-9]}}'

// The rows, in four parts; the vector is loaded again in each pass.
// CHECK: tile.kernel @{{.*}}tile.cluster = 4
// CHECK: tile.alloc offset = 0 {{.*}}shape=[1,4096]
// CHECK: tile.copy_async
// CHECK: tile.load %
func.func @main(%x: tensor<881x51496xf32>, %s: tensor<51496xf32>) -> tensor<881x51496xf32> {
  %b = graph.broadcast %s dims = [1] : tensor<51496xf32> to tensor<881x51496xf32>
  %e = math.exp %b : tensor<881x51496xf32>
  %y = arith.mulf %x, %e : tensor<881x51496xf32>
  %n = graph.layer_norm %y dim = 1 epsilon = 1.0e-05 : tensor<881x51496xf32> to tensor<881x51496xf32>
  return %n : tensor<881x51496xf32>
}
