// Long rows are cut where they are few; short ones, and many, stay whole.
// RUN: tw-opt %s --fuse-split-reductions | FileCheck %s

// The rest, fewer elements than there are pieces, joins their sums one by one.
// CHECK-LABEL: @with_a_rest
// CHECK: %[[MAIN:.*]] = graph.slice %{{.*}} : tensor<1000003xf32> to tensor<{{[0-9]+}}xf32>
// CHECK: graph.reshape %[[MAIN]]
// CHECK: %[[SUMS:.*]] = graph.reduce sum %{{.*}} dims = [1]
// CHECK: %[[REST:.*]] = graph.slice
// CHECK: %[[PADDED:.*]] = graph.pad %[[REST]]
// CHECK: %[[ALL:.*]] = arith.addf %[[SUMS]], %[[PADDED]]
// CHECK: graph.reduce sum %[[ALL]] dims = [0]
func.func @with_a_rest(%x: tensor<1000003xf32>) -> tensor<f32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<1000003xf32> to tensor<f32>
  return %0 : tensor<f32>
}

// Few pieces of one row are merged where the result is read, in pairs.
// CHECK-LABEL: @few_pieces
// CHECK: %[[SUMS:.*]] = graph.reduce sum %{{.*}} dims = [1] {graph.part} : tensor<20x2048xf32> to tensor<20xf32>
// CHECK: graph.slice %[[SUMS]] offsets = [0]
// CHECK-NOT: graph.reduce
// CHECK-COUNT-19: arith.addf
// CHECK-NOT: arith.addf
// CHECK: math.tanh
func.func @few_pieces(%x: tensor<40960xf32>) -> tensor<f32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<40960xf32> to tensor<f32>
  %1 = math.tanh %0 : tensor<f32>
  return %1 : tensor<f32>
}

// CHECK-LABEL: @in_fp32
// CHECK: arith.extf %{{.*}} : tensor<1048576xbf16> to tensor<1048576xf32>
// CHECK: arith.truncf %{{.*}} : tensor<f32> to tensor<bf16>
func.func @in_fp32(%x: tensor<1048576xbf16>) -> tensor<bf16> {
  %0 = graph.reduce sum %x dims = [0] : tensor<1048576xbf16> to tensor<bf16>
  return %0 : tensor<bf16>
}

// CHECK-LABEL: @arg
// CHECK: graph.reduce min %{{.*}} dims = [2] {graph.part} : tensor<1x{{[0-9]+}}x{{[0-9]+}}xi64>
// CHECK: graph.reduce min %{{.*}} dims = [1] : tensor<1x{{[0-9]+}}xi64> to tensor<1xi64>
func.func @arg(%x: tensor<1x1048576xf32>) -> tensor<1xi64> {
  %0 = graph.arg_reduce max %x dim = 1 : tensor<1x1048576xf32> to tensor<1xi64>
  return %0 : tensor<1xi64>
}

// CHECK-LABEL: @scan
// CHECK: %[[TOTALS:.*]] = graph.reduce sum %{{.*}} dims = [1]
// CHECK: %[[RUNNING:.*]] = graph.scan sum %[[TOTALS]] dim = 0
// CHECK: %[[SHORT:.*]] = graph.slice %[[RUNNING]]
// CHECK: graph.pad %[[SHORT]] low = [1] high = [0]
// CHECK: graph.scan sum %{{.*}} dim = 1
// CHECK: arith.addf
func.func @scan(%x: tensor<1048576xf32>) -> tensor<1048576xf32> {
  %0 = graph.scan sum %x dim = 0 : tensor<1048576xf32>
  return %0 : tensor<1048576xf32>
}

// CHECK-LABEL: @whole
// CHECK-COUNT-3: graph.{{reduce|scan}} {{.*}} %arg{{[0-9]}}
func.func @whole(%many: tensor<300x1048576xf32>, %short: tensor<4x8192xf32>, %columns: tensor<8192x4096xf32>)
    -> (tensor<300xf32>, tensor<4xf32>, tensor<4096xf32>) {
  %0 = graph.reduce sum %many dims = [1] : tensor<300x1048576xf32> to tensor<300xf32>
  %1 = graph.reduce sum %short dims = [1] : tensor<4x8192xf32> to tensor<4xf32>
  %2 = graph.reduce sum %columns dims = [0] : tensor<8192x4096xf32> to tensor<4096xf32>
  return %0, %1, %2 : tensor<300xf32>, tensor<4xf32>, tensor<4096xf32>
}

