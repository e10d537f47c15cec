// Programs of linalg on tensors, named and generic, against upstream's own lowering of them.
// RUN: tw-check %s --rtol=2e-6 --atol=1e-5 --quiet

#row = affine_map<(m, n, k) -> (m, k)>
#turned = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#second = affine_map<(i, j) -> (j)>
#swap = affine_map<(i, j) -> (j, i)>

func.func @products(%a: tensor<17x9xf32>, %b: tensor<9x11xf32>, %c: tensor<17x11xf32>, %x: tensor<9xf32>) -> (tensor<17x11xf32>, tensor<17xf32>, tensor<11xf32>, tensor<f32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<17x9xf32>, tensor<9x11xf32>) outs(%c : tensor<17x11xf32>) -> tensor<17x11xf32>
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<17xf32>
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<17xf32>) -> tensor<17xf32>
  %1 = linalg.matvec ins(%a, %x : tensor<17x9xf32>, tensor<9xf32>) outs(%i1 : tensor<17xf32>) -> tensor<17xf32>
  %e2 = tensor.empty() : tensor<11xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<11xf32>) -> tensor<11xf32>
  %2 = linalg.vecmat ins(%x, %b : tensor<9xf32>, tensor<9x11xf32>) outs(%i2 : tensor<11xf32>) -> tensor<11xf32>
  %i3 = arith.constant dense<1.0> : tensor<f32>
  %3 = linalg.dot ins(%x, %x : tensor<9xf32>, tensor<9xf32>) outs(%i3 : tensor<f32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<17x11xf32>, tensor<17xf32>, tensor<11xf32>, tensor<f32>
}
func.func @batches(%a: tensor<3x17x9xf32>, %b: tensor<3x9x11xf32>, %c: tensor<3x17x11xf32>, %d: tensor<17x11xf32>) -> (tensor<3x17x11xf32>, tensor<17x11xf32>) {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<3x17x9xf32>, tensor<3x9x11xf32>) outs(%c : tensor<3x17x11xf32>) -> tensor<3x17x11xf32>
  %1 = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x17x9xf32>, tensor<3x9x11xf32>) outs(%d : tensor<17x11xf32>) -> tensor<17x11xf32>
  return %0, %1 : tensor<3x17x11xf32>, tensor<17x11xf32>
}
func.func @product_of_a_turned_operand(%a: tensor<17x9xf32>, %b: tensor<11x9xf32>, %c: tensor<17x11xf32>) -> tensor<17x11xf32> {
  %0 = linalg.matmul indexing_maps = [#row, #turned, #out] ins(%a, %b : tensor<17x9xf32>, tensor<11x9xf32>) outs(%c : tensor<17x11xf32>) -> tensor<17x11xf32>
  return %0 : tensor<17x11xf32>
}
func.func @product_of_narrow_floats(%a: tensor<16x32xbf16>, %b: tensor<8x32xbf16>, %bias: tensor<8xf32>) -> tensor<16x8xf32> attributes {check.rtol = 1.0e-3} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<16x8xf32>) -> tensor<16x8xf32>
  %0 = linalg.generic {indexing_maps = [#row, #turned, #out], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<16x32xbf16>, tensor<8x32xbf16>) outs(%i : tensor<16x8xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.extf %y : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %acc, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<16x8xf32>
  %5 = linalg.generic {indexing_maps = [#id, #second, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias : tensor<16x8xf32>, tensor<8xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %6 = arith.addf %x, %y : f32
    %7 = arith.maximumf %6, %zero : f32
    linalg.yield %7 : f32
  } -> tensor<16x8xf32>
  return %5 : tensor<16x8xf32>
}
func.func @product_of_bytes_about_zero_points(%a: tensor<16x32xi8> {check.data = "random:-128:127"}, %b: tensor<32x8xi8> {check.data = "random:-128:127"}, %c: tensor<16x8xi32> {check.data = "random:-9:9"}) -> (tensor<16x8xi32>, tensor<16x8xi32>) {
  %za = arith.constant 3 : i32
  %zb = arith.constant -4 : i32
  %0 = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<16x32xi8>, tensor<32x8xi8>, i32, i32) outs(%c : tensor<16x8xi32>) -> tensor<16x8xi32>
  %1 = linalg.matmul ins(%a, %b : tensor<16x32xi8>, tensor<32x8xi8>) outs(%c : tensor<16x8xi32>) -> tensor<16x8xi32>
  return %0, %1 : tensor<16x8xi32>, tensor<16x8xi32>
}
func.func @contraction_over_heads(%q: tensor<2x5x3x4xf32>, %k: tensor<2x7x3x4xf32>) -> tensor<2x3x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x5x7xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(b, h, s, t, d) -> (b, s, h, d)>, affine_map<(b, h, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>] ins(%q, %k : tensor<2x5x3x4xf32>, tensor<2x7x3x4xf32>) outs(%i : tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  return %0 : tensor<2x3x5x7xf32>
}
func.func @elementwise(%x: tensor<6x7xf32> {check.data = "random:0.5:2"}, %y: tensor<6x7xf32> {check.data = "random:0.5:2"}) -> (tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>) {
  %e = tensor.empty() : tensor<6x7xf32>
  %0 = linalg.exp ins(%x : tensor<6x7xf32>) outs(%e : tensor<6x7xf32>) -> tensor<6x7xf32>
  %1 = linalg.div ins(%0, %y : tensor<6x7xf32>, tensor<6x7xf32>) outs(%e : tensor<6x7xf32>) -> tensor<6x7xf32>
  %2 = linalg.elementwise kind = #linalg.elementwise_kind<mul> ins(%x, %y : tensor<6x7xf32>, tensor<6x7xf32>) outs(%e : tensor<6x7xf32>) -> tensor<6x7xf32>
  %3 = linalg.map { math.rsqrt } ins(%x : tensor<6x7xf32>) outs(%e : tensor<6x7xf32>)
  %4 = linalg.powf ins(%x, %y : tensor<6x7xf32>, tensor<6x7xf32>) outs(%e : tensor<6x7xf32>) -> tensor<6x7xf32>
  %5 = linalg.map ins(%x, %y : tensor<6x7xf32>, tensor<6x7xf32>) outs(%e : tensor<6x7xf32>) (%a: f32, %b: f32, %o: f32) {
    %6 = arith.cmpf olt, %a, %b : f32
    %7 = arith.select %6, %b, %a : f32
    linalg.yield %7 : f32
  }
  return %1, %2, %3, %4, %5 : tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x7xf32>
}
func.func @views(%x: tensor<4x6x5xf32>, %row: tensor<5xf32>) -> (tensor<5x4x6xf32>, tensor<3x5x4xf32>, tensor<6x4xf32>) {
  %e0 = tensor.empty() : tensor<5x4x6xf32>
  %0 = linalg.transpose ins(%x : tensor<4x6x5xf32>) outs(%e0 : tensor<5x4x6xf32>) permutation = [2, 0, 1]
  %e1 = tensor.empty() : tensor<3x5x4xf32>
  %1 = linalg.broadcast ins(%row : tensor<5xf32>) outs(%e1 : tensor<3x5x4xf32>) dimensions = [0, 2]
  %e2 = tensor.empty() : tensor<6x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i, 3)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6x5xf32>) outs(%e2 : tensor<6x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<6x4xf32>
  return %0, %1, %2 : tensor<5x4x6xf32>, tensor<3x5x4xf32>, tensor<6x4xf32>
}
func.func @two_results(%x: tensor<6x7xf32>, %o: tensor<6x7xf32>) -> (tensor<6x7xf32>, tensor<7x6xf32>) {
  %e = tensor.empty() : tensor<7x6xf32>
  %0, %1 = linalg.generic {indexing_maps = [#id, #id, #swap], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<6x7xf32>) outs(%o, %e : tensor<6x7xf32>, tensor<7x6xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %2 = arith.addf %a, %b : f32
    %3 = arith.mulf %a, %a : f32
    linalg.yield %2, %3 : f32, f32
  } -> (tensor<6x7xf32>, tensor<7x6xf32>)
  return %0, %1 : tensor<6x7xf32>, tensor<7x6xf32>
}
func.func @reductions(%x: tensor<6x37xf32>, %from: tensor<6xf32>) -> (tensor<6xf32>, tensor<37xf32>, tensor<6xf32>, tensor<6xf32>) {
  %zero = arith.constant dense<0.0> : tensor<37xf32>
  %least = arith.constant dense<-3.40282347E+38> : tensor<6xf32>
  %0 = linalg.reduce { arith.addf } ins(%x : tensor<6x37xf32>) outs(%from : tensor<6xf32>) dimensions = [1]
  %1 = linalg.reduce { arith.addf } ins(%x : tensor<6x37xf32>) outs(%zero : tensor<37xf32>) dimensions = [0]
  %2 = linalg.reduce { arith.maximumf } ins(%x : tensor<6x37xf32>) outs(%least : tensor<6xf32>) dimensions = [1]
  %3 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x37xf32>) outs(%from : tensor<6xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %4 = math.absf %a : f32
    %5 = arith.subf %acc, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<6xf32>
  return %0, %1, %2, %3 : tensor<6xf32>, tensor<37xf32>, tensor<6xf32>, tensor<6xf32>
}
func.func @two_accumulators(%x: tensor<6x37xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %least = arith.constant dense<0xFF800000> : tensor<6xf32>
  %0, %1 = linalg.reduce ins(%x, %x : tensor<6x37xf32>, tensor<6x37xf32>) outs(%zero, %least : tensor<6xf32>, tensor<6xf32>) dimensions = [1] (%a: f32, %b: f32, %s: f32, %m: f32) {
    %2 = arith.mulf %a, %a : f32
    %3 = arith.addf %s, %2 : f32
    %4 = arith.maxnumf %b, %m : f32
    linalg.yield %3, %4 : f32, f32
  }
  return %0, %1 : tensor<6xf32>, tensor<6xf32>
}
func.func @unsigned_and_truth(%x: tensor<6x9xi32> {check.data = "random:-9:9"}) -> (tensor<6xi32>, tensor<6xi1>, tensor<6xi1>) {
  %zero = arith.constant dense<0> : tensor<6xi32>
  %no = arith.constant dense<false> : tensor<6xi1>
  %0 = linalg.reduce { arith.maxui } ins(%x : tensor<6x9xi32>) outs(%zero : tensor<6xi32>) dimensions = [1]
  %1, %2 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<6x9xi32>) outs(%no, %no : tensor<6xi1>, tensor<6xi1>) {
  ^bb0(%a: i32, %any: i1, %odd: i1):
    %c7 = arith.constant 7 : i32
    %3 = arith.cmpi sgt, %a, %c7 : i32
    %4 = arith.ori %any, %3 : i1
    %5 = arith.xori %3, %odd : i1
    linalg.yield %4, %5 : i1, i1
  } -> (tensor<6xi1>, tensor<6xi1>)
  return %0, %1, %2 : tensor<6xi32>, tensor<6xi1>, tensor<6xi1>
}
func.func @softmax_rows(%x: tensor<5x33xf32>) -> tensor<5x33xf32> {
  %e = tensor.empty() : tensor<5x33xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<5x33xf32>) outs(%e : tensor<5x33xf32>) -> tensor<5x33xf32>
  return %0 : tensor<5x33xf32>
}
func.func @mask_of_counters(%x: tensor<9x9xf32>) -> tensor<9x9xf32> {
  %e = tensor.empty() : tensor<9x9xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<9x9xf32>) outs(%e : tensor<9x9xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %1 = arith.cmpi uge, %i, %j : index
    %low = arith.constant -1.0e4 : f32
    %2 = arith.select %1, %a, %low : f32
    linalg.yield %2 : f32
  } -> tensor<9x9xf32>
  return %0 : tensor<9x9xf32>
}
func.func @rows_of_a_table(%table: tensor<50x6xf32>, %ids: tensor<2x7xi64> {check.data = "random:0:50"}) -> tensor<2x7x6xf32> {
  %e = tensor.empty() : tensor<2x7x6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, s, d) -> (b, s)>, affine_map<(b, s, d) -> (b, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x7xi64>) outs(%e : tensor<2x7x6xf32>) {
  ^bb0(%id: i64, %o: f32):
    %i = arith.index_cast %id : i64 to index
    %d = linalg.index 2 : index
    %1 = tensor.extract %table[%i, %d] : tensor<50x6xf32>
    linalg.yield %1 : f32
  } -> tensor<2x7x6xf32>
  return %0 : tensor<2x7x6xf32>
}
func.func @elements_of_a_table(%table: tensor<5x6xf32>, %i: tensor<9xi32> {check.data = "random:0:5"}, %j: tensor<9xi32> {check.data = "random:0:6"}) -> tensor<9xf32> {
  %e = tensor.empty() : tensor<9xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]} ins(%i, %j : tensor<9xi32>, tensor<9xi32>) outs(%e : tensor<9xf32>) {
  ^bb0(%a: i32, %b: i32, %o: f32):
    %1 = arith.index_cast %a : i32 to index
    %2 = arith.index_cast %b : i32 to index
    %3 = tensor.extract %table[%1, %2] : tensor<5x6xf32>
    linalg.yield %3 : f32
  } -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
