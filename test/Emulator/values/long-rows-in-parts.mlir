// Long rows that are joined from parts are reduced part by part, those of several dimensions without equal pieces as one, and rows
// of up to 1.7 MB are kept by clusters; of all of them the values are those of the whole.
// RUN: tw-check %s --quiet --target=sm_90a
// RUN: tw-check %s --quiet
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK-LABEL: plan.program @joined
// CHECK: plan.launch {{.*}} : (tensor<30011xf32>) -> (tensor<[[N:[0-9]+]]xf32>, tensor<[[N]]xf32>
func.func @joined(%x: tensor<30011xf32>) -> tensor<60022xf32> {
  %n = arith.negf %x : tensor<30011xf32>
  %w = graph.concat %n, %x dim = 0 : tensor<30011xf32>, tensor<30011xf32> to tensor<60022xf32>
  %e = math.erf %w : tensor<60022xf32>
  %q = arith.mulf %e, %e : tensor<60022xf32>
  %s = graph.reduce max %q dims = [0] : tensor<60022xf32> to tensor<f32>
  %b = graph.broadcast %s dims = [] : tensor<f32> to tensor<60022xf32>
  %d = arith.subf %e, %b : tensor<60022xf32>
  %t = graph.slice %d offsets = [3] strides = [1] : tensor<60022xf32> to tensor<60010xf32>
  %p = graph.pad %t low = [5] high = [7] value = 0.0 : f32 : tensor<60010xf32> to tensor<60022xf32>
  return %p : tensor<60022xf32>
}

// Parts of two lengths, along rows that are not all of the tensor, beside a tensor of the whole.
// CHECK-LABEL: plan.program @joined_rows
func.func @joined_rows(%x: tensor<3x20000xf32>, %y: tensor<3x14000xf32>, %z: tensor<3x34000xf32>) -> (tensor<3xf32>, tensor<3x34000xf32>) {
  %w = graph.concat %x, %y dim = 1 : tensor<3x20000xf32>, tensor<3x14000xf32> to tensor<3x34000xf32>
  %a = math.absf %w : tensor<3x34000xf32>
  %m = arith.maximumf %a, %z : tensor<3x34000xf32>
  %s = graph.reduce sum %m dims = [1] : tensor<3x34000xf32> to tensor<3xf32>
  %r = graph.scan max %w dim = 1 : tensor<3x34000xf32>
  return %s, %r : tensor<3xf32>, tensor<3x34000xf32>
}

// CHECK-LABEL: plan.program @rest_of_two_dims
// CHECK: plan.launch {{.*}} : (tensor<166x303xf32>) -> tensor<14xf32>
func.func @rest_of_two_dims(%x: tensor<166x303xf32>) -> tensor<166x303xf32> {
  %n = graph.rms_norm %x dim = 0 epsilon = 1.0e-5 : tensor<166x303xf32> to tensor<166x303xf32>
  return %n : tensor<166x303xf32>
}

// CHECK-LABEL: plan.program @kept
// CHECK-COUNT-1: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @kept(%x: tensor<17x132000xf32>) -> tensor<17x132000xf32> {
  %n = graph.softmax %x dim = 1 : tensor<17x132000xf32> to tensor<17x132000xf32>
  return %n : tensor<17x132000xf32>
}

// Rows that equal pieces of a slice leave.
// CHECK-LABEL: plan.program @rest_of_rows
func.func @rest_of_rows(%x: tensor<211x303xf32>, %y: tensor<3x211x300xf32>) -> (tensor<f32>, tensor<3xf32>) {
  %0 = graph.slice %x offsets = [0, 7] strides = [1, 1] : tensor<211x303xf32> to tensor<211x290xf32>
  %1 = arith.mulf %0, %0 : tensor<211x290xf32>
  %2 = graph.reduce sum %1 dims = [0, 1] : tensor<211x290xf32> to tensor<f32>
  %3 = graph.slice %y offsets = [0, 0, 3] strides = [1, 1, 1] : tensor<3x211x300xf32> to tensor<3x211x280xf32>
  %4 = graph.reduce max %3 dims = [1, 2] : tensor<3x211x280xf32> to tensor<3xf32>
  return %2, %4 : tensor<f32>, tensor<3xf32>
}

// Padding beside what is joined.
// CHECK-LABEL: plan.program @padded_beside_joined
func.func @padded_beside_joined(%x: tensor<40000xf32>, %y: tensor<20000xf32>, %z: tensor<20005xf32>) -> tensor<f32> {
  %p = graph.pad %x low = [3] high = [2] value = 1.5 : f32 : tensor<40000xf32> to tensor<40005xf32>
  %w = graph.concat %y, %z dim = 0 : tensor<20000xf32>, tensor<20005xf32> to tensor<40005xf32>
  %q = arith.maximumf %p, %w : tensor<40005xf32>
  %s = graph.reduce sum %q dims = [0] : tensor<40005xf32> to tensor<f32>
  return %s : tensor<f32>
}
