// Values of gathers from padded tensors: the padding lies along other dimensions, along the gathered one, along both; it is
// zero, or not; it is stored besides; indices count from the end, or lie in the padding or outside of all.
// RUN: tw-check %s --target=sm_90a

func.func @beside(%x: tensor<9x5x24xf32>, %i: tensor<11xi64> {check.data = "random:-9:9"}) -> (tensor<11x8x24xf32>, tensor<9x8x24xf32>) {
  %0 = graph.pad %x low = [0, 2, 0] high = [0, 1, 0] value = 0.0 : f32 : tensor<9x5x24xf32> to tensor<9x8x24xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<9x8x24xf32>, tensor<11xi64> to tensor<11x8x24xf32>
  %2 = arith.addf %1, %1 : tensor<11x8x24xf32>
  %3 = math.absf %0 : tensor<9x8x24xf32>
  return %2, %3 : tensor<11x8x24xf32>, tensor<9x8x24xf32>
}

func.func @along(%x: tensor<9x24xf32>, %i: tensor<37xi32> {check.data = "random:-16:16"}) -> tensor<37x24xf32> {
  %0 = graph.pad %x low = [3, 0] high = [2, 0] value = 0.0 : f32 : tensor<9x24xf32> to tensor<14x24xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<14x24xf32>, tensor<37xi32> to tensor<37x24xf32>
  %2 = math.exp %1 : tensor<37x24xf32>
  return %2 : tensor<37x24xf32>
}

func.func @both(%x: tensor<6x9x7xf32>, %i: tensor<37xi32> {check.data = "random:-16:16"}) -> tensor<7x37x10xf32> {
  %0 = graph.pad %x low = [1, 3, 0] high = [0, 2, 3] value = 0.0 : f32 : tensor<6x9x7xf32> to tensor<7x14x10xf32>
  %1 = graph.gather %0[%i] dim = 1 : tensor<7x14x10xf32>, tensor<37xi32> to tensor<7x37x10xf32>
  %2 = arith.negf %1 : tensor<7x37x10xf32>
  return %2 : tensor<7x37x10xf32>
}

func.func @of_computed(%x: tensor<9x24xf32>, %i: tensor<37xi32> {check.data = "random:-16:16"}) -> tensor<37x30xf32> {
  %e = math.exp %x : tensor<9x24xf32>
  %0 = graph.pad %e low = [3, 5] high = [2, 1] value = 0.0 : f32 : tensor<9x24xf32> to tensor<14x30xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<14x30xf32>, tensor<37xi32> to tensor<37x30xf32>
  return %1 : tensor<37x30xf32>
}

func.func @of_ones(%x: tensor<9x24xf32>, %i: tensor<37xi32> {check.data = "random:-16:16"}) -> tensor<37x30xf32> {
  %0 = graph.pad %x low = [3, 5] high = [2, 1] value = 1.0 : f32 : tensor<9x24xf32> to tensor<14x30xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<14x30xf32>, tensor<37xi32> to tensor<37x30xf32>
  return %1 : tensor<37x30xf32>
}

func.func @of_computed_beside(%x: tensor<9x24xf32>, %i: tensor<37xi32> {check.data = "random:-16:16"}) -> (tensor<14x24xf32>, tensor<37x24xf32>) {
  %0 = math.exp %x : tensor<9x24xf32>
  %1 = graph.pad %0 low = [3, 0] high = [2, 0] value = 0.0 : f32 : tensor<9x24xf32> to tensor<14x24xf32>
  %2 = math.cos %1 : tensor<14x24xf32>
  %3 = graph.gather %2[%i] dim = 0 : tensor<14x24xf32>, tensor<37xi32> to tensor<37x24xf32>
  return %1, %3 : tensor<14x24xf32>, tensor<37x24xf32>
}
