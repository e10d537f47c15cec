// A gather reads the tensor of which a part is selected, or another order of whole rows, through other indices: no copy is made.
// RUN: tw-compile %s --start-from=fuse --stop-after=fuse -o - | FileCheck %s

// CHECK-LABEL: plan.program @part
// CHECK: plan.launch @{{.*}}(%arg1, %arg0)
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @part(%x: tensor<1000x64xbf16>, %i: tensor<777xi64>) -> tensor<777x64xbf16> {
  %0 = graph.slice %x offsets = [100, 0] strides = [1, 1] : tensor<1000x64xbf16> to tensor<800x64xbf16>
  %1 = graph.gather %0[%i] dim = 0 : tensor<800x64xbf16>, tensor<777xi64> to tensor<777x64xbf16>
  return %1 : tensor<777x64xbf16>
}

// CHECK-LABEL: plan.program @order_of_rows
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @order_of_rows(%x: tensor<10x100x64xbf16>, %i: tensor<77xi64>) -> tensor<77x10x64xbf16> {
  %0 = graph.transpose %x permutation = [1, 0, 2] : tensor<10x100x64xbf16> to tensor<100x10x64xbf16>
  %1 = graph.gather %0[%i] dim = 0 : tensor<100x10x64xbf16>, tensor<77xi64> to tensor<77x10x64xbf16>
  return %1 : tensor<77x10x64xbf16>
}

// What is selected of a transpose is runs of the tensor, though rows of the transpose are none: these are selected, and turned then;
// so is what is computed of it.
// CHECK-LABEL: plan.program @runs_across
// CHECK: plan.launch
// CHECK-NOT: plan.launch
// CHECK: plan.return
func.func @runs_across(%x: tensor<40x217x24x32xf32>, %i: tensor<216xi64>) -> (tensor<40x216x32x24xf32>, tensor<40x32x216x24xf32>) {
  %0 = graph.transpose %x permutation = [0, 1, 3, 2] : tensor<40x217x24x32xf32> to tensor<40x217x32x24xf32>
  %1 = graph.gather %0[%i] dim = 1 : tensor<40x217x32x24xf32>, tensor<216xi64> to tensor<40x216x32x24xf32>
  %2 = graph.transpose %x permutation = [0, 3, 1, 2] : tensor<40x217x24x32xf32> to tensor<40x32x217x24xf32>
  %3 = math.tanh %2 : tensor<40x32x217x24xf32>
  %4 = graph.gather %3[%i] dim = 2 : tensor<40x32x217x24xf32>, tensor<216xi64> to tensor<40x32x216x24xf32>
  return %1, %4 : tensor<40x216x32x24xf32>, tensor<40x32x216x24xf32>
}

// Columns of a row-major tensor lie apart: they are brought together first.
// CHECK-LABEL: plan.program @columns_as_rows
// CHECK: plan.launch @transpose
// CHECK: plan.launch @gather
func.func @columns_as_rows(%x: tensor<64x1000xbf16>, %i: tensor<777xi64>) -> tensor<777x64xbf16> {
  %0 = graph.transpose %x permutation = [1, 0] : tensor<64x1000xbf16> to tensor<1000x64xbf16>
  %1 = graph.gather %0[%i] dim = 0 : tensor<1000x64xbf16>, tensor<777xi64> to tensor<777x64xbf16>
  return %1 : tensor<777x64xbf16>
}

// What is computed of a part is computed of the gathered elements, and the elements are the narrow ones.
// CHECK-LABEL: plan.program @computed
// CHECK: plan.launch @{{.*}}(%arg1, %arg0)
// CHECK-NOT: plan.launch
// CHECK: plan.return
// CHECK: gather %{{.*}} : tensor<900000xbf16>
func.func @computed(%x: tensor<900000xbf16>, %i: tensor<700000xi64>) -> tensor<700000xf32> {
  %0 = arith.extf %x : tensor<900000xbf16> to tensor<900000xf32>
  %1 = graph.slice %0 offsets = [1000] strides = [1] : tensor<900000xf32> to tensor<800000xf32>
  %2 = math.tanh %1 : tensor<800000xf32>
  %3 = graph.gather %2[%i] dim = 0 : tensor<800000xf32>, tensor<700000xi64> to tensor<700000xf32>
  return %3 : tensor<700000xf32>
}

// A kernel that computes the tensor stores the part alone; of softmax selected rows are computed of selected rows and what all are
// reduced to.
// CHECK-LABEL: plan.program @part_of_computed
// CHECK: plan.launch @{{.*}}(%arg0) {{.*}} -> tensor<1024x32xf32>
// CHECK: plan.launch @{{.*}}gather
func.func @part_of_computed(%x: tensor<1024x96xf32>, %i: tensor<77xi64>) -> tensor<77x32xf32> {
  %0 = graph.scan sum %x dim = 1 : tensor<1024x96xf32>
  %1 = graph.slice %0 offsets = [0, 50] strides = [1, 1] : tensor<1024x96xf32> to tensor<1024x32xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<1024x32xf32>, tensor<77xi64> to tensor<77x32xf32>
  return %2 : tensor<77x32xf32>
}
// CHECK-LABEL: plan.program @part_of_softmax
// CHECK: plan.launch @reduction{{.*}}(%arg0)
// CHECK: plan.launch @{{.*}}(%arg1, %arg0, {{.*}} -> tensor<77x32xf32>
func.func @part_of_softmax(%x: tensor<1024x96xf32>, %i: tensor<77xi64>) -> tensor<77x32xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<1024x96xf32> to tensor<1024x96xf32>
  %1 = graph.slice %0 offsets = [0, 50] strides = [1, 1] : tensor<1024x96xf32> to tensor<1024x32xf32>
  %2 = graph.gather %1[%i] dim = 0 : tensor<1024x32xf32>, tensor<77xi64> to tensor<77x32xf32>
  return %2 : tensor<77x32xf32>
}
