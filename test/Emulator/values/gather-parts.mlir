// Gathers from parts and other orders of a tensor: rows from either end and each third one, indices from the end and outside of the
// part but inside of the tensor, which give zeros, of both integer types, through values that are computed of the part.
// RUN: tw-check %s --rtol=0 --atol=0 --quiet

func.func @rows_from_inside(%t: tensor<50x33xf32>, %i: tensor<60xi64> {check.data = "random:-30:30"}) -> tensor<60x33xf32> {
  %0 = graph.slice %t offsets = [13, 0] strides = [1, 1] : tensor<50x33xf32> to tensor<20x33xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<20x33xf32>, tensor<60xi64> to tensor<60x33xf32>
  return %1 : tensor<60x33xf32>
}
func.func @each_third_row(%t: tensor<50x33xf32>, %i: tensor<60xi32> {check.data = "random:-20:20"}) -> tensor<60x33xf32> {
  %0 = graph.slice %t offsets = [2, 0] strides = [3, 1] : tensor<50x33xf32> to tensor<15x33xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<15x33xf32>, tensor<60xi32> to tensor<60x33xf32>
  return %1 : tensor<60x33xf32>
}
func.func @from_the_last_row(%t: tensor<50x33xf32>, %i: tensor<60xi64> {check.data = "random:-30:30"}) -> tensor<60x20xf32> {
  %0 = graph.slice %t offsets = [47, 5] strides = [-2, 1] : tensor<50x33xf32> to tensor<20x20xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<20x20xf32>, tensor<60xi64> to tensor<60x20xf32>
  return %1 : tensor<60x20xf32>
}
func.func @columns(%t: tensor<9x64xf32>, %i: tensor<70xi64> {check.data = "random:-40:40"}) -> tensor<4x70xf32> {
  %0 = graph.slice %t offsets = [1, 9] strides = [2, 1] : tensor<9x64xf32> to tensor<4x31xf32>
  %1 = graph.gather %0[%i] dim = 1 : tensor<4x31xf32>, tensor<70xi64> to tensor<4x70xf32>
  return %1 : tensor<4x70xf32>
}
func.func @columns_alone(%t: tensor<9x64xf32>, %i: tensor<7xi64> {check.data = "random:-12:12"}) -> tensor<7x31xf32> {
  %0 = graph.slice %t offsets = [0, 9] strides = [1, 1] : tensor<9x64xf32> to tensor<9x31xf32>
  %1 = graph.gather %0[%i] dim = 0 : tensor<9x31xf32>, tensor<7xi64> to tensor<7x31xf32>
  return %1 : tensor<7x31xf32>
}
func.func @part_of_another_order(%t: tensor<6x10x32xf16>, %i: tensor<21xi64> {check.data = "random:-10:10"}) -> tensor<21x6x32xf16> {
  %0 = graph.transpose %t permutation = [1, 0, 2] : tensor<6x10x32xf16> to tensor<10x6x32xf16>
  %1 = graph.slice %0 offsets = [3, 0, 0] strides = [1, 1, 1] : tensor<10x6x32xf16> to tensor<7x6x32xf16>
  %2 = graph.gather %1[%i] dim = 0 : tensor<7x6x32xf16>, tensor<21xi64> to tensor<21x6x32xf16>
  return %2 : tensor<21x6x32xf16>
}
func.func @computed_of_a_part(%t: tensor<300xbf16>, %i: tensor<500xi64> {check.data = "random:-260:260"}) -> tensor<500xf32> {
  %0 = arith.extf %t : tensor<300xbf16> to tensor<300xf32>
  %1 = graph.slice %0 offsets = [41] strides = [1] : tensor<300xf32> to tensor<200xf32>
  %2 = math.absf %1 : tensor<200xf32>
  %c = arith.constant dense<1.0> : tensor<200xf32>
  %3 = arith.addf %2, %c : tensor<200xf32>
  %4 = graph.gather %3[%i] dim = 0 : tensor<200xf32>, tensor<500xi64> to tensor<500xf32>
  return %4 : tensor<500xf32>
}

