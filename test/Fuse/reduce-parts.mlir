// Long rows that padding surrounds are reduced without it, and joined ones part by part, so that the whole is not stored;
// and rows that no number of equal pieces has are read once for their deviations.
// RUN: tw-opt %s --split-input-file --fuse-split-reductions --canonicalize | FileCheck %s
// RUN: tw-opt %s --split-input-file --fuse-stage | FileCheck %s --check-prefix=KERNELS

// What the padding adds is one of its elements, as often as there are.
// CHECK-LABEL: @padded
// CHECK-NOT: graph.pad
// CHECK: %[[PADDING:.*]] = arith.constant dense<1.125000e+01> : tensor<f32>
// CHECK-NOT: graph.pad
// CHECK: %[[INSIDE:.*]] = graph.reduce sum %{{.*}} dims = [0] : tensor<{{[0-9]+}}xf32> to tensor<f32>
// CHECK: arith.addf %[[INSIDE]], %[[PADDING]] : tensor<f32>
func.func @padded(%x: tensor<400000xf32>) -> tensor<f32> {
  %p = graph.pad %x low = [3] high = [2] value = 1.5 : f32 : tensor<400000xf32> to tensor<400005xf32>
  %q = arith.mulf %p, %p : tensor<400005xf32>
  %s = graph.reduce sum %q dims = [0] : tensor<400005xf32> to tensor<f32>
  return %s : tensor<f32>
}

// -----

// A fifth of the elements are padding: of one number there may be many.
// CHECK-LABEL: @much_of_one_number
// CHECK-NOT: graph.pad
// CHECK: return
func.func @much_of_one_number(%x: tensor<576x2804x16xf32>) -> tensor<f32> {
  %p = graph.pad %x low = [0, 0, 2] high = [0, 0, 2] value = 0.5 : f32 : tensor<576x2804x16xf32> to tensor<576x2804x20xf32>
  %q = arith.mulf %p, %p : tensor<576x2804x20xf32>
  %s = graph.reduce sum %q dims = [0, 1, 2] : tensor<576x2804x20xf32> to tensor<f32>
  return %s : tensor<f32>
}

// -----

// Short rows are padded where they are loaded.
// CHECK-LABEL: @short_rows
// CHECK: graph.pad
func.func @short_rows(%x: tensor<300x4000xf32>) -> tensor<300xf32> {
  %p = graph.pad %x low = [0, 3] high = [0, 2] value = 1.5 : f32 : tensor<300x4000xf32> to tensor<300x4005xf32>
  %s = graph.reduce sum %p dims = [1] : tensor<300x4005xf32> to tensor<300xf32>
  return %s : tensor<300xf32>
}

// -----

// Half of the row is padding: that is no tensor with a little around it.
// CHECK-LABEL: @mostly_padding
// CHECK: graph.pad
func.func @mostly_padding(%x: tensor<40000xf32>) -> tensor<f32> {
  %p = graph.pad %x low = [40000] high = [0] value = 1.5 : f32 : tensor<40000xf32> to tensor<80000xf32>
  %s = graph.reduce sum %p dims = [0] : tensor<80000xf32> to tensor<f32>
  return %s : tensor<f32>
}

// -----

// Three readings become two: the pieces' sums and deviations, and what is computed of them.
// KERNELS-LABEL: plan.program @odd_norm
// KERNELS: plan.launch {{.*}} : (tensor<4000037xf32>) -> (tensor<{{[0-9]+}}xf32>, tensor<{{[0-9]+}}xf32>, tensor<{{[0-9]+}}xf32>)
// KERNELS-NOT: (tensor<4000037xf32>) -> tensor<{{[0-9]+}}xf32>
// KERNELS: plan.launch {{.*}} -> tensor<4000037xf32>
// KERNELS-NEXT: plan.return
func.func @odd_norm(%x: tensor<4000037xf32>) -> tensor<4000037xf32> {
  %n = graph.layer_norm %x dim = 0 epsilon = 1.0e-5 : tensor<4000037xf32> to tensor<4000037xf32>
  return %n : tensor<4000037xf32>
}

// -----