// More rows than half of the multiprocessors, of several passes each: more pieces, so that all of them work.
// CHECK-LABEL: @more_rows
// CHECK: graph.reduce sum %{{.*}} dims = [2] {graph.part} : tensor<80x{{[0-9]+}}x{{[0-9]+}}xf32>
func.func @more_rows(%x: tensor<80x524288xf32>) -> tensor<80xf32> {
  %0 = graph.reduce sum %x dims = [1] : tensor<80x524288xf32> to tensor<80xf32>
  return %0 : tensor<80xf32>
}

// A length that no number of pieces divides is filled up behind the end.
// CHECK-LABEL: @uneven_scan
// CHECK: graph.pad %{{.*}} low = [0] high = [{{[0-9]+}}] value = 0.0{{.*}} : tensor<1000003xf32>
// CHECK: graph.scan sum %{{.*}} dim = 1 reverse
// CHECK: graph.slice %{{.*}} to tensor<1000003xf32>
func.func @uneven_scan(%x: tensor<1000003xf32>) -> tensor<1000003xf32> {
  %0 = graph.scan sum %x dim = 0 reverse : tensor<1000003xf32>
  return %0 : tensor<1000003xf32>
}

// A block has some hundred instructions for each element of a scan: shorter rows are cut than of a sum.
// CHECK-LABEL: @scans_and_sums_of_short_rows
// CHECK: graph.scan sum %{{.*}} dim = 1 : tensor<{{[0-9]+}}x{{[0-9]+}}xf32>
// CHECK: graph.reduce sum %arg0 dims = [0] : tensor<24000xf32> to tensor<f32>
func.func @scans_and_sums_of_short_rows(%x: tensor<24000xf32>) -> (tensor<24000xf32>, tensor<f32>) {
  %0 = graph.scan sum %x dim = 0 : tensor<24000xf32>
  %1 = graph.reduce sum %x dims = [0] : tensor<24000xf32> to tensor<f32>
  return %0, %1 : tensor<24000xf32>, tensor<f32>
}

// Dimensions side by side are cut where they meet, or along one of them: as many pieces as wanted, and no rest.
// CHECK-LABEL: @side_by_side
// CHECK: %[[PIECES:.*]] = graph.reshape %{{.*}} : tensor<23x40x40x64xf32> to tensor<230x10240xf32>
// CHECK: %[[SUMS:.*]] = graph.reduce sum %[[PIECES]] dims = [1]
// CHECK: graph.reduce sum %[[SUMS]] dims = [0]
func.func @side_by_side(%x: tensor<23x40x40x64xf32>) -> tensor<f32> {
  %0 = graph.reduce sum %x dims = [0, 1, 2, 3] : tensor<23x40x40x64xf32> to tensor<f32>
  return %0 : tensor<f32>
}

