// Tensors that end within a vector, and rows of odd lengths that are gone over as one run: the last tile of each is taken an
// element at a time, what is broadcast to rows or columns is read at digits of the place, and parts of a result may begin
// anywhere.
// RUN: tw-check %s --rtol=1e-6 --atol=1e-6 --quiet --target=sm_90a

func.func @one_more(%x: tensor<600001xf32>) -> tensor<600001xf32> {
  %0 = arith.addf %x, %x : tensor<600001xf32>
  return %0 : tensor<600001xf32>
}
func.func @one_less(%x: tensor<700001xbf16>) -> tensor<700001xbf16> {
  %0 = arith.negf %x : tensor<700001xbf16>
  return %0 : tensor<700001xbf16>
}
func.func @bytes(%x: tensor<1200003xi8>, %y: tensor<1200003xi8>) -> tensor<1200003xi8> {
  %0 = arith.addi %x, %y : tensor<1200003xi8>
  return %0 : tensor<1200003xi8>
}
func.func @widened(%x: tensor<700001xbf16>) -> tensor<700001xf32> {
  %0 = arith.extf %x : tensor<700001xbf16> to tensor<700001xf32>
  %1 = math.absf %0 : tensor<700001xf32>
  return %1 : tensor<700001xf32>
}
func.func @wide(%x: tensor<500001xf64>) -> tensor<500001xf64> {
  %0 = arith.mulf %x, %x : tensor<500001xf64>
  return %0 : tensor<500001xf64>
}
func.func @values_of_rows_and_columns(%x: tensor<1201x513xf32>, %r: tensor<1201xf32>, %c: tensor<513xf32>) -> (tensor<1201x513xf32>, tensor<1201x513xf32>) {
  %rw = graph.broadcast %r dims = [0] : tensor<1201xf32> to tensor<1201x513xf32>
  %cw = graph.broadcast %c dims = [1] : tensor<513xf32> to tensor<1201x513xf32>
  %0 = arith.addf %x, %rw : tensor<1201x513xf32>
  %1 = arith.mulf %0, %cw : tensor<1201x513xf32>
  return %0, %1 : tensor<1201x513xf32>, tensor<1201x513xf32>
}
// Of the middle of three dimensions, and of the two around it.
func.func @values_of_three(%x: tensor<137x53x91xbf16>, %m: tensor<53xbf16>, %a: tensor<137x91xbf16>) -> (tensor<137x53x91xbf16>, tensor<137x53x91xbf16>) {
  %mw = graph.broadcast %m dims = [1] : tensor<53xbf16> to tensor<137x53x91xbf16>
  %aw = graph.broadcast %a dims = [0, 2] : tensor<137x91xbf16> to tensor<137x53x91xbf16>
  %0 = arith.maximumf %x, %mw : tensor<137x53x91xbf16>
  %1 = arith.minimumf %x, %aw : tensor<137x53x91xbf16>
  return %0, %1 : tensor<137x53x91xbf16>, tensor<137x53x91xbf16>
}
// Twice, the second time from an odd place on.
func.func @twice(%x: tensor<955x301xf32>, %r: tensor<955xf32>) -> (tensor<1910x301xf32>, tensor<955x301xf32>) {
  %0 = graph.concat %x, %x dim = 0 : tensor<955x301xf32>, tensor<955x301xf32> to tensor<1910x301xf32>
  %w = graph.broadcast %r dims = [0] : tensor<955xf32> to tensor<955x301xf32>
  %1 = arith.addf %x, %w : tensor<955x301xf32>
  return %0, %1 : tensor<1910x301xf32>, tensor<955x301xf32>
}
// Rows whose ends a slice leaves out begin at vectors all the same.
func.func @ends_left_out(%x: tensor<590x1024xf32>) -> tensor<590x1001xf32> {
  %0 = graph.slice %x offsets = [0, 0] strides = [1, 1] : tensor<590x1024xf32> to tensor<590x1001xf32>
  %1 = arith.addf %0, %0 : tensor<590x1001xf32>
  return %1 : tensor<590x1001xf32>
}
func.func @reduced_ends(%x: tensor<590x1024xbf16>) -> tensor<590xf32> {
  %0 = graph.slice %x offsets = [0, 8] strides = [1, 1] : tensor<590x1024xbf16> to tensor<590x1003xbf16>
  %1 = arith.extf %0 : tensor<590x1003xbf16> to tensor<590x1003xf32>
  %2 = math.absf %1 : tensor<590x1003xf32>
  %3 = graph.reduce max %2 dims = [1] : tensor<590x1003xf32> to tensor<590xf32>
  return %3 : tensor<590xf32>
}
// Reduced over the first of three dimensions: the kept ones are one run, in which what has one of them only is read at digits.
func.func @kept_of_a_reduction(%x: tensor<140x1201x7xf32>, %y: tensor<140x7xf32>, %z: tensor<1201xf32>) -> (tensor<1201x7xf32>, tensor<1201x7xf32>) {
  %yw = graph.broadcast %y dims = [0, 2] : tensor<140x7xf32> to tensor<140x1201x7xf32>
  %0 = arith.mulf %x, %yw : tensor<140x1201x7xf32>
  %1 = graph.reduce sum %0 dims = [0] : tensor<140x1201x7xf32> to tensor<1201x7xf32>
  %zw = graph.broadcast %z dims = [1] : tensor<1201xf32> to tensor<140x1201x7xf32>
  %2 = arith.subf %x, %zw : tensor<140x1201x7xf32>
  %3 = graph.reduce max %2 dims = [0] : tensor<140x1201x7xf32> to tensor<1201x7xf32>
  return %1, %3 : tensor<1201x7xf32>, tensor<1201x7xf32>
}
