// A sum over a concatenation of which one part is a softmax of one element: the kernel's domain has no dimension that the sum
// could run along, so it is another kernel's. It once took the first part alone.
// RUN: tw-check %s --quiet
func.func @of_single_elements(%x: tensor<1xf32>, %y: tensor<f32>, %z: tensor<1xf32>) -> tensor<f32> {
  %0 = graph.softmax %x dim = 0 : tensor<1xf32> to tensor<1xf32>
  %1 = graph.broadcast %y dims = [] : tensor<f32> to tensor<1xf32>
  %2 = graph.concat %0, %1, %z dim = 0 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32> to tensor<3xf32>
  %3 = graph.reduce sum %2 dims = [0] : tensor<3xf32> to tensor<f32>
  return %3 : tensor<f32>
}
func.func @of_rows_of_one(%x: tensor<7x1xf32>, %z: tensor<7x2xf32>) -> tensor<7xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<7x1xf32> to tensor<7x1xf32>
  %1 = graph.concat %0, %z dim = 1 : tensor<7x1xf32>, tensor<7x2xf32> to tensor<7x3xf32>
  %2 = graph.reduce sum %1 dims = [1] : tensor<7x3xf32> to tensor<7xf32>
  return %2 : tensor<7xf32>
}
