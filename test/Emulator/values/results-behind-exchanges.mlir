// Results in another order than what they are made of, which is exchanged among the threads in their place: of two and three
// results, with rows and columns spread beside them, joined parts, and operands of 16 bits.
// RUN: tw-check %s --target=sm_90a
// RUN: tw-check %s
func.func @two(%x: tensor<262x147xf32>, %y: tensor<262xf32>) -> (tensor<147x262xf32>, tensor<147x262xf32>) {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<262x147xf32> to tensor<147x262xf32>
  %1 = graph.broadcast %y dims = [1] : tensor<262xf32> to tensor<147x262xf32>
  %2 = arith.minimumf %0, %1 : tensor<147x262xf32>
  %3 = arith.maximumf %2, %0 : tensor<147x262xf32>
  return %3, %0 : tensor<147x262xf32>, tensor<147x262xf32>
}

func.func @three(%x: tensor<96x130xbf16>, %row: tensor<130xf32>, %column: tensor<96xf32>) -> (tensor<130x96xf32>, tensor<130x96xf32>, tensor<130x96xf32>) {
  %0 = arith.extf %x : tensor<96x130xbf16> to tensor<96x130xf32>
  %1 = graph.transpose %0 permutation = [1, 0] : tensor<96x130xf32> to tensor<130x96xf32>
  %2 = graph.broadcast %row dims = [0] : tensor<130xf32> to tensor<130x96xf32>
  %3 = graph.broadcast %column dims = [1] : tensor<96xf32> to tensor<130x96xf32>
  %4 = arith.addf %1, %2 : tensor<130x96xf32>
  %5 = arith.mulf %1, %3 : tensor<130x96xf32>
  %6 = math.exp %1 : tensor<130x96xf32>
  return %4, %5, %6 : tensor<130x96xf32>, tensor<130x96xf32>, tensor<130x96xf32>
}

func.func @joined(%x: tensor<75x15x200xf32>, %y: tensor<200xf32>) -> (tensor<75x200x16xf32>, tensor<75x200x15xf32>) {
  %0 = graph.transpose %x permutation = [0, 2, 1] : tensor<75x15x200xf32> to tensor<75x200x15xf32>
  %1 = graph.broadcast %y dims = [1] : tensor<200xf32> to tensor<75x200x1xf32>
  %2 = graph.concat %0, %1 dim = 2 : tensor<75x200x15xf32>, tensor<75x200x1xf32> to tensor<75x200x16xf32>
  %zero = arith.constant dense<0.0> : tensor<75x200x15xf32>
  %3 = arith.negf %0 : tensor<75x200x15xf32>
  %4 = arith.maximumf %3, %zero : tensor<75x200x15xf32>
  return %2, %4 : tensor<75x200x16xf32>, tensor<75x200x15xf32>
}
