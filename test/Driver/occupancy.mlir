// The report names what limits a kernel and totals the bytes that a program moves; remarks say why few resident warps are enough, or
// that they are not.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s --report=text --target=sm_90a --remarks=%t/remarks.yaml > %t/report.txt
// RUN: FileCheck %s --input-file=%t/report.txt
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK
// RUN: tw-compile %s --report=json --target=sm_90a | FileCheck %s --check-prefix=JSON

// Rows of 32768 in the shared memory of two blocks: at most half of the warps, and enough bytes in flight.
// CHECK: reduction
// CHECK-NEXT: limited by memory: {{.*}} waves, {{[0-9]+}} bytes in flight a multiprocessor where the memory takes 25455
// CHECK: main: {{[0-9]+}} launches, arena {{[0-9]+}} bytes, 536870912 bytes moved where 536870912 are the least (1.00), predicted
// REMARK: OccupancyKept
// REMARK: bytes in flight where the memory takes
// JSON: "moved_bytes": 536870912,
// JSON-NEXT: "least_bytes": 536870912,
// JSON: "limiter": "memory"
// JSON: "bytes_in_flight_needed": 25454
func.func @main(%x: tensor<2048x32768xf32>) -> tensor<2048x32768xf32> {
  %0 = graph.softmax %x dim = 1 : tensor<2048x32768xf32> to tensor<2048x32768xf32>
  return %0 : tensor<2048x32768xf32>
}
