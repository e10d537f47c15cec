// The domain of a kernel and the views of its values: seeded at the anchor, pulled through movement, refused with a reason.
// RUN: tw-opt %s --print-kernel-indexing -o /dev/null 2>&1 | FileCheck %s

// A reduction's domain is its operand; its result does not move along the reduced dimension, nor does the bias along
// the kept one.
// CHECK-LABEL: kernel @center: anchor reduction (graph.reduce), domain [8, 16 reduced]
// CHECK-NEXT: #0 graph.reduce : {offset=0, dims=[{extent=8, modes={{\[\[}}8,1]]}, {extent=16, modes={{\[\[}}16,0]]}]}
// CHECK-NEXT:   argument 0 : {offset=0, dims=[{extent=8, modes={{\[\[}}8,16]]}, {extent=16, modes={{\[\[}}16,1]]}]}
// CHECK-NEXT: #1 arith.subf : {offset=0, dims=[{extent=8, modes={{\[\[}}8,16]]}, {extent=16, modes={{\[\[}}16,1]]}]}
// CHECK-NEXT:   argument 0 : {offset=0, dims=[{extent=8, modes={{\[\[}}8,16]]}, {extent=16, modes={{\[\[}}16,1]]}]}
// CHECK-NEXT:   #0 : {offset=0, dims=[{extent=8, modes={{\[\[}}8,1]]}, {extent=16, modes={{\[\[}}16,0]]}]}
// CHECK-NEXT: #2 arith.addf
// CHECK-NEXT:   #1
// CHECK-NEXT:   argument 1 : {offset=0, dims=[{extent=8, modes={{\[\[}}8,0]]}, {extent=16, modes={{\[\[}}16,1]]}]}
graph.kernel anchor(reduction) @center(%x: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<8x16xf32> to tensor<8xf32>
  %1 = graph.broadcast %0 dims = [0] : tensor<8xf32> to tensor<8x16xf32>
  %2 = arith.subf %x, %1 : tensor<8x16xf32>
  %3 = graph.broadcast %b dims = [1] : tensor<16xf32> to tensor<8x16xf32>
  %4 = arith.addf %2, %3 : tensor<8x16xf32>
  graph.return %4 : tensor<8x16xf32>
}

// The operands of a matmul are indexed by [M, K] and [K, N]; a transpose before it is strides.
// CHECK-LABEL: kernel @mm: anchor matmul (graph.matmul), domain [4, 6]
// CHECK-NEXT: #0 graph.matmul : {offset=0, dims=[{extent=4, modes={{\[\[}}4,6]]}, {extent=6, modes={{\[\[}}6,1]]}]}
// CHECK-NEXT:   argument 0 : {offset=0, dims=[{extent=4, modes={{\[\[}}4,8]]}, {extent=8, modes={{\[\[}}8,1]]}]}
// CHECK-NEXT:   argument 1 : {offset=0, dims=[{extent=8, modes={{\[\[}}8,1]]}, {extent=6, modes={{\[\[}}6,8]]}]}
// CHECK-NEXT: #1 math.exp
// CHECK-NEXT:   #0
graph.kernel anchor(matmul) @mm(%a: tensor<4x8xf32>, %b: tensor<6x8xf32>) -> tensor<4x6xf32> {
  %0 = graph.transpose %b permutation = [1, 0] : tensor<6x8xf32> to tensor<8x6xf32>
  %1 = graph.matmul %a, %0 : tensor<4x8xf32>, tensor<8x6xf32> to tensor<4x6xf32>
  %2 = math.exp %1 : tensor<4x6xf32>
  graph.return %2 : tensor<4x6xf32>
}

