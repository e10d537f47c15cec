// Small kernels that do not need one another are one launch: its blocks find their part, and compute what they computed
// alone. Blocks of several sizes, with barriers and without, in one and several dimensions, beside what needs them.
// REQUIRES: emulator
// RUN: tw-check %s
// RUN: tw-check %s --emulator-seed=7

// Rows of three lengths: blocks of different threads, each with barriers of its own.
func.func @reductions(%x: tensor<37x2000xf32>, %y: tensor<5x96xf32>, %z: tensor<300x17xf32>)
    -> (tensor<37xf32>, tensor<5xf32>, tensor<300xf32>) {
  %0 = graph.reduce sum %x dims = [1] : tensor<37x2000xf32> to tensor<37xf32>
  %1 = graph.reduce max %y dims = [1] : tensor<5x96xf32> to tensor<5xf32>
  %2 = graph.reduce sum %z dims = [1] : tensor<300x17xf32> to tensor<300xf32>
  return %0, %1, %2 : tensor<37xf32>, tensor<5xf32>, tensor<300xf32>
}

// Products on tensor cores, whose operands come by asynchronous copies, beside a transpose through shared memory and
// elements.
func.func @product_and_movement(%a: tensor<40x72xbf16>, %b: tensor<72x24xbf16>, %x: tensor<65x130xf32>, %y: tensor<1001xf32>)
    -> (tensor<40x24xf32>, tensor<130x65xf32>, tensor<1001xf32>) attributes {check.rtol = 1.0e-3, check.atol = 1.0e-3} {
  %0 = graph.matmul %a, %b : tensor<40x72xbf16>, tensor<72x24xbf16> to tensor<40x24xf32>
  %1 = graph.transpose %x permutation = [1, 0] : tensor<65x130xf32> to tensor<130x65xf32>
  %2 = math.exp %y : tensor<1001xf32>
  return %0, %1, %2 : tensor<40x24xf32>, tensor<130x65xf32>, tensor<1001xf32>
}

// Two branches of two kernels each, and one that needs both: what the second of a branch needs is in a merged launch.
func.func @branches(%x: tensor<64x48xf32>, %y: tensor<48x64xf32>) -> tensor<64x48xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<64x48xf32> to tensor<64xf32>
  %1 = graph.reduce max %y dims = [1] : tensor<48x64xf32> to tensor<48xf32>
  %2 = graph.scan sum %0 dim = 0 : tensor<64xf32>
  %3 = graph.scan sum %1 dim = 0 : tensor<48xf32>
  %4 = graph.broadcast %2 dims = [0] : tensor<64xf32> to tensor<64x48xf32>
  %5 = graph.broadcast %3 dims = [1] : tensor<48xf32> to tensor<64x48xf32>
  %6 = arith.addf %4, %5 : tensor<64x48xf32>
  return %6 : tensor<64x48xf32>
}

// Nine of them: more than one kernel takes.
func.func @many(%x: tensor<9x50xf32>) -> (tensor<50xf32>, tensor<50xf32>, tensor<25xf32>, tensor<10xf32>, tensor<7xf32>,
    tensor<450xf32>, tensor<9xf32>, tensor<3xf32>, tensor<100xf32>) {
  %0 = graph.iota dim = 0 : tensor<50xf32>
  %1 = graph.reduce sum %x dims = [0] : tensor<9x50xf32> to tensor<50xf32>
  %2 = graph.iota dim = 0 : tensor<25xf32>
  %3 = graph.iota dim = 0 : tensor<10xf32>
  %4 = graph.iota dim = 0 : tensor<7xf32>
  %5 = graph.iota dim = 0 : tensor<450xf32>
  %6 = graph.reduce max %x dims = [1] : tensor<9x50xf32> to tensor<9xf32>
  %7 = graph.iota dim = 0 : tensor<3xf32>
  %8 = graph.iota dim = 0 : tensor<100xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<50xf32>, tensor<50xf32>, tensor<25xf32>, tensor<10xf32>, tensor<7xf32>,
      tensor<450xf32>, tensor<9xf32>, tensor<3xf32>, tensor<100xf32>
}
