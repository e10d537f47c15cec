// What is chosen among 16-bit numbers, or changes but their sign, is stored in 16 bits between kernels: it is the same number when it
// is widened again. Sums, numbers beside them that are none of these, and such of two types stay fp32.
// RUN: tw-compile %s --target=sm_90a --emit=fuse -o - | FileCheck %s

// CHECK-LABEL: plan.program @running_maximum
// CHECK: plan.launch @[[M:[a-z_0-9]+]]({{.*}} -> tensor<4096x384xbf16>
// CHECK-NEXT: plan.launch @{{.*}} : (tensor<4096x384xbf16>)
// CHECK: graph.kernel {{.*}} @[[M]](
// CHECK: = scan max
// CHECK: %[[N:.*]] = arith.negf
// CHECK: %[[R:.*]] = arith.truncf %[[N]] : tensor<4096x384xf32> to tensor<4096x384xbf16>
// CHECK: return %[[R]]
// CHECK: graph.kernel {{.*}}(%[[A:[a-z0-9]+]]: tensor<4096x384xbf16>
// CHECK: arith.extf %[[A]]
func.func @running_maximum(%x: tensor<4096x384xbf16>) -> tensor<4096x384xbf16> {
  %wide = arith.extf %x : tensor<4096x384xbf16> to tensor<4096x384xf32>
  %most = graph.scan max %wide dim = 0 : tensor<4096x384xf32>
  %0 = arith.negf %most : tensor<4096x384xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<4096x384xf32> to tensor<4096x384xf32>
  %2 = arith.truncf %1 : tensor<4096x384xf32> to tensor<4096x384xbf16>
  return %2 : tensor<4096x384xbf16>
}

// CHECK-LABEL: plan.program @whole_numbers
// CHECK: plan.launch @{{.*}} -> tensor<4096x384xf16>
// CHECK-NEXT: plan.launch @{{.*}} : (tensor<4096x384xf16>)
func.func @whole_numbers(%x: tensor<4096x384xf16>) -> tensor<4096x384xf32> {
  %wide = arith.extf %x : tensor<4096x384xf16> to tensor<4096x384xf32>
  %least = graph.scan min %wide dim = 0 : tensor<4096x384xf32>
  %0 = math.floor %least : tensor<4096x384xf32>
  %half = arith.constant dense<-0.5> : tensor<4096x384xf32>
  %1 = arith.maximumf %0, %half : tensor<4096x384xf32>
  %2 = graph.softmax %1 dim = 1 : tensor<4096x384xf32> to tensor<4096x384xf32>
  return %2 : tensor<4096x384xf32>
}

// CHECK-LABEL: plan.program @running_sum
// CHECK-NOT: -> tensor<4096x384xbf16>
// CHECK: plan.launch @{{.*}} -> tensor<4096x384xf32>
// CHECK-NEXT: plan.launch @{{.*}} : (tensor<4096x384xf32>)
func.func @running_sum(%x: tensor<4096x384xbf16>) -> tensor<4096x384xbf16> {
  %wide = arith.extf %x : tensor<4096x384xbf16> to tensor<4096x384xf32>
  %sum = graph.scan sum %wide dim = 0 : tensor<4096x384xf32>
  %0 = arith.negf %sum : tensor<4096x384xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<4096x384xf32> to tensor<4096x384xf32>
  %2 = arith.truncf %1 : tensor<4096x384xf32> to tensor<4096x384xbf16>
  return %2 : tensor<4096x384xbf16>
}

// A tenth is no number of 16 bits.
// CHECK-LABEL: plan.program @tenth
// CHECK: plan.launch @{{.*}} -> tensor<4096x384xf32>
// CHECK-NEXT: plan.launch @{{.*}} : (tensor<4096x384xf32>)
func.func @tenth(%x: tensor<4096x384xbf16>) -> tensor<4096x384xbf16> {
  %wide = arith.extf %x : tensor<4096x384xbf16> to tensor<4096x384xf32>
  %tenth = arith.constant dense<0.1> : tensor<4096x384xf32>
  %most = graph.scan max %wide dim = 0 : tensor<4096x384xf32>
  %0 = arith.maximumf %most, %tenth : tensor<4096x384xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<4096x384xf32> to tensor<4096x384xf32>
  %2 = arith.truncf %1 : tensor<4096x384xf32> to tensor<4096x384xbf16>
  return %2 : tensor<4096x384xbf16>
}

// CHECK-LABEL: plan.program @two_types
// CHECK-NOT: plan.launch @{{.*}} -> tensor<4096x384xbf16>
// CHECK-NOT: plan.launch @{{.*}} -> tensor<4096x384xf16>
// CHECK: plan.return
func.func @two_types(%x: tensor<4096x384xbf16>, %y: tensor<4096x384xf16>) -> tensor<4096x384xf32> {
  %wide = arith.extf %x : tensor<4096x384xbf16> to tensor<4096x384xf32>
  %other = arith.extf %y : tensor<4096x384xf16> to tensor<4096x384xf32>
  %both = arith.maximumf %wide, %other : tensor<4096x384xf32>
  %most = graph.scan max %both dim = 0 : tensor<4096x384xf32>
  %0 = arith.negf %most : tensor<4096x384xf32>
  %1 = graph.softmax %0 dim = 1 : tensor<4096x384xf32> to tensor<4096x384xf32>
  return %1 : tensor<4096x384xf32>
}
