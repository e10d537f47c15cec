// Tensors of one kernel that begin at different places in a vector. The domain begins where most of them do; what does not is loaded
// with both vectors that a thread has a part of, and stored as one that neighbours put together.
// RUN: split-file %s %t
// RUN: tw-compile %t/run.mlir --emit=ptx --emulation=off -o - | FileCheck %s --check-prefix=LONG
// RUN: tw-compile %t/row.mlir --emit=ptx --emulation=off -o - | FileCheck %s --check-prefix=ROW
// RUN: tw-compile %t/halves.mlir --emit=ptx --emulation=off -o - | FileCheck %s --check-prefix=HALVES
// RUN: tw-compile %t/neighbours.mlir --emit=ptx --emulation=off -o - | FileCheck %s --check-prefix=NEIGHBOURS

// Vectors of the padded run begin at the last of a thread's four elements: the lane before gives the first one, and the first lane
// stores three elements in two pieces.
// LONG-NOT: ld.global.f32
// LONG: ld.global.v4.f32
// LONG: shfl.sync.idx
// LONG: st.global.v4.f32
//--- run.mlir
func.func @main(%x: tensor<2930416xf32>) -> (tensor<2930420xf32>, tensor<2930416xf32>, tensor<2930416xf32>) {
  %0 = math.exp %x : tensor<2930416xf32>
  %1 = math.tanh %x : tensor<2930416xf32>
  %2 = graph.pad %0 low = [1] high = [3] value = 0.0 : f32 : tensor<2930416xf32> to tensor<2930420xf32>
  return %2, %1, %0 : tensor<2930420xf32>, tensor<2930416xf32>, tensor<2930416xf32>
}

// ROW: cp.async.cg.shared.global {{.*}}, 16
// ROW-NOT: st.global.f32
// ROW: shfl.sync.idx
//--- row.mlir
func.func @main(%x: tensor<2857x16744xf32>) -> (tensor<2857x16748xf32>, tensor<2857x16744xf32>, tensor<2857x16744xf32>) {
  %0 = graph.pad %x low = [0, 1] high = [0, 3] value = 0.0 : f32 : tensor<2857x16744xf32> to tensor<2857x16748xf32>
  %1 = math.absf %x : tensor<2857x16744xf32>
  %2 = graph.reduce sum %x dims = [1] : tensor<2857x16744xf32> to tensor<2857xf32>
  %3 = graph.broadcast %2 dims = [0] : tensor<2857xf32> to tensor<2857x16744xf32>
  %4 = arith.subf %x, %3 : tensor<2857x16744xf32>
  return %0, %4, %1 : tensor<2857x16748xf32>, tensor<2857x16744xf32>, tensor<2857x16744xf32>
}

// HALVES: shfl.sync.idx
// HALVES: st.global.v4.b32
//--- halves.mlir
func.func @main(%x: tensor<1048576xbf16>, %y: tensor<1048576xbf16>, %z: tensor<1048576xbf16>) -> (tensor<1048576xbf16>, tensor<1048576xbf16>, tensor<700000xbf16>) {
  %0 = arith.addf %x, %y : tensor<1048576xbf16>
  %1 = arith.mulf %0, %z : tensor<1048576xbf16>
  %2 = graph.slice %0 offsets = [5003] strides = [1] : tensor<1048576xbf16> to tensor<700000xbf16>
  %3 = arith.negf %2 : tensor<700000xbf16>
  return %0, %1, %3 : tensor<1048576xbf16>, tensor<1048576xbf16>, tensor<700000xbf16>
}

// Two vectors for each of the views that begin within one.
// NEIGHBOURS: ld.global.nc.v4
// NEIGHBOURS-NOT: ld.global.nc.b32
// NEIGHBOURS: st.global.v4
//--- neighbours.mlir
func.func @main(%x: tensor<16777219xf32>) -> (tensor<16777216xf32>, tensor<16777216xf32>) {
  %0 = graph.slice %x offsets = [0] strides = [1] : tensor<16777219xf32> to tensor<16777216xf32>
  %1 = graph.slice %x offsets = [1] strides = [1] : tensor<16777219xf32> to tensor<16777216xf32>
  %2 = graph.slice %x offsets = [3] strides = [1] : tensor<16777219xf32> to tensor<16777216xf32>
  %3 = arith.subf %1, %0 : tensor<16777216xf32>
  %4 = arith.mulf %2, %1 : tensor<16777216xf32>
  return %3, %4 : tensor<16777216xf32>, tensor<16777216xf32>
}