// Others are reduced beside them, in front of and behind what is kept.
// CHECK-LABEL: @around_a_kept_one
// CHECK: %[[PIECES:.*]] = graph.reshape %{{.*}} : tensor<5x40x3x171x479xf32> to tensor<[[COUNT:[0-9]+]]x2x3x171x479xf32>
// CHECK: %[[SUMS:.*]] = graph.reduce sum %[[PIECES]] dims = [1, 3, 4] {graph.part} : {{.*}} to tensor<[[COUNT]]x3xf32>
// CHECK: graph.reduce sum %[[SUMS]] dims = [0]
func.func @around_a_kept_one(%x: tensor<5x40x3x171x479xf32>) -> tensor<3xf32> {
  %0 = graph.reduce sum %x dims = [0, 1, 3, 4] : tensor<5x40x3x171x479xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// What is reduced of a transposed tensor is cut as the tensor lies; what is kept is transposed afterwards.
// CHECK-LABEL: @of_a_transposed_tensor
// CHECK: %[[PIECES:.*]] = graph.reshape %arg0 : tensor<45x32x14x144xf32> to tensor<{{[0-9]+}}x{{[0-9]+}}xf32>
// CHECK: graph.reduce min %[[PIECES]] dims = [1]
// CHECK: graph.reshape %arg1 : tensor<3x40960x8xf32> to tensor<3x{{[0-9]+}}x{{[0-9]+}}x8xf32>
// CHECK: graph.transpose %{{.*}} permutation = [1, 0] : tensor<3x8xf32> to tensor<8x3xf32>
func.func @of_a_transposed_tensor(%x: tensor<45x32x14x144xf32>, %y: tensor<3x40960x8xf32>)
    -> (tensor<14x45x144x32xf32>, tensor<f32>, tensor<8x3xf32>) {
  %0 = graph.transpose %x permutation = [2, 0, 3, 1] : tensor<45x32x14x144xf32> to tensor<14x45x144x32xf32>
  %1 = graph.reduce min %0 dims = [0, 1, 2, 3] : tensor<14x45x144x32xf32> to tensor<f32>
  %2 = graph.transpose %y permutation = [2, 0, 1] : tensor<3x40960x8xf32> to tensor<8x3x40960xf32>
  %3 = graph.reduce sum %2 dims = [2] : tensor<8x3x40960xf32> to tensor<8x3xf32>
  return %0, %1, %3 : tensor<14x45x144x32xf32>, tensor<f32>, tensor<8x3xf32>
}

// What is transposed twice lies as it did.
// CHECK-LABEL: @transposed_back
// CHECK: graph.reshape %{{.*}} : tensor<38x55848xf32> to tensor<38x{{[0-9]+}}x{{[0-9]+}}xf32>
func.func @transposed_back(%x: tensor<38x55848xf32>) -> tensor<38xf32> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<38x55848xf32> to tensor<55848x38xf32>
  %1 = math.tanh %0 : tensor<55848x38xf32>
  %2 = graph.transpose %1 permutation = [1, 0] : tensor<55848x38xf32> to tensor<38x55848xf32>
  %3 = graph.reduce sum %2 dims = [1] : tensor<38x55848xf32> to tensor<38xf32>
  return %3 : tensor<38xf32>
}

// 273 pieces divide the row as well, and nearer to the 264 that would be best: nine blocks would run after all others.
// CHECK-LABEL: @full_rounds
// CHECK: graph.reshape %arg0 : tensor<34380528xf32> to tensor<238x144456xf32>
func.func @full_rounds(%x: tensor<34380528xf32>) -> tensor<f32> {
  %0 = graph.reduce sum %x dims = [0] : tensor<34380528xf32> to tensor<f32>
  return %0 : tensor<f32>
}

// The longest dimension is the last one, whose pieces would be two elements each, a row apart.
// CHECK-LABEL: @no_short_runs
// CHECK: graph.reshape %arg0 : tensor<8x11x88x6x464xf32> to tensor<[[COUNT:[0-9]+]]x{{[0-9]+}}xf32>
// CHECK: graph.reduce max %{{.*}} dims = [1] {graph.part} : {{.*}} to tensor<[[COUNT]]xf32>
func.func @no_short_runs(%x: tensor<8x11x88x6x464xf32>) -> tensor<f32> {
  %0 = graph.reduce max %x dims = [0, 1, 2, 3, 4] : tensor<8x11x88x6x464xf32> to tensor<f32>
  return %0 : tensor<f32>
}

// Columns for 84 blocks, each of which would go through half a million elements.
// CHECK-LABEL: @long_columns
// CHECK: graph.reduce sum %{{.*}} dims = [0, 3] {graph.part} : tensor<4x28x8x520x65xf32> to tensor<28x8x65xf32>
// CHECK: graph.reduce sum %{{.*}} dims = [1] : tensor<28x8x65xf32>
func.func @long_columns(%x: tensor<4x28x64x65x65xf32>) -> tensor<28x65xf32> {
  %0 = graph.reduce sum %x dims = [0, 2, 3] : tensor<4x28x64x65x65xf32> to tensor<28x65xf32>
  return %0 : tensor<28x65xf32>
}

// A rest of few rows rather than pieces that make a last round of a few blocks.
// CHECK-LABEL: @columns_in_full_rounds
// CHECK: graph.reshape %{{.*}} : tensor<59808x538xf32> to tensor<28x2136x538xf32>
func.func @columns_in_full_rounds(%x: tensor<59824x538xf32>) -> tensor<538xf32> {
  %0 = graph.reduce min %x dims = [0] : tensor<59824x538xf32> to tensor<538xf32>
  return %0 : tensor<538xf32>
}

