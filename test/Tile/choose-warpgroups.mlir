// Where sm_90a is the only chip, the model of warpgroup schedules chooses: large tiles for large products, tiles that give
// every multiprocessor one for small ones, the operands exchanged for few rows, parts of K for few tiles; rings that
// threads fill where no tensor map describes the operands; single warps for a K that is hardly a step or for few columns,
// whose rings hold all of a short K, and on other chips.
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_90a | FileCheck %s
// RUN: tw-opt %s --convert-graph-to-tile=target=sm_80 | FileCheck %s --check-prefix=OTHER
// RUN: tw-opt %s --convert-graph-to-tile | FileCheck %s --check-prefix=OTHER
// OTHER-NOT: wgmma

// CHECK: tile.kernel @large
// CHECK-SAME: tile = [128, 256], reduce = 64, warps = 8, {{.*}} product = wgmma, roles = cooperative, registers = [40, 232], persistent = 128, order = grouped<16>, store = bulk
graph.kernel anchor(matmul) @large(%a: tensor<4096x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<4096x4096xbf16> {
  %0 = graph.matmul %a, %b : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> to tensor<4096x4096xf32>
  %1 = arith.truncf %0 : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  graph.return %1 : tensor<4096x4096xbf16>
}

// CHECK: tile.kernel @one_wave
// CHECK-SAME: tile = [64, 128], {{.*}} product = wgmma, roles = cooperative, registers = [40, 232], order = grouped<4>, store = bulk
graph.kernel anchor(matmul) @one_wave(%a: tensor<1024x1024xbf16>, %b: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = graph.matmul %a, %b : tensor<1024x1024xbf16>, tensor<1024x1024xbf16> to tensor<1024x1024xf32>
  %1 = arith.truncf %0 : tensor<1024x1024xf32> to tensor<1024x1024xbf16>
  graph.return %1 : tensor<1024x1024xbf16>
}

// CHECK: tile.kernel @few_rows
// CHECK-SAME: tile = [64, 16], {{.*}} product = wgmma, roles = cooperative, {{.*}} swap_operands
graph.kernel anchor(matmul) @few_rows(%a: tensor<16x4096xbf16>, %b: tensor<4096x4096xbf16>) -> tensor<16x4096xbf16> {
  %0 = graph.matmul %a, %b : tensor<16x4096xbf16>, tensor<4096x4096xbf16> to tensor<16x4096xf32>
  %1 = arith.truncf %0 : tensor<16x4096xf32> to tensor<16x4096xbf16>
  graph.return %1 : tensor<16x4096xbf16>
}

// CHECK: tile.kernel @few_tiles
// CHECK-SAME: product = wgmma, roles = cooperative, {{.*}} split_k = 
graph.kernel anchor(matmul) @few_tiles(%a: tensor<128x4096xbf16>, %b: tensor<4096x128xbf16>) -> tensor<128x128xbf16> {
  %0 = graph.matmul %a, %b : tensor<128x4096xbf16>, tensor<4096x128xbf16> to tensor<128x128xf32>
  %1 = arith.truncf %0 : tensor<128x128xf32> to tensor<128x128xbf16>
  graph.return %1 : tensor<128x128xbf16>
}

// CHECK: tile.kernel @odd
// CHECK-SAME: product = wgmma, roles = cooperative, loaders = 2, registers = [152, 152]
graph.kernel anchor(matmul) @odd(%a: tensor<1023x1023xbf16>, %b: tensor<1023x1023xbf16>) -> tensor<1023x1023xbf16> {
  %0 = graph.matmul %a, %b : tensor<1023x1023xbf16>, tensor<1023x1023xbf16> to tensor<1023x1023xf32>
  %1 = arith.truncf %0 : tensor<1023x1023xf32> to tensor<1023x1023xbf16>
  graph.return %1 : tensor<1023x1023xbf16>
}

// CHECK: tile.kernel @words
// CHECK-SAME: product = wgmma, {{.*}} registers = [56, 216]
graph.kernel anchor(matmul) @words(%a: tensor<128x4094xbf16>, %b: tensor<4094x4096xbf16>) -> tensor<128x4096xbf16> {
  %0 = graph.matmul %a, %b : tensor<128x4094xbf16>, tensor<4094x4096xbf16> to tensor<128x4096xf32>
  %1 = arith.truncf %0 : tensor<128x4096xf32> to tensor<128x4096xbf16>
  graph.return %1 : tensor<128x4096xbf16>
}

// CHECK: tile.kernel @short
// CHECK-NOT: wgmma
// CHECK: tile.return
graph.kernel anchor(matmul) @short(%a: tensor<1328x16xbf16>, %b: tensor<16x1312xbf16>) -> tensor<1328x1312xbf16> {
  %0 = graph.matmul %a, %b : tensor<1328x16xbf16>, tensor<16x1312xbf16> to tensor<1328x1312xf32>
  %1 = arith.truncf %0 : tensor<1328x1312xf32> to tensor<1328x1312xbf16>
  graph.return %1 : tensor<1328x1312xbf16>
}

// CHECK: tile.kernel @thin
// CHECK-NOT: wgmma
// CHECK-SAME: tile = [32, 16], reduce = 64, warps = 2, warp_grid = [2, 1], stages = 8
graph.kernel anchor(matmul) @thin(%a: tensor<2096x464xbf16>, %b: tensor<464x16xbf16>) -> tensor<2096x16xbf16> {
  %0 = graph.matmul %a, %b : tensor<2096x464xbf16>, tensor<464x16xbf16> to tensor<2096x16xf32>
  %1 = arith.truncf %0 : tensor<2096x16xf32> to tensor<2096x16xbf16>
  graph.return %1 : tensor<2096x16xbf16>
}

// Few columns that lie along memory are brought once to the blocks of a cluster, as rows of the transposed product.
// CHECK: tile.kernel @few_columns_across
// CHECK-SAME: tile = [64, 168], {{.*}} product = wgmma, roles = cooperative, {{.*}} cluster = [1, 4], store = bulk, swap_operands
graph.kernel anchor(matmul) @few_columns_across(%a: tensor<7312x832xbf16>, %b: tensor<832x80xbf16>) -> tensor<7312x80xbf16> {
  %0 = graph.matmul %a, %b : tensor<7312x832xbf16>, tensor<832x80xbf16> to tensor<7312x80xf32>
  %1 = arith.truncf %0 : tensor<7312x80xf32> to tensor<7312x80xbf16>
  graph.return %1 : tensor<7312x80xbf16>
}

// Rows that begin within lines lie in two of them: blocks of a cluster bring those of one operand once.
// CHECK: tile.kernel @rows_within_lines
// CHECK-SAME: product = wgmma, roles = cooperative, {{.*}} cluster = [4, 1]
graph.kernel anchor(matmul) @rows_within_lines(%a: tensor<1000x1000xbf16>, %b: tensor<1000x1000xbf16>) -> tensor<1000x1000xbf16> {
  %t = graph.transpose %b permutation = [1, 0] : tensor<1000x1000xbf16> to tensor<1000x1000xbf16>
  %0 = graph.matmul %a, %t : tensor<1000x1000xbf16>, tensor<1000x1000xbf16> to tensor<1000x1000xf32>
  %1 = arith.truncf %0 : tensor<1000x1000xf32> to tensor<1000x1000xbf16>
  graph.return %1 : tensor<1000x1000xbf16>
}

// Tiles of 128 rows too, be it one of a block or several in turn: of such rows nearly all that comes lies in two lines. Tiles
// of the transposed product are of any width where the left operand lies along K and the right one across it.
// CHECK: tile.kernel @many_rows_within_lines
// CHECK-SAME: tile = [128, 152], {{.*}} product = wgmma, roles = cooperative, {{.*}} cluster = [2, 4], store = bulk, swap_operands
graph.kernel anchor(matmul) @many_rows_within_lines(%a: tensor<1800x3096xbf16>, %b: tensor<3096x1112xbf16>) -> tensor<1800x1112xbf16> {
  %0 = graph.matmul %a, %b : tensor<1800x3096xbf16>, tensor<3096x1112xbf16> to tensor<1800x1112xf32>
  %1 = arith.truncf %0 : tensor<1800x1112xf32> to tensor<1800x1112xbf16>
  graph.return %1 : tensor<1800x1112xbf16>
}
// CHECK: tile.kernel @many_rows_within_lines_across_k
// CHECK-SAME: tile = [128, 352], {{.*}} product = wgmma, roles = cooperative, {{.*}} cluster = [4, 1], store = bulk, pdl>
graph.kernel anchor(matmul) @many_rows_within_lines_across_k(%a: tensor<4104x3016xbf16>, %b: tensor<4104x1736xbf16>) -> tensor<3016x1736xbf16> {
  %t = graph.transpose %a permutation = [1, 0] : tensor<4104x3016xbf16> to tensor<3016x4104xbf16>
  %0 = graph.matmul %t, %b : tensor<3016x4104xbf16>, tensor<4104x1736xbf16> to tensor<3016x1736xf32>
  %1 = arith.truncf %0 : tensor<3016x1736xf32> to tensor<3016x1736xbf16>
  graph.return %1 : tensor<3016x1736xbf16>
}

// CHECK: tile.kernel @short_rows_within_lines
// CHECK-SAME: {{.*}} persistent = 1{{[0-2]}}{{[0-9]}}, {{.*}} cluster = [4, 2], store = bulk
graph.kernel anchor(matmul) @short_rows_within_lines(%a: tensor<3016x520xbf16>, %b: tensor<520x1736xbf16>) -> tensor<3016x1736xbf16> {
  %0 = graph.matmul %a, %b : tensor<3016x520xbf16>, tensor<520x1736xbf16> to tensor<3016x1736xf32>
  %1 = arith.truncf %0 : tensor<3016x1736xf32> to tensor<3016x1736xbf16>
  graph.return %1 : tensor<3016x1736xbf16>
}

// Rows in whole lines are not shared. Fourteen by nine tiles are walked row by row, twelve by eighteen (below) six rows at a time.
// CHECK: tile.kernel @whole_lines
// CHECK-SAME: tile = [128, 128], {{.*}} registers = [40, 232], persistent = 132, store = bulk, pdl>
graph.kernel anchor(matmul) @whole_lines(%a: tensor<1792x3072xbf16>, %b: tensor<3072x1152xbf16>) -> tensor<1792x1152xbf16> {
  %0 = graph.matmul %a, %b : tensor<1792x3072xbf16>, tensor<3072x1152xbf16> to tensor<1792x1152xf32>
  %1 = arith.truncf %0 : tensor<1792x1152xf32> to tensor<1792x1152xbf16>
  graph.return %1 : tensor<1792x1152xbf16>
}

// CHECK: tile.kernel @more_columns
// CHECK-SAME: tile = [128, 128], {{.*}} registers = [40, 232], persistent = 108, order = grouped<6>, store = bulk, pdl>
graph.kernel anchor(matmul) @more_columns(%a: tensor<1488x304xbf16>, %b: tensor<304x2272xbf16>) -> tensor<1488x2272xbf16> {
  %0 = graph.matmul %a, %b : tensor<1488x304xbf16>, tensor<304x2272xbf16> to tensor<1488x2272xf32>
  %1 = arith.truncf %0 : tensor<1488x2272xf32> to tensor<1488x2272xbf16>
  graph.return %1 : tensor<1488x2272xbf16>
}

// Five rows of 25 tiles are walked column by column: of sixteen blocks one after the other, which share a port to L2, each five
// have a column's tiles. Row by row they would have sixteen columns among them.
// CHECK: tile.kernel @few_rows_of_tiles
// CHECK-SAME: tile = [64, 96], {{.*}} order = grouped<8>, store = bulk, pdl>
graph.kernel anchor(matmul) @few_rows_of_tiles(%a: tensor<320x2752xbf16>, %b: tensor<2400x2752xbf16>) -> tensor<320x2400xbf16> {
  %t = graph.transpose %b permutation = [1, 0] : tensor<2400x2752xbf16> to tensor<2752x2400xbf16>
  %0 = graph.matmul %a, %t : tensor<320x2752xbf16>, tensor<2752x2400xbf16> to tensor<320x2400xf32>
  %1 = arith.truncf %0 : tensor<320x2400xf32> to tensor<320x2400xbf16>
  graph.return %1 : tensor<320x2400xbf16>
}

// Tiles have any width where the right operand lies across K, too.
// CHECK: tile.kernel @width_across_k
// CHECK-SAME: tile = [64, 224], {{.*}} cluster = [2, 1], store = bulk, pdl>
graph.kernel anchor(matmul) @width_across_k(%a: tensor<4016x1072xbf16>, %b: tensor<4016x1568xbf16>) -> tensor<1072x1568xbf16> {
  %t = graph.transpose %a permutation = [1, 0] : tensor<4016x1072xbf16> to tensor<1072x4016xbf16>
  %0 = graph.matmul %t, %b : tensor<1072x4016xbf16>, tensor<4016x1568xbf16> to tensor<1072x1568xf32>
  %1 = arith.truncf %0 : tensor<1072x1568xf32> to tensor<1072x1568xbf16>
  graph.return %1 : tensor<1072x1568xbf16>
}
