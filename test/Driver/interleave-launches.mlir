// Kernels of which one reads what the other writes, too large for the L2 cache: one launch where that is asked for, with its parts
// and slices in the report, fewer bytes through the memory, and a remark that says who waits for what. Off, there are two.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t
// RUN: tw-compile %s -o %t/on.tw --emulation=off --interleave-launches=on --report=text --remarks=%t/remarks.yaml | FileCheck %s
// RUN: FileCheck %s --input-file=%t/remarks.yaml --check-prefix=REMARK
// RUN: tw-compile %s -o %t/off.tw --emulation=off --report=text | FileCheck %s --check-prefix=OFF
// RUN: tw-compile %s --interleave-launches=on --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: not tw-compile %s -o %t/no.tw --interleave-launches=perhaps 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// CHECK: reduction_scan_then_reduction_divf reduction 1
// CHECK: interleaved in {{[0-9]+}} slices from reduction{{[a-z_0-9]*}} ({{[0-9]+}} blocks), reduction{{[a-z_0-9]*}} ({{[0-9]+}} blocks)
// CHECK: main: 1 launches
// REMARK: --- !Passed
// REMARK: Name: LaunchesInterleaved
// REMARK: waits for slices k -
// OFF-NOT: interleaved
// OFF: main: 2 launches
// PTX: atom.relaxed.gpu.global.add.u64
// PTX-DAG: ld.acquire.gpu.global.u32
// PTX-DAG: red.release.gpu.global.add.u32
// UNKNOWN: interleave-launches
func.func @main(%x: tensor<128x500x2x256xf32>) -> (tensor<128x500x2x256xf32>, tensor<128x500x2x256xf32>) {
  %0 = graph.scan sum %x dim = 0 : tensor<128x500x2x256xf32>
  %1 = graph.softmax %0 dim = 3 : tensor<128x500x2x256xf32> to tensor<128x500x2x256xf32>
  return %0, %1 : tensor<128x500x2x256xf32>, tensor<128x500x2x256xf32>
}