// What lies across memory in short rows is cut as columns are, 40 of them side by side, whatever is computed of it before.
// CHECK-LABEL: func.func @columns_seen_as_rows
// CHECK: %[[ABS:.*]] = math.absf
// CHECK: %[[IN_ORDER:.*]] = graph.transpose %[[ABS]] permutation = [1, 3, 2, 0]
// CHECK: %[[PIECES:.*]] = graph.reshape %[[IN_ORDER]] : tensor<3x64x272x40xf32> to tensor<3x{{[0-9]+}}x{{[0-9]+}}x40xf32>
// CHECK: %[[PARTS:.*]] = graph.reduce min %{{.*}} dims = [2] {graph.part} : {{.*}} to tensor<3x{{[0-9]+}}x40xf32>
// CHECK: %[[LEAST:.*]] = graph.reduce min %[[PARTS]] dims = [1] : {{.*}} to tensor<3x40xf32>
// CHECK: graph.transpose %[[LEAST]] permutation = [1, 0]
func.func @columns_seen_as_rows(%x: tensor<3x64x272x40xf32>) -> (tensor<40x3xf32>, tensor<40x3x272x64xf32>) {
  %0 = graph.transpose %x permutation = [3, 0, 2, 1] : tensor<3x64x272x40xf32> to tensor<40x3x272x64xf32>
  %1 = math.absf %0 : tensor<40x3x272x64xf32>
  %2 = graph.reduce min %1 dims = [2, 3] : tensor<40x3x272x64xf32> to tensor<40x3xf32>
  %3 = graph.broadcast %2 dims = [0, 1] : tensor<40x3xf32> to tensor<40x3x272x64xf32>
  %4 = arith.addf %0, %3 : tensor<40x3x272x64xf32>
  return %2, %4 : tensor<40x3xf32>, tensor<40x3x272x64xf32>
}

// What equal pieces of one dimension leave would be rows of the other one: all as one leave a few elements, which join the pieces.
// CHECK-LABEL: func.func @rest_of_two_dims
// CHECK: %[[FLAT:.*]] = graph.reshape %arg0 : tensor<166x303xf32> to tensor<50298xf32>
// CHECK: %[[SQUARES:.*]] = arith.mulf %{{.*}} : tensor<50298xf32>
// CHECK: graph.reshape %{{.*}} : tensor<50288xf32> to tensor<14x3592xf32>
// CHECK-NOT: dims = [0, 1]
// CHECK: return
func.func @rest_of_two_dims(%x: tensor<166x303xf32>) -> tensor<f32> {
  %0 = arith.mulf %x, %x : tensor<166x303xf32>
  %1 = graph.reduce sum %0 dims = [0, 1] : tensor<166x303xf32> to tensor<f32>
  return %1 : tensor<f32>
}

// Of a slice, whose dimensions are not one, the rows that equal pieces leave are reduced each by itself and join the pieces: no block has
// all of them.
// CHECK-LABEL: func.func @rest_of_rows
// CHECK: %[[PARTS:.*]] = graph.reduce sum %{{.*}} dims = [1, 2] {graph.part} : tensor<[[N:[0-9]+]]x{{[0-9]+}}x2264xf32> to tensor<[[N]]xf32>
// CHECK: %[[ROWS:.*]] = graph.reduce sum %{{.*}} dims = [1] {graph.part} : tensor<[[R:[0-9]+]]x2264xf32> to tensor<[[R]]xf32>
// CHECK: %[[PADDED:.*]] = graph.pad %[[ROWS]]
// CHECK: arith.addf %[[PARTS]], %[[PADDED]] : tensor<[[N]]xf32>
func.func @rest_of_rows(%x: tensor<4507x4504xf32>) -> tensor<f32> {
  %0 = graph.slice %x offsets = [0, 1040] strides = [1, 1] : tensor<4507x4504xf32> to tensor<4507x2264xf32>
  %1 = graph.reduce sum %0 dims = [0, 1] : tensor<4507x2264xf32> to tensor<f32>
  return %1 : tensor<f32>
}