// Splitting a dimension and slicing shows as nested strides and an offset.
// CHECK-LABEL: kernel @heads: anchor elementwise (math.exp), domain [2, 3, 4]
// CHECK-NEXT: #0 math.exp
// CHECK-NEXT:   argument 0 : {offset=8, dims=[{extent=2, modes={{\[\[}}2,4]]}, {extent=3, modes={{\[\[}}3,16]]}, {extent=4, modes={{\[\[}}4,1]]}]}
graph.kernel anchor(elementwise) @heads(%x: tensor<3x16xf32>) -> tensor<2x3x4xf32> {
  %0 = graph.slice %x offsets = [0, 8] strides = [1, 1] : tensor<3x16xf32> to tensor<3x8xf32>
  %1 = graph.reshape %0 : tensor<3x8xf32> to tensor<3x2x4xf32>
  %2 = graph.transpose %1 permutation = [1, 0, 2] : tensor<3x2x4xf32> to tensor<2x3x4xf32>
  %3 = math.exp %2 : tensor<2x3x4xf32>
  graph.return %3 : tensor<2x3x4xf32>
}

// CHECK-LABEL: kernel @twice: no indexing: graph.matmul: follows another matmul, and operands are f32, one kernel takes 16-bit floats
graph.kernel anchor(matmul) @twice(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = graph.matmul %a, %a : tensor<4x4xf32>, tensor<4x4xf32> to tensor<4x4xf32>
  %1 = graph.matmul %0, %a : tensor<4x4xf32>, tensor<4x4xf32> to tensor<4x4xf32>
  graph.return %1 : tensor<4x4xf32>
}

// Of a chain the domain has rows, terms and columns of the second product; the first one's operands have their own.
// CHECK-LABEL: kernel @chain: anchor matmul (graph.matmul), domain [8, 4 reduced, 2]
// CHECK-NEXT: #0 graph.matmul : {offset=0, dims=[{extent=8, modes={{\[\[}}8,4]]}, {extent=4, modes={{\[\[}}4,1]]}, {extent=2, modes={{\[\[}}2,0]]}]}
// CHECK-NEXT: argument 0 : {offset=0, dims=[{extent=8, modes={{\[\[}}8,16]]}, {extent=16, modes={{\[\[}}16,1]]}]}
// CHECK: #2 graph.matmul : {offset=0, dims=[{extent=8, modes={{\[\[}}8,2]]}, {extent=4, modes={{\[\[}}4,0]]}, {extent=2, modes={{\[\[}}2,1]]}]}
// CHECK-NEXT: #1 :
// CHECK-NEXT: argument 2 : {offset=0, dims=[{extent=8, modes={{\[\[}}8,0]]}, {extent=4, modes={{\[\[}}4,2]]}, {extent=2, modes={{\[\[}}2,1]]}]}
graph.kernel anchor(matmul) @chain(%a: tensor<8x16xbf16>, %b: tensor<16x4xbf16>, %c: tensor<4x2xbf16>) -> tensor<8x2xf32> {
  %0 = graph.matmul %a, %b : tensor<8x16xbf16>, tensor<16x4xbf16> to tensor<8x4xf32>
  %1 = arith.truncf %0 : tensor<8x4xf32> to tensor<8x4xbf16>
  %2 = graph.matmul %1, %c : tensor<8x4xbf16>, tensor<4x2xbf16> to tensor<8x2xf32>
  graph.return %2 : tensor<8x2xf32>
}

// Rows are summed and columns: a tile that holds both serves both.
// CHECK-LABEL: kernel @across: anchor reduction (graph.reduce), domain [4 reduced, 8 reduced]
// CHECK-NEXT: #0 graph.reduce : {offset=0, dims=[{extent=4, modes={{\[\[}}4,1]]}, {extent=8, modes={{\[\[}}8,0]]}]}
// CHECK: #1 graph.reduce : {offset=0, dims=[{extent=4, modes={{\[\[}}4,0]]}, {extent=8, modes={{\[\[}}8,1]]}]}
graph.kernel anchor(reduction) @across(%x: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<4x8xf32> to tensor<4xf32>
  %1 = graph.reduce sum %x dims = [0] : tensor<4x8xf32> to tensor<8xf32>
  graph.return %0, %1 : tensor<4xf32>, tensor<8xf32>
}
