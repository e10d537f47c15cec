// Blocks that look back take tickets with one atomic, publish values with their marks in one store, and wait for what those
// before publish with loads that no fence follows; all at the scope of the chip, none through L1. Of a row the block's
// elements stay in registers meanwhile.
// REQUIRES: ptxas
// RUN: tw-compile %s --target=sm_90a --look-back=on --emit=ptx -o - | FileCheck %s
// RUN: tw-compile %s --target=sm_80 --look-back=on -o /dev/null --report=text | FileCheck %s --check-prefix=REPORT
// CHECK: atom.relaxed.gpu.global.add.u64
// CHECK: st.relaxed.gpu.global.u64
// CHECK: st.relaxed.gpu.global.b64
// CHECK: ld.relaxed.gpu.global.b64
// CHECK-NOT: fence
// CHECK-NOT: membar
// REPORT: reduction_scan {{.*}} 8192x1x1
// REPORT: 1 launches, arena 0 bytes, 536870912 bytes moved where 536870912 are the least
func.func @main(%x: tensor<1x67108864xf32> {graph.name = "x"}) -> (tensor<1x67108864xf32> {graph.name = "y"}) {
  %0 = graph.scan sum %x dim = 1 : tensor<1x67108864xf32>
  return %0 : tensor<1x67108864xf32>
}