// The parts of a joined row are reduced by themselves, from the one tensor that both are computed of; what is stored of
// the whole selects while it loads.
// CHECK-LABEL: @joined
// CHECK: graph.reduce sum %{{.*}} dims = [1] {graph.part} : tensor<250x16000xf32> to tensor<250xf32>
// CHECK: graph.reduce sum %{{.*}} dims = [1] {graph.part} : tensor<250x16000xf32> to tensor<250xf32>
// KERNELS-LABEL: plan.program @joined
// KERNELS: plan.launch {{.*}} : (tensor<4000000xf32>) -> (tensor<[[N:[0-9]+]]xf32>, tensor<[[N]]xf32>)
// KERNELS: plan.launch {{.*}} -> tensor<f32>
// KERNELS-NEXT: plan.launch {{.*}} : (tensor<4000000xf32>, tensor<f32>) -> tensor<8000000xf32>
// KERNELS-NEXT: plan.return
func.func @joined(%x: tensor<4000000xf32>) -> tensor<8000000xf32> {
  %n = arith.negf %x : tensor<4000000xf32>
  %w = graph.concat %n, %x dim = 0 : tensor<4000000xf32>, tensor<4000000xf32> to tensor<8000000xf32>
  %e = math.erf %w : tensor<8000000xf32>
  %s = graph.reduce sum %e dims = [0] : tensor<8000000xf32> to tensor<f32>
  %b = graph.broadcast %s dims = [] : tensor<f32> to tensor<8000000xf32>
  %d = arith.subf %e, %b : tensor<8000000xf32>
  %t = graph.slice %d offsets = [3] strides = [1] : tensor<8000000xf32> to tensor<7999990xf32>
  %p = graph.pad %t low = [4] high = [6] value = 0.0 : f32 : tensor<7999990xf32> to tensor<8000000xf32>
  return %p : tensor<8000000xf32>
}

// -----

// Parts that more is read for than the whole has are joined first.
// CHECK-LABEL: @joined_of_more
// CHECK: %[[WHOLE:.*]] = graph.concat
// CHECK: graph.reshape %[[WHOLE]]
func.func @joined_of_more(%x: tensor<4000000xf32>, %y: tensor<4000000xf32>, %z: tensor<4000000xf32>) -> (tensor<8000000xf32>, tensor<f32>) {
  %n = arith.addf %x, %y : tensor<4000000xf32>
  %w = graph.concat %n, %z dim = 0 : tensor<4000000xf32>, tensor<4000000xf32> to tensor<8000000xf32>
  %s = graph.reduce sum %w dims = [0] : tensor<8000000xf32> to tensor<f32>
  return %w, %s : tensor<8000000xf32>, tensor<f32>
}

// -----

// Padding beside what is joined stays: either alone would be taken apart.
// CHECK-LABEL: @padded_beside_joined
// CHECK: graph.pad
// CHECK: graph.concat
func.func @padded_beside_joined(%x: tensor<400000xf32>, %y: tensor<200000xf32>, %z: tensor<200005xf32>) -> tensor<f32> {
  %p = graph.pad %x low = [3] high = [2] value = 1.5 : f32 : tensor<400000xf32> to tensor<400005xf32>
  %w = graph.concat %y, %z dim = 0 : tensor<200000xf32>, tensor<200005xf32> to tensor<400005xf32>
  %q = arith.mulf %p, %w : tensor<400005xf32>
  %s = graph.reduce sum %q dims = [0] : tensor<400005xf32> to tensor<f32>
  return %s : tensor<f32>
}

// -----

// What is inside the padding may be a tensor in another shape.
// CHECK-LABEL: @inside_of_another_shape
// CHECK-NOT: graph.pad
// CHECK: graph.reduce sum
func.func @inside_of_another_shape(%x: tensor<4000x100xf32>) -> tensor<f32> {
  %r = graph.reshape %x : tensor<4000x100xf32> to tensor<400000xf32>
  %p = graph.pad %r low = [3] high = [2] value = 1.5 : f32 : tensor<400000xf32> to tensor<400005xf32>
  %e = math.erf %p : tensor<400005xf32>
  %s = graph.reduce sum %e dims = [0] : tensor<400005xf32> to tensor<f32>
  return %s : tensor<f32>
}

// -----

// What is one number is that number, as often as there are elements, however it is computed.
// CHECK-LABEL: @one_number
// CHECK-DAG: %[[SUM:.*]] = arith.constant dense<1.000000e+06> : tensor<4xf32>
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK: arith.addf %{{.*}}, %[[SUM]]
// CHECK: arith.addf %{{.*}}, %[[MOST]]
// CHECK-NOT: graph.reduce
// KERNELS-LABEL: plan.program @one_number
// KERNELS-COUNT-1: plan.launch
// KERNELS-NEXT: plan.return
func.func @one_number(%y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<2.0> : tensor<4x500000xf32>
  %d = arith.addf %c, %c : tensor<4x500000xf32>
  %e = math.sqrt %d : tensor<4x500000xf32>
  %s = graph.reduce sum %e dims = [1] : tensor<4x500000xf32> to tensor<4xf32>
  %m = graph.reduce max %e dims = [1] : tensor<4x500000xf32> to tensor<4xf32>
  %0 = arith.addf %s, %y : tensor<4xf32>
  %1 = arith.addf %m, %y : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