// Rows that begin at any element: four of fp32 as one begin at 16 bytes, and what pieces leave joins the rows of their results.
// CHECK-LABEL: func.func @columns_of_odd_rows
// CHECK: %[[WHOLE:.*]] = graph.slice %arg0 offsets = [0, 0]
// CHECK: %[[FOLDED:.*]] = graph.reshape %[[WHOLE]] : tensor<8192x537xf32> to tensor<[[PIECES:[0-9]+]]x{{[0-9]+}}x2148xf32>
// CHECK: %[[PARTS:.*]] = graph.reduce max %[[FOLDED]] dims = [1] {graph.part} : {{.*}} to tensor<[[PIECES]]x2148xf32>
// CHECK: %[[ROWS:.*]] = graph.reshape %[[PARTS]] : {{.*}} to tensor<{{[0-9]+}}x537xf32>
// CHECK: %[[REST:.*]] = graph.pad %{{.*}} : tensor<3x537xf32>
// CHECK: arith.maximumf %[[ROWS]], %[[REST]]
// CHECK: graph.reduce max %{{.*}} dims = [0] : tensor<{{[0-9]+}}x537xf32> to tensor<537xf32>
func.func @columns_of_odd_rows(%x: tensor<8195x537xf32>) -> tensor<537xf32> {
  %0 = graph.reduce max %x dims = [0] : tensor<8195x537xf32> to tensor<537xf32>
  return %0 : tensor<537xf32>
}

// Not where scales of rows or columns are computed with, short columns go into their own elements again, or rows begin at words.
// CHECK-LABEL: func.func @columns_as_they_are
// CHECK-NOT: x2148xf32>
// CHECK: return
func.func @columns_as_they_are(%x: tensor<8192x537xf32>, %s: tensor<8192xf32>, %y: tensor<8192x538xf32>) -> (tensor<537xf32>, tensor<8192x537xf32>, tensor<538xf32>) {
  %0 = graph.broadcast %s dims = [0] : tensor<8192xf32> to tensor<8192x537xf32>
  %1 = arith.mulf %x, %0 : tensor<8192x537xf32>
  %2 = graph.reduce sum %1 dims = [0] : tensor<8192x537xf32> to tensor<537xf32>
  %3 = graph.reduce max %x dims = [0] : tensor<8192x537xf32> to tensor<537xf32>
  %4 = graph.broadcast %3 dims = [1] : tensor<537xf32> to tensor<8192x537xf32>
  %5 = arith.subf %x, %4 : tensor<8192x537xf32>
  %6 = graph.reduce min %y dims = [0] : tensor<8192x538xf32> to tensor<538xf32>
  return %2, %5, %6 : tensor<537xf32>, tensor<8192x537xf32>, tensor<538xf32>
}

// Blocks have 128 bytes of each row: 64 columns of 16 bits, of which 4096 are few.
// CHECK-LABEL: func.func @columns_of_16_bits
// CHECK: graph.reshape %{{.*}} : tensor<16384x4096x{{b?f[0-9]+}}> to tensor<8x2048x4096x{{b?f[0-9]+}}>
func.func @columns_of_16_bits(%x: tensor<16384x4096xbf16>) -> tensor<4096xf32> {
  %0 = arith.extf %x : tensor<16384x4096xbf16> to tensor<16384x4096xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<16384x4096xf32> to tensor<4096xf32>
  return %1 : tensor<4096xf32>
}

// Fewer columns than multiprocessors could have, but so little of them that another kernel takes longer; odd rows of many
// bytes, whose blocks would be more than one for some multiprocessors, are cut where nothing else reads them.
// CHECK-LABEL: func.func @columns_worth_cutting
// CHECK: graph.reduce sum %arg0 dims = [0] : tensor<2500x2560xbf16> to tensor<2560xbf16>
// CHECK: graph.reduce sum %{{.*}} dims = [1] {graph.part} : tensor<{{[0-9]+}}x{{[0-9]+}}x5002xf32> to tensor<{{[0-9]+}}x5002xf32>
// CHECK: graph.reduce sum %arg2 dims = [0] : tensor<5000x5002xf32> to tensor<5002xf32>
func.func @columns_worth_cutting(%x: tensor<2500x2560xbf16>, %y: tensor<5000x5002xf32>, %z: tensor<5000x5002xf32>)
    -> (tensor<2560xbf16>, tensor<5002xf32>, tensor<5002xf32>, tensor<5000x5002xf32>) {
  %0 = graph.reduce sum %x dims = [0] : tensor<2500x2560xbf16> to tensor<2560xbf16>
  %1 = graph.reduce sum %y dims = [0] : tensor<5000x5002xf32> to tensor<5002xf32>
  %2 = graph.reduce sum %z dims = [0] : tensor<5000x5002xf32> to tensor<5002xf32>
  %3 = math.absf %z : tensor<5000x5002xf32>
  return %0, %1, %2, %3 : tensor<2560xbf16>, tensor<5002xf32>, tensor<5002xf32>, tensor<5000x5002xf32>
}