// What is joined to be selected from is selected from part by part.
func.func @joined(%t: tensor<70xf32>, %u: tensor<33xf32>, %i: tensor<500xi64> {check.data = "random:-130:130"}) -> tensor<500xf32> {
  %0 = math.absf %t : tensor<70xf32>
  %c = arith.constant dense<1.0> : tensor<33xf32>
  %1 = arith.addf %u, %c : tensor<33xf32>
  %2 = graph.concat %0, %u, %1 dim = 0 : tensor<70xf32>, tensor<33xf32>, tensor<33xf32> to tensor<136xf32>
  %3 = graph.gather %2[%i] dim = 0 : tensor<136xf32>, tensor<500xi64> to tensor<500xf32>
  return %3 : tensor<500xf32>
}
func.func @joined_rows(%t: tensor<9x40xbf16>, %u: tensor<6x40xbf16>, %i: tensor<61xi32> {check.data = "random:-20:20"}) -> tensor<61x40xf32> {
  %0 = arith.extf %t : tensor<9x40xbf16> to tensor<9x40xf32>
  %1 = arith.extf %u : tensor<6x40xbf16> to tensor<6x40xf32>
  %2 = math.absf %1 : tensor<6x40xf32>
  %3 = graph.concat %2, %0 dim = 0 : tensor<6x40xf32>, tensor<9x40xf32> to tensor<15x40xf32>
  %4 = graph.gather %3[%i] dim = 0 : tensor<15x40xf32>, tensor<61xi32> to tensor<61x40xf32>
  return %4 : tensor<61x40xf32>
}
func.func @computed_in_another_order(%t: tensor<10x3x6x32xf32>, %i: tensor<21xi64> {check.data = "random:-12:12"}) -> (tensor<3x6x21x32xf32>, tensor<10x3x6x32xf32>) {
  %0 = math.absf %t : tensor<10x3x6x32xf32>
  %c = arith.constant dense<1.0> : tensor<10x3x6x32xf32>
  %1 = arith.addf %0, %c : tensor<10x3x6x32xf32>
  %2 = graph.transpose %1 permutation = [1, 2, 0, 3] : tensor<10x3x6x32xf32> to tensor<3x6x10x32xf32>
  %3 = arith.mulf %2, %2 : tensor<3x6x10x32xf32>
  %4 = graph.gather %3[%i] dim = 2 : tensor<3x6x10x32xf32>, tensor<21xi64> to tensor<3x6x21x32xf32>
  %5 = arith.negf %t : tensor<10x3x6x32xf32>
  return %4, %5 : tensor<3x6x21x32xf32>, tensor<10x3x6x32xf32>
}
func.func @reshaped(%x: tensor<40x30xf32>, %r: tensor<40xf32>, %i: tensor<21xi64> {check.data = "random:-45:45"}) -> (tensor<1x21x5x6xf32>, tensor<40x30xf32>) {
  %0 = graph.broadcast %r dims = [0] : tensor<40xf32> to tensor<40x30xf32>
  %1 = arith.mulf %x, %0 : tensor<40x30xf32>
  %2 = graph.reshape %1 : tensor<40x30xf32> to tensor<1x40x5x6xf32>
  %3 = math.absf %2 : tensor<1x40x5x6xf32>
  %4 = graph.gather %3[%i] dim = 1 : tensor<1x40x5x6xf32>, tensor<21xi64> to tensor<1x21x5x6xf32>
  return %4, %1 : tensor<1x21x5x6xf32>, tensor<40x30xf32>
}

// Of parts of what is computed of an input; indices from the end and outside of the part are none of the input's.
func.func @computed_parts(%x: tensor<70x6xf32>, %i: tensor<200xi64> {check.data = "random:-80:80"}) -> (tensor<200x6xf32>, tensor<200x6xf32>, tensor<70x6xf32>) {
  %0 = arith.mulf %x, %x : tensor<70x6xf32>
  %1 = graph.slice %0 offsets = [12, 0] strides = [1, 1] : tensor<70x6xf32> to tensor<48x6xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<48x6xf32>, tensor<200xi64> to tensor<200x6xf32>
  %3 = graph.slice %0 offsets = [5, 0] strides = [3, 1] : tensor<70x6xf32> to tensor<20x6xf32>
  %4 = graph.gather %3[%i] dim = 0 : tensor<20x6xf32>, tensor<200xi64> to tensor<200x6xf32>
  return %2, %4, %0 : tensor<200x6xf32>, tensor<200x6xf32>, tensor<70x6xf32>
}

// Rows of selected rows: from the end, and outside of the rows, of the selected ones, and of both.
func.func @gathered_twice(%x: tensor<70x24xf32>, %i: tensor<90xi64> {check.data = "random:-80:80"}, %j: tensor<200xi32> {check.data = "random:-100:100"}) -> (tensor<200x24xf32>, tensor<200x24xf32>) {
  %0 = graph.gather %x[%i] dim = 0 : tensor<70x24xf32>, tensor<90xi64> to tensor<90x24xf32>
  %1 = graph.gather %0[%j] dim = 0 : tensor<90x24xf32>, tensor<200xi32> to tensor<200x24xf32>
  %2 = arith.mulf %x, %x : tensor<70x24xf32>
  %3 = graph.gather %2[%i] dim = 0 : tensor<70x24xf32>, tensor<90xi64> to tensor<90x24xf32>
  %4 = graph.gather %3[%j] dim = 0 : tensor<90x24xf32>, tensor<200xi32> to tensor<200x24xf32>
  return %1, %4 : tensor<200x24xf32>, tensor<200x24xf32>
}

// Of transposes whose rows are none of the tensor's, along dimensions of which runs are selected, and of what is computed of one;
// an index beyond its dimension selects zero, not what is computed of it.
func.func @runs_across(%x: tensor<4x17x6x8xf32>, %i: tensor<11xi64> {check.data = "random:-17:18"}) -> (tensor<4x11x8x6xf32>, tensor<4x8x11x6xf32>) {
  %0 = graph.transpose %x permutation = [0, 1, 3, 2] : tensor<4x17x6x8xf32> to tensor<4x17x8x6xf32>
  %1 = graph.gather %0[%i] dim = 1 : tensor<4x17x8x6xf32>, tensor<11xi64> to tensor<4x11x8x6xf32>
  %2 = graph.transpose %x permutation = [0, 3, 1, 2] : tensor<4x17x6x8xf32> to tensor<4x8x17x6xf32>
  %one = arith.constant dense<1.0> : tensor<4x8x17x6xf32>
  %3 = arith.addf %2, %one : tensor<4x8x17x6xf32>
  %4 = graph.gather %3[%i] dim = 2 : tensor<4x8x17x6xf32>, tensor<11xi64> to tensor<4x8x11x6xf32>
  return %1, %4 : tensor<4x11x8x6xf32>, tensor<4x8x11x6xf32>
}