func.func @windows(%x: tensor<1x9x9x3xf32>, %f: tensor<3x3x3x4xf32>, %o: tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x3xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>} ins(%x, %f : tensor<1x9x9x3xf32>, tensor<3x3x3x4xf32>) outs(%o : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %least = arith.constant dense<0xFF800000> : tensor<1x4x4x3xf32>
  %1 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>} ins(%x, %window : tensor<1x9x9x3xf32>, tensor<3x3xf32>) outs(%least : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %0, %1 : tensor<1x4x4x4xf32>, tensor<1x4x4x3xf32>
}
func.func @slices(%x: tensor<6x8xf32>, %y: tensor<2x3xf32>) -> (tensor<3x8xf32>, tensor<4xf32>, tensor<6x8xf32>, tensor<8x11xf32>, tensor<12x8xf32>, tensor<2x3x8xf32>) {
  %0 = tensor.extract_slice %x[1, 0] [3, 8] [2, 1] : tensor<6x8xf32> to tensor<3x8xf32>
  %1 = tensor.extract_slice %x[2, 3] [1, 4] [1, 1] : tensor<6x8xf32> to tensor<4xf32>
  %2 = tensor.insert_slice %y into %x[3, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<6x8xf32>
  %value = arith.constant 2.5 : f32
  %3 = tensor.pad %x low[0, 1] high[2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %value : f32
  } : tensor<6x8xf32> to tensor<8x11xf32>
  %4 = tensor.concat dim(0) %x, %2 : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<12x8xf32>
  %5 = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<3x8xf32>, tensor<4xf32>, tensor<6x8xf32>, tensor<8x11xf32>, tensor<12x8xf32>, tensor<2x3x8xf32>
}
func.func @scalars(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<2xf32>, tensor<12xf32>) {
  %i = arith.constant 1 : index
  %j = arith.constant 2 : index
  %s = tensor.extract %x[%i, %j] : tensor<3x4xf32>
  %two = arith.constant 2.0 : f32
  %t = arith.mulf %s, %two : f32
  %0 = tensor.splat %t : tensor<3x4xf32>
  %1 = tensor.from_elements %s, %t : tensor<2xf32>
  %2 = tensor.collapse_shape %0 [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  %3 = tensor.insert %two into %x[%i, %i] : tensor<3x4xf32>
  return %3, %1, %2 : tensor<3x4xf32>, tensor<2xf32>, tensor<12xf32>
}
func.func @other_named_ones(%x: tensor<6x7xf32>, %y: tensor<6x7xf32>, %a: tensor<2x3x4x5xf32>, %b: tensor<2x3x6x5xf32>, %c: tensor<2x2x4x6xf32>) -> (tensor<6x7xf32>, tensor<6x7xf32>, tensor<2x2x4x6xf32>) {
  %e = tensor.empty() : tensor<6x7xf32>
  %0 = linalg.copy ins(%x : tensor<6x7xf32>) outs(%e : tensor<6x7xf32>) -> tensor<6x7xf32>
  %1 = linalg.add ins(%0, %y : tensor<6x7xf32>, tensor<6x7xf32>) outs(%e : tensor<6x7xf32>) -> tensor<6x7xf32>
  %2 = linalg.mmt4d ins(%a, %b : tensor<2x3x4x5xf32>, tensor<2x3x6x5xf32>) outs(%c : tensor<2x2x4x6xf32>) -> tensor<2x2x4x6xf32>
  return %0, %1, %2 : tensor<6x7xf32>, tensor<6x7xf32>, tensor<2x2x4x6xf32>
}
