// convert-tile-to-llvm, elementwise ops: the same op once per register, whatever the layout.
// RUN: tw-opt %s --convert-tile-to-llvm --canonicalize --cse | FileCheck %s

#two = #tile.layout<"{shape=[64], register=[[1]], lane=[[2],[4],[8],[16],[32]], warp=[]}">
!x = !tile.view<f32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
!m = !tile.view<i1, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">

// A kernel is a module with one function; its launch is an attribute.
// CHECK-LABEL: gpu.module @two_registers
// CHECK: llvm.func @two_registers(
// CHECK-SAME: nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>, ptx.launch = #ptx.launch<grid = [1, 1, 1], block = 32>
// CHECK-COUNT-2: math.exp %{{.*}} : f32
// CHECK-NOT: math.exp
// CHECK-COUNT-2: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.mulf
tile.kernel @two_registers grid = [1, 1, 1] warps = 1 (%x: !x, %y: !x) {
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<2.0> : tensor<64xf32, #two>
  %0 = tile.load %x[%c0] divisors = [0] in_bounds = [true] : !x -> tensor<64xf32, #two>
  %1 = math.exp %0 : tensor<64xf32, #two>
  %2 = arith.mulf %1, %two : tensor<64xf32, #two>
  tile.store %2, %y[%c0] divisors = [0] in_bounds = [true] : tensor<64xf32, #two>, !x
  tile.return
}

// Booleans lie in memory as bytes.
// CHECK-LABEL: llvm.func @booleans
// CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> {{i16|vector<2xi8>}}
// CHECK-COUNT-2: arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
tile.kernel @booleans grid = [1, 1, 1] warps = 1 (%m: !m, %y: !x) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32, #two>
  %zero = arith.constant dense<0.0> : tensor<64xf32, #two>
  %0 = tile.load %m[%c0] divisors = [0] in_bounds = [true] : !m -> tensor<64xi1, #two>
  %1 = arith.select %0, %one, %zero : tensor<64xi1, #two>, tensor<64xf32, #two>
  tile.store %1, %y[%c0] divisors = [0] in_bounds = [true] : tensor<64xf32, #two>, !x
  tile.return
}

// Coordinates: what lane and register contribute, added to the start of the tile.
// CHECK-LABEL: llvm.func @coordinates
// CHECK-DAG: %[[LANE:.*]] = arith.andi %{{.*}}, %c31
// CHECK: %[[EVEN:.*]] = arith.muli %[[LANE]], %c2
// CHECK: arith.addi %[[EVEN]], %c1
tile.kernel @coordinates grid = [1, 1, 1] warps = 1 (%y: !tile.view<i32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">) {
  %c0 = arith.constant 0 : index
  %0 = tile.iota dim = 0 from %c0 : tensor<64xi32, #two>
  tile.store %0, %y[%c0] divisors = [0] in_bounds = [true] : tensor<64xi32, #two>, !tile.view<i32, "{offset=0, dims=[{extent=64, modes=[[64,1]]}]}">
  tile.return
}

// Whether some element of a warp is true: a thread's own ones, then a vote.
// CHECK-LABEL: llvm.func @some
// CHECK: %[[OWN:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK: nvvm.vote.sync any %{{.*}}, %[[OWN]] -> i1
tile.kernel @some grid = [1, 1, 1] warps = 1 (%m: !m, %y: !x) {
  %c0 = arith.constant 0 : index
  %one = arith.constant dense<1.0> : tensor<64xf32, #two>
  %zero = arith.constant dense<0.0> : tensor<64xf32, #two>
  %0 = tile.load %m[%c0] divisors = [0] in_bounds = [true] : !m -> tensor<64xi1, #two>
  %1 = tile.any %0 : tensor<64xi1, #two>
  %2 = arith.select %1, %one, %zero : tensor<64xf32, #two>
  tile.store %2, %y[%c0] divisors = [0] in_bounds = [true] : tensor<64xf32, #two>, !x
  tile.return
}
