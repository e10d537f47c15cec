// Results that lie across what the kernel goes through, in runs shorter than sectors and lines, are computed in kernels of their own
// where that is modelled to be faster, with what tiles touch of these counted; what they are made of is read where the other
// kernel stores it. (Random programs on an H200: memory-552164, a tensor in three orders, 325 us, 156 in two kernels; memory-552218,
// a padded run and its transpose as a matrix of odd columns, 644 us, 233 where the transpose reads the run.)
// REQUIRES: ptxas, emulator
// RUN: rm -rf %t && mkdir -p %t
// RUN: split-file %s %t
// RUN: tw-compile %t/orders.mlir -o %t/orders.tw --golden=1 --report=text --remarks=%t/orders.yaml | FileCheck %s --check-prefix=ORDERS
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/orders.yaml
// RUN: tw-run %t/orders.tw --device=emulator --self-test
// RUN: tw-compile %t/run.mlir -o %t/run.tw --golden=1 --report=text --remarks=%t/run.yaml | FileCheck %s --check-prefix=JOINED
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t/run.yaml
// RUN: tw-run %t/run.tw --device=emulator --self-test

// REMARK: Name: {{ *}}ResultsDivided

// ORDERS: _part0
// ORDERS: _part1
// It reads the padded run, not the one before.
// JOINED: _part0 {{.*}} 4272000 {{.*}}4272356
// JOINED: _part1 {{.*}} 4272356 {{.*}}4272356

//--- orders.mlir
func.func @main(%x: tensor<162x55x333xf32>) -> (tensor<162x55x333xf32>, tensor<55x333x162xf32>, tensor<162x333x45xf32>) {
  %0 = graph.transpose %x permutation = [0, 2, 1] : tensor<162x55x333xf32> to tensor<162x333x55xf32>
  %1 = graph.transpose %x permutation = [1, 2, 0] : tensor<162x55x333xf32> to tensor<55x333x162xf32>
  %2 = math.tanh %x : tensor<162x55x333xf32>
  %3 = arith.mulf %2, %x : tensor<162x55x333xf32>
  %4 = graph.slice %0 offsets = [0, 0, 0] strides = [1, 1, 1] : tensor<162x333x55xf32> to tensor<162x333x45xf32>
  return %3, %1, %4 : tensor<162x55x333xf32>, tensor<55x333x162xf32>, tensor<162x333x45xf32>
}

//--- run.mlir
func.func @main(%x: tensor<1068000xf32>) -> (tensor<1068089xf32>, tensor<89x12001xf32>) {
  %0 = math.tanh %x : tensor<1068000xf32>
  %1 = graph.pad %0 low = [3] high = [86] value = 0.000000e+00 : f32 : tensor<1068000xf32> to tensor<1068089xf32>
  %2 = graph.reshape %1 : tensor<1068089xf32> to tensor<12001x89xf32>
  %3 = graph.transpose %2 permutation = [1, 0] : tensor<12001x89xf32> to tensor<89x12001xf32>
  return %1, %3 : tensor<1068089xf32>, tensor<89x12001xf32>
}
